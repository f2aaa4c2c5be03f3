package selinux

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// FContext is what the states of file contexts take.
type FContext struct {
	root
	Name     string `arg:"name,required" doc:"The paths, as a regular expression such as /srv/web(/.*)?, which has to be the one that the policy has."`
	FileType string `arg:"filetype,word" default:"a" choices:"a|f|d|c|b|s|l|p" doc:"The kind of files: a for all, f for regular ones, d for directories, ..."`
	User     string `arg:"sel_user,word" doc:"The SELinux user."`
	Level    string `arg:"sel_level,word" doc:"The MLS range."`
}

// FContextPresent keeps the context of paths.
type FContextPresent struct {
	FContext
	Type string `arg:"sel_type,required,word" doc:"The type of the context."`
}

// FContextAbsent keeps the policy without a context of paths.
type FContextAbsent struct {
	FContext
	Type string `arg:"sel_type,word" doc:"The type of the context, without one any."`
}

func fcontextPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.fcontext_policy_present",
		Doc: "Keeps the context that the policy gives to paths. Files get it with selinux.fcontext_policy_applied, or when " +
			"they are made.",
		Example: "/srv/web(/.*)?:\n  selinux.fcontext_policy_present:\n    - sel_type: httpd_sys_content_t",
		New:     func() modules.StateFunc { return &FContextPresent{} },
	}
}

func fcontextAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.fcontext_policy_absent", Doc: "Keeps the policy without a context of paths.",
		Example: "/srv/web(/.*)?:\n  selinux.fcontext_policy_absent: []",
		New:     func() modules.StateFunc { return &FContextAbsent{} },
	}
}

// kinds are semanage's names for the kinds of files.
func kinds(letter string) string {
	return map[string]string{"a": "all files", "f": "regular file", "d": "directory", "c": "character device",
		"b": "block device", "s": "socket", "l": "symbolic link", "p": "named pipe"}[letter]
}

// A context is an entry of the policy: paths, kind of files, and user:role:type:level.
type entry struct{ paths, kind, context string }

func (e entry) part(i int) string {
	return append(strings.SplitN(e.context, ":", 4), "", "", "", "")[i]
}

// dict is the entry in Salt's shape.
func (e entry) dict() *value.Dict {
	return value.DictOf("filespec", value.Str(e.paths), "filetype", value.Str(e.kind), "sel_user", value.Str(e.part(0)),
		"sel_role", value.Str(e.part(1)), "sel_type", value.Str(e.part(2)), "sel_level", value.Str(e.part(3)))
}

// find is the entry of paths and a kind of files, nil where there is none of that type, user and level.
func (f *FContext) find(ctx context.Context, h host.Reader, kind, selType string) (*entry, error) {
	lines, err := list(ctx, h, "semanage", "fcontext", "-l")
	if err != nil {
		return nil, err
	}
	for _, fact := range h.Facts(host.FactSELinux) {
		if paths, ok := strings.CutPrefix(fact.Name, "fcontext "); ok {
			lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, paths+" ") })
			if fact.Value != "absent" {
				lines = append(lines, fact.Value)
			}
		}
	}
	for _, l := range lines {
		e, ok := parse(l)
		if !ok || e.paths != f.Name || kind != "" && e.kind != kind || selType != "" && e.part(2) != selType ||
			f.User != "" && e.part(0) != f.User || f.Level != "" && e.part(3) != f.Level {
			continue
		}
		return &e, nil
	}
	return nil, nil
}

// parse reads a line: paths and kind are parted by blanks, of which both may have one.
func parse(line string) (entry, bool) {
	i := strings.LastIndexByte(line, ' ')
	if i < 0 || strings.Count(line[i:], ":") < 3 {
		return entry{}, false
	}
	head := strings.TrimRight(line[:i], " ")
	for _, letter := range "afdcbslp" {
		if paths, ok := strings.CutSuffix(head, " "+kinds(string(letter))); ok {
			return entry{strings.TrimRight(paths, " "), kinds(string(letter)), line[i+1:]}, true
		}
	}
	return entry{}, false
}

// command adds or deletes the context.
func (f *FContext) command(verb, selType string) []string {
	args := []string{"semanage", "fcontext", "--" + verb}
	for _, o := range [...][2]string{{"--ftype", strings.Trim(f.FileType, "a")}, {"--type", selType}, {"--seuser", f.User},
		{"--range", f.Level}} {
		if o[1] != "" {
			args = append(args, o[0], o[1])
		}
	}
	return append(args, f.Name)
}

// leaves is what a preview has then.
func (f *FContext) leaves(line string) host.Fact { return fact("fcontext "+f.Name, line, nil) }

