package modules

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A Describer tells of one kind of thing that is on a machine, as states which change nothing when they are applied to
// it. It looks with what the state functions of its family look with, so that both mean the same.
type Describer struct {
	// Kind is what people ask for: "user". Other are further names of it.
	Kind  string
	Other []string
	// Doc is one line. Left says what is not told of unless it is asked for by its name or with --system, and why.
	Doc, Left string
	// Rank is where the kind stands among all: what others need comes first.
	Rank int
	// Describe tells of the things that are asked for.
	Describe func(ctx context.Context, l *Look) error
	// ByName says that the name of a state is what Describe is asked for, so that it can tell of it for an audit.
	ByName bool
	// Properties gives, for an audit, what is there under a name, with PropertyNames.
	Properties    func(h host.Reader, name string) (map[string]string, error)
	PropertyNames []string
}

// A Look is one question to a Describer, and takes its answer.
type Look struct {
	*Env
	Host host.Reader
	// Names are globs of what is asked for; none asks for all but what the Describer leaves out.
	Names []string
	// System asks for that, too; Secrets for what is hidden otherwise. Whole says that other kinds are told of beside.
	System, Secrets, Whole bool
	// Copy keeps the content of a file that is too large for an SLS, and gives its source; nil keeps none.
	Copy func(path string) (source string, err error)
	// Kinds tells of other kinds: a family gives what another one knows better.
	Kinds func(ctx context.Context, kind string, names []string) ([]*Thing, error)

	found map[string]bool // the names that were asked for and are there
	// Things are the answer.
	Things []*Thing
	// Missing are the names that were asked for and are not there.
	Missing []string
}

// A Thing is a state that says what is there.
type Thing struct {
	// ID is its name among those of its kind, and Name what the state is about, "" where it is the same.
	ID, Name string
	Func     string // "user.present"; "" for what no state says: then there are notes only
	Args     *value.Dict
	// Notes are lines of comments above it.
	Notes []string
	// After are things that it stands on, as kind and ID: they are required where they are told of, too.
	After [][2]string
	// Source is the path of the file whose content was copied away, "" for none.
	Source string
}

// Tell adds a thing to the answer. Arguments are name, value, name, value..., of Go or as a value.Value; what is nil is
// left out.
func (l *Look) Tell(id, fun string, args ...any) *Thing {
	t := &Thing{ID: id, Func: fun, Args: value.NewDict(len(args) / 2)}
	for i := 0; i+1 < len(args); i += 2 {
		if args[i+1] != nil {
			t.Args.SetStr(args[i].(string), value.From(args[i+1]))
		}
	}
	l.Things = append(l.Things, t)
	return t
}

// Called is the thing with a name of its own, where the ID is not what the state is about.
func (t *Thing) Called(name string) *Thing { t.Name = name; return t }

// Set adds an argument.
func (t *Thing) Set(name string, v any) *Thing { t.Args.SetStr(name, value.From(v)); return t }

// SetIf adds an argument where the condition holds.
func (t *Thing) SetIf(on bool, name string, v any) *Thing {
	if on {
		t.Set(name, v)
	}
	return t
}

// Note adds a comment.
func (t *Thing) Note(format string, args ...any) *Thing {
	t.Notes = append(t.Notes, fmt.Sprintf(format, args...))
	return t
}

// On notes what it stands on.
func (t *Thing) On(kind, id string) *Thing { t.After = append(t.After, [2]string{kind, id}); return t }

// Remark adds what no state says.
func (l *Look) Remark(id, format string, args ...any) {
	l.Things = append(l.Things, &Thing{ID: id, Args: value.NewDict(0), Notes: []string{fmt.Sprintf(format, args...)}})
}

// Holds says whether a thing is as its state wants it: nil when the state would change nothing here.
func (l *Look) Holds(ctx context.Context, t *Thing) error {
	if l.Registry == nil || t.Func == "" || t.Source != "" {
		return nil
	}
	module, function, _ := strings.Cut(t.Func, ".")
	spec, fault := l.Registry.Lookup(module, function)
	if fault != nil {
		return fault
	}
	low := &state.Low{ID: t.ID, Name: cmp.Or(t.Name, t.ID), Module: module, Func: function, Env: "base", Args: t.Args}
	fn, faults := Bind(spec, low)
	if fn == nil {
		return Refused(faults[0].Msg)
	}
	over := host.NewOverlay(l.Host)
	env := *l.On(over)
	env.Low, env.Kept = low, NewCache()
	e, err := fn.Act(ctx, &env, over)
	if err == nil && e.Alters() {
		err = errors.New(cmp.Or(firstLine(e.Preview), firstLine(e.Comment), "it would change something"))
	}
	return err
}

// Refused is why a state function does not take what is there: it holds signs that its argument cannot.
type Refused string

func (r Refused) Error() string { return string(r) }

func firstLine(text string) string { line, _, _ := strings.Cut(text, "\n"); return line }

// Wants says whether a thing is asked for by one of its names, and notes that it is there. usual says that it is told
// of unasked.
func (l *Look) Wants(usual bool, names ...string) bool {
	if len(l.Names) == 0 {
		return usual || l.System
	}
	wanted := false
	for _, pattern := range l.Names {
		if slices.ContainsFunc(names, func(n string) bool { return n == pattern || fnmatch.Match(pattern, n) }) {
			l.find(pattern)
			wanted = true
		}
	}
	return wanted
}

func (l *Look) find(pattern string) {
	if l.found == nil {
		l.found = map[string]bool{}
	}
	l.found[pattern] = true
}

// Absent are the names that were asked for and that Wants met nowhere: things that are not there. Globs are none.
func (l *Look) Absent() []string {
	var out []string
	for _, n := range l.Names {
		if !l.found[n] && !fnmatch.HasMeta(n) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Lack tells that a thing is not there: with the state that says so, where there is one.
func (l *Look) Lack(name, fun string, args ...any) {
	l.find(name)
	l.Missing = append(l.Missing, name)
	if fun != "" {
		l.Tell(name, fun, args...)
	}
}

// Unmatched are the names that were asked for and are nowhere, in no state either.
func (l *Look) Unmatched() []string {
	return slices.DeleteFunc(slices.Clone(l.Names), func(n string) bool { return l.found[n] })
}

// Gone says whether an error only means that there is nothing to look at.
func Gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// Describers are those of all families, in the order of their rank.
func (r *Registry) Describers() []Describer {
	var out []Describer
	for _, s := range r.sources {
		out = append(out, s.family().Describers...)
	}
	slices.SortStableFunc(out, func(a, b Describer) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), strings.Compare(a.Kind, b.Kind))
	})
	return out
}

// Inline are the arguments that give a file this content: its text. ok is false for what an SLS does not hold as it is,
// such as \r or another line end than \n.
func Inline(content []byte) (args []any, ok bool) {
	text := string(content)
	odd := func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, odd) {
		return nil, false
	}
	args = []any{"contents", text}
	if text != "" && !strings.HasSuffix(text, "\n") {
		args = append(args, "contents_newline", false)
	}
	return args, true
}
