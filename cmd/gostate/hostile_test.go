package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hostileText steers a terminal and turns letters, as YAML writes it.
const hostileText = `\e[2J\e]0;x\a\u009b2J\b\r\x7f\u202egnp\u2066\u2069\u061c\u0085`

// hostileTree has it in IDs, names, comments, diffs, outputs, pillar, and in what is wrong.
func hostileTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"salt/good.sls": `"idHOSTILE":
  test.configurable_test_state:
    - comment: "commentHOSTILE"
    - changes: true
    - result: true
    - warnings: "warningHOSTILE"
"nameHOSTILE":
  test.nop:
    - require: [test: "idHOSTILE"]
/file:
  file.managed: [{contents: "new\nlineHOSTILE\n"}]
"printf 'outHOSTILE'":
  cmd.run: []
"failHOSTILE":
  test.fail_without_changes: [{comment: "whyHOSTILE"}]
`,
		"salt/bad.sls": `"idHOSTILE":
  test.noHOSTILE: []
"other":
  test.nop: [{require: [test: "missingHOSTILE"]}]
`,
		"salt/odd.sls":    "a: [\u009b2J\x1b\n",
		"salt/raise.sls":  `{{ raise("raisedHOSTILE") }}`,
		"salt/text.jinja": `{{ "renderedHOSTILE" }}`,
		"salt/top.sls":    "base: {'*': [good]}\n",
		"pillar/top.sls":  "base: {'*': [data]}\n",
		"pillar/data.sls": `"keyHOSTILE": "valueHOSTILE"` + "\n",
		"etc/minion": "id: \"idHOSTILE\"\ngrains: {\"grainHOSTILE\": \"vHOSTILE\"}\nfile_roots: {base: " +
			"[DIR/salt]}\npillar_roots: {base: [DIR/pillar]}\n",
		"site.pp":          `notice("saidHOSTILE") notify { "titleHOSTILE": message => "mHOSTILE" }`,
		"bad.pp":           `fail("whyHOSTILE") $x = "`,
		"root/file":        "old\x1b[2J\u009b\n",
		"root/etc/passwd":  "root:x:0:0:root\x1b[2J\u009b:/root:/bin/sh\n",
		"root/usr/bin/ls/": "",
	} {
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			continue
		}
		given := hostileText
		if strings.HasSuffix(name, ".jinja") || strings.HasSuffix(name, "raise.sls") {
			given = "\x1b[2J\a\u009b2J\b\u202e\u2066\u2069\u061c\u0085\x7f"
		}
		text = strings.NewReplacer("HOSTILE", given, "DIR", dir).Replace(text)
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestNothingSteersTheTerminal: every command in every form shows what a tree, a file or a command would do to a
// terminal.
func TestNothingSteersTheTerminal(t *testing.T) {
	dir := hostileTree(t)
	steers := regexp.MustCompile("[\\x00-\\x08\\x0b-\\x1f\\x7f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
	colour := regexp.MustCompile(`\x1b\[[0-9;]*m`)
	evil := "x\x1b[2J\u009b\u202e"
	commands := [][]string{
		{"highstate"}, {"--test"}, {"sls", "good"}, {"--test", "sls", "good"}, {"sls", "bad"}, {"sls", "odd"},
		{"sls", "raise"}, {"sls", evil},
		{"single", "test.nop", evil}, {"single", "test.no" + evil, "a"}, {"rehearse", "good"}, {"show", "top"},
		{"show", "sls", "good"}, {"show", "highstate"},
		{"show", "lowstate", "good"}, {"show", evil}, {"grains"}, {"pillar"}, {"call", "test.echo", evil},
		{"call", "no." + evil},
		{"call", "file.read", "/file"}, {"call", "cmd.run", "printf '\\033[2J\\302\\233'"}, {"call", "user.info", "root"},
		{"doc", evil}, {"graph"},
		{"graph", "--format", "svg"}, {"graph", "--format", "mermaid"}, {"graph", "--format", "json"}, {"graph", "bad"},
		{"explain", "nameHOSTILE"}, {"explain", evil}, {"lint"}, {"lint", "bad"}, {"render", evil},
		{"render", dir + "/salt/raise.sls"}, {evil}, {"--" + evil},
		{"report", "list"}, {"report", "last"}, {"report", "diff", "last~1", "last"}, {"report", "show", evil}, {"status"},
		{"plan", "good"}, {"plan", "good", "-o", dir + "/good.plan"}, {"apply", "--plan", dir + "/good.plan"},
		{"apply", "--plan", evil}, {"why", "nameHOSTILE"}, {"why", "failHOSTILE"}, {"why", evil}, {"graph", "--focus", evil},
		{"resource", "file", dir + "/salt/raise.sls"}, {"resource", evil}, {"resource", "user", evil},
		{"puppet", "compile", dir + "/site.pp"}, {"puppet", "compile", dir + "/bad.pp"},
		{"puppet", "validate", dir + "/bad.pp"},
		{"puppet", evil},
		{"ssh", evil}, {"orchestrate", evil}, {"pack", evil}, {"push", evil}, {"agent", evil}, {"version"}, {"completion", "bash"}, {"man"},
	}
	said := 0
	for _, c := range commands {
		for _, form := range [][]string{nil, {"--out", "json"}, {"--out", "yaml"}, {"--force-color"},
			{"--state-output", "terse"}, {"--state-output", "brief"}} {
			if form != nil && slices.Contains([]string{"rehearse", "version", "completion", "man"}, c[0]) {
				continue
			}
			cmd := exec.Command("gostate", append(slices.Clone(form), c...)...)
			for i, a := range cmd.Args {
				cmd.Args[i] = strings.ReplaceAll(a, "HOSTILE", "\x1b[2J\x1b]0;x\a\u009b2J\b\r\x7f\u202egnp\u2066\u2069\u061c\u0085")
			}
			cmd.Env = append(os.Environ(), "GOSTATE_CONFIG_DIR="+dir+"/etc", "GOSTATE_STATE_DIR="+dir+"/state",
				"GOSTATE_ROOT="+dir+"/root")
			out, _ := cmd.CombinedOutput()
			said += strings.Count(string(out), `\u009b`)
			if slices.Contains(form, "--force-color") {
				out = colour.ReplaceAll(out, nil)
			}
			if at := steers.FindIndex(out); at != nil {
				t.Errorf("gostate %q %q: %q", form, c, out[max(0, at[0]-60):min(len(out), at[1]+20)])
			}
		}
	}
	if said < 100 {
		t.Errorf("only %d of the texts were shown at all", said)
	}
	for _, c := range newApp(&program{}).Commands {
		if !c.Hidden && c.Name != "help" && !slices.ContainsFunc(commands, func(w []string) bool { return w[0] == c.Name }) {
			t.Errorf("the command %s is not tried", c.Name)
		}
	}
}

// TestRenderIsData: what render gives to a file or another program is what the template made.
func TestRenderIsData(t *testing.T) {
	dir := hostileTree(t)
	cmd := exec.Command("gostate", "render", dir+"/salt/text.jinja")
	cmd.Env = append(os.Environ(), "GOSTATE_CONFIG_DIR="+dir+"/etc", "GOSTATE_STATE_DIR="+dir+"/state")
	if out, err := cmd.Output(); err != nil || !strings.HasPrefix(string(out), "rendered\x1b[2J\a\u009b2J") {
		t.Errorf("%v %q", err, out)
	}
}
