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

// docPages are the pages of docs whose examples are run. A section (`##`) with blocks of these sorts is one script:
//
//   - a block of ```yaml, ```jinja, ```python or ```puppet whose first line is `# PATH` is a file: web.sls and top.sls of the tree, pillar/web.sls,
//     or minion, keys of the configuration;
//   - a ```console block holds commands behind `$ `, each with lines that it prints below: they must be among its
//     output, in this order; `...` stands for anything. `# fails` behind a command says that it exits with a failure.
//
// The pages of docs/learn are for a shell in which GOSTATE_ROOT names the scratch machine.
func docPages(t *testing.T) (pages []string) {
	t.Helper()
	for _, page := range allPages(t) {
		if docFile.MatchString(readText(t, page)) {
			pages = append(pages, page)
		}
	}
	return pages
}

// allPages are the pages that people wrote: those of docs and its parts, and the README.
func allPages(t *testing.T) []string {
	t.Helper()
	pages := []string{filepath.Join("..", "..", "README.md")}
	for _, glob := range []string{"*.md", "learn/*.md"} {
		found, err := filepath.Glob(filepath.Join("..", "..", "docs", glob))
		if err != nil || len(found) == 0 {
			t.Fatalf("no pages %s: %v", glob, err)
		}
		pages = append(pages, found...)
	}
	return pages
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var (
	docFile = regexp.MustCompile("(?m)^```(?:yaml|jinja|python|puppet)\n# (\\S+\\.(?:sls|jinja|py|pp|epp)|minion)\n")
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
	out, head := map[string]string{}, ""
	if inLearn(page) {
		head = "env GOSTATE_ROOT=$WORK/root\n"
	}
	for section := range strings.SplitSeq(readText(t, page), "\n## ") {
		title, body, _ := strings.Cut(section, "\n")
		name := strings.TrimSuffix(filepath.Base(page), ".md") + "-" +
			strings.Trim(docName.ReplaceAllString(strings.ToLower(title), "-"), "-")
		if s := docScript(body, inLearn(page)); s != "" {
			out[name] = head + s
		}
	}
	return out
}

// inLearn says whether the page is one of docs/learn, all of whose commands are run.
func inLearn(page string) bool { return filepath.Base(filepath.Dir(page)) == "learn" }

// docScript is the script of a section, "" for one without files, or else for one without commands.
func docScript(body string, all bool) string {
	var commands, files strings.Builder
	blocks := strings.Split("\n"+body, "\n```")
	for i := 1; i < len(blocks); i += 2 { // every second one is inside a fence
		kind, text, _ := strings.Cut(blocks[i], "\n")
		first, rest, _ := strings.Cut(text, "\n")
		switch {
		case docFile.MatchString("```" + kind + "\n" + text + "\n"):
			fmt.Fprintf(&files, "-- %s --\n%s\n", docPath(strings.TrimPrefix(first, "# ")), rest)
		case kind == "console":
			docCommands(&commands, text)
		}
	}
	if files.Len() == 0 && (!all || commands.Len() == 0) {
		return ""
	}
	if commands.Len() == 0 {
		commands.WriteString("exec gostate lint\n")
	}
	if strings.Contains(body, "\n```python") {
		return "[!exec:python3] skip 'no python3'\n" + commands.String() + files.String()
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
	for _, step := range docSteps(text) {
		not := ""
		if step.fails {
			not = "! "
		}
		fmt.Fprintf(to, "%sexec sh -c '%s'\n", not, strings.ReplaceAll("exec 2>&1; "+step.command, "'", "''"))
		if step.prints != "" {
			fmt.Fprintf(to, "stdout '%s'\n", strings.ReplaceAll(step.prints, "'", "''"))
		}
	}
}

// A docStep is a command of a console block, with its here-document; prints is a regular expression.
type docStep struct {
	command, prints string
	fails           bool
}

// docSteps reads a console block.
func docSteps(text string) (steps []docStep) {
	here := false
	for line := range strings.SplitSeq(text, "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case here:
			steps[len(steps)-1].command += "\n" + line
			here = line != "EOF"
		case isCommand:
			command, fails := strings.CutSuffix(command, "# fails")
			steps = append(steps, docStep{command: command, fails: fails})
			here = strings.HasSuffix(command, "<<'EOF'")
		case len(steps) > 0:
			steps[len(steps)-1].expect(strings.TrimSpace(line))
		}
	}
	return steps
}

// expect adds a line to what the command prints, behind the lines before it.
func (s *docStep) expect(line string) {
	if line == "" || line == "..." {
		return
	}
	if line = strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, `.*`); s.prints == "" {
		s.prints = "(?s)" + line
	} else {
		s.prints += ".*" + line
	}
}
