package debconf

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// tools keep the answers in a file, one a line, as debconf-show prints them.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	data, _ := m.ReadFile("/var/cache/debconf/config.dat")
	if c.Args[0] == "debconf-show" {
		return &host.Output{Stdout: data}, nil
	}
	text := string(data)
	for line := range strings.Lines(string(c.Stdin)) {
		f := append(strings.Fields(line), "")
		if f[1] == "tz/refused" {
			return &host.Output{Code: 1, Stderr: []byte("error: Cannot find a question for tz/refused\n")}, nil
		}
		if f[2] == "password" {
			f[3] = "(password omitted)"
		}
		text = regexp.MustCompile(`(?m)^..`+f[1]+`:.*\n`).ReplaceAllString(text, "")
		text = "* " + f[1] + ": " + f[3] + "\n" + text
	}
	m.MustWrite("/var/cache/debconf/config.dat", text, 0o600)
	return &host.Output{}, nil
}

// files has one file of answers.
type files struct{ modules.Files }

func (files) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if source != "salt://answers" {
		return nil, errors.New(source + " is not there")
	}
	return []byte("# all\ntzdata tz/zone select Europe\ntzdata tz/on boolean true\n"), nil
}

func TestConformance(t *testing.T) {
	answer := func(question, kind string, val any) map[string]any {
		return map[string]any{question: map[string]any{"type": kind, "value": val}}
	}
	modtest.Suite{Family: Family(), Beyond: []string{"/var/cache/debconf"},
		Situations: modtest.Situations{
			"nothing": modtest.Memory(tools, func(m *hosttest.Memory) { m.MustMkdir("/var/cache/debconf") }),
			"answers": modtest.Memory(tools, func(m *hosttest.Memory) {
				m.MustWrite("/var/cache/debconf/config.dat", "* tz/zone: Etc\n  tz/on: true\n  tz/pass: (password omitted)\n",
					0o600)
			}),
		},
		Env: func(*testing.T) *modules.Env { return &modules.Env{Files: files{}, Progress: func(string) {}} },
		Deeds: []modtest.Deed{
			modtest.State("debconf.set", "tzdata", "data", answer("tz/zone", "select", "Europe")),
			modtest.State("debconf.set", "tzdata", "data", answer("tz/on", "boolean", true)),
			modtest.State("debconf.set", "tzdata", "data", answer("tz/pass", "password", "x")),
			modtest.State("debconf.set", "tzdata", "data", answer("tz/refused", "string", "x")).Untold("debconf refuses it"),
			modtest.State("debconf.set_file", "all", "source", "salt://answers"),
			modtest.State("debconf.set_file", "all", "source", "salt://none"),
		}}.Run(t)
}

// TestFileShowsItsAnswers: those that differ.
func TestFileShowsItsAnswers(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/var/cache/debconf/config.dat", "* tz/zone: Etc\n  tz/on: true\n", 0o600)
	m.Script = func(c host.Cmd) (*host.Output, error) { return tools(m, c) }
	spec := setFileSpec()
	fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "x", Args: value.DictOf("source", value.Str("salt://answers"))})
	env := &modules.Env{Files: files{}, Progress: func(string) {}, Low: &state.Low{}}
	if e, err := fn.Act(t.Context(), env, m); err != nil || value.Repr(e.Changes) != "{'tz/zone': 'Europe'}" {
		t.Errorf("%s %v", value.Repr(e.Changes), err)
	}
}

// TestSelections: where debconf tells passwords, another one is set.
func TestSelections(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/usr/bin/debconf-get-selections", "", 0o755)
	m.Script = func(host.Cmd) (*host.Output, error) {
		return &host.Output{Stdout: []byte("# x\ntzdata\ttz/pass\tpassword\told\ntzdata\ttz/zone\tselect\tA b  " +
			"c\nother\ttz/x\tstring\ty\n")}, nil
	}
	for _, tt := range []struct {
		a       answer
		differs bool
	}{
		{answer{"tzdata", "tz/pass", "password", "old"}, false}, {answer{"tzdata", "tz/pass", "password", "new"}, true},
		{answer{"tzdata", "tz/zone", "select", "A b  c"}, false}, {answer{"tzdata", "tz/x", "string", "y"}, true},
	} {
		if got, err := differing(t.Context(), m, []answer{tt.a}); err != nil || len(got) == 1 != tt.differs {
			t.Errorf("%v: %v %v", tt.a, got, err)
		}
	}
}

func TestAnswersNeedATypeAndPasswordsAreHidden(t *testing.T) {
	spec := setSpec()
	bind := func(data *value.Dict) modules.StateFunc {
		fn, _ := modules.Bind(&spec, &state.Low{ID: "x", Name: "tzdata", Args: value.DictOf("data", data)})
		return fn
	}
	if bind(value.DictOf("q", value.Str("v"))) != nil {
		t.Error("an answer without type was taken")
	}
	m := hosttest.NewMemory()
	m.Script = func(c host.Cmd) (*host.Output, error) { return tools(m, c) }
	e, err := bind(value.DictOf("q", value.DictOf("type", value.Str("password"), "value",
		value.Str("s3cret")))).Act(t.Context(), nil, m)
	if err != nil || value.Repr(e.Changes) != "{'q': '(password hidden)'}" ||
		strings.Contains(value.Repr(e.Foretold), "s3cret") {
		t.Errorf("%+v %v", e, err)
	}
	if got := string(m.Ran[len(m.Ran)-1].Stdin); got != "tzdata q password s3cret\n" {
		t.Errorf("answers %q", got)
	}
}
