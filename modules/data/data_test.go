package data

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func env(t *testing.T) *modules.Env {
	return &modules.Env{Opts: modtest.Dict(t, `{"cachedir": "/cache"}`), Serialize: serial.Serialize,
		Deserialize: serial.Deserialize}
}

func TestData(t *testing.T) {
	m := hosttest.NewMemory()
	modtest.Execs{Family: Family(), Host: m, Env: env(t)}.Table(t, [][4]string{
		{"data.items", `[]`, "", "{}"},
		{"data.clear", `[]`, "", "True"},
		{"data.update", `["foo", "bar"]`, "", "True"},
		{"data.update", `["n", [1, {"a": null}]]`, "", "True"},
		{"data.items", `[]`, "", "{'foo': 'bar', 'n': [1, {'a': None}]}"},
		{"data.keys", `[]`, "", "['foo', 'n']"},
		{"data.values", `[]`, "", "['bar', [1, {'a': None}]]"},
		{"data.has_key", `["foo"]`, "", "True"},
		{"data.has_key", `["bar"]`, "", "False"},
		{"data.get", `["foo"]`, "", "'bar'"},
		{"data.get", `["nope"]`, "", "None"},
		{"data.get", `["nope", 7]`, "", "7"},
		{"data.get", `[["foo", "nope"]]`, "", "['bar']"},
		{"data.get", `[["foo", "nope"], 7]`, "", "['bar', 7]"},
		{"data.cas", `["foo", "baz", "wrong"]`, "", "False"},
		{"data.cas", `["nope", "baz", null]`, "", "False"},
		{"data.cas", `["foo", "baz", "bar"]`, "", "True"},
		{"data.pop", `["foo"]`, "", "'baz'"},
		{"data.pop", `["foo", "gone"]`, "", "'gone'"},
		{"data.dump", `["{'bar': 'baz'}"]`, "", "True"},
		{"data.dump", `["[1]"]`, "", "False"},
		{"data.load", `[]`, "", "{'bar': 'baz'}"},
		{"data.clear", `[]`, "", "True"},
		{"data.load", `[]`, "", "{}"},
	})
}

// TestForeignStore: a store that cannot be read is kept as it is.
func TestForeignStore(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/cache/datastore", "\xc7\x01\x05a", 0o644)
	x := modtest.Execs{Family: Family(), Host: m, Env: env(t)}
	for _, f := range []string{"update", "pop"} {
		if got := x.Call(t, "data."+f, `["k", "v"]`, ""); !strings.HasPrefix(got, "error: read /cache/datastore:") {
			t.Errorf("%s: %s", f, got)
		}
	}
	if b, _ := m.ReadFile("/cache/datastore"); string(b) != "\xc7\x01\x05a" {
		t.Errorf("the store was rewritten: %q", b)
	}
}

// TestPreview: what is stored in a preview stays in the overlay.
func TestPreview(t *testing.T) {
	m := hosttest.NewMemory()
	modtest.Execs{Family: Family(), Host: host.NewOverlay(m), Env: env(t)}.Table(t, [][4]string{
		{"data.update", `["a", 1]`, "", "True"},
		{"data.get", `["a"]`, "", "1"},
	})
	if len(m.Journal()) > 0 {
		t.Errorf("the machine was written: %v", m.Journal())
	}
}
