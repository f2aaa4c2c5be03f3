// Package rsync keeps directories as copies of others, with rsync. What it would do, rsync itself says: a look is a dry
// run.
package rsync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "rsync", States: []modules.StateSpec{synchronizedSpec()}, Execs: execs()}
}

// Synchronized keeps a directory as a copy of another.
type Synchronized struct {
	Name           string   `arg:"name,required,line" doc:"The copy: a path, or one on another machine with its name before a colon."`
	Source         string   `arg:"source,required,line" doc:"What is copied: a path or an address that rsync takes. With a slash at its end, what is in the directory."`
	Delete         bool     `arg:"delete" doc:"Deletes what the source does not have."`
	Force          bool     `arg:"force" doc:"Deletes directories though they are not empty, and makes the copy where there is none."`
	Update         bool     `arg:"update" doc:"Leaves files that are newer in the copy."`
	PasswordFile   string   `arg:"passwordfile,line" doc:"The file with the password for an rsync daemon."`
	Exclude        []string `arg:"exclude,line" doc:"Patterns of what is left out."`
	ExcludeFrom    string   `arg:"excludefrom,line" doc:"A file of such patterns, in place of exclude."`
	Prepare        bool     `arg:"prepare" doc:"Makes the directory of the copy where it is missing."`
	DryRun         bool     `arg:"dryrun" doc:"Only says what would be copied."`
	AdditionalOpts []string `arg:"additional_opts,line" doc:"More options of rsync."`
}

func synchronizedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rsync.synchronized", Doc: "Keeps a directory as a copy of another, with rsync.",
		Example: "/srv/backup:\n  rsync.synchronized:\n    - source: /home\n    - prepare: true\n    - delete: true",
		New:     func() modules.StateFunc { return &Synchronized{} },
	}
}

// Validate refuses what rsync cannot take.
//
// Salt differs: it takes a salt:// source, and copies all of it in each run since it has fetched it anew.
func (s *Synchronized) Validate() []modules.Fault {
	if strings.HasPrefix(s.Source, "salt://") {
		return []modules.Fault{{Arg: "source", Msg: "rsync cannot read salt://", Hint: "file.recurse copies from the tree"}}
	}
	for _, a := range [][2]string{{"name", s.Name}, {"source", s.Source}} {
		if local(a[1]) && !path.IsAbs(a[1]) {
			return []modules.Fault{{Arg: a[0], Msg: fmt.Sprintf("'%s' is not an absolute path", a[1])}}
		}
	}
	return nil
}

// local says whether an address is a path: rsync takes what has a colon before the first slash for another machine's.
func local(address string) bool {
	before, _, _ := strings.Cut(address, "/")
	return !strings.Contains(before, ":")
}

// words are the options of rsync, as Salt gives them.
func (s *Synchronized) words() []string {
	words := []string{"rsync", "-avz"}
	for _, o := range []struct {
		given bool
		word  string
	}{{s.Delete, "--delete"}, {s.Force, "--force"}, {s.Update, "--update"}} {
		if o.given {
			words = append(words, o.word)
		}
	}
	if s.PasswordFile != "" {
		words = append(words, "--password-file", s.PasswordFile)
	}
	exclude := s.Exclude
	if s.ExcludeFrom != "" {
		words, exclude = append(words, "--exclude-from", s.ExcludeFrom), nil
	}
	for _, e := range exclude {
		words = append(words, "--exclude", e)
	}
	return append(words, s.AdditionalOpts...)
}

func (s *Synchronized) between(words []string) []string { return append(words, "--", s.Source, s.Name) }

// configured takes what is not given from the configuration, the grains or the pillar, as Salt does.
func (s *Synchronized) configured(env *modules.Env) {
	for key, to := range map[string]*bool{"delete": &s.Delete, "force": &s.Force, "update": &s.Update,
		"dryrun": &s.DryRun} {
		if set, err := modules.Boolean(value.Str(env.Setting("rsync." + key))); err == nil && set {
			*to = true
		}
	}
	for key, to := range map[string]*string{"passwordfile": &s.PasswordFile, "excludefrom": &s.ExcludeFrom} {
		if *to == "" {
			*to = env.Setting("rsync." + key)
		}
	}
	if exclude := env.Setting("rsync.exclude"); len(s.Exclude) == 0 && exclude != "" {
		s.Exclude = []string{exclude}
	}
}

