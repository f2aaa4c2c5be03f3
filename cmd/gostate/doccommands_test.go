package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A proof is why a command of the docs needs no test of the page: a file of the repository runs it, and has these words
// in it. Without a file the words say why nothing runs it.
type proof struct{ command, file, words string }

// elsewhere are the commands of the docs that neither TestDocExamples nor TestSessions runs, page by page. A line
// stands for each command that begins with it.
func elsewhere() map[string][]proof {
	const integration, scripts = "testdata/integration/", "testdata/script/"
	release := integration + "release_test.go"
	return map[string][]proof{
		"../README.md":  {{"make demo", ".ci/run", "\nmake demo\n"}, {"make test", ".ci/run", "\nmake test\n"}},
		"tutorial.md":   {{"", integration + "transcript_test.go", "docs/tutorial.md"}},
		"first-hour.md": {{"", integration + "firsthour_test.go", `"first-hour.md"`}},
		"from-salt.md":  {{"ln -s", "docs/first-hour.md", "\n# ln -s /usr/bin/gostate /usr/local/bin/salt-call\n"}},
		"install.md": {
			{"go install", "testdata/install/run.sh", `go install "$module/cmd/gostate@$version"`},
			{"sha256sum --check", "docs/first-hour.md", "\n# sha256sum --check --ignore-missing SHA256SUMS\n"},
			{"minisign", "", "by hand: it is minisign's own check"},
			{"gostate highstate --test", "docs/first-hour.md", "\n# gostate highstate --test\n"},
			{"systemctl enable --now", "docs/first-hour.md", "\n# systemctl enable --now gostate-highstate.timer\n"},
			{"systemctl list-timers", release, "systemctl list-timers gostate-highstate.timer"},
			{"journalctl -u", release, "journalctl -u gostate-highstate.service"},
			{"systemctl edit", release, "/etc/systemd/system/gostate-highstate.timer.d"}, // the drop-in that the editor makes
			{"skopeo copy", "", "by hand"},
			{"podman run", "", "podman was not tried"},
		},
		"plan.md": {
			{"gostate plan", scripts + "plan.txtar", "gostate --root root plan web -o "},
			{"gostate apply --plan", scripts + "plan.txtar", "gostate --root root apply --plan "},
			{"gostate highstate --confirm", scripts + "plan.txtar", "gostate --root root highstate --confirm"},
		},
		"fleet-operate.md":   {{"gostate-hub", "cmd/fleet/gostate-hub/docs_test.go", "fleet-operate.md"}},
		"hub.md":             {{"", "cmd/fleet/docs_test.go", "hub.md"}},
		"puppet-language.md": {{"gostate puppet", scripts + "puppet-apply.txtar", "gostate puppet apply"}},
		"rehearsal.md":       {{"sudo gostate rehearse", integration + "rehearsal_test.go", `"rehearse"`}},
		"reports.md": {{"gostate report", scripts + "report.txtar", "gostate --id web1 report "},
			{"gostate status", scripts + "owed.txtar", "gostate status"}},
		"secrets.md": {
			{"age-keygen", "", "age's own program, not gostate's"},
			{"gostate pillar encrypt", scripts + "age.txtar", "exec gostate pillar encrypt "},
		},
	}
}

// proven checks that the file has the words.
func (p proof) proven(t *testing.T, page string) {
	t.Helper()
	if p.file != "" && !strings.Contains(readText(t, filepath.Join("..", "..", p.file)), p.words) {
		t.Errorf("%s: %s, which is to run %q, has no %q", page, p.file, p.command, p.words)
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
			i := slices.IndexFunc(known, func(k proof) bool { return strings.HasPrefix(c, k.command) })
			if i < 0 {
				t.Errorf("%s: no test runs %q", name, c)
				continue
			}
			used[known[i].command] = true
		}
		for _, k := range known {
			if k.proven(t, name); !used[k.command] {
				t.Errorf("%s has no command %q that needs a reason", name, k.command)
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
