package all

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// hostile are texts that would begin a record of their own, or end one.
func hostile(not []string) []string {
	out := []string{"x\nroot:$6$abc:19000::::::", "x\ry", "x\x00y", "x\u0085y", "x\u2028y", "x\u2029y", "x\vy", "x\fy",
		"x\x1b[2Jy", "x\u009by", "x\x7fy"}
	for _, part := range not {
		out = append(out, "x"+strings.ReplaceAll(part, "..", "/../")+"y")
	}
	return out
}

// free says whether a text of the kind may have line breaks.
func free(kind string) bool { return kind == "text" || kind == "command" || kind == "variables" }

// forms are the ways in which a text is given; those with controls are only tried alone.
func forms(text string) []value.Value {
	if !strings.Contains(text, "\n") {
		return []value.Value{value.Str(text)}
	}
	return []value.Value{value.Str(text), value.NewList(value.Str("a"), value.Str(text)),
		value.DictOf("a", value.Str(text)), value.DictOf(text, value.Str("a")),
		value.NewList(value.DictOf("a", value.NewList(value.Str(text))))}
}

// TestNoArgumentTakesARecord: what would break the line that it becomes a part of is refused before the run, alone, in
// a list and in a map, with every argument of every state function but those that are declared free.
func TestNoArgumentTakesARecord(t *testing.T) {
	r, err := modules.New(Families()...)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, name := range r.StateNames() {
		s, _ := r.State(name)
		for _, a := range s.Arguments() {
			kind, not := a.Kind()
			if count[kind]++; free(kind) {
				continue
			}
			for _, text := range hostile(not) {
				for _, v := range forms(text) {
					tryArgument(t, s, a.Name, v)
				}
			}
		}
	}
	t.Log(count)
}

func tryArgument(t *testing.T, s *modules.StateSpec, arg string, v value.Value) {
	t.Helper()
	_, diags := modules.Bind(s, &state.Low{Name: "x", Args: value.DictOf(arg, v)})
	for _, d := range diags {
		if strings.HasPrefix(d.Msg, `argument "`+arg+`" of `) {
			return
		}
	}
	t.Errorf("%s takes %s for %s", s.Name, value.Repr(v), arg)
}

// TestNoParameterTakesARecord: the same for every parameter of the execution functions that write.
func TestNoParameterTakesARecord(t *testing.T) {
	count := map[string]int{}
	for _, f := range Families() {
		for i := range f.Execs {
			e := &f.Execs[i]
			for _, p := range e.Params {
				kind, not := e.Kind(p)
				if e.Class != modules.Writes {
					continue
				}
				if count[kind]++; free(kind) {
					continue
				}
				for _, text := range hostile(not) {
					for _, v := range forms(text) {
						tryParameter(t, e, p, v)
					}
				}
			}
		}
	}
	t.Log(count)
}

// tryParameter gives one parameter the value, and the required ones, or all before *opts, a word.
func tryParameter(t *testing.T, e *modules.ExecSpec, param string, v value.Value) {
	t.Helper()
	var args []value.Value
	kwargs := value.NewDict(1)
	for _, p := range e.Params {
		required := !strings.HasPrefix(p, "*") && !strings.Contains(p, "=")
		switch head, _, _ := strings.Cut(strings.TrimLeft(p, "*"), "="); {
		case p == param && strings.HasPrefix(p, "**"):
			kwargs.SetStr("zzz", v)
		case p == param && strings.HasPrefix(p, "*"):
			args = append(args, v)
		case p == param:
			kwargs.SetStr(named(head), v)
		case !strings.HasPrefix(p, "*") && strings.HasPrefix(param, "*"):
			args = append(args, value.Int(1))
		case required && strings.HasSuffix(head, ":map"):
			kwargs.SetStr(named(head), value.NewDict(0))
		case required:
			kwargs.SetStr(named(head), value.Int(1))
		}
	}
	_, err := modules.NewCall(e, nil, nil, args, kwargs)
	if err == nil || !strings.Contains(err.Error(), "argument '"+named(strings.TrimLeft(param, "*"))+"'") {
		t.Errorf("%s takes %s for %s: %v", e.Name, value.Repr(v), param, err)
	}
}

// named is the name at the beginning of a parameter.
func named(param string) string {
	if i := strings.IndexAny(param, ":!="); i >= 0 {
		return param[:i]
	}
	return param
}
