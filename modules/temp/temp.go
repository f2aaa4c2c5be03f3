// Package temp is the execution functions that make temporary files and directories.
package temp

import (
	"cmp"
	"context"
	"crypto/rand"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "temp", Execs: execs()} }

func execs() []modules.ExecSpec {
	params := []string{"suffix!/=''", "prefix!/=tmp", "parent:path=None"}
	return modules.Writing(
		modules.NewExec("temp.dir", "dir(suffix='', prefix='tmp', parent=None): makes a directory that only its owner "+
			"enters, and gives its path.",
			making(func(h host.Host, p string) error { return h.Mkdir(p, only(0o700)) }), params...),
		modules.NewExec("temp.file", "file(suffix='', prefix='tmp', parent=None): makes an empty file that only its owner "+
			"reads, and gives its path.",
			making(func(h host.Host, p string) error { return h.WriteFile(p, strings.NewReader(""), only(0o600)) }), params...),
	)
}

func only(mode uint32) host.Attr { return host.Attr{Mode: mode, HasMode: true, UID: -1, GID: -1} }

// making gives the path of what f made, below parent, TMPDIR or /tmp. The name has 128 random bits, so that nothing is
// there yet.
func making(f func(h host.Host, p string) error) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		parent := cmp.Or(c.Str("parent"), c.Getenv("TMPDIR"), "/tmp")
		p := path.Join(parent, c.Str("prefix")+strings.ToLower(rand.Text())+c.Str("suffix"))
		return value.Str(p), f(c.Host, p)
	}
}
