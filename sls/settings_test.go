package sls

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// takes says of test.nop that it takes no argument, of tagged.nop that tags are its own, of file.managed that it takes
// all and has a user.
func takes(module, function, arg string) (declared, any bool) {
	switch module + "." + function + " " + arg {
	case "tagged.nop tags", "file.managed user":
		return true, module == "file"
	}
	return false, module == "file"
}

// metas compiles the SLS `a` and tells the metaparameters and arguments of its states.
func metas(t *testing.T, files map[string]string) (map[string]string, []string) {
	t.Helper()
	high, diags := Load(t.Context(), tree(t, files), []Request{{Env: "base", SLS: "a"}})
	low, more := state.Compile(high, state.CompileOptions{Takes: takes,
		Stages: []string{"pre", "other", "main", "late"}})
	diags.Add(more.All...)
	out := map[string]string{}
	for _, l := range low {
		m, noop := l.Meta(), "-"
		if m.Noop != nil {
			noop = fmt.Sprint(*m.Noop)
		}
		text := fmt.Sprintf("stage=%s noop=%s tags=%v args=", m.Stage, noop, m.Tags)
		for k, v := range l.Args.All() {
			text += value.String(k) + ":" + value.String(v) + " "
		}
		out[l.ID] = text
	}
	var faults []string
	for _, d := range diags.All {
		faults = append(faults, d.Msg)
	}
	return out, faults
}

func TestSettings(t *testing.T) {
	files := map[string]string{
		"a.sls": `
stage: pre
noop: true
tags: [Web, all]
defaults: {file: {user: root, nothing: x}, test.nop: {require: [one]}}
include: [b, c: {stage: late, tags: extra}]
one: {test: [nop, noop: false, tags: own]}
two: {test: [nop, stage: other]}
three: {file: [managed]}
four: {file: [managed, user: bin, noop: true]}
five: {tagged: [nop, tags: mine]}
`,
		"b.sls": "in b: {file: [managed, tags: t]}\n",
		"c.sls": "stage: own\ndefaults: {file: {user: c}}\nin c: {file: [managed]}\n",
	}
	got, faults := metas(t, files)
	want := map[string]string{
		"one":   "stage=pre noop=false tags=[own web all] args=",
		"two":   "stage=other noop=true tags=[web all] args=",
		"three": "stage=pre noop=true tags=[web all] args=user:root ",
		"four":  "stage=pre noop=true tags=[web all] args=user:bin noop:True ",
		"five":  "stage=pre noop=true tags=[web all] args=tags:mine ",
		"in b":  "stage=pre noop=- tags=[t] args=tags:t user:root ",
		"in c":  "stage=late noop=- tags=[extra] args=user:c ",
	}
	if d := cmp.Diff(want, got); d != "" || len(faults) > 0 {
		t.Error(d, faults)
	}
}

func TestSettingsAreNoIDs(t *testing.T) {
	got, faults := metas(t, map[string]string{"a.sls": `
stage: {test: [nop]}
noop: {test: [nop]}
tags: test.nop
schedule: test.nop
defaults: {test: [nop]}
`})
	if len(got) != 5 || len(faults) > 0 {
		t.Error(got, faults)
	}
}

func TestSettingsFaults(t *testing.T) {
	_, faults := metas(t, map[string]string{"a.sls": `
include: [b: {stge: pre}, c: {defaults: {file: root}}]
x: {test: [nop, stage: 1, audit: {a: b}, tags: [[]]]}
`, "b.sls": "y: {test: [nop]}\n", "c.sls": "z: {test: [nop]}\n"})
	want := []string{
		"'stge' is nothing that can be said beside SLS 'b'",
		"'defaults' beside SLS 'c' is not a map of modules",
		"'stage' of ID 'x' is not a name but 1",
		"'audit' of ID 'x' is not a name or a list of names but {'a': 'b'}",
		"'tags' of ID 'x' is not a name or a list of names but [[]]",
	}
	if d := cmp.Diff(want, faults); d != "" {
		t.Error(d)
	}
}