// Act adds the context, or changes its type. As in Salt a preview shows no changes and says nothing.
//
// Salt differs: it fails to change the type of paths that the policy has.
func (p *FContextPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := p.find(ctx, h, kinds(p.FileType), p.Type)
	if err != nil || now != nil {
		return settledOr(err, "SELinux policy for \"%s\" already present with specified filetype \"%s\" and sel_type \"%s\".",
			p.Name, kinds(p.FileType), p.Type)
	}
	was, err := (&FContext{Name: p.Name}).find(ctx, h, kinds(p.FileType), "")
	if err != nil {
		return state.Effect{}, err
	}
	verb, old := "add", none()
	entry := value.DictOf("filetype", value.Str(kinds(p.FileType)), "sel_type", value.Str(p.Type))
	if was != nil {
		verb, old = "modify", value.DictOf(p.Name, value.DictOf("sel_type", value.Str(was.part(2))))
		entry = value.DictOf("sel_type", value.Str(p.Type))
	}
	err = change(ctx, h, p.command(verb, p.Type), p.leaves(fmt.Sprintf("%s %s %s:object_r:%s:%s", p.Name,
		kinds(p.FileType), cmp.Or(p.User, "system_u"), p.Type, cmp.Or(p.Level, "s0"))))
	if err != nil {
		return state.Effect{}, fmt.Errorf("Error adding new rule: %w", err) //nolint:staticcheck // Salt's words
	}
	return state.Effect{Foretold: none(), Changes: value.DictOf("old", old, "new", value.DictOf(p.Name, entry))}, nil
}

// Act deletes the context.
func (a *FContextAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := a.find(ctx, h, kinds(a.FileType), a.Type)
	if err != nil || now == nil {
		return settledOr(err, "SELinux policy for \"%s\" already absent with specified filetype \"%s\" and sel_type \"%s\".",
			a.Name, a.FileType, text(a.Type))
	}
	selType := a.Type
	if selType == "" {
		selType = now.part(2)
	}
	if err := change(ctx, h, a.command("delete", selType), a.leaves("absent")); err != nil {
		return state.Effect{}, fmt.Errorf("Error removing policy: %w", err) //nolint:staticcheck // Salt's words
	}
	return state.Effect{Changes: value.DictOf("old", value.DictOf(a.Name, now.dict()), "new", none())}, nil
}

// text is an argument as Salt shows it, None where it is not given.
func text(s string) string {
	if s == "" {
		return "None"
	}
	return s
}

// Applied keeps files labelled as the policy says.
type Applied struct {
	root
	Name      string `arg:"name,required" doc:"The file or directory."`
	Recursive bool   `arg:"recursive" doc:"Labels all that is below it, too."`
}

func appliedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.fcontext_policy_applied", Doc: "Keeps files labelled as the policy says, as restorecon does.",
		Example: "/srv/web:\n  selinux.fcontext_policy_applied:\n    - recursive: true",
		New:     func() modules.StateFunc { return &Applied{} },
	}
}

func (a *Applied) command(options ...string) []string {
	args := append([]string{"restorecon"}, options...)
	if a.Recursive {
		args = append(args, "-R")
	}
	return append(args, a.Name)
}

// Act labels the files. What would be relabelled by a policy that an earlier state of a preview changes nobody knows.
func (a *Applied) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := installed(h); err != nil {
		return state.Effect{}, err
	}
	if _, ok := h.Fact(host.FactSELinux, "applied "+a.Name); ok {
		return a.settled()
	}
	for _, f := range h.Facts(host.FactSELinux) {
		if strings.HasPrefix(f.Name, "fcontext ") && dir(h) != "" {
			return state.Effect{}, &host.Unknown{What: "the labels of " + a.Name, By: "selinux.fcontext_policy_present " +
				strings.TrimPrefix(f.Name, "fcontext ")}
		}
	}
	if _, err := h.Lstat(a.Name); err != nil {
		return state.Effect{}, fmt.Errorf("look at %s: %w", a.Name, err)
	}
	out, err := h.Query(ctx, cmd(a.command("-n", "-v")...))
	switch {
	case err != nil:
		return state.Effect{}, fmt.Errorf("run restorecon: %w", err)
	case strings.TrimSpace(string(out.Stdout)) == "":
		return a.settled()
	}
	if err := change(ctx, h, a.command("-v", "-F"), fact("applied "+a.Name, "present", nil)); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: relabelled(string(out.Stdout)), Foretold: none()}, nil
}

func (a *Applied) settled() (state.Effect, error) {
	return settledOr(nil, "SElinux policies are already applied for filespec \"%s\"", a.Name)
}

// relabelled are the changes that restorecon told of: of each file what its context does not share with the new one.
func relabelled(said string) *value.Dict {
	out := value.NewDict(0)
	for _, m := range regexp.MustCompile(`(?m)^Would relabel (.*) from (\S+) to (\S+)$`).FindAllStringSubmatch(said, -1) {
		was, is := entry{context: m[2]}, entry{context: m[3]}
		old, now := value.NewDict(1), value.NewDict(1)
		for i, name := range []string{"sel_user", "sel_role", "sel_type", "sel_level"} {
			if was.part(i) != is.part(i) {
				old.SetStr(name, value.Str(was.part(i)))
				now.SetStr(name, value.Str(is.part(i)))
			}
		}
		out.SetStr(m[1], value.DictOf("old", old, "new", now))
	}
	return out
}
