package file

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// diskFiles are sources below a directory.
type diskFiles struct {
	fakeFiles
	dir string
}

func (d diskFiles) Open(_ context.Context, source, _ string) (io.ReadCloser, error) {
	return os.Open(d.dir + "/" + strings.TrimPrefix(source, "salt://"))
}

func (d diskFiles) Exists(string, string) (file, dir bool) { return true, false }

// BenchmarkManaged is a look at file.managed in a run, at a file that is as it should be ("in sync") and at one that is
// to be made ("new").
func BenchmarkManaged(b *testing.B) {
	text := strings.Repeat("a line of a file of no great length\n", 40)
	for _, name := range []string{"in sync", "new"} {
		b.Run(name, func(b *testing.B) {
			dir := b.TempDir()
			if err := os.WriteFile(dir+"/source", []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
			if name == "in sync" {
				if err := os.WriteFile(dir+"/file", []byte(text), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			h, err := host.NewOS("/")
			if err != nil {
				b.Fatal(err)
			}
			spec := managedSpec()
			low := &state.Low{ID: "f", Name: dir + "/file", Module: "file", Func: "managed", SLS: "a", Env: "base",
				Args: dict("source", "salt://source", "mode", "0644")}
			fn, diags := modules.Bind(&spec, low)
			if fn == nil {
				b.Fatal(diags)
			}
			env := &modules.Env{Files: diskFiles{dir: dir}, Low: low, Cache: modules.NewCache(), Kept: modules.NewCache()}
			b.ReportAllocs()
			for b.Loop() {
				e, err := fn.Act(b.Context(), env, host.Forecast(h))
				if err != nil || e.Alters() != (name == "new") {
					b.Fatal(fmt.Sprint(e, err))
				}
			}
		})
	}
}

// BenchmarkBind is the binding of one file.managed.
func BenchmarkBind(b *testing.B) {
	spec := managedSpec()
	low := &state.Low{ID: "f", Name: "/file", Module: "file", Func: "managed", SLS: "a", Env: "base",
		Args: dict("source", "salt://source", "mode", "0644")}
	b.ReportAllocs()
	for b.Loop() {
		if fn, diags := modules.Bind(&spec, low); fn == nil {
			b.Fatal(diags)
		}
	}
}
