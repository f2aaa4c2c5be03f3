// Package modtest is the suite that every state function passes: what a preview says is what the run does, a second run
// finds nothing to do, and a preview writes nothing.
//
// A family's test names machines to begin with, and states (deeds); the suite plays every deed on every machine:
//
//	func TestConformance(t *testing.T) {
//		modtest.Suite{
//			Family: Family(),
//			Situations: modtest.Situations{
//				"no group": modtest.Memory(tools, nil),
//				"a group":  modtest.Memory(tools, func(m *hosttest.Memory) { m.AddUser("web", 300) }),
//			},
//			Deeds: []modtest.Deed{
//				modtest.State("group.present", "web", "gid", 300, "members", []string{"root"}),
//				modtest.State("group.absent", "web"),
//			},
//		}.Run(t)
//	}
//
// tools answers the commands of such a machine and changes it as they would: what groupadd would write to /etc/group,
// it writes. Situations should hold what the functions look for and what hinders them (nothing, something else, a
// broken one); deeds should reach every branch of a function, its failures too, and every function of the family needs
// one. Where a preview cannot know the outcome, Deed.Untold says why.
package modtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Situations make a machine by their name, the same one at every call.
type Situations map[string]func(t *testing.T) host.Host

// A Suite is what is played for a family.
type Suite struct {
	Family     modules.Family
	Situations Situations
	Deeds      []Deed
	// Env makes what a state may know of its run, anew for each attempt; nil: sources and templates are none, pillar,
	// grains and options empty.
	Env func(t *testing.T) *modules.Env
	// Moment matches what tells the time in a name or a content: it is not compared.
	Moment *regexp.Regexp
	// Beyond are trees that commands keep for themselves and an overlay holds as facts ("/var/lib/dpkg"): what is in them
	// is not foretold. The account files always are.
	Beyond []string

	registry *modules.Registry
}

// A Deed is a state, made by State.
type Deed struct {
	fun, name string
	args      *value.Dict
	watched   bool
	untold    string
	only      []string
}

// State is a state of a function with its arguments: name, value, name, value..., of Go or as a value.Value.
func State(fun, name string, args ...any) Deed {
	d := Deed{fun: fun, name: name, args: value.NewDict(len(args) / 2)}
	for i := 0; i+1 < len(args); i += 2 {
		d.args.SetStr(args[i].(string), value.From(args[i+1]))
	}
	return d
}

// Watched is the reaction of the state's function to a watch in place of the state.
func (d Deed) Watched() Deed { d.watched = true; return d }

// Untold says why a preview cannot know what becomes of the deed ("the command fails"): it then has to say that
// something would be done, and the rest is not compared.
func (d Deed) Untold(why string) Deed { d.untold = why; return d }

// In plays the deed in the named situations only.
func (d Deed) In(situations ...string) Deed { d.only = situations; return d }

func (d Deed) in(situation string) bool { return d.only == nil || slices.Contains(d.only, situation) }

func (d Deed) String() string {
	text := d.fun + " " + d.name
	for k, v := range d.args.All() {
		text += " " + value.String(k) + "=" + value.Repr(v)
	}
	if d.watched {
		text += ", watched"
	}
	return text
}

// bind makes the state function of the deed.
func (s Suite) bind(t *testing.T, d Deed) (modules.StateFunc, *state.Low) {
	t.Helper()
	spec, ok := s.registry.State(d.fun)
	if !ok {
		t.Fatalf("the family has no %s", d.fun)
	}
	module, function, _ := strings.Cut(d.fun, ".")
	low := &state.Low{ID: d.name, Name: d.name, Module: module, Func: function, SLS: "a", Env: "base", Args: d.args}
	fn, diags := modules.Bind(spec, low)
	if fn == nil {
		t.Fatalf("%v: %v", d, diags)
	}
	if d.watched {
		fn = fn.(modules.Watcher).ModWatch()
	}
	return fn, low
}

// env is what the deed may know of its run.
func (s Suite) env(t *testing.T, low *state.Low) *modules.Env {
	none := func(string) (value.Value, bool) { return nil, false }
	env := &modules.Env{Opts: none, Grains: none, Pillar: none, Cache: modules.NewCache(), Progress: func(string) {}}
	if s.Env != nil {
		env = s.Env(t)
	}
	env.Low, env.Kept = low, modules.NewCache()
	return env
}

// Run plays all, and fails where a function of the family is in no deed.
func (s Suite) Run(t *testing.T) {
	var err error
	if s.registry, err = modules.New(s.Family); err != nil {
		t.Fatal(err)
	}
	for _, spec := range s.Family.States {
		if !slices.ContainsFunc(s.Deeds, func(d Deed) bool { return d.fun == spec.Name }) {
			t.Errorf("%s is in no deed", spec.Name)
		}
	}
	for _, name := range s.names() {
		t.Run(name, func(t *testing.T) {
			for i, d := range s.Deeds {
				if d.in(name) {
					known := append([]string{"/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow"}, s.Beyond...)
					(&play{s, t, name, i, d, known}).all()
				}
			}
		})
	}
}
