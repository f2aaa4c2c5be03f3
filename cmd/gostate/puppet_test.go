package main

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestPuppetModel plays what Puppet 7.23 was recorded to do with manifests (testdata/puppet): site.pp is what Puppet
// ran, salt/ says the same, want/apply and want/again are its statuses in its order, want/log what its commands wrote.
// Behind a bar stands what is otherwise here, and why; args are further words of the command. IDs are Puppet's
// references with round brackets.
func TestPuppetModel(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join("..", "..", "testdata", "puppet", "*.txtar"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	dir, files := t.TempDir(), []string(nil)
	for _, c := range cases {
		text, err := os.ReadFile(c)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, filepath.Base(c))
		if err := os.WriteFile(file, []byte(puppetScript(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	commands := scriptCommands()
	commands["statuses"] = statuses
	testscript.Run(t, testscript.Params{Files: files, Setup: scriptSetup, Cmds: commands, Condition: scriptCondition})
}

// puppetScript puts the steps in front of the files of a case.
func puppetScript(text string) string {
	script := "statuses want/apply\n"
	if strings.Contains(text, "\n-- want/again --\n") {
		script += "statuses want/again\n"
	}
	if strings.Contains(text, "\n-- want/log --\n") {
		script += "cmp log want/log\n"
	} else {
		script += "! exists log\n"
	}
	return script + strings.Replace(text, "\n-- minion --\n", "\n-- etc/minion.d/case.conf --\n", 1)
}

// statuses FILE applies the SLS t and compares what becomes of its states, in the order of the run.
func statuses(ts *testscript.TestScript, _ bool, args []string) {
	words := []string{"sls", "t", "--out", "json"}
	if file := ts.MkAbs("args"); exists(file) {
		words = append(words, strings.Fields(ts.ReadFile(file))...)
	}
	_ = ts.Exec("gostate", words...) // it may fail: that is in the results
	var want []string
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		line, here, differs := strings.Cut(strings.TrimSpace(line), " | ")
		if differs {
			status, _, _ := strings.Cut(here, ":")
			if status == "absent" {
				continue
			}
			line = line[:strings.LastIndex(line, " ")+1] + status
		}
		want = append(want, line)
	}
	if got := puppetStatuses(ts); !slices.Equal(want, got) {
		ts.Fatalf("Puppet:\n%s\nhere:\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
	}
}

func exists(file string) bool { _, err := os.Stat(file); return err == nil }

// puppetStatuses are the results of the last run as Puppet has them: "Exec[a] changed".
func puppetStatuses(ts *testscript.TestScript) (got []string) {
	var out struct {
		Local map[string]struct {
			ID      string         `json:"__id__"`
			Num     int            `json:"__run_num__"`
			Changes map[string]any `json:"changes"`
			Comment string         `json:"comment"`
			Result  *bool          `json:"result"`
		}
	}
	if err := json.Unmarshal([]byte(ts.ReadFile("stdout")), &out); err != nil {
		ts.Fatalf("no results: %v\n%s", err, ts.ReadFile("stderr"))
	}
	place := map[string]int{}
	for _, r := range out.Local {
		status := "unchanged"
		switch failed := r.Result != nil && !*r.Result; {
		case failed && strings.Contains(r.Comment, "requisite failed"):
			status = "skipped"
		case failed:
			status = "failed"
		case r.Result == nil:
			status = "out_of_sync"
		case strings.HasPrefix(r.Comment, "Not run by its schedule"):
			status = "skipped"
		case len(r.Changes) > 0:
			status = "changed"
		}
		if reference, open := strings.CutSuffix(strings.Replace(r.ID, "(", "[", 1), ")"); open {
			line := strings.ReplaceAll(reference, ts.Getenv("WORK"), "@DIR@") + "] " + status
			place[line] = r.Num
			got = append(got, line)
		}
	}
	slices.SortFunc(got, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	return got
}
