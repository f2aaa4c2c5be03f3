package resource

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// keep is a state function that would change something unless its text is "as it is".
type keep struct {
	Name string      `arg:"name,required,text"`
	Text value.Value `arg:"text,text" default:"as it is"`
}

func (k *keep) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	if value.String(k.Text) == "other" {
		return state.Effect{Pending: true, Preview: "it would be changed\nby a lot"}, nil
	}
	return state.Settled("fine"), nil
}

// world is a registry of two kinds: things and their owners.
func world(t *testing.T, things func(l *modules.Look) error) (*modules.Registry, *modules.Env) {
	t.Helper()
	spec := func(name string) []modules.StateSpec {
		return []modules.StateSpec{{Name: name, New: func() modules.StateFunc { return &keep{} }, AnyArgs: true}}
	}
	r, err := modules.New(
		modules.Family{Name: "file", States: spec("file.managed")},
		modules.Family{Name: "owner", States: spec("owner.present"), Describers: []modules.Describer{{Kind: "owner", Rank: 1,
			Describe: func(_ context.Context, l *modules.Look) error { l.Tell("yes", "owner.present"); return nil }}}},
		modules.Family{Name: "thing", States: spec("thing.present"), Describers: []modules.Describer{{Kind: "thing", Rank: 2,
			Other: []string{"things"}, Doc: "Things.",
			Describe: func(_ context.Context, l *modules.Look) error { return things(l) }}}})
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) (value.Value, bool) { return nil, false }
	return r, &modules.Env{Opts: none, Grains: none, Pillar: none, Cache: modules.NewCache(), Registry: r}
}

func tell(t *testing.T, req Request, things func(l *modules.Look) error) *Answer {
	t.Helper()
	r, env := world(t, things)
	a, err := Tell(t.Context(), r.Describers(), env, hosttest.NewMemory(), req)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func text(t *testing.T, a *Answer) string {
	t.Helper()
	out, err := a.SLS()
	if err != nil {
		t.Fatal(err)
	}
	v, err := yaml.Decode("sls", []byte(out))
	if d, ok := v.(*value.Dict); err != nil || a.High().Len() > 0 && (!ok || !value.Equal(d, a.High())) {
		t.Errorf("%s\nis read as %s (%v), not as %s", out, value.Repr(v), err, value.Repr(a.High()))
	}
	return out
}

func TestSLS(t *testing.T) {
	a := tell(t, Request{Kind: "things", Names: []string{"*"}}, func(l *modules.Look) error {
		l.Tell("include", "thing.present", "text", "{{ x }}")
		l.Tell("a", "thing.present").Note("a note\nwith \x1b lines").On("owner", "yes")
		l.Tell("a", "thing.present", "text", "x\n\ty \n\n")
		l.Tell("short", "thing.present").Called("yes")
		l.Tell("changed", "thing.present", "text", "other")
		l.Remark("odd", "nothing keeps this")
		return nil
	})
	want := `#!yaml
thing include:
  thing.present:
    - name: include
    - text: '{{ x }}'
# a note with ? lines
a:
  thing.present: []
a (2):
  thing.present:
    - name: a
    - text: |+
        x
        	y 

short:
  thing.present:
    - name: 'yes'
# changed is left out: thing.present does not keep it as it is: it would be changed
# nothing keeps this
`
	if d := cmp.Diff(want, text(t, a)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"*"}, a.Groups[0].Unmatched); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestAll(t *testing.T) {
	file := func(l *modules.Look) error {
		l.Tell("/etc/x", "file.managed")
		l.Tell("/etc/x", "file.managed")
		l.Tell("thing", "thing.present").On("owner", "yes").On("owner", "none")
		return nil
	}
	want := `#!yaml
#
# owner: 
owner yes:
  owner.present:
    - name: 'yes'
#
# thing: Things.
/etc/x:
  file.managed: []
thing:
  thing.present:
    - require:
        - owner: owner yes
`
	if d := cmp.Diff(want, text(t, tell(t, Request{}, file))); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// TestAllGoesOn: a kind that fails does not keep the others from telling; one that has nothing here says nothing.
func TestAllGoesOn(t *testing.T) {
	for err, want := range map[error]string{errors.New("it broke"): "# not told: it broke\n", fs.ErrNotExist: ""} {
		got := text(t, tell(t, Request{}, func(*modules.Look) error { return err }))
		_, got, _ = strings.Cut(got, "- name: 'yes'\n")
		if _, after, _ := strings.Cut(got, "Things.\n"); after != want {
			t.Errorf("%v: %q, want %q", err, after, want)
		}
	}
	r, env := world(t, func(*modules.Look) error { return errors.New("it broke") })
	if _, err := Tell(t.Context(), r.Describers(), env, hosttest.NewMemory(), Request{Kind: "thing"}); err == nil {
		t.Error("one kind that fails is no error")
	}
	_, err := Tell(t.Context(), r.Describers(), env, hosttest.NewMemory(), Request{Kind: "thong"})
	if err == nil || !strings.Contains(err.Error(), `unknown kind of resource "thong"`) {
		t.Errorf("an unknown kind: %v", err)
	}
}

// TestHides: what holds a secret is left out as a whole, also where a later thing shows that it is one.
func TestHides(t *testing.T) {
	secret := ""
	hides := func(t *modules.Thing) bool {
		if t.ID == "b" {
			secret = "s3cret"
		}
		return secret != "" && strings.Contains(value.Repr(t.Args), secret)
	}
	got := text(t, tell(t, Request{Kind: "thing", Hides: hides}, func(l *modules.Look) error {
		l.Tell("a", "thing.present", "text", "x s3cret")
		l.Tell("b", "thing.present", "text", "s3cret")
		return nil
	}))
	if strings.Contains(got, "s3cret") || strings.Count(got, "left out: it holds a secret") != 2 {
		t.Error(got)
	}
}

func FuzzSLS(f *testing.F) {
	f.Add("yes", "a: b\n", "{{ x }}")
	f.Add("---", "\t\n\n", "# x")
	f.Add("0", "...\n", "0")
	f.Fuzz(func(t *testing.T, id, content, note string) {
		a := tell(t, Request{Kind: "thing"}, func(l *modules.Look) error {
			l.Tell(id, "thing.present", "text", content).Note("%s", note)
			l.Tell("last", "thing.present", "list", []string{id, content})
			return nil
		})
		text(t, a)
	})
}
