package file

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func recurseSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.recurse",
		Doc: `Ensures that a directory has all that a directory of the file roots has.

Each file is managed as file.managed does it. With clean, whatever else is in the directory is removed.`,
		Example: `
/opt/code/app:
  file.recurse:
    - source: salt://app/files
    - user: app
    - dir_mode: '0755'
    - file_mode: '0644'
`,
		New:     func() modules.StateFunc { return &Recurse{} },
		AnyArgs: true,
	}
}

// Recurse is file.recurse.
type Recurse struct {
	Name          Path         `arg:"name,required,path" doc:"The directory."`
	Source        []string     `arg:"source,required,path" doc:"The salt:// directory; of a list, the first that exists."`
	KeepSource    bool         `arg:"keep_source" default:"true" doc:"Without effect: sources are not cached."`
	Clean         bool         `arg:"clean" doc:"Removes what is neither in the source nor managed by a file state that it requires."`
	User          Owner        `arg:"user,word" alias:"owner?" doc:"The owner."`
	Group         Owner        `arg:"group,word" doc:"The group."`
	DirMode       modules.Mode `arg:"dir_mode" doc:"The permissions of directories."`
	FileMode      modules.Mode `arg:"file_mode" doc:"The permissions of files; keep takes those of the source."`
	SymMode       modules.Mode `arg:"sym_mode" doc:"Without effect: a link has no permissions."`
	Mode          modules.Mode `arg:"mode" doc:"Refused: use file_mode and dir_mode."`
	Template      string       `arg:"template" choices:"jinja|py|mako|genshi|cheetah|wempy" doc:"The engine that renders the files."`
	Context       Variables    `arg:"context,text" doc:"Variables of the templates."`
	Defaults      Variables    `arg:"defaults,text" doc:"Variables of the templates that context overrides."`
	Replace       bool         `arg:"replace" default:"true" doc:"Without it the content of files that are there stays."`
	IncludeEmpty  bool         `arg:"include_empty" doc:"Makes empty directories too."`
	Backup        string       `arg:"backup" doc:"Minion keeps copies of the old files below the cache directory."`
	IncludePat    []string     `arg:"include_pat,text" doc:"Globs, or E@ and a regular expression, of the files that are taken."`
	ExcludePat    []string     `arg:"exclude_pat,text" doc:"Globs, or E@ and a regular expression, of what is left."`
	Maxdepth      *int         `arg:"maxdepth" doc:"How many directories deep files are taken; 0 for those of the directory itself."`
	KeepSymlinks  bool         `arg:"keep_symlinks" doc:"Makes links for links of the source."`
	ForceSymlinks bool         `arg:"force_symlinks" doc:"Removes what is in the way of a link."`
	ShowChanges   bool         `arg:"show_changes" default:"true" doc:"Shows the diffs."`
	windowsArgs
	// Rest are further variables of the templates.
	Rest *value.Dict `arg:"**,text"`
}

// Validate refuses mode and sources that are not directories of the file roots.
func (r *Recurse) Validate() []modules.Fault {
	var faults []modules.Fault
	if r.Mode.Given {
		faults = append(faults, modules.Fault{Arg: "mode", Msg: "'mode' is not allowed in 'file.recurse'",
			Hint: "use file_mode and dir_mode"})
	}
	for _, s := range r.Source {
		if !strings.HasPrefix(s, "salt://") {
			faults = append(faults, modules.Fault{Arg: "source",
				Msg: fmt.Sprintf("invalid source '%s' (must be a salt:// URI)", s)})
		}
	}
	faults = append(faults, badPatterns("include_pat", r.IncludePat)...)
	return append(faults, badPatterns("exclude_pat", r.ExcludePat)...)
}

// A recursion is the work of one act of file.recurse.
type recursion struct {
	*Recurse
	ctx      context.Context
	env      *modules.Env
	h        host.Host
	e        state.Effect
	problems []string
	keep     []keeper
}

// Act manages all that the source holds.
func (r *Recurse) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if _, _, err := owners(h, r.User, r.Group); err != nil {
		return state.Effect{}, err
	}
	source, err := r.choose(env)
	if err != nil {
		return state.Effect{}, err
	}
	list, err := env.Files.List(source, envOf(env))
	if err != nil {
		return state.Effect{}, fmt.Errorf("Recurse failed: %w", err)
	}
	name := path.Clean(r.Name.String())
	if exists(h, name) && !isDir(h, name) {
		return state.Effect{}, fmt.Errorf("The path %s exists and is not a directory", name)
	}
	w := &recursion{Recurse: r, ctx: ctx, env: env, h: h, e: state.NewEffect()}
	w.e.Foretold = value.NewDict(8)
	p, err := resolvePerms(h, r.User, r.Group, r.DirMode)
	if err == nil {
		w.e.Pending = !isDir(h, name)
		err = modules.MakeDirs(h, name, p.attr())
	}
	if err != nil {
		return w.e, err
	}
	w.manageAll(name, source, list)
	if r.Clean {
		if err := w.clean(name); err != nil {
			return w.e, err
		}
	}
	return w.result(name)
}

// choose gives the first source that exists.
func (r *Recurse) choose(env *modules.Env) (string, error) {
	for _, s := range r.Source {
		s = trimSlash(s)
		if _, dir := env.Files.Exists(s, envOf(env)); dir {
			return s, nil
		}
	}
	if len(r.Source) == 1 {
		return "", fmt.Errorf("Recurse failed: The directory '%s' does not exist on the salt fileserver in saltenv '%s'",
			strings.TrimPrefix(strings.TrimRight(r.Source[0], "/"), "salt://"), envOf(env))
	}
	return "", fmt.Errorf("Recurse failed: none of the specified sources were found")
}

