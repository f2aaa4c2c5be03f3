package release

import (
	"errors"
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/gostate/gostate/state/diag"
)

// Terminal asks for the passphrase of a key where in is a terminal.
func Terminal(in io.Reader, say io.Writer) func(file string) (string, error) {
	return func(file string) (string, error) {
		f, ok := in.(*os.File)
		if !ok || !term.IsTerminal(int(f.Fd())) {
			return "", diag.Errorf(diag.Pos{File: file}, "the key needs its passphrase, and there is no terminal to ask on").
				WithHint("for a machine that signs, a key without one that only its user reads")
		}
		fmt.Fprintf(say, "passphrase of %s: ", file)
		defer fmt.Fprintln(say)
		text, err := term.ReadPassword(int(f.Fd()))
		if err == nil && len(text) == 0 {
			err = errors.New("the passphrase is empty")
		}
		return string(text), err
	}
}
