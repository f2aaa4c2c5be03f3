package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// docPages are the pages of docs whose examples are run. A section (`##`) with blocks of these two sorts is one script:
//
//   - a ```yaml block whose first line is `# PATH` is a file: web.sls and top.sls of the tree, pillar/web.sls, or minion,
//     keys of the configuration;
//   - a ```console block holds commands behind `$ `, each with lines that it prints below: they must be among its
//     output, in this order; `...` stands for others. `# fails` behind a command says that it exits with a failure.
func docPages(t *testing.T) (pages []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range all {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if docFile.Match(text) {
			pages = append(pages, page)
		}
	}
	return pages
}

var (
	docFile = regexp.MustCompile("(?m)^```yaml\n# (\\S+\\.sls|minion)\n")
	docName = regexp.MustCompile(`[^a-z0-9]+`)
)

func TestDocExamples(t *testing.T) {
	dir, scripts := t.TempDir(), []string(nil)
	for _, page := range docPages(t) {
		for name, script := range docScripts(t, page) {
			file := filepath.Join(dir, name+".txtar")
			if err := os.WriteFile(file, []byte(script), 0o644); err != nil {
				t.Fatal(err)
			}
			scripts = append(scripts, file)
		}
	}
	testscript.Run(t, testscript.Params{Files: scripts, Setup: scriptSetup, Cmds: scriptCommands(),
		Condition: scriptCondition})
}

// docScripts are the scripts that the sections of a page make, by name.
func docScripts(t *testing.T, page string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for section := range strings.SplitSeq(string(text), "\n## ") {
		title, body, _ := strings.Cut(section, "\n")
		name := strings.TrimSuffix(filepath.Base(page), ".md") + "-" +
			strings.Trim(docName.ReplaceAllString(strings.ToLower(title), "-"), "-")
		if s := docScript(body); s != "" {
			out[name] = s
		}
	}
	return out
}

// docScript is the script of a section, "" for one without files.
func docScript(body string) string {
	var commands, files strings.Builder
	blocks := strings.Split("\n"+body, "\n```")
	for i := 1; i < len(blocks); i += 2 { // every second one is inside a fence
		kind, text, _ := strings.Cut(blocks[i], "\n")
		first, rest, _ := strings.Cut(text, "\n")
		switch {
		case kind == "yaml" && docFile.MatchString("```yaml\n"+text+"\n"):
			fmt.Fprintf(&files, "-- %s --\n%s\n", docPath(strings.TrimPrefix(first, "# ")), rest)
		case kind == "console":
			docCommands(&commands, text)
		}
	}
	if files.Len() == 0 {
		return ""
	}
	if commands.Len() == 0 {
		commands.WriteString("exec gostate lint\n")
	}
	return commands.String() + files.String()
}

// docPath is where a file of an example lies in a script's folder.
func docPath(name string) string {
	switch {
	case name == "minion":
		return "etc/minion.d/example.conf"
	case strings.HasPrefix(name, "pillar/"):
		return name
	}
	return "salt/" + name
}

// docCommands adds the commands of a console block, with what they are to print.
func docCommands(to *strings.Builder, text string) {
	var want []string
	expect := func() {
		if len(want) > 0 {
			fmt.Fprintf(to, "stdout '(?s)%s'\n", strings.ReplaceAll(strings.Join(want, ".*"), "'", "''"))
		}
		want = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			if line = strings.TrimSpace(line); line != "" && line != "..." {
				want = append(want, regexp.QuoteMeta(line))
			}
			continue
		}
		expect()
		command, fails := strings.CutSuffix(command, "# fails")
		not := ""
		if fails {
			not = "! "
		}
		fmt.Fprintf(to, "%sexec sh -c '%s'\n", not, strings.ReplaceAll("exec 2>&1; "+command, "'", "''"))
	}
	expect()
}
