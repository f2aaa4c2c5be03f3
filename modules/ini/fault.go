package ini

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// faultOf finds what would be read again as something else than it is: a name of more than one line, an option whose
// name holds the separator, a value whose further lines are not indented. Salt differs: it writes them.
func faultOf(sections *value.Dict, sep string) error {
	for name, body := range sections.All() {
		options, is := body.(*value.Dict)
		if !is {
			options = value.NewDict(1)
			options.SetStr(value.String(name), body)
		} else if strings.ContainsAny(value.String(name), "\n\r\x00]") {
			return fmt.Errorf("%s is no name of a section", value.Repr(name))
		}
		for key, val := range options.All() {
			if err := faultOfOption(value.String(key), value.String(val), sep); err != nil {
				return err
			}
		}
	}
	return nil
}

func faultOfOption(key, val, sep string) error {
	switch name := strings.TrimSpace(key); {
	case strings.ContainsAny(key, "\n\r\x00"), isComment(key), strings.HasPrefix(name, "["),
		len(name) > 1 && strings.Contains(name[1:], cmp.Or(sep, "=")):
		return fmt.Errorf("%q is no name of an option", key)
	case regexp.MustCompile(`[\r\x00]|\n($|\S|\s*[#;\n])`).MatchString(val):
		return fmt.Errorf("the value of %s has lines that would be read as something else: indent those after the first", key)
	}
	return nil
}
