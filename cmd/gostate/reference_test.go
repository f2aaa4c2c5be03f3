package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/all"
	"github.com/gostate/gostate/state/report"
)

var update = flag.Bool("update", false, "rewrite the reference pages")

// TestReference holds docs/reference to what the program declares: `make docs` rewrites the pages.
func TestReference(t *testing.T) {
	r, err := modules.New(all.Families()...)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{"cli.md": cliPage(newApp(&program{}))}
	var index strings.Builder
	index.WriteString("# Reference\n\nMade by `make docs` from the program's own declarations.\n\n- [The command " +
		"line](cli.md)\n- [What every state takes](common.md): requisites, conditions, order\n- [Codes of diagnostics](diagnostics.md)\n\n## State modules\n\n")
	for _, m := range r.Modules() {
		pages[m+".md"] = r.Markdown(m)
		fmt.Fprintf(&index, "- [%s](%s.md): %s\n", m, m, strings.Join(functionsOf(r.StateNames(), m), ", "))
	}
	index.WriteString("\n## Execution functions\n\nIn templates `salt['module.function'](...)`, on the command line " +
		"`gostate call module.function`.\n`gostate doc module.function` shows each.\n\n")
	for _, m := range modulesOf(r.ExecNames()) {
		fmt.Fprintf(&index, "- %s: %s\n", m, strings.Join(functionsOf(r.ExecNames(), m), ", "))
	}
	pages["README.md"] = index.String()
	pages["diagnostics.md"] = diagnosticsPage()
	pages["common.md"] = modules.KeywordsMarkdown()

	dir := filepath.Join("..", "..", "docs", "reference")
	for name, want := range pages {
		comparePage(t, filepath.Join(dir, name), want)
	}
	have, _ := filepath.Glob(filepath.Join(dir, "*.md"))
	for _, f := range have {
		if _, ok := pages[filepath.Base(f)]; !ok {
			t.Errorf("%s is the page of no module", f)
		}
	}
}

// diagnosticsPage lists the codes of diagnostics.
func diagnosticsPage() string {
	var b strings.Builder
	b.WriteString("# Codes of diagnostics\n\nMade by `make docs`. `gostate lint --out json`, `sarif` and `github` name " +
		"them, and so " +
		"does the JSON of a command that\nended with errors. A comment `# lint: ignore=CODE` (several with " +
		"commas) " +
		"silences warnings of `lint` on its line and the next.\n\n| code | what it stands for |\n|---|---|\n")
	for _, c := range report.Codes() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", c.Name, c.Meaning)
	}
	return b.String()
}

func comparePage(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Errorf("%v (make docs writes it)", err)
		return
	}
	if d := cmp.Diff(want, string(have)); d != "" {
		t.Errorf("%s is not what the program says; make docs rewrites it (-want +got):\n%s", file, d)
	}
}

func modulesOf(names []string) []string {
	var out []string
	for _, n := range names {
		m, _, _ := strings.Cut(n, ".")
		out = append(out, m)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func functionsOf(names []string, module string) []string {
	var out []string
	for _, n := range names {
		if f, ok := strings.CutPrefix(n, module+"."); ok {
			out = append(out, f)
		}
	}
	return out
}

// cliPage is the command line as a Markdown page.
func cliPage(app *cli.App) string {
	var b strings.Builder
	b.WriteString("# The command line\n\nFlags work before and after the command. Salt's `test=True`, `pillar='{...}'` " +
		"and `saltenv=ENV` work, too.\n")
	for _, c := range app.Commands {
		if c.Hidden || c.Name == "help" {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s.\n\n```\n%s\n```\n", strings.Join(c.Names(), ", "), upperFirst(c.Usage), c.UsageText)
		flagTable(&b, c.Flags)
	}
	b.WriteString("\n## Global flags\n")
	flagTable(&b, app.Flags)
	b.WriteString("\n## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, e := range exitCodes() {
		fmt.Fprintf(&b, "| %s | %s |\n", e[0], e[1])
	}
	return b.String()
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func flagTable(b *strings.Builder, flags []cli.Flag) {
	words := flagWords(flags)
	if len(words) == 0 {
		return
	}
	b.WriteString("\n| flag | |\n|---|---|\n")
	for _, w := range words {
		fmt.Fprintf(b, "| `--%s` | %s |\n", w.name, strings.ReplaceAll(w.help, "|", "\\|"))
	}
}