// dry is what rsync says that it would do. It is asked where it sees what earlier states of a preview leave.
func (s *Synchronized) dry(ctx context.Context, h host.Reader) (*host.Output, error) {
	return h.Query(ctx, host.Cmd{Args: s.between(append(s.words(), "--dry-run")), Env: []string{"LC_ALL=C.UTF-8"},
		Users: true})
}

// Act copies.
//
// Salt differs: its test mode says of each copy that it would change, and makes the directory of prepare.
func (s *Synchronized) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	with := *s
	with.configured(env)
	if err := modules.Needs(h, "rsync"); err != nil {
		return state.Effect{}, err
	}
	if err := with.ready(h); err != nil {
		return state.Effect{}, err
	}
	out, err := with.dry(ctx, h)
	if err != nil {
		return state.Effect{}, fmt.Errorf("run rsync: %w", err)
	}
	if out.Code != 0 {
		return state.Effect{}, errors.New(strings.TrimSpace(string(out.Stderr)))
	}
	would, changed := changes(out)
	e := state.Effect{Changes: would, Foretold: value.NewDict(0), Comment: summary(out), Once: true}
	e.Preview = e.Comment
	switch {
	case with.DryRun:
		return state.Settled(e.Comment), nil
	case !changed:
		return state.Settled(strings.TrimSuffix(e.Comment, " (DRY RUN)")), nil
	}
	err = h.Do(ctx, host.Deed{What: "rsync to " + s.Name, On: host.FactPath, Do: func(ctx context.Context) error {
		out, err := h.Run(ctx, host.Cmd{Args: with.between(with.words()), Env: []string{"LC_ALL=C.UTF-8"}})
		if err != nil {
			return err
		}
		if out.Code != 0 {
			return errors.New(strings.TrimSpace(string(out.Stderr)))
		}
		e.Changes, _ = changes(out)
		e.Comment = summary(out)
		return nil
	}, Foretell: func(o host.Host) error {
		if local(s.Name) {
			o.Promise(host.Fact{Kind: host.FactPath, Name: s.Name, Value: "unknown"})
		}
		return nil
	}})
	if err != nil {
		return state.Effect{}, err
	}
	return e, nil
}

// ready finds the source, and the directory of the copy or makes it.
func (s *Synchronized) ready(h host.Host) error {
	if local(s.Source) {
		if _, err := h.Stat(s.Source); host.IsUnknown(err) {
			return err
		}
	}
	_, err := h.Stat(s.Name)
	switch missing := errors.Is(err, fs.ErrNotExist) || !local(s.Name); {
	case host.IsUnknown(err):
		return err
	case missing && s.Prepare && local(s.Name):
		return modules.MakeDirs(h, path.Clean(s.Name), host.KeepAttr())
	case missing && !s.Force && !s.Prepare:
		return host.Missing("Destination directory %s was not found.", s.Name)
	}
	return nil
}

// summary are the last lines of rsync's output, a sentence each.
func summary(out *host.Output) string {
	text := strings.TrimRight(string(out.Stdout), "\n")
	text = text[strings.LastIndex(text, "\n\n")+1:]
	var said []string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "  ", "\n"), "\n") {
		if line != "" {
			said = append(said, line)
		}
	}
	return "- " + strings.Join(said, "\n- ")
}

// changes are the names that rsync lists before the first empty line, in the shape of Salt, and whether there are any.
func changes(out *host.Output) (*value.Dict, bool) {
	list, _, _ := strings.Cut(strings.TrimRight(string(out.Stdout), "\n"), "\n\n")
	var copied, deleted []string
	for _, line := range strings.Split(list, "\n")[1:] {
		if name, ok := strings.CutPrefix(line, "deleting "); ok {
			deleted = append(deleted, name)
		} else {
			copied = append(copied, line)
		}
	}
	all := func(names []string) value.Value {
		if slices.Sort(names); len(names) == 0 {
			return value.Str("N/A")
		}
		return value.Str(strings.Join(names, "\n"))
	}
	return value.DictOf("copied", all(copied), "deleted", all(deleted)), len(copied)+len(deleted) > 0
}
