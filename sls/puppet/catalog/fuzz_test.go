package catalog

import (
	"testing"

	"github.com/gostate/gostate/sls/serial"
)

// FuzzCatalog: whatever a catalog says, it becomes states or faults.
func FuzzCatalog(f *testing.F) {
	f.Add(one("File", "/d", `"ensure": "directory", "recurse": true, "purge": true, "source": "puppet:///modules/m/tree"`))
	f.Add(one("Exec", "/x", `"unless": [["a", "b"], "c"], "returns": [0, "1"], "environment": ["A=b"], "subscribe": "Exec[/x]"`))
	f.Add(one("Cron", "c", `"command": {"__ptype": "Sensitive", "__pvalue": "x"}, "minute": ["*/5"], "noop": true`))
	f.Add(one("Tidy", "/d", `"age": "1w", "size": "10k", "recurse": true, "matches": ["*.[a-c]"]`))
	f.Add(one("File", "/f", `"mode": "u=rw,g=r,o=", "content": {"__ptype": "Binary", "__pvalue": "AAE="}`))
	f.Add(`{"resources": [{"type": "Class", "title": "a"}, {"type": "A::B", "title": "b"}, {"type": "Schedule", "title": "s"}],
		"edges": [{"source": "Class[a]", "target": "A::B[b]"}, {"source": "A::B[b]", "target": "Class[a]"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := serial.Deserialize("json", text)
		if err != nil {
			return
		}
		cat, faults := Read("c.json", v)
		if faults.HasErrors() {
			return
		}
		if got, faults := cat.Compile(Options{Source: sources, List: listed, Read: read}); faults.Err() == nil {
			for _, d := range got.High.Decls {
				if len(d.Within) == 0 {
					t.Errorf("nothing stands for %s", d.ID)
				}
			}
		}
	})
}
