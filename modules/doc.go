package modules

import (
	"fmt"
	"strings"
)

// Doc is the documentation of a state or execution function, or of all functions of a module, as `gostate doc` shows
// it. ok is false when there is no such name.
func (r *Registry) Doc(name string) (text string, ok bool) {
	var parts []string
	if s, found := r.all().states[name]; found {
		parts = append(parts, stateDoc(s))
	}
	if e, found := r.all().execs[name]; found {
		parts = append(parts, execDoc(e))
	}
	if len(parts) == 0 && !strings.Contains(name, ".") {
		parts = r.moduleDoc(name)
	}
	return strings.Join(parts, "\n"), len(parts) > 0
}

func (r *Registry) moduleDoc(module string) []string {
	var parts []string
	for _, n := range r.names() {
		if strings.HasPrefix(n, module+".") {
			parts = append(parts, stateDoc(r.all().states[n]))
		}
	}
	for _, n := range r.enames() {
		if strings.HasPrefix(n, module+".") {
			parts = append(parts, execDoc(r.all().execs[n]))
		}
	}
	return parts
}

func stateDoc(s *StateSpec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (state)\n\n%s", s.Name, indent(s.Doc))
	args := s.Arguments()
	if len(args) > 0 {
		b.WriteString("\n  Arguments:\n")
	}
	for _, a := range args {
		fmt.Fprintf(&b, "    %s  %s\n", a.Name, a.summary())
		if a.Doc != "" {
			fmt.Fprintf(&b, "        %s\n", a.Doc)
		}
	}
	if s.Example != "" {
		b.WriteString("\n  Example:\n" + indentBy(strings.Trim(s.Example, "\n"), "    "))
	}
	return b.String()
}

// summary is the type of an argument with what else is known of it: (boolean, default true).
func (a *Argument) summary() string {
	parts := []string{a.typed()}
	switch {
	case a.Required:
		parts = append(parts, "required")
	case a.Default != "":
		parts = append(parts, "default "+a.Default)
	}
	if len(a.Choices) > 0 {
		parts = append(parts, "one of "+strings.Join(a.Choices, ", "))
	}
	if len(a.Aliases) > 0 {
		parts = append(parts, "also "+strings.Join(a.Aliases, ", "))
	}
	return "(" + strings.Join(parts, "; ") + ")"
}

// typed is the type, of a text the kind.
func (a *Argument) typed() string {
	switch a.Type {
	case "text":
		return a.shape.kind.said()
	case "list of text":
		return "list of " + a.shape.kind.said() + "s"
	}
	return a.Type
}

func execDoc(e *ExecSpec) string {
	text := fmt.Sprintf("%s(%s) (function)\n\n%s", e.Name, strings.Join(e.Signature(), ", "), indent(e.Doc))
	if said := e.Class.doc(); said != "" {
		text += "\n" + indent(said)
	}
	return text
}

// doc says what a class means for templates, nothing of one that looks.
func (c Class) doc() string {
	switch c {
	case Writes:
		return "It may change the machine. Where gostate only looks, files go to an overlay; the rest is foretold, or " +
			"refused."
	case Commands:
		return "It runs a command of yours, in a preview, too, unless --no-commands is given. lint does not run it."
	case Own:
		return "It is the tree's own. Where gostate only looks, it runs in a view of the machine, unless --no-commands is " +
			"given."
	}
	return ""
}

func indent(text string) string { return indentBy(strings.Trim(text, "\n"), "  ") }

func indentBy(text, by string) string {
	var b strings.Builder
	for _, line := range strings.Split(text, "\n") {
		if line != "" {
			b.WriteString(by + line)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Markdown is the reference page of a module: its state functions with their arguments, then its execution functions.
func (r *Registry) Markdown(module string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", module)
	for _, f := range r.functionsOf(module) {
		stateMarkdown(&b, r.all().states[module+"."+f])
	}
	execs := 0
	for _, n := range r.enames() {
		if !strings.HasPrefix(n, module+".") {
			continue
		}
		if execs++; execs == 1 {
			b.WriteString("\n## Functions for templates and `gostate call`\n\n")
		}
		e := r.all().execs[n]
		first, _, _ := strings.Cut(strings.TrimSpace(e.Doc), "\n")
		fmt.Fprintf(&b, "- `%s(%s)`: %s%s\n", n, strings.Join(e.Signature(), ", "), first,
			[...]string{"", " *Writes.*", " *Runs a command.*"}[e.Class])
	}
	return b.String()
}

func stateMarkdown(b *strings.Builder, s *StateSpec) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", s.Name, strings.TrimSpace(s.Doc))
	if s.Example != "" {
		fmt.Fprintf(b, "\n```yaml\n%s\n```\n", strings.Trim(s.Example, "\n"))
	}
	if args := s.Arguments(); len(args) > 0 {
		b.WriteString("\n| argument | type | default | what it is |\n|---|---|---|---|\n")
		for _, a := range args {
			a.markdownRow(b)
		}
	}
}

func (a *Argument) markdownRow(b *strings.Builder) {
	def, doc := a.Default, a.Doc
	switch {
	case a.Required:
		def = "required"
	case def != "":
		def = "`" + def + "`"
	}
	if len(a.Choices) > 0 {
		doc += " One of " + strings.Join(a.Choices, ", ") + "."
	}
	if len(a.shape.not) > 0 {
		doc += " Without `" + strings.Join(a.shape.not, "` and `") + "`."
	}
	if a.Secret {
		doc += " Not shown."
	}
	if len(a.Aliases) > 0 {
		doc += " Also `" + strings.Join(a.Aliases, "`, `") + "`."
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", a.Name, a.typed(), def,
		strings.ReplaceAll(strings.TrimSpace(doc), "|", "\\|"))
}
