package temp

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestTemp(t *testing.T) {
	m := hosttest.NewMemory()
	x := modtest.Execs{Family: Family(), Host: m}
	for _, c := range []struct {
		fun, prefix, suffix, parent string
		mode                        uint32
	}{{"temp.dir", "tmp", "", "/tmp", 0o700}, {"temp.file", "a-", ".x", "/var", 0o600}} {
		v, err := x.Value(t, c.fun, []value.Value{value.Str(c.suffix), value.Str(c.prefix), value.Str(c.parent)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := value.String(v)
		i, err := m.Stat(p)
		if err != nil || i.Perm() != c.mode || i.IsDir() != (c.fun == "temp.dir") {
			t.Errorf("%s: %s is %+v, %v", c.fun, p, i, err)
		}
		if !strings.HasPrefix(p, c.parent+"/"+c.prefix) || !strings.HasSuffix(p, c.suffix) {
			t.Errorf("%s made %s", c.fun, p)
		}
	}
	if got := x.Call(t, "temp.file", `[]`, `{"parent": "/nope"}`); !strings.HasPrefix(got, "error:") {
		t.Errorf("a file without a directory: %s", got)
	}
}