// A split source is what file.recurse manages, and the paths that it so keeps.
type splitSource struct {
	links, files []modules.SourceFile
	dirs         []string
	keep         []keeper
}

// split picks what is managed of a source. What lies below a link that is kept is left out.
func (r *Recurse) split(name string, list []modules.SourceFile) splitSource {
	var out splitSource
	dirs := map[string]bool{}
	var links []string
	if r.KeepSymlinks {
		for _, f := range list {
			if f.Link != "" && r.takes(f.Path) {
				links = append(links, strings.TrimSuffix(f.Path, "/")+"/")
			}
		}
	}
	for _, f := range list {
		rel, isDir := strings.CutSuffix(f.Path, "/")
		dest := path.Join(name, rel)
		below := func(link string) bool { return strings.HasPrefix(f.Path, link) && f.Path != link }
		switch {
		case !r.takes(rel) || slices.ContainsFunc(links, below):
			continue
		case f.Link != "" && r.KeepSymlinks:
			f.Path = rel
			out.links = append(out.links, f)
		case isDir && r.IncludeEmpty:
			dirs[dest] = true
		case isDir:
			continue
		default:
			out.files = append(out.files, f)
			dirs[path.Dir(dest)] = true
		}
		out.keep = append(out.keep, keeper{path: dest})
	}
	out.dirs = sortedDirs(dirs)
	return out
}

// takes says whether a path of the source is managed.
func (r *Recurse) takes(rel string) bool {
	rel = strings.TrimSuffix(rel, "/")
	return chosen(rel, r.IncludePat, r.ExcludePat) && (r.Maxdepth == nil || strings.Count(rel, "/") <= *r.Maxdepth)
}

// trimSlash takes the slash from the end of a source's path.
func trimSlash(source string) string {
	where, query, ok := strings.Cut(source, "?")
	where = strings.TrimRight(where, "/")
	if ok {
		where += "?" + query
	}
	return where
}

// manageAll manages links, then directories, then files, as Salt does.
func (w *recursion) manageAll(name, source string, list []modules.SourceFile) {
	all := w.split(name, list)
	w.keep = all.keep
	for _, f := range all.links {
		s := &Symlink{Name: Path(path.Join(name, f.Path)), Target: f.Link, Makedirs: true, Force: w.ForceSymlinks,
			User: w.User, Group: w.Group}
		w.manage(s.Name.String(), s)
	}
	for _, d := range all.dirs {
		w.clear(d, false)
		w.manage(d, &Directory{Name: Path(d), User: w.User, Group: w.Group, DirMode: w.DirMode, Makedirs: true,
			AllowSymlink: true})
	}
	source, query, _ := strings.Cut(source, "?")
	if query != "" {
		query = "?" + query
	}
	for _, f := range all.files {
		url := source + "/" + f.Path + query
		m := &Managed{Name: Path(path.Join(name, f.Path)), Source: Sources{[]sourceRef{{url: url}}}, User: w.User,
			Group: w.Group,
			Mode:  w.FileMode, Template: w.Template, Makedirs: true, Replace: w.Replace, Context: w.Context,
			Defaults: w.Defaults,
			Rest:     w.Rest,
			Backup:   w.Backup, Create: true, ContentsNewline: true, AllowEmpty: true, FollowSymlinks: true,
			ShowChanges: w.ShowChanges}
		w.clear(m.Name.String(), true)
		w.manage(m.Name.String(), m)
	}
}

func sortedDirs(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for d := range set {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

// manage runs a state function on a path and takes its result over.
func (w *recursion) manage(name string, fn modules.StateFunc) {
	e, err := fn.Act(w.ctx, w.env, w.h)
	if e.Alters() {
		w.e.Foretold.SetStr(name, foretold(e))
	}
	if e.Changes != nil && e.Changes.Len() > 0 {
		w.e.Changes.SetStr(name, e.Changes)
	}
	if err != nil {
		w.problem(name, err)
	}
}

// foretold are the changes that test mode shows.
func foretold(e state.Effect) *value.Dict {
	if e.Foretold != nil {
		return e.Foretold
	}
	return e.Changes
}

func (w *recursion) problem(name string, err error) {
	w.problems = append(w.problems, fmt.Sprintf("#### %s ####\n%v", name, err))
}

// clear removes, with clean, a directory where a file is to be, or the other way round.
func (w *recursion) clear(name string, file bool) {
	i, err := w.h.Lstat(name)
	if !w.Clean || err != nil || i.IsDir() != file || (!file && i.IsSymlink() && isDir(w.h, name)) {
		return
	}
	if err := w.h.RemoveAll(name); err != nil {
		w.problem(name, err)
	}
}

func (w *recursion) clean(name string) error {
	removed, err := cleanTree(w.h, name, append(w.keep, keepers(w.env, w.h, name)...), w.ExcludePat)
	if len(removed) > 0 {
		w.e.Changes.SetStr("removed", modules.TextList(removed))
		w.e.Foretold.SetStr("removed", modules.TextList(removed))
	}
	return err
}

func (w *recursion) result(name string) (state.Effect, error) {
	w.e.Pending = w.e.Pending || w.e.Changes.Len() > 0
	switch {
	case len(w.problems) > 0:
		return w.e, fmt.Errorf("%s", strings.Join(w.problems, "\n\n"))
	case !w.e.Pending:
		w.e.Comment = fmt.Sprintf("The directory %s is in the correct state", name)
	default:
		w.e.Comment = fmt.Sprintf("Recursively updated %s", name)
	}
	return w.e, nil
}
