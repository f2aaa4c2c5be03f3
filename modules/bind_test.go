package modules

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

type thing struct {
	Base
	Owner
	Name    string        `arg:"name,required"`
	Replace bool          `arg:"replace" default:"true"`
	Count   int           `arg:"count"`
	Max     *int          `arg:"max"`
	Text    []string      `arg:"text"`
	Ctx     *value.Dict   `arg:"context"`
	Any     value.Value   `arg:"any"`
	Mode    Mode          `arg:"mode"`
	Wait    time.Duration `arg:"wait"`
	Kind    string        `arg:"kind" choices:"soft|hard"`
	RunAs   string        `arg:"runas"`
	Bad     bool          `arg:"bad"`
}

// Owner is embedded by thing.
type Owner struct {
	User string `arg:"user" alias:"owner?" doc:"who owns it"`
}

func (*thing) Act(context.Context, *Env, host.Host) (state.Effect, error) { return state.Effect{}, nil }

func (t *thing) Validate() []Fault {
	if t.Bad {
		return []Fault{{Arg: "bad", Msg: "it is bad", Hint: "make it good"}}
	}
	return nil
}

func thingSpec() *StateSpec {
	return &StateSpec{Name: "thing.made", Doc: "Makes a thing.", New: func() StateFunc { return &thing{} }}
}

func lowOf(args *value.Dict) *state.Low {
	at := func(line int) diag.Pos { return diag.Pos{File: "a.sls", Line: line} }
	body := &state.Body{Args: []state.Arg{{Val: value.Str("made"), Pos: at(1)}, {Name: "name", Val: value.Str("/n")},
		{Name: "bad", Val: value.None, Pos: at(9)}}}
	low, _ := state.Compile(&state.High{Decls: []*state.Decl{{ID: "i",
		States: []state.StateDecl{{Module: "thing", Body: body}}}}}, state.CompileOptions{})
	low[0].Args = args
	return low[0]
}

func TestBindSetsArguments(t *testing.T) {
	low := lowOf(value.DictOf("owner", value.Int(5), "count", value.Str("7"), "max", value.Int(3), "text",
		value.Str("one"),
		"context", value.NewList(value.DictOf("a", value.Int(1)), value.DictOf("b", value.Int(2))), "any", value.Str("x"),
		"mode", value.Int(644), "wait", value.Float(1.5), "kind", value.Str("hard"), "fire_event", value.Bool(true), "bad",
		value.None))
	low.SetOpts().RunAs = "joe"
	fn, diags := Bind(thingSpec(), low)
	if len(diags) > 0 {
		t.Fatal(diags[0])
	}
	got := fn.(*thing)
	if got.User != "5" || !got.Replace || got.Count != 7 || *got.Max != 3 || got.Mode.Bits != 0o644 ||
		got.Wait != 1500*time.Millisecond ||
		got.RunAs != "joe" || got.Low != low || got.Name != "/n" || got.Ctx.Len() != 2 ||
		got.Any != value.Value(value.Str("x")) {
		t.Errorf("got %+v", got)
	}
	if diff := cmp.Diff([]string{"one"}, got.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestBindFaults(t *testing.T) {
	tests := []struct {
		arg  string
		val  value.Value
		want string
	}{
		{"replce", value.None, `a.sls:1: thing.made has no argument "replce" | did you mean "replace"?`},
		{"requrie", value.None, `a.sls:1: thing.made has no argument "requrie" | did you mean "require"?`},
		{"text", value.NewDict(0), `a.sls:1: argument "text" of thing.made takes a list of names, not a map | `},
		{"replace", value.Str("maybe"), `a.sls:1: argument "replace" of thing.made takes true or false, not the text "maybe" | `},
		{"count", value.Str("many"), `a.sls:1: argument "count" of thing.made takes a whole number, not the text "many" | `},
		{"user", value.NewList(), `a.sls:1: argument "user" of thing.made takes text, not a list | `},
		{"mode", value.Str("rwx"), `a.sls:1: argument "mode" of thing.made takes a file mode such as '0644', not the text "rwx" | `},
		{"mode", value.Int(888), `a.sls:1: argument "mode" of thing.made takes a file mode such as '0644', not 888 | `},
		{"kind", value.Str("sofd"), `a.sls:1: argument "kind" of thing.made is "sofd", which is none of soft, hard | did you mean "soft"?`},
		{"bad", value.Bool(true), `a.sls:9: thing.made: it is bad | make it good`},
		{"context", value.NewList(value.Int(1)), `a.sls:1: argument "context" of thing.made takes a map, but item 1 of the list is 1 | `},
	}
	for _, tt := range tests {
		fn, diags := Bind(thingSpec(), lowOf(value.DictOf(tt.arg, tt.val)))
		if fn != nil || len(diags) != 1 {
			t.Errorf("%s: got %v and %d diagnostics", tt.arg, fn, len(diags))
			continue
		}
		if diff := cmp.Diff(tt.want, diags[0].Error()+" | "+diags[0].Hint); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.arg, diff)
		}
	}
}

func TestBindRequiredAndAnyArgs(t *testing.T) {
	low := lowOf(value.DictOf("nonsense", value.Int(1)))
	spec := thingSpec()
	spec.AnyArgs = true
	fn, diags := Bind(spec, low)
	if fn == nil || len(diags) != 1 || diags[0].Severity != diag.Warning {
		t.Errorf("any args: %v %v", fn, diags)
	}
	low.Name = ""
	if fn, diags = Bind(spec, low); fn != nil || !strings.Contains(diags[1].Msg, `needs the argument "name"`) {
		t.Errorf("required: %v %v", fn, diags)
	}
}

func TestModeReadsOctalDigits(t *testing.T) {
	for _, tt := range []struct {
		in   value.Value
		want string
	}{{value.Int(644), "0644"}, {value.Str("0644"), "0644"}, {value.Int(4755), "4755"}, {value.Str("keep"), "keep"},
		{value.Int(0), "0000"}, {value.Str("0o600"), "0600"}, {value.Str("'0600'"), "0600"}, {value.Str("None"), ""}} {
		var m Mode
		if err := m.BindValue(tt.in); err != nil || m.String() != tt.want {
			t.Errorf("%v: got %q, %v, want %q", tt.in, m.String(), err, tt.want)
		}
	}
}

func BenchmarkBind(b *testing.B) {
	r, err := New(Family{Name: "thing", States: []StateSpec{*thingSpec()}})
	if err != nil {
		b.Fatal(err)
	}
	spec, _ := r.State("thing.made")
	low := lowOf(value.DictOf("user", value.Str("root"), "mode", value.Int(644), "replace", value.Bool(true), "count",
		value.Int(3)))
	b.ReportAllocs()
	for b.Loop() {
		if _, d := Bind(spec, low); len(d) > 0 {
			b.Fatal(d[0])
		}
	}
}

type anything struct {
	thing
	Rest *value.Dict `arg:"**"`
}

func TestBindCollectsTheRest(t *testing.T) {
	spec := &StateSpec{Name: "thing.made", New: func() StateFunc { return &anything{} }}
	fn, diags := Bind(spec, lowOf(value.DictOf("count", value.Int(1), "a.b", value.Str("x"), "fire_event",
		value.Bool(true), "none", value.None)))
	if fn == nil || len(diags) > 0 {
		t.Fatal(diags)
	}
	if got := value.Repr(fn.(*anything).Rest); got != "{'a.b': 'x', 'none': None}" {
		t.Errorf("rest is %s", got)
	}
}
