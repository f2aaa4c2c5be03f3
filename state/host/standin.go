package host

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// saltCall is the command of Salt's that trees run (formulas copy files with it). Where the machine lacks it, commands
// that name it find this program under its name, which then does what salt-call would.
const saltCall = "salt-call"

// standIn is the directory with the stand-in for a command that calls what the machine lacks; "" for all others.
func (o *OS) standIn(c Cmd) string {
	if o.root != "/" || !slices.ContainsFunc(c.Args, func(w string) bool { return strings.Contains(w, saltCall) }) {
		return ""
	}
	if _, err := o.LookPath(saltCall); err == nil {
		return ""
	}
	dir, err := standInDir()
	if err != nil {
		return ""
	}
	return dir
}

// standInDir makes the directory, with a link of the name to this program.
func standInDir() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	dir := "/run/gostate"
	if own := os.Getenv("GOSTATE_STATE_DIR"); own != "" {
		dir = own
	} else if os.Geteuid() != 0 {
		if dir, err = os.UserCacheDir(); err != nil {
			return "", err
		}
		dir = filepath.Join(dir, "gostate")
	}
	dir = filepath.Join(dir, "bin")
	link := filepath.Join(dir, saltCall)
	if to, err := os.Readlink(link); err == nil && to == self {
		return dir, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fresh := link + ".new"
	_ = os.Remove(fresh)
	if err := os.Symlink(self, fresh); err != nil {
		return "", err
	}
	return dir, os.Rename(fresh, link)
}
