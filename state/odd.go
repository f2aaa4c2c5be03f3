package state

import (
	"fmt"
	"strconv"

	"github.com/gostate/gostate/state/value"
)

// Odd says what is wrong with a state that Salt compiles, and fails only when its turn comes: a name (one of `names`)
// that is no text, a umask that is no octal number. It is "" when all is well.
func (l *Low) Odd() string {
	if l.nth > 0 {
		for i := range l.chunk {
			if a := &l.chunk[i]; a.Name == "name" {
				switch a.Val.(type) {
				case value.Str:
				case value.NoneType:
					return fmt.Sprintf("a name of ID %s is empty: give it, or leave the entry out", l.ID)
				default:
					return fmt.Sprintf("the name %s of ID %s is no text: write '%s'", value.Repr(a.Val), l.ID, value.String(a.Val))
				}
			}
		}
	}
	if l.Opts().Umask != "" {
		if _, err := strconv.ParseUint(l.Opts().Umask, 8, 16); err != nil {
			return fmt.Sprintf("the umask %q of ID %s is no octal number", l.Opts().Umask, l.ID)
		}
	}
	return ""
}
