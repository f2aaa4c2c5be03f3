package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPuppetHeld plays what Puppet 7.23 did with manifests that speak of noop, tags and schedules, said in SLS: the exit
// code with --detailed-exitcodes, the status of each resource, and the files afterwards are Puppet's, but
// for the statuses of cases that say how they differ.
func TestPuppetHeld(t *testing.T) {
	text, err := os.ReadFile("../../testdata/conformance/puppet-held.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var c heldCase
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		t.Run(c.ID, c.play)
	}
}

type heldCase struct {
	ID, SLS string
	Args    []string
	Steps   []struct {
		Mode         string
		Exit         int
		Status, Tree map[string]string
	}
}

func (c *heldCase) play(t *testing.T) {
	scratch := t.TempDir()
	b := newBox(t, string(bytes.ReplaceAll([]byte(c.SLS), []byte("DIR"), []byte(scratch))))
	for _, s := range c.Steps {
		words := append([]string{"--detailed-exitcodes", "--out", "json", "highstate"}, c.Args...)
		if s.Mode == "noop" {
			words = append(words, "--noop")
		}
		r := b.start(words...)
		if code := r.end(); code != s.Exit {
			t.Errorf("%s: exit code %d, want %d\n%s%s", s.Mode, code, s.Exit, r.out.String(), r.err.String())
		}
		if d := cmp.Diff(s.Status, heldStatus(t, r.out.Bytes(), s.Status)); d != "" {
			t.Errorf("%s (-Puppet +gostate):\n%s", s.Mode, d)
		}
		for name, want := range s.Tree {
			if got, err := os.ReadFile(filepath.Join(scratch, name)); err != nil || string(got) != want {
				t.Errorf("%s: %s holds %q, want %q", s.Mode, name, got, want)
			}
		}
		if have, _ := os.ReadDir(scratch); len(have) != len(s.Tree) {
			t.Errorf("%s: %d files, want %d", s.Mode, len(have), len(s.Tree))
		}
	}
}

// heldStatus is Puppet's word for what became of each state; one that is not there, or not scheduled, was skipped.
func heldStatus(t *testing.T, out []byte, want map[string]string) map[string]string {
	t.Helper()
	var doc map[string]map[string]struct {
		ID      string `json:"__id__"`
		Result  *bool
		Comment string
		Changes map[string]any
	}
	if err := json.Unmarshal(out, &doc); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := map[string]string{}
	for id := range want {
		got[id] = "skipped"
	}
	for _, r := range doc["local"] {
		switch {
		case bytes.HasPrefix([]byte(r.Comment), []byte("Not run by its schedule")):
		case r.Result == nil:
			got[r.ID] = "out_of_sync"
		case !*r.Result:
			got[r.ID] = "failed"
		case len(r.Changes) > 0:
			got[r.ID] = "changed"
		default:
			got[r.ID] = "unchanged"
		}
	}
	return got
}
