package compile

import (
	"testing"

	"github.com/gostate/gostate/sls/puppet/types"
)

// maxFuzzed is the size of what is tried: a larger one only takes longer.
const maxFuzzed = 8000

// FuzzHiera: a hiera.yaml with its data gives a value or an error.
func FuzzHiera(f *testing.F) {
	f.Add("version: 5\nhierarchy: [{name: a, path: 'a.yaml'}]", "k: '%{lookup(\"j\")}'\nj: [1, '%{facts.os.family}']", "k",
		"deep")
	f.Add("version: 5\nhierarchy: [{name: a, globs: ['*']}]", "lookup_options: {k: {merge: hash}}\nk: {a: 1}", "k.a", "")
	f.Add("version: 5\nhierarchy: [{name: a, mapped_paths: [names, n, '%{n}.yaml']}]", "k: '%{alias(\"k\")}'", "k",
		"unique")
	f.Fuzz(func(t *testing.T, conf, data, key, merge string) {
		if len(conf)+len(data)+len(key) > maxFuzzed {
			return
		}
		r := &recorded{Hiera: map[string]string{"hiera.yaml": conf, "a.yaml": data}}
		l := Lookup{Names: []string{key}, Merge: merge, Explain: true}
		if found, err := l.Lookup(r.options(t)); err == nil && found.OK {
			types.Inspect(found.Value)
		}
	})
}
