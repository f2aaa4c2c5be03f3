package yaml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

// TestBangsAndVersions has what PyYAML with libyaml gives where the parser is of another mind.
func TestBangsAndVersions(t *testing.T) {
	for src, want := range map[string]string{
		"v: !":                        "{'v': ''}",
		"- !\n- a":                    "['', 'a']",
		"- &a !\n- *a":                "['', '']",
		"? !\n: v":                    "{'': 'v'}",
		"{a: ! }":                     "{'a': ''}",
		"v: ! \"\"":                   "{'v': None}",
		"v: ! \"1\"":                  "{'v': 1}",
		"é: ! '1.5'\nb: '1'":          "{'é': 1.5, 'b': '1'}",
		"v: ! 1":                      "{'v': 1}",
		"v: ! [1, '2']":               "{'v': [1, '2']}",
		"v: ! ~":                      "{'v': None}",
		"v: \"! \"":                   "{'v': '! '}",
		"v: !!str 5\nw: ! '5'":        "{'v': '5', 'w': 5}",
		"%YAML 1.2\n---\na: 1":        "{'a': 1}",
		"# c\n%YAML 1.2\n---\nb: yes": "{'b': True}",
		"a: |\n  %YAML 1.2\n":         "{'a': '%YAML 1.2\\n'}",
		`v: '\'`:                      `{'v': '\\'}`,
		`v: x\'y "z"`:                 `{'v': 'x\\\'y "z"'}`,
		`v: "a\\'b"`:                  `{'v': "a\\'b"}`,
	} {
		v, err := Decode("f.yaml", []byte(src))
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if diff := cmp.Diff(want, value.Repr(v)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", src, diff)
		}
	}
}

// TestEscapedQuote is refused as by Salt's parser, at its place, in a large text, too.
func TestEscapedQuote(t *testing.T) {
	for src, want := range map[string]string{
		`v: "it\'s"`:                   "f.yaml:1:7: found unknown escape character",
		"a: 1\nb: \"a\n  \\'b\"":       "f.yaml:3:3: found unknown escape character",
		largeMap() + "last: \"\\'\"\n": "f.yaml:20001:8: found unknown escape character",
	} {
		_, err := Decode("f.yaml", []byte(src))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", src, err, want)
		}
	}
}

func largeMap() string {
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "k%d: v\n", i)
	}
	return b.String()
}
