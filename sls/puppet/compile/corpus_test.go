package compile

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/sls/serial"
)

const corpus = "../../../testdata/conformance/puppet/"

// deviations are the recorded cases in which we do otherwise than Puppet, with the reason.
var deviations = map[string]string{
	"class/variable-unknown-strict": "recorded with strict_variables, which is an option here",
	"heredoc/009":                   "the words of Ruby's JSON parser",
	"number/018":                    "the recorded number is cut",
	"number/020":                    "the recorded number is cut",
}

// A recorded case is a manifest with the catalog or the error of Puppet 7.23.
type recorded struct {
	ID, Manifest string
	Files, Hiera map[string]string
	Facts        map[string]any
	Strict       string
	Error        string
	Catalog      *recordedCatalog
}

type recordedCatalog struct {
	Resources []struct {
		Ref        string
		Parameters map[string]any
	}
	Containment   [][2]string
	Relationships []Edge
}

const plainHiera = `version: 5
defaults: {datadir: data, data_hash: yaml_data}
hierarchy:
  - {name: node, path: "nodes/%{trusted.certname}.yaml"}
  - {name: os, path: "os/%{facts.os.family}.yaml"}
  - {name: common, path: common.yaml}
`

// memory is a folder of files that are only in memory.
type memory map[string]string

func (m memory) read(p string) ([]byte, error) {
	if text, ok := m[path.Clean(p)]; ok {
		return []byte(text), nil
	}
	if strings.HasPrefix(p, "/env") {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(p)
}

func (m memory) list(dir string) (names []string, err error) {
	for p := range m {
		rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/")+"/")
		if name, _, _ := strings.Cut(rest, "/"); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

func (r *recorded) options(t testing.TB) Options {
	text, err := os.ReadFile(corpus + "facts.json")
	if err != nil {
		t.Fatal(err)
	}
	base := map[string]any{}
	if err := json.Unmarshal(text, &base); err != nil {
		t.Fatal(err)
	}
	for k, v := range r.Facts {
		base[k] = v
	}
	merged, _ := json.Marshal(base)
	v, err := serial.Deserialize("json", string(merged))
	if err != nil {
		t.Fatal(err)
	}
	files := memory{}
	for p, text := range r.Files {
		files["/env/"+p] = text
	}
	if len(r.Hiera) > 0 {
		files["/env/hiera.yaml"] = plainHiera
	}
	for p, text := range r.Hiera {
		if p == "hiera.yaml" {
			files["/env/hiera.yaml"] = text
			continue
		}
		files["/env/data/"+p] = text
	}
	facts, _ := FromValue(v).(*types.Hash)
	return Options{Manifests: []Manifest{{Path: "site.pp", Text: r.Manifest}}, EnvDir: "/env",
		ModulePath: []string{"/env/modules"},
		Node:       "web01.example.com", Facts: facts, Read: files.read, List: files.list}
}

// difference is what we do otherwise than Puppet, "" for nothing.
func (r *recorded) difference(t testing.TB) string {
	cat, _, err := Compile(r.options(t))
	if r.Error != "" {
		said, _, _ := strings.Cut(r.Error, " (file:")
		said = strings.TrimSuffix(said, " on node web01.example.com")
		said = strings.ReplaceAll(said, "@ENV@", "/env")
		if err == nil {
			return "no error, but Puppet: " + said
		}
		if !strings.Contains(err.Error(), said) {
			return "error " + err.Error() + ", not " + said
		}
		return ""
	}
	if err != nil {
		return "error " + err.Error()
	}
	return r.compare(t, cat)
}

func (r *recorded) compare(t testing.TB, cat *Catalog) string {
	text, err := serial.Serialize("json", cat.Dict(nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got recordedCatalog
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	return cmp.Diff(flat(r.Catalog), flat(&got))
}

// flat is a catalog whose parts are in the order of their names, without what the machine running Puppet told it.
func flat(c *recordedCatalog) map[string]any {
	out := map[string]any{}
	for _, r := range c.Resources {
		if r.Ref == "Class[Settings]" {
			continue
		}
		for _, k := range []string{"before", "notify", "require", "subscribe"} {
			delete(r.Parameters, k)
		}
		out[r.Ref] = r.Parameters
	}
	for _, e := range c.Containment {
		if e[1] != "Class[Settings]" {
			out[e[0]+" holds "+e[1]] = true
		}
	}
	for _, e := range c.Relationships {
		out[e.From+" -> "+e.To] = e.Refresh
	}
	return out
}

func readCorpus(t testing.TB) (cases []*recorded) {
	f, err := os.Open(corpus + "language.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		r := &recorded{}
		if err := json.Unmarshal(lines.Bytes(), r); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, r)
	}
	return cases
}

// TestAsPuppet compiles what Puppet 7.23 compiled: resources, parameters, what contains what, what comes before what,
// and the words of errors.
func TestAsPuppet(t *testing.T) {
	cases := readCorpus(t)
	if len(cases) < 300 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, r := range cases {
		d := r.difference(t)
		reason, known := deviations[r.ID]
		switch {
		case d == "" && known:
			t.Errorf("%s is as Puppet: it is no deviation (%s)", r.ID, reason)
		case d != "" && !known:
			t.Errorf("%s: %s\n%s", r.ID, d, r.Manifest)
		}
	}
}

func FuzzCompile(f *testing.F) {
	for _, r := range readCorpus(f) {
		f.Add(r.Manifest)
	}
	f.Fuzz(func(t *testing.T, manifest string) {
		if len(manifest) > 4000 {
			return
		}
		r := recorded{Manifest: manifest}
		_, _, _ = Compile(r.options(t))
	})
}
