package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// LintForms are the ways in which lint shows what it found, beside Forms.
func LintForms() []string { return []string{"sarif", "github"} }

// Diagnostics are a list as data: a map for each, without its secrets.
func Diagnostics(list *diag.List, o DiagnosticOptions) *value.List {
	out, codes := value.NewList(), NewCoder()
	for _, d := range hiddenAll(list, o) {
		e := value.DictOf("severity", value.Str(d.Severity.String()), "code", value.Str(codes.Of(d)), "message",
			value.Str(d.Msg))
		place(e, d.Pos)
		if d.Hint != "" {
			e.SetStr("hint", value.Str(d.Hint))
		}
		related := value.NewList()
		for _, r := range d.Related {
			at := value.DictOf("message", value.Str(r.Msg))
			place(at, r.Pos)
			related.Items = append(related.Items, at)
		}
		if len(related.Items) > 0 {
			e.SetStr("related", related)
		}
		out.Items = append(out.Items, e)
	}
	return out
}

func place(e *value.Dict, p diag.Pos) {
	if p.File != "" {
		e.SetStr("file", value.Str(p.File))
	}
	if p.Line > 0 {
		e.SetStr("line", value.Int(p.Line))
	}
	if p.Col > 0 {
		e.SetStr("column", value.Int(p.Col))
	}
}

func hiddenAll(list *diag.List, o DiagnosticOptions) []*diag.Diagnostic {
	p := &diagnosticPrinter{o: o, lines: map[string][]string{}}
	out := make([]*diag.Diagnostic, len(list.All))
	for i, d := range list.All {
		out[i] = p.hidden(d)
	}
	return out
}

// WriteGitHub writes a list as annotations of GitHub's workflows; files are named from the directory dir on.
func WriteGitHub(w io.Writer, list *diag.List, dir string, o DiagnosticOptions) error {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	codes := NewCoder()
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, d := range hiddenAll(list, o) {
		level := d.Severity.String()
		if d.Severity == diag.Note {
			level = "notice"
		}
		at := ""
		if d.Pos.File != "" {
			at = "file=" + property.Replace(below(dir, d.Pos.File)) + ","
		}
		if d.Pos.Line > 0 {
			at += fmt.Sprintf("line=%d,", d.Pos.Line)
		}
		if d.Pos.Col > 0 {
			at += fmt.Sprintf("col=%d,", d.Pos.Col)
		}
		text := d.Msg
		if d.Hint != "" {
			text += "\nhint: " + d.Hint
		}
		if _, err := fmt.Fprintf(w, "::%s %stitle=%s::%s\n", level, at, codes.Of(d),
			data.Replace(Visible(text))); err != nil {
			return err
		}
	}
	return nil
}

// below is a file as seen from a directory, its full name where it lies elsewhere.
func below(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// WriteSARIF writes a list as SARIF 2.1.0.
func WriteSARIF(w io.Writer, list *diag.List, dir, version string, o DiagnosticOptions) error {
	type m = map[string]any
	codes := NewCoder()
	rules, results := []m{}, []m{}
	for _, d := range hiddenAll(list, o) {
		level, code := d.Severity.String(), codes.Of(d)
		text := d.Msg
		if d.Hint != "" {
			text += "\nhint: " + d.Hint
		}
		r := m{"ruleId": code, "level": level, "message": m{"text": text}}
		if d.Pos.File != "" {
			at := m{"artifactLocation": m{"uri": filepath.ToSlash(below(dir, d.Pos.File))}}
			if d.Pos.Line > 0 {
				at["region"] = m{"startLine": d.Pos.Line, "startColumn": max(d.Pos.Col, 1)}
			}
			r["locations"] = []m{{"physicalLocation": at}}
		}
		results = append(results, r)
		if !slices.ContainsFunc(rules, func(r m) bool { return r["id"] == code }) {
			rules = append(rules, m{"id": code, "shortDescription": m{"text": codes.Meaning(d)}})
		}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(m{"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
		"runs": []m{{"tool": m{"driver": m{"name": "gostate", "version": version, "rules": rules}}, "results": results}}})
}

// Silence leaves out the warnings that a comment `# lint: ignore=CODE` silences, on their line or the one above it;
// several codes have commas between them.
func Silence(list *diag.List, source func(file string) ([]byte, error)) {
	comment := regexp.MustCompile(`#\s*lint:\s*ignore=([\w,-]+)`)
	files, codes := map[string][]string{}, NewCoder()
	list.All = slices.DeleteFunc(list.All, func(d *diag.Diagnostic) bool {
		if d.Severity == diag.Error || d.Pos.Line < 1 {
			return false
		}
		lines, ok := files[d.Pos.File]
		if !ok {
			text, _ := source(d.Pos.File)
			lines = strings.Split(string(text), "\n")
			files[d.Pos.File] = lines
		}
		for _, n := range []int{d.Pos.Line - 1, d.Pos.Line - 2} {
			if n < 0 || n >= len(lines) {
				continue
			}
			for _, m := range comment.FindAllStringSubmatch(lines[n], -1) {
				if slices.Contains(strings.Split(m[1], ","), codes.Of(d)) {
					return true
				}
			}
		}
		return false
	})
}
