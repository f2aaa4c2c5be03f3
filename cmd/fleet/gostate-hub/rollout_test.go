package main

import (
	"os"
	"strings"
	"testing"
)

// TestRollOut: real machines get real releases by batches: a failure stops it, and an operator's program that is
// killed is gone on with.
func TestRollOut(t *testing.T) {
	s := newSite(t, "m1", "m2", "m3", "m4")
	says := func(text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in\n%s", w, text)
			}
		}
	}
	if out := s.hub(2, "fleet", "status"); !strings.Contains(out, "4 unreported    m1 (never seen)") {
		t.Error(out)
	}
	says(s.hub(1, "push", "prod", "--to", "www", "--key", "release.key"), "releases: no such file or directory")
	s.pack("one:\n  test.nop: []\n")
	says(s.hub(1, "push", "prod", "--to", "www", "--key", "nope"), "cannot read the key")
	push := []string{"push", "prod", "--to", "www", "--key", "release.key", "--batch", "50%", "--poll", "20ms"}
	says(s.hub(0, append(push, "--dry-run")...), "prod 1:", "batch 1: 2 machines: m1, m2", "batch 2: 2 machines: m3, m4")
	s.run(0, s.gostate, "push", "prod", "releases", "www")
	s.turn(0, "m1", "m2", "m3", "m4")
	says(s.hub(0, "fleet", "status"), "4 unchanged", "prod: release 1: 4 of 4 run it")

	s.pack("{% if grains['id'] == 'm2' %}\ntwo:\n  test.fail_without_changes: []\n{% else %}\ntwo:\n  test.nop: []\n{% " +
		"endif %}\n")
	p := s.start(os.Args[0], push...)
	s.appears("www/env/prod/m2.json", "payload")
	s.turn(0, "m1", "m3")
	s.turn(2, "m2")
	out, err := s.wait(p)
	if exitOf(err) != 2 {
		t.Fatalf("%v:\n%s", err, out)
	}
	says(out, "batch 1 of 2: 2 machines: m1, m2", "m2: failed, 1 of 1 states failed", "prod 2: stopped at batch 1 of 2",
		"1 failed, and 0 may")
	says(s.hub(2, "fleet", "nodes"), "m2  failed         release 2, 1 failed", "m3  unchanged      release 1")
	says(s.hub(2, "fleet", "report", "m2"), "test.fail_without_changes two: failed")
	says(s.hub(0, "fleet", "diff", "m2"), "test.fail_without_changes two: nothing to tell -> failed")

	s.pack("three:\n  test.nop: []\n")
	p = s.start(os.Args[0], push...)
	s.appears("www/rollout/prod.json", `"sequence":3`)
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if out, err := s.wait(p); exitOf(err) != -1 {
		t.Fatalf("it was not killed: %v\n%s", err, out)
	}
	says(s.hub(1, push...), "a roll-out of prod is not done: prod 3: at batch 1 of 2")
	says(s.hub(64, append(push, "--resume")...), "--resume goes on with what was signed")
	p = s.start(os.Args[0], "push", "prod", "--to", "www", "--key", "release.key", "--poll", "20ms", "--resume")
	s.turnsUntil(p, "m1", "m2", "m3", "m4")
	out, err = s.wait(p)
	if exitOf(err) != 0 {
		t.Fatalf("%v:\n%s", err, out)
	}
	says(out, "batch 2 of 2: 2 machines: m3, m4", "prod 3: done, after batch 2 of 2")
	if left, err := os.ReadDir(s.at("www/env/prod")); err != nil || len(left) != 0 {
		t.Error("machines still have pointers of their own:", left, err)
	}
	says(s.hub(0, "fleet", "status"), "prod: release 3: 4 of 4 run it")
	says(s.hub(1, "push", "prod", "--to", "www", "--key", "release.key", "--resume"), "the roll-out of prod 3 is done")
	says(s.hub(1, "push", "prod", "--to", "www", "--stop"), "no roll-out of prod is under way")
	says(s.hub(64, "push", "prod", "--to", "www", "--wait", "luck"), "--wait is")
	says(s.hub(1, append(push, "--check", "ping x")...), "is no check")
}
