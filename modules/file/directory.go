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

func directorySpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.directory",
		Doc: `Ensures that the path is a directory with the given owner and mode.

With recurse, owner or mode of all that is in it are kept too. With clean, whatever no required file state manages is
removed from it.`,
		Example: `
/srv/app:
  file.directory:
    - user: app
    - group: app
    - dir_mode: '0755'
    - file_mode: '0644'
    - makedirs: true
    - recurse:
      - user
      - group
      - mode
`,
		New:     func() modules.StateFunc { return &Directory{} },
		AnyArgs: true,
	}
}

// Directory is file.directory.
type Directory struct {
	Name           Path         `arg:"name,required,path" doc:"The directory."`
	User           Owner        `arg:"user,word" alias:"owner?" doc:"The owner."`
	Group          Owner        `arg:"group,word" doc:"The group."`
	Recurse        []string     `arg:"recurse" doc:"What is kept of all that is in it: user, group, mode; with ignore_files, ignore_dirs, ignore_excluded (what exclude_pat names), silent."`
	MaxDepth       *int         `arg:"max_depth" doc:"From which depth on recurse leaves directories out; files it takes at any depth."`
	DirMode        modules.Mode `arg:"dir_mode" doc:"The permissions of the directory."`
	Mode           modules.Mode `arg:"mode" doc:"The same as dir_mode."`
	FileMode       modules.Mode `arg:"file_mode" doc:"The permissions of files, with recurse; those of the directory if not given."`
	Makedirs       bool         `arg:"makedirs" doc:"Makes the directories above it."`
	Clean          bool         `arg:"clean" doc:"Removes what is in it and not managed by a file state that it requires."`
	ExcludePat     []string     `arg:"exclude_pat,text" doc:"Globs, or E@ and a regular expression, of what clean leaves."`
	FollowSymlinks bool         `arg:"follow_symlinks" doc:"Looks at what links lead to."`
	Force          bool         `arg:"force" doc:"Removes a file or link in its place."`
	Backupname     string       `arg:"backupname,path" doc:"Moves a file or link in its place to this path."`
	AllowSymlink   bool         `arg:"allow_symlink" default:"true" doc:"Lets a link to a directory stand for it."`
	ChildrenOnly   bool         `arg:"children_only" doc:"Leaves the directory itself out of recurse."`
	windowsArgs
	WinPermsReset ignored `arg:"win_perms_reset,text" doc:"Ignored."`
}

// Validate finds arguments that exclude or need each other.
func (d *Directory) Validate() []modules.Fault {
	var faults []modules.Fault
	known := []string{"user", "group", "mode", "ignore_files", "ignore_dirs", "ignore_excluded", "silent"}
	for _, r := range d.Recurse {
		if !slices.Contains(known, r) {
			faults = append(faults, modules.Fault{Arg: "recurse",
				Msg: fmt.Sprintf("recurse has %q, which is none of %s", r, strings.Join(known, ", "))})
		}
	}
	switch {
	case d.MaxDepth != nil && d.Clean:
		faults = append(faults, modules.Fault{Arg: "max_depth", Msg: "cannot specify both max_depth and clean"})
	case d.recurses("ignore_files") && d.recurses("ignore_dirs"):
		faults = append(faults, modules.Fault{Arg: "recurse",
			Msg: "must not specify recurse options ignore_files and ignore_dirs at the same time"})
	}
	return append(faults, badPatterns("exclude_pat", d.ExcludePat)...)
}

func (d *Directory) recurses(what string) bool { return slices.Contains(d.Recurse, what) }

// path is the name without a slash at the end.
func (d *Directory) path() string {
	if name := strings.TrimRight(d.Name.String(), "/"); name != "" {
		return name
	}
	return "/"
}

// Act makes the directory, clears its way, and keeps what is in it.
func (d *Directory) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	mode := d.DirMode
	if !mode.Given {
		mode = d.Mode
	}
	p, err := resolvePerms(h, d.User, d.Group, mode)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.NewEffect()
	if err := d.clear(h, &e); err != nil {
		return e, err
	}
	if !isDir(h, d.path()) {
		return e, d.create(h, p, &e)
	}
	if err := d.keep(h, p, &e); err != nil {
		e.Once = len(state.Unkept(err)) > 0 // what can be changed is
		return e, err
	}
	if d.Clean {
		if err := d.clean(env, h, &e); err != nil {
			return e, err
		}
	}
	d.sayWhat(&e)
	return e, nil
}

func (d *Directory) sayWhat(e *state.Effect) {
	name := d.path()
	switch {
	case e.Changes.Len() == 0:
		e.Comment = fmt.Sprintf("The directory %s is in the correct state", name)
		return
	case e.Comment != "":
	case d.ChildrenOnly:
		e.Comment = fmt.Sprintf("Directory %s/* updated", name)
	default:
		e.Comment = fmt.Sprintf("Directory %s updated", name)
	}
	e.Preview = willChange(e.Foretold)
}

// willChange lists changes by path, as Salt's test mode does.
func willChange(changes *value.Dict) string {
	var b strings.Builder
	b.WriteString("The following files will be changed:\n")
	for fn, v := range changes.All() {
		if d, ok := v.(*value.Dict); ok {
			for k, val := range d.All() {
				fmt.Fprintf(&b, "%s: %s - %s\n", value.String(fn), value.String(k), value.String(val))
			}
		}
	}
	return b.String()
}

// clear makes way where a file, or a link that is not allowed, is in the directory's place.
func (d *Directory) clear(h host.Host, e *state.Effect) error {
	name := d.path()
	i, err := h.Lstat(name)
	switch {
	case isMissing(err):
		return nil
	case err != nil:
		return err
	case i.IsDir():
		return nil
	case i.IsSymlink() && d.AllowSymlink && isDir(h, name):
		// Salt differs: with force it replaces the link.
		return nil
	}
	switch {
	case d.Backupname != "":
		if lexists(h, d.Backupname) {
			if !d.Force {
				return fmt.Errorf("File exists where the backup target %s should go", d.Backupname)
			}
			if err := h.RemoveAll(d.Backupname); err != nil {
				return err
			}
		}
		return h.Rename(name, d.Backupname)
	case !d.Force && i.IsSymlink():
		return fmt.Errorf("Specified location %s exists and is a symlink", name)
	case !d.Force:
		return fmt.Errorf("Specified location %s exists and is a file", name)
	}
	word := "File"
	if i.IsSymlink() && !isFile(h, name) {
		word = "Symlink"
	}
	e.Changes.SetStr("forced", value.Str(word+" was forcibly replaced"))
	return h.Remove(name)
}

// create makes the directory.
func (d *Directory) create(h host.Host, p perms, e *state.Effect) error {
	name := d.path()
	if parent := path.Dir(name); !isDir(h, parent) {
		if !d.Makedirs {
			return fmt.Errorf("No directory to create %s in", name)
		}
		if err := modules.MakeDirs(h, parent, p.attr()); err != nil {
			return err
		}
	}
	if err := h.Mkdir(name, p.attr()); err != nil {
		return fmt.Errorf("Failed to create directory %s: %w", name, err)
	}
	e.Changes.SetStr(name, value.DictOf("directory", value.Str("new")))
	e.Preview = willChange(e.Changes)
	e.Comment = ""
	return nil
}
