package state

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Odd says what is wrong with a state that Salt compiles, and fails only when its turn comes: a name (one of `names`)
// that is no text. It is "" when all is well.
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
	if _, _, err := l.Mask(); err != nil {
		return err.Error()
	}
	return ""
}

// SourceEnv is the environment that the sources of the state are of.
func (l *Low) SourceEnv() string { return cmp.Or(l.Opts().SaltEnv, l.Env) }

// Mask is the mask of modes that the state asks for. One that is no number is an error before the run.
// Salt differs: it fails the state when its turn comes.
func (l *Low) Mask() (mask uint32, given bool, err error) {
	text := l.Opts().Umask
	if text == "" {
		return 0, false, nil
	}
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "0o"), 8, 16)
	if err != nil || n > 0o7777 {
		return 0, false, fmt.Errorf("the umask %q of ID %s is no octal number", text, l.ID)
	}
	return uint32(n) & 0o777, true, nil
}
