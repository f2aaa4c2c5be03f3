package journal

import (
	"os"
	"testing"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

// FuzzJournal: whatever stands in the file, reading it ends, and a debt that is noted afterwards is on the disk.
func FuzzJournal(f *testing.F) {
	head := `{"format":"gostate-journal","version":1,"id":"web","root":"/"}` + "\n"
	for _, s := range []string{
		head + `{"owe":[{"state":"a","cause":"b","since":"2026-11-21T03:00:00Z"}]}` + "\n" + `{"settle":[{"state":"a"}]}` +
			"\n",
		head + `{"owe":[{"state":"x","tries":2}]}`, head + "{\n\n", "", "{}\n", head + `{"owe":null}` + "\n\x00\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		first := Open(dir, "web", "/", func(error) {})
		first.Owe([]run.Debt{{Debtor: run.Debtor{Tag: "seed", Kind: state.Onchanges}}})
		first.Close()
		if err := os.WriteFile(first.Path(), text, 0o600); err != nil {
			t.Fatal(err)
		}
		j := Open(dir, "web", "/", func(error) {})
		j.Owe([]run.Debt{{Debtor: run.Debtor{Tag: "new", Kind: state.Watch}, Cause: "c"}})
		j.Close()
		for _, d := range Open(dir, "web", "/", func(err error) { t.Log(err) }).Debts() {
			if d.Tag == "new" {
				return
			}
		}
		t.Fatalf("behind %q the debt is not there", text)
	})
}
