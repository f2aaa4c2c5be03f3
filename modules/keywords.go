package modules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
)

// A Keyword is a word of SLS files that is no function: an argument that every state takes, or a key of an SLS.
type Keyword struct {
	Name, Doc, Example string
}

// Topics are the words that explain others: what a requisite is, and what stands beside states in an SLS.
func Topics() []Keyword {
	return []Keyword{
		{"requisite", "Ties a state to others: what runs before it, whether it runs, and what a change of theirs makes of " +
			"it.\n\n" +
			"It is a list; each entry is MODULE: ID, or MODULE: NAME (a file's path, a package's name), or sls: SLS for all\n" +
			"states of an SLS. Requisites: " + strings.Join(requisiteNames(false), ", ") + ".\n" +
			"With _in behind it the other state gets it: " + strings.Join(requisiteNames(true), ", ") + ".\n" +
			"What names nothing, and a circle, are errors before the run.", exampleOf("require", "pkg: nginx")},
		{"include", "Names other SLS files, whose states belong to this one too and come before its own. .x is a sibling.",
			"include:\n  - users\n  - .vhosts"},
		{"extend", "Changes states of an included SLS: arguments are replaced, lists of requisites are added to.",
			"include:\n  - nginx\nextend:\n  nginx:\n    service:\n      - watch:\n        - file: /etc/nginx/nginx.conf"},
		{"exclude", "Leaves out states (id: ID) or whole SLS files (sls: NAME), whoever includes them.",
			"exclude:\n  - sls: debug\n  - id: /etc/motd"},
	}
}

// Keywords are the arguments that every state takes, sorted by name.
func Keywords() []Keyword {
	out := append(plainKeywords(), metaKeywords()...)
	for _, r := range state.Kinds() {
		if doc := requisiteDocs(r); doc != "" && !state.IsMeta(r.Key) {
			out = append(out, Keyword{r.Key, doc, exampleOf(r.Key, "file: /etc/app.conf")})
		}
		if r.In {
			out = append(out, Keyword{r.Key + "_in", "Gives each state that it names the requisite " + r.Key +
				", with this state as its target.", exampleOf(r.Key+"_in", "service: app")})
		}
	}
	slices.SortFunc(out, func(a, b Keyword) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func requisiteNames(in bool) (out []string) {
	for _, r := range state.Kinds() {
		switch {
		case in && r.In:
			out = append(out, r.Key+"_in")
		case !in:
			out = append(out, r.Key)
		}
	}
	return out
}

func exampleOf(key, target string) string {
	return fmt.Sprintf("app:\n  service.running:\n    - %s:\n      - %s", key, target)
}

// requisiteDocs says what a kind of requisite does, from its row of the table.
func requisiteDocs(r state.KindRow) string {
	when := map[state.Gate]string{
		state.GateSucceeded:    "Runs the state only when all that it names have succeeded; otherwise it fails.",
		state.GateAnySucceeded: "Runs the state when one of those that it names has succeeded; otherwise it fails.",
		state.GateChanged:      "Runs the state only when one of those that it names has changed something and none failed.",
		state.GateAnyChanged:   "Runs the state when one of those that it names has changed something.",
		state.GateFailed:       "Runs the state only when one of those that it names has failed.",
		state.GateAllFailed:    "Runs the state only when all that it names have failed.",
		state.GateWouldChange: "Runs the state, before those that it names, only when one of them is about to change " +
			"something.",
	}[r.Gate]
	what := map[state.Reaction]string{
		state.ReactWatch: " When one changed something, the state reacts in its turn: a service restarts, cmd.wait runs.",
		state.ReactAtEnd: "When one of those that it names changed something, the state reacts once, at the end of the run: " +
			"a service\nrestarts. It says nothing of the order.",
		state.ReactCopy: "Takes over the arguments of the state that it names, but for its requisites and those given here.",
		state.ReactSubscribe: " When one changed something, or was refreshed, the state is refreshed in its turn, once: " +
			"a service\nrestarts. Puppet's word; watch is Salt's.",
	}[r.Reaction]
	order := ""
	if r.Before {
		order = " They run first."
	}
	return when + order + what
}

// KeywordDoc is what `gostate doc` shows of a keyword or topic, "" where there is none of the name.
func KeywordDoc(name string) string {
	for _, k := range append(Topics(), Keywords()...) {
		if k.Name == name || k.Name == "requisite" && name == "requisites" {
			return fmt.Sprintf("%s (%s)\n\n%s\n  Example:\n%s", k.Name, k.sort(), indent(k.Doc), indentBy(k.Example, "    "))
		}
	}
	return ""
}

func (k Keyword) sort() string {
	switch {
	case k.Name == "requisite" || state.IsRequisite(k.Name):
		return "requisite: any state takes it"
	case slices.Contains(state.GlobalArgs(), k.Name):
		return "any state takes it"
	}
	return "key of an SLS"
}

// KeywordNames are the names that KeywordDoc knows.
func KeywordNames() (out []string) {
	for _, k := range append(Topics(), Keywords()...) {
		out = append(out, k.Name)
	}
	return out
}

// KeywordsMarkdown is the reference page of what every state takes.
func KeywordsMarkdown() string {
	var b strings.Builder
	b.WriteString("# What every state takes\n\nMade by `make docs`. `gostate doc NAME` shows each with an example.\n")
	part := func(title, column string, list []Keyword) {
		fmt.Fprintf(&b, "\n## %s\n\n| %s | what it is |\n|---|---|\n", title, column)
		for _, k := range list {
			fmt.Fprintf(&b, "| `%s` | %s |\n", k.Name, strings.Join(strings.Fields(k.Doc), " "))
		}
	}
	requisites, others := []Keyword(nil), []Keyword(nil)
	for _, k := range Keywords() {
		if state.IsRequisite(k.Name) {
			requisites = append(requisites, k)
		} else {
			others = append(others, k)
		}
	}
	part("Requisites", "requisite", requisites)
	part("Other arguments", "argument", others)
	part("Keys of an SLS", "key", Topics()[1:])
	return b.String()
}
