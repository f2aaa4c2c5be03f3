package user

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host/hosttest"
)

// FuzzShadow: a hash that is set is read again, and the lines of other accounts stay.
func FuzzShadow(f *testing.F) {
	for _, s := range []string{"root:*:19000:0:99999:7:::\nalice:$6$x:1:2:3:4:5:6:\n", "alice:x",
		"alice::::::::\nalice:y:::::::", ":\n\n:::::::::", "alicex:!:0:0:0:0:0:0:0"} {
		f.Add(s, "$6$new")
	}
	f.Fuzz(func(t *testing.T, text, hash string) {
		if strings.ContainsAny(hash, ":\n\r") || strings.TrimSpace(hash) != hash {
			return
		}
		m := hosttest.NewMemory()
		m.MustWrite(shadowFile, text, 0o600)
		before := linesOfOthers(t, m)
		err := editShadow(m, "alice", func(fields []string) []string {
			if len(fields) < 9 {
				fields = append(fields, make([]string, 9-len(fields))...)
			}
			fields[0], fields[1] = "alice", hash
			return fields
		})
		if err != nil {
			t.Fatal(err)
		}
		s, err := readShadow(m, "alice")
		if after := linesOfOthers(t, m); !slices.Equal(before, after) {
			t.Fatalf("%q: before %q, after %q", text, before, after)
		}
		if len(before) < 40 && strings.Trim(text, "\n") != "" && strings.Count(text, "alice:") <= 1 &&
			(err != nil || !s.Known || s.Hash != hash) {
			t.Fatalf("%q: the hash is %+v (%v), not %q", text, s, err, hash)
		}
	})
}

func linesOfOthers(t *testing.T, m *hosttest.Memory) (out []string) {
	t.Helper()
	all, err := modules.ReadLines(m, shadowFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range all {
		if !strings.HasPrefix(l, "alice:") {
			out = append(out, l)
		}
	}
	return out
}

// FuzzGecos: the parts of a comment put together are the comment, but for commas at its end.
func FuzzGecos(f *testing.F) {
	for _, s := range []string{"Alice,1,2,3,4,5", ",,,", "", "a,,b,,"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := joinGecos(splitGecos(text)), strings.TrimRight(text, ","); got != want {
			t.Fatalf("%q became %q", text, got)
		}
	})
}
