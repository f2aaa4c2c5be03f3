package yaml

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/diag"
)

func lineOfError() *regexp.Regexp { return regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`) }

// fault is what the parser says of a text: "" when it can read it.
func fault(text []byte) (msg string, line int) {
	dec := yamlv3.NewDecoder(&chunked{rest: text})
	for {
		var n yamlv3.Node
		switch err := decodeNode(dec, &n); {
		case errors.Is(err, io.EOF):
			return "", 0
		case err != nil:
			return split(err)
		}
	}
}

func split(err error) (msg string, line int) {
	m := lineOfError().FindStringSubmatch(err.Error())
	if m == nil {
		return err.Error(), 0
	}
	line, _ = strconv.Atoi(m[1])
	return m[2], line
}

// syntaxError says where a text that cannot be parsed is wrong, and how to mend it.
func syntaxError(text []byte, err error, o Options) *diag.Diagnostic {
	msg, line := split(err)
	f := locate(text, msg, line)
	msg = wording(msg)
	d := diag.Errorf(o.pos(f.line, f.col), "%s", msg)
	d.Hint = hint(msg, f.lineText(), f)
	return d
}

// wording gives the parser's words as Salt's users know them.
func wording(msg string) string {
	if name, ok := strings.CutPrefix(msg, "unknown anchor '"); ok {
		return "found undefined alias '" + strings.TrimSuffix(name, "' referenced") + "'"
	}
	return msg
}
