package modtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Describe has the family tell of a kind of things on a machine. What is told must be so: a state that would change
// something is an error of the test. The answer is a line for each thing, "user.present alice uid=1000", and for each
// note, "# ...".
func Describe(t *testing.T, family modules.Family, h host.Reader, kind string, set func(*modules.Look)) []string {
	t.Helper()
	r, err := modules.New(family)
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) (value.Value, bool) { return nil, false }
	l := &modules.Look{Host: h, Env: &modules.Env{Opts: none, Grains: none, Pillar: none, Cache: modules.NewCache(),
		Progress: func(string) {}, Registry: r}}
	if set != nil {
		set(l)
	}
	for _, d := range r.Describers() {
		if d.Kind != kind {
			continue
		}
		if err := d.Describe(context.Background(), l); err != nil {
			return []string{"error: " + err.Error()}
		}
	}
	var out []string
	for _, thing := range l.Things {
		if _, own := r.State(thing.Func); !own { // another family's, whose tests try it
			out = append(out, lines(thing)...)
			continue
		}
		var refused modules.Refused
		if err := l.Holds(context.Background(), thing); errors.As(err, &refused) {
			thing.Notes, thing.Func = append(thing.Notes, "refused: "+err.Error()), ""
		} else if err != nil {
			t.Errorf("%s %s does not hold: %v", thing.Func, thing.ID, err)
		}
		out = append(out, lines(thing)...)
	}
	for _, n := range l.Missing {
		out = append(out, "missing: "+n)
	}
	return out
}

func lines(thing *modules.Thing) (out []string) {
	for _, n := range thing.Notes {
		out = append(out, "# "+n)
	}
	if thing.Func == "" {
		return out
	}
	text := thing.Func + " " + thing.ID
	if thing.Name != "" {
		text += " (" + thing.Name + ")"
	}
	for k, v := range thing.Args.All() {
		text += " " + value.String(k) + "=" + value.Repr(v)
	}
	for _, a := range thing.After {
		text += fmt.Sprintf(" after %s", strings.Join(a[:], " "))
	}
	return append(out, text)
}
