package serial

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

// TestTOML has what Python's toml 0.10.2 writes.
func TestTOML(t *testing.T) {
	for _, tt := range []struct{ json, want string }{
		{`{"a": 1, "b": "x", "c": [1, 2], "d": true, "e": 1.5, "f": null, "g": 1e+20, "h": 1e-07}`,
			"a = 1\nb = \"x\"\nc = [ 1, 2,]\nd = true\ne = 1.5\ng = 1e+20\nh = 1e-7\n"},
		{`{"agent": {"interval": "10s", "round": true}, "outputs": {"influxdb": [{"urls": ["http://a:1", "b"], "db": "t"}]}, "inputs": {"cpu": [{"percpu": true, "tagpass": {"cpu": ["c0"]}}], "mem": [{}]}}`, "[agent]\ninterval = \"10s\"\nround = true\n\n[outputs]\n[[outputs.influxdb]]\nurls = [ \"http://a:1\", \"b\",]\ndb = \"t\"\n\n[inputs]\n[[inputs.cpu]]\npercpu = true\n\n[inputs.cpu.tagpass]\ncpu = [ \"c0\",]\n[[inputs.mem]]\n\n"},
		{`{"t": {"u": {"v": 1}, "w": 2}, "x": {"y": {}}}`, "[t]\nw = 2\n\n[t.u]\nv = 1\n\n[x.y]\n"},
		{`{"l": [{"a": 1, "b": {"c": {"d": 2}}}, {"a": [{"z": 1}]}], "k": "last"}`,
			"k = \"last\"\n[[l]]\na = 1\n\n[l.b.c]\nd = 2\n[[l]]\n\n[[l.a]]\nz = 1\n\n"},
		{`{"we ird": {"a.b": 1, "q\"": "it's \"q\" \\ \n\té"}, "s": "it's", "e": "", "p": "a/b"}`,
			"s = \"it's\"\ne = \"\"\np = \"a/b\"\n\n[\"we ird\"]\n\"a.b\" = 1\n\"q\\\"\" = \"it's \\\"q\\\" \\\\ \\n\\té\"\n"},
		{`{"a": [[1, 2], ["x"]], "b": [], "c": {}, "d": {"e": {}}}`, "a = [ [ 1, 2,], [ \"x\",],]\nb = []\n\n[c]\n\n[d.e]\n"},
		{`{}`, ""},
		{`{"a": {"b": {"c": {"d": 1}}}, "top": 0}`, "top = 0\n\n[a.b.c]\nd = 1\n"},
		{`{"a": ["x", null, true, 1.0]}`, "a = [ \"x\", \"None\", true, 1.0,]\n"},
		{`{"arr": [{"n": 1, "sub": [{"m": 2}]}]}`, "[[arr]]\nn = 1\n[[arr.sub]]\nm = 2\n\n\n"},
	} {
		v, err := value.ParseJSON(tt.json)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Serialize("toml", v, nil)
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.json, err, d)
		}
	}
}

func TestTOMLFaults(t *testing.T) {
	loop := value.NewDict(1)
	loop.SetStr("a", loop)
	list := value.NewList()
	list.Items = append(list.Items, list)
	for want, v := range map[string]value.Value{
		"toml can only serialize dictionaries, not list": value.NewList(),
		"the key 1 is no text":                           value.DictOf("a", mustDict(t, value.Int(1), value.None)),
		"the list l has tables and int":                  value.DictOf("l", value.NewList(value.NewDict(0), value.Int(1))),
		"circular reference":                             loop,
		"circular reference detected":                    value.DictOf("a", list),
	} {
		if _, err := Serialize("toml", v, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Deserialize("toml", "a = 1"); err == nil ||
		!strings.Contains(err.Error(), "the serializer 'toml' only writes here") {
		t.Error(err)
	}
}

func mustDict(t *testing.T, k, v value.Value) *value.Dict {
	t.Helper()
	d := value.NewDict(1)
	if err := d.Set(k, v); err != nil {
		t.Fatal(err)
	}
	return d
}
