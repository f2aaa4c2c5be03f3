package file

import (
	"errors"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// TestExecPatch: the words of the patch command, and that a preview runs none that writes.
func TestExecPatch(t *testing.T) {
	says := func(_ *hosttest.Memory, c host.Cmd) (*host.Output, error) {
		return &host.Output{Code: 1, Stdout: []byte(strings.Join(c.Args, " "))}, nil
	}
	h := modtest.Memory(says, func(m *hosttest.Memory) {
		m.MustWrite("/usr/bin/patch", "", 0o755)
		m.MustWrite("/d/f", "", 0o644)
	})(t)
	said := func(words string) string {
		return `{'pid': 0, 'retcode': 1, 'stdout': 'patch ` + words + `', 'stderr': ''}`
	}
	(modtest.Execs{Family: Family(), Host: h}).Table(t, [][4]string{
		{"file.patch", `["/d/f", "/p"]`, "", said("--forward --reject-file=- -i /p -- /d/f")},
		{"file.patch", `["/d", "/p", "-N -b"]`, "", said("-N -b --reject-file=- -i /p -d /d --strip=0")},
		{"file.patch", `["/d", "/p", "-p1 --reject-file=/r"]`, `{"dry_run": true}`,
			said("-p1 --reject-file=/r --dry-run --forward -i /p -d /d")},
		{"file.patch", `["/d", "/p", "'"]`, "", "error: No closing quotation"},
	})
	over := modtest.Execs{Family: Family(), Host: host.NewOverlay(h)}
	_, err := over.Value(t, "file.patch", []value.Value{value.Str("/d/f"), value.Str("/p")}, nil)
	if !errors.Is(err, host.ErrPreview) {
		t.Errorf("a preview: %v", err)
	}
}
