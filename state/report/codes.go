package report

import (
	"regexp"

	"github.com/gostate/gostate/state/diag"
)

// A Code is the stable name of a kind of diagnostic, by which programs know it and a comment silences its warnings.
type Code struct{ Name, Meaning, pattern string }

// Codes are all codes, each with what it stands for; the last is that of what has none of its own.
func Codes() []Code {
	return []Code{
		{"not-judged", "What lint cannot judge, because it depends on a command that lint does not run.", `^not judged: `},
		{"unknown-module", "A state module that there is not.", `^unknown state module|is not in gostate$`},
		{"unknown-function", "A function that there is not.",
			`^unknown (state|execution) function|object' has no attribute '\w+\.?\w*'$.*salt`},
		{"unknown-argument", "An argument that the function has not.",
			` has no argument "|is taken for an argument, not for`},
		{"missing-argument", "An argument that the function needs.", ` needs the argument |missing \d+ required`},
		{"bad-value", "A value that the argument cannot have.",
			`^argument ".*" of |which is none of|unknown value|counts as`},
		{"lossy-version", "A version that YAML has read as a number.", `^a version of .* is the number`},
		{"missing-sls", "An SLS file that there is not.", `SLS '.*' not found|^no top file found|^pillar SLS`},
		{"missing-source", "A source that is not in the file roots.", `^no source (file|directory) `},
		{"missing-template", "A template that there is not, or a name that it does not export.",
			`^template .*not found|does not export the requested name`},
		{"undefined", "A variable, key or attribute that a template uses and that there is not.",
			`is undefined$|has no attribute|has no element|not JSON serializable`},
		{"missing-requisite", "A requisite that names no state.",
			`names .*(does not exist|which picks no state)|does not exist$|no such ID|picks no state$|no \S+ state is like that$`},
		{"requisite-cycle", "Requisites that lead in a circle.", `(?i)cycle|recursive requisite`},
		{"requisite-shape", "A requisite that is not written as one.", `^entry of '|^'\w+' in ID .* is not a list`},
		{"duplicate-id", "An ID that is declared twice.", `conflicting ID|declared twice|duplicate`},
		{"two-functions", "A state with two functions, or none.", `^too many functions|^no function for`},
		{"yaml-text", "An argument that YAML reads as a text.", ` is a text, neither an argument nor a function$`},
		{"not-a-list", "A list of arguments that is none.", ` is not a list`},
		{"ignored", "What Salt passes over without a word.",
			` (is|are) ignored|it is ignored|Salt ignores|has no effect|stands beside`},
		{"order", "An order that does not hold, or is none.", `^'order`},
		{"retry", "A retry that is not written as one.", `'retry'`},
		{"same-resource", "Two states that keep the same thing.", ` (fights with|keeps) .* of ID `},
		{"virtual", "Virtual states that nothing realizes.",
			`^nothing realizes|nothing realizes (it|them)$|^'virtual' `},
		{"alias", "An alias that is another state's.", `^alias '|which has it as alias`},
		{"defaults", "What an SLS says for the states of a module that none has, or none takes.",
			`'defaults'|^no state takes the default`},
		{"top", "A top file that matches nobody, or has unknown options.",
			`^unknown option|matches nobody|matches this machine`},
		{"empty-sls", "An SLS file with nothing in it.", `^SLS '.*' is empty$`},
		{"unheeded-key", "A key of the configuration that does nothing here.", `^the key .* does nothing`},
		{"salt-configuration", "A Salt minion's configuration that is not read.", `^there is no configuration in`},
		{"trust", "A file that commands root and belongs to another user.", `^everyone can write|belongs to user`},
		{"yaml-syntax", "A text that YAML cannot read.",
			`did not find expected|mapping values are not allowed|cannot start any token|could not find expected|undefined alias|block sequence|control characters`},
		{"template-syntax", "A template that cannot be read.",
			`^expected token|^Encountered unknown tag|unexpected '|No (filter|test) named`},
		{"template-error", "A template that ends with an error.",
			`^\w*Error\b|can only concatenate|not iterable|unexpected keyword argument|positional argument|raised`},
		{"command-line", "A command line that is wrong.", `^unknown (flag|command|output format)|is no directory$`},
		{"other", "Anything else.", ``},
	}
}

// A Coder knows the codes of diagnostics.
type Coder struct {
	codes    []Code
	patterns []*regexp.Regexp
}

// NewCoder makes a Coder.
func NewCoder() *Coder {
	c := &Coder{codes: Codes()}
	for _, code := range c.codes {
		c.patterns = append(c.patterns, regexp.MustCompile(code.pattern))
	}
	return c
}

// Of is the code of a diagnostic.
func (c *Coder) Of(d *diag.Diagnostic) string { return c.codes[c.at(d)].Name }

// Meaning is what the code of a diagnostic stands for.
func (c *Coder) Meaning(d *diag.Diagnostic) string { return c.codes[c.at(d)].Meaning }

func (c *Coder) at(d *diag.Diagnostic) int {
	for i, p := range c.patterns {
		if p.MatchString(d.Msg) {
			return i
		}
	}
	return len(c.codes) - 1
}
