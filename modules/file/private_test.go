package file

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/secret"
)

// TestPrivate: what a file of its owner's alone holds is not in the changes of what edits it; that it changed is.
func TestPrivate(t *testing.T) {
	for fun, args := range map[string][]any{
		"file.managed":      {"contents", "key=new-canary"},
		"file.replace":      {"pattern", "old", "repl", "new"},
		"file.line":         {"content", "key=new-canary", "match", "old", "mode", "replace"},
		"file.append":       {"text", "more=new-canary"},
		"file.prepend":      {"text", "more=new-canary"},
		"file.keyvalue":     {"key", "key", "value", "new-canary", "separator", "="},
		"file.blockreplace": {"content", "new-canary", "append_if_not_found", true},
	} {
		revealed := secret.New()
		revealed.Reveal()
		for _, mode := range []uint32{0o600, 0o400, 0o640} {
			for _, store := range []*secret.Store{nil, secret.New(), revealed} {
				w := newWorld(t)
				w.env.Secrets = store
				w.h.MustWrite("/d/f", "key=old-canary\n", mode)
				e, err := modtest.Of(w.bind(fun, "/d/f", args...)).Check(t.Context(), w.env, w.h)
				if err != nil {
					t.Fatalf("%s: %v", fun, err)
				}
				text := repr(e.Changes)
				if hidden := mode != 0o640 && store != revealed; strings.Contains(text, "canary") == hidden ||
					strings.Contains(text, secret.Shown) != hidden {
					t.Errorf("%s, mode %o, revealed %v: the changes are %s", fun, mode, store.Revealed(), text)
				}
			}
		}
	}
}
