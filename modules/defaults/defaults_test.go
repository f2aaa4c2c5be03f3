package defaults

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

type files map[string]string

func (f files) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if t, ok := f[source]; ok {
		return []byte(t), nil
	}
	return nil, fmt.Errorf("%s is not there", source)
}
func (f files) Exists(source, _ string) (file, dir bool) {
	_, file = f[source]
	for k := range f {
		dir = dir || strings.HasPrefix(k, source+"/")
	}
	return file, dir
}
func (f files) List(string, string) ([]modules.SourceFile, error)    { return nil, nil }
func (f files) Hash(context.Context, string, string) (string, error) { return "", nil }
func (f files) Mode(string, string) (uint32, error)                  { return 0o644, nil }

func functions() modtest.Execs {
	return modtest.Execs{Family: Family(), Env: &modules.Env{
		Files: files{"salt://form/defaults.yaml": `{"k": {"x": 5}}`}, SaltEnv: "base",
		Deserialize: func(f, text string) (value.Value, error) { return value.ParseJSON(text) },
	}}
}

func TestDefaults(t *testing.T) {
	functions().Table(t, [][4]string{
		{"defaults.get", `["form:k:x"]`, "", "5"},
		{"defaults.get", `["form"]`, "", "{'k': {'x': 5}}"},
		{"defaults.get", `["nope:k", 1]`, "", "1"},
		{"defaults.merge", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, "", "{'a': {'x': 1, 'y': 2}}"},
		{"defaults.merge", `[{"a": 1}, null]`, "", "{'a': 1}"},
		{"defaults.merge", `[{"a": 1}, 5]`, "", "error: Cannot update using non-dict types in dictupdate.update()"},
		{"defaults.update", `[{"n": {"x": 1}}, {"x": 0, "y": 2}]`, "", "{'n': {'x': 1, 'y': 2}}"},
		{"defaults.deepcopy", `[{"a": [1]}]`, "", "{'a': [1]}"},
	})
}

func TestMergeInPlace(t *testing.T) {
	for _, inPlace := range []bool{true, false} {
		dest := value.DictOf("a", value.Int(1))
		args := []value.Value{dest, value.DictOf("b", value.Int(2))}
		if _, err := functions().Value(t, "defaults.merge", args, value.DictOf("in_place", value.Bool(inPlace))); err != nil {
			t.Fatal(err)
		}
		if changed := dest.Len() == 2; changed != inPlace {
			t.Errorf("in_place %v: dest is %s", inPlace, value.Repr(dest))
		}
	}
}
