package state

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTagWords(t *testing.T) {
	l := &Low{ID: "Web", SLS: "web.config", Module: "file", Func: "managed"}
	l.SetMeta().Tags = []string{"red"}
	want := "red file managed file.managed web.config web config web"
	if d := cmp.Diff(want, strings.Join(l.TagWords(), " ")); d != "" {
		t.Error(d)
	}
	if !l.HasTag("none", "RED") || l.HasTag("none") {
		t.Error("a tag is found by its word in any case, and no other")
	}
	l.ID, l.SLS = "Has Upper and space", ""
	if d := cmp.Diff("red file managed file.managed", strings.Join(l.TagWords(), " ")); d != "" {
		t.Error(d)
	}
}

func TestIsTag(t *testing.T) {
	for word, want := range map[string]bool{"": false, "a": true, "_1": true, "a::b.c-d": true, "-a": false, ".a": false,
		"has space": false, "/etc/x": false, "größe": true, "a/b": false} {
		if IsTag(word) != want {
			t.Errorf("IsTag(%q) is %t", word, !want)
		}
	}
}
