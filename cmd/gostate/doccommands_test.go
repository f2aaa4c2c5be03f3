package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// elsewhere are the commands of the docs that neither TestDocExamples nor TestSessions runs, page by page: what runs
// them, or why nothing does. A line stands for each command that begins with it.
func elsewhere() map[string][][2]string {
	return map[string][][2]string{
		"../README.md":  {{"make demo", ".ci/run"}, {"make test", ".ci/run"}},
		"tutorial.md":   {{"", "testdata/integration TestTutorial runs them all and compares what they print"}},
		"first-hour.md": {{"", "testdata/integration TestFirstHour runs them all and compares what they print"}},
		"from-salt.md":  {{"ln -s", "testdata/script/salt-call.txtar makes such a link"}},
		"install.md": {
			{"go install", "make go-install does, from a proxy made of the commit"},
			{"sha256sum --check", "testdata/integration TestReleasePackage"},
			{"minisign", "minisign's own check; by hand"},
			{"gostate highstate --test", "any test of a preview"},
			{"systemctl enable --now gostate-highstate.timer", "testdata/integration TestReleasePackage"},
			{"systemctl list-timers", "a look at what TestReleasePackage switches on"},
			{"journalctl -u", "a look at what TestReleasePackage switches on"},
			{"systemctl edit", "it opens an editor; TestReleasePackage writes such a drop-in"},
			{"skopeo copy", "by hand"},
			{"podman run", "nothing: podman was not tried"},
		},
		"plan.md": {
			{"gostate plan", "testdata/script/plan.txtar"}, {"gostate apply --plan", "testdata/script/plan.txtar"},
			{"gostate highstate --confirm", "state/... TestConfirm"},
		},
		"fleet-operate.md":   {{"gostate-hub", "cmd/fleet/gostate-hub TestDocs"}},
		"hub.md":             {{"", "cmd/fleet TestPage"}},
		"puppet-language.md": {{"gostate puppet", "cmd/gostate puppet_test.go"}},
		"rehearsal.md":       {{"sudo gostate rehearse", "testdata/integration TestRehearse"}},
		"reports.md": {{"gostate report", "testdata/script/report.txtar"},
			{"gostate status", "testdata/script/report.txtar"}},
		"secrets.md": {
			{"age-keygen", "age's own program, not gostate's"}, {"gostate pillar encrypt", "testdata/script/age.txtar"},
		},
	}
}

// TestDocCommands finds commands of the pages that no test runs.
func TestDocCommands(t *testing.T) {
	for _, page := range allPages(t) {
		name, err := filepath.Rel(filepath.Join("..", "..", "docs"), page)
		if err != nil {
			t.Fatal(err)
		}
		known, used := elsewhere()[name], map[string]bool{}
		session := name == "../README.md" || name == "start.md"
		for _, c := range unrun(readText(t, page), inLearn(page), session) {
			i := slices.IndexFunc(known, func(k [2]string) bool { return strings.HasPrefix(c, k[0]) })
			if i < 0 {
				t.Errorf("%s: no test runs %q", name, c)
				continue
			}
			used[known[i][0]] = true
		}
		for _, k := range known {
			if !used[k[0]] {
				t.Errorf("%s has no command %q that needs a reason", name, k[0])
			}
		}
	}
}

// unrun are the commands of a page that are in no section with files, of a session only those of make.
func unrun(text string, learn, session bool) (out []string) {
	for section := range strings.SplitSeq("\n"+text, "\n## ") {
		if docScript(section, learn) != "" {
			continue
		}
		blocks := strings.Split("\n"+section, "\n```")
		for i := 1; i < len(blocks); i += 2 {
			kind, body, _ := strings.Cut(blocks[i], "\n")
			for line := range strings.SplitSeq(body, "\n") {
				command := commandOf(kind, line)
				if command != "" && (!session || strings.HasPrefix(command, "make ")) {
					out = append(out, command)
				}
			}
		}
	}
	return out
}

// commandOf is the command of a line in a block, "" for what is none: behind a prompt, or a program's name in a block
// of no kind.
func commandOf(kind, line string) string {
	for _, prompt := range []string{"$ ", "# "} {
		if c, ok := strings.CutPrefix(line, prompt); ok && kind == "console" {
			return c
		}
	}
	for _, program := range []string{"gostate ", "ln ", "age-keygen "} {
		if kind == "" && strings.HasPrefix(line, program) {
			return line
		}
	}
	return ""
}
