package file

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func accumulatedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.accumulated",
		Doc: `Collects text for a file that another state of the run manages.

A template of file.managed finds it as accumulator, a map of lists by the name of this state; file.blockreplace adds it to
its content. It has to run before that state: use require_in.`,
		Example: `
animals:
  file.accumulated:
    - filename: /tmp/animals
    - text: jumps over the lazy dog
    - require_in:
      - file: /tmp/animals

/tmp/animals:
  file.managed:
    - source: salt://animals.jinja
    - template: jinja
`,
		New:     func() modules.StateFunc { return &Accumulated{} },
		AnyArgs: true,
	}
}

// Accumulated is file.accumulated.
type Accumulated struct {
	Name     string      `arg:"name,required,text" doc:"The name of the list."`
	Filename string      `arg:"filename,required,path" doc:"The file, as the name of the state that manages it."`
	Text     value.Value `arg:"text,required,text" doc:"A text or a list of them."`
}

// Act collects the text, at the forecast too: it changes no machine.
func (a *Accumulated) Act(_ context.Context, env *modules.Env, _ host.Host) (state.Effect, error) {
	items := []value.Value{a.Text}
	if l, ok := a.Text.(*value.List); ok {
		items = l.Items
	}
	targets := fileTargets(env.Low)
	if len(targets) == 0 && env.Low != nil {
		return state.Effect{}, fmt.Errorf("Orphaned accumulator %s in %s:%s", a.Name, env.Low.SLS, env.Low.ID)
	}
	acc := accumulatorsOf(env)
	acc.mu.Lock()
	defer acc.mu.Unlock()
	d := acc.byFile[a.Filename]
	if d == nil {
		d = value.NewDict(1)
		acc.byFile[a.Filename] = d
	}
	for _, t := range targets {
		acc.heads[headed{a.Filename, a.Name, t}] = true
	}
	list := value.NewList()
	if v, ok := d.GetStr(a.Name); ok {
		list = v.(*value.List)
	}
	d.SetStr(a.Name, list)
	e := state.Settled("")
	for _, it := range items {
		if !has(list, it) {
			list.Items = append(list.Items, it)
			e.Comment = fmt.Sprintf("Accumulator %s for file %s was charged by text", a.Name, a.Filename)
		}
	}
	return e, nil
}

// fileTargets are the file states that require_in and watch_in name: with none of them nobody would wait for the text.
func fileTargets(low *state.Low) []string {
	if low == nil {
		return nil
	}
	var out []string
	chunk := low.Chunk()
	for _, kind := range []string{"require_in", "watch_in"} {
		v, _ := chunk.GetStr(kind)
		list, _ := v.(*value.List)
		if list == nil {
			continue
		}
		for _, it := range list.Items {
			if d, ok := it.(*value.Dict); ok {
				if target, ok := d.GetStr("file"); ok {
					out = append(out, value.String(target))
				}
			}
		}
	}
	return out
}

func has(l *value.List, v value.Value) bool {
	for _, it := range l.Items {
		if value.Repr(it) == value.Repr(v) {
			return true
		}
	}
	return false
}
