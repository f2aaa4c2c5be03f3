package all

import (
	"context"
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// twoLines is text with a line break.
const twoLines = "a\nzz"

// odd are values that hardly an argument is meant for.
func odd() []value.Value {
	return []value.Value{
		value.DictOf("k", value.NewList(value.Int(1))), value.NewDict(0), value.NewList(),
		value.NewList(value.NewList(value.Str("a"))), value.NewList(value.None), value.NewList(value.NewDict(0)),
		value.Str(""), value.Str(twoLines), value.Str("a\x00b"), value.Str("[("), value.Str("häßlich ☃"),
		value.Int(-1), value.Int(1 << 62), value.Float(-1e300), value.Bool(true),
	}
}

// foreign matches what a user is not to be told: words of Go's, and of its libraries.
var foreign = regexp.MustCompile(`panicked|runtime error|%!|strconv\.|reflect|value out of range|` +
	`goroutine|regexp2|error parsing|(json|yaml|time|url|hex): |PathError|0x[0-9a-f]{6}`)

// TestOddArguments gives every argument of every state function odd values, the others being those of its example: what
// is not refused is tried. Nothing panics or waits, and what is said is said in words of gostate's own. A line break
// makes no line of its own in a file of lines.
func TestOddArguments(t *testing.T) {
	for _, f := range Families() {
		for i := range f.States {
			s := &f.States[i]
			example := exampleOf(t, s)
			for _, a := range s.Arguments() {
				for _, v := range odd() {
					guard(t, fmt.Sprintf("%s %s=%s", s.Name, a.Name, value.Repr(v)), func(what string) {
						oddState(t, what, s, example, a.Name, v)
					})
				}
			}
		}
	}
}

// guard makes a panic, and what takes long, a failure.
func guard(t *testing.T, what string, do func(what string)) {
	t.Helper()
	begin := time.Now()
	defer func() {
		t.Helper()
		if p := recover(); p != nil {
			t.Errorf("%s: %v\n%s", what, p, debug.Stack())
		}
		if d := time.Since(begin); d > time.Minute {
			t.Errorf("%s: took %v", what, d)
		}
	}()
	do(what)
}

// exampleOf are the arguments of the first state of the function in its example, its name among them.
func exampleOf(t *testing.T, s *modules.StateSpec) *value.Dict {
	t.Helper()
	doc, err := yaml.Decode(s.Name, []byte(s.Example))
	if err != nil {
		t.Fatal(err)
	}
	out := value.NewDict(0)
	for id, declared := range doc.(*value.Dict).All() {
		states, _ := declared.(*value.Dict)
		if states == nil {
			continue
		}
		if args, ok := states.GetStr(s.Name); ok {
			out.SetStr("name", id)
			given, _ := modules.Map(args)
			for k, v := range given.All() {
				_ = out.Set(k, v)
			}
			break
		}
	}
	return out
}

func oddState(t *testing.T, what string, s *modules.StateSpec, example *value.Dict, arg string, v value.Value) {
	t.Helper()
	low := &state.Low{ID: "id", Name: "web", SLS: "a", Env: "base", Args: value.NewDict(0)}
	low.Module, low.Func = split(s.Name)
	given := example.Copy()
	given.SetStr(arg, v)
	for k, val := range given.All() {
		switch name := value.String(k); {
		case name == "name":
			low.Name = value.String(val)
		case !state.IsRequisite(name):
			low.Args.SetStr(name, val)
		}
	}
	fn, faults := modules.Bind(s, low)
	for _, d := range faults {
		ownWords(t, what, d.Error())
	}
	if fn == nil {
		return
	}
	m := machine().(*hosttest.Memory)
	m.ClearJournal()
	for _, h := range []host.Host{host.NewOverlay(m), m} {
		env := environment(h)
		env.Low, env.Kept = low, modules.NewCache()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		e, err := fn.Act(ctx, env, h)
		cancel()
		ownWords(t, what, fmt.Sprintln(e.Comment, e.Preview, err))
	}
	if v == value.Value(value.Str(twoLines)) && !strings.HasPrefix(s.Name, "file.") &&
		!strings.HasPrefix(s.Name, "ini.options") {
		noLineOf(t, what, m)
	}
}

// noLineOf says that no file that was written has the second of twoLines.
func noLineOf(t *testing.T, what string, m *hosttest.Memory) {
	t.Helper()
	for _, e := range m.Journal() {
		text, _ := m.ReadFile(e.Path)
		for l := range strings.Lines(string(text)) {
			if strings.HasPrefix(l, "zz") {
				t.Errorf("%s: %s has got the line %q", what, e.Path, l)
			}
		}
	}
}

func ownWords(t *testing.T, what, said string) {
	t.Helper()
	if w := foreign.FindString(said); w != "" {
		t.Errorf("%s: %q in: %s", what, w, said)
	}
}

// TestOddCalls is the same for the parameters of execution functions.
func TestOddCalls(t *testing.T) {
	for _, f := range Families() {
		for _, e := range f.Execs {
			for _, p := range e.Params {
				name, _, _ := strings.Cut(strings.SplitN(p, "=", 2)[0], ":")
				for _, v := range odd() {
					if !strings.HasPrefix(name, "*") && !strings.HasSuffix(e.Name, "sleep") {
						guard(t, fmt.Sprintf("%s %s=%s", e.Name, name, value.Repr(v)), func(what string) {
							_, err := call(t, e, value.Str("/d/f"), value.DictOf(name, v))
							ownWords(t, what, fmt.Sprint(err))
						})
					}
				}
			}
		}
	}
}
