package history

import "testing"

// FuzzReport: whatever stands in a report, reading it ends, and tells no more states than it has lines.
func FuzzReport(f *testing.F) {
	head := `{"format":"gostate-report","version":1,"id":"20261122T210921.184Z-2e55cc"}` + "\n"
	for _, s := range []string{
		head + `{"id":"a","fun":"test.nop","sls":"x","result":"true","requires":[{"kind":"require","set":1}]}` + "\n" +
			`{"set":1,"to":[0]}` + "\n" + `{"footer":{"exit":0}}` + "\n",
		head + `{"id":"a"`, "{}\n{}\n", "\x00\n", head + `{"set":1,"to":null}` + "\n" + `{"footer":null}` + "\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		run, err := parse("x", text)
		if err != nil {
			return
		}
		lines := 1
		for _, b := range text {
			if b == '\n' {
				lines++
			}
		}
		if len(run.States)+run.Damaged > lines {
			t.Errorf("%d states and %d damaged lines of %d", len(run.States), run.Damaged, lines)
		}
	})
}
