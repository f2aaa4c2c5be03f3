package file

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Every function takes a path below ~ and refuses a relative one before anything runs.
func TestPaths(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for _, spec := range Family().States {
		if spec.Name == "file.accumulated" {
			continue // its name is that of a list
		}
		bind := func(name string) string {
			fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: name, Args: value.NewDict(0)})
			for _, d := range diags {
				if strings.Contains(d.Error(), "absolute path") {
					return "refused"
				}
			}
			if fn == nil {
				return "" // it wants other arguments as well
			}
			return reflect.ValueOf(fn).Elem().FieldByName("Name").String()
		}
		for _, name := range []string{"f", "./f", "../d/f", "~joe/f"} {
			if got := bind(name); got != "refused" {
				t.Errorf("%s takes the path %s: %q", spec.Name, name, got)
			}
		}
		if got := bind("~/f"); got != "/home/me/f" && got != "" {
			t.Errorf("%s takes ~/f for %q", spec.Name, got)
		}
	}
}

// A relative path that is no argument of its own kind fails in a preview as in the run, and at once.
func TestRelativePathsEnd(t *testing.T) {
	for _, d := range []struct {
		fun  string
		args []any
	}{
		{"file.directory", []any{"backupname", "rel"}},
		{"file.managed", []any{"contents", "x", "check_cmd", "true", "tmp_dir", "rel"}},
		{"file.managed", []any{"source", "file:rel/f"}},
		{"file.append", []any{"source", "rel/f"}},
		{"file.patch", []any{"source", "rel/f"}},
	} {
		w := newWorld(t)
		w.h.MustWrite("/d/f", "text\n", 0o644)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		done := make(chan struct{})
		go func() {
			defer close(done)
			fn := w.bind(d.fun, "/d/f", d.args...)
			_, err1 := modtest.Of(fn).Check(ctx, w.env, host.NewOverlay(w.h))
			_, err2 := modtest.Of(fn).Apply(ctx, w.env, w.h, modtest.Forecast{})
			if err1 == nil || err2 == nil || err1.Error() != err2.Error() {
				t.Errorf("%s %v: the preview says %v, the run %v", d.fun, d.args, err1, err2)
			}
		}()
		select {
		case <-done:
		case <-ctx.Done():
			t.Fatalf("%s %v does not end", d.fun, d.args)
		}
		cancel()
	}
}
