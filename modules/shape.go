package modules

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/gostate/gostate/state/value"
)

// A shape is what a text has to look like that is written as it is into a file of lines or words, as the flags of an
// arg tag say: with a line break in it, a comment of /etc/hosts would be a line of its own.
type shape uint8

const (
	anyText shape = iota
	oneLine       // no line break
	oneWord       // no white space
)

// shapeOf is the shape that a flag of an arg tag stands for.
func shapeOf(flag string) shape {
	return map[string]shape{"line": oneLine, "word": oneWord}[flag]
}

// check finds fault with a text, or with one in a list or a map.
func (s shape) check(v value.Value) error {
	if s == anyText {
		return nil
	}
	switch v := v.(type) {
	case value.Str:
		return s.checkText(string(v))
	case *value.List:
		for _, it := range v.Items {
			if err := s.check(it); err != nil {
				return err
			}
		}
	case *value.Dict:
		for k, val := range v.All() {
			if err := s.check(k); err != nil {
				return err
			}
			if err := s.check(val); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s shape) checkText(text string) error {
	switch {
	case s == oneWord && (text == "" || strings.ContainsFunc(text, unicode.IsSpace)):
		return fmt.Errorf("takes a name without white space, not %s", Describe(value.Str(text)))
	case strings.ContainsAny(text, "\n\r\x00"):
		return fmt.Errorf("takes text without line breaks and NUL, not %s", Describe(value.Str(text)))
	}
	return nil
}
