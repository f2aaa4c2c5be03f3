package ssh

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribe(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/passwd", "root:x:0:0::/root:/bin/sh\nalice:x:1000:1000::/home/alice:/bin/sh\ntwin:x:1001:1000::/home/alice:/bin/sh\n"+
		"bob:x:1002:1000::/home/bob:/bin/sh\n", 0o644)
	h.Invalidate("accounts")
	h.MustWrite("/root/.ssh/authorized_keys", "ssh-rsa AAAAB3NzaC1yc2E=\n", 0o600)
	h.MustWrite("/home/alice/.ssh/authorized_keys", "# mine\n\nno-pty,command=\"echo a: b\"  ssh-ed25519 AAAA5678 "+
		"alice@x  {{ y }}\n"+
		"ssh-rsa AAAA5678 again\nnonsense\n", 0o600)
	want := []string{"ssh_auth.present root ssh-rsa aC1yc2E= (ssh-rsa AAAAB3NzaC1yc2E=) user='root' after user root",
		`ssh_auth.present alice alice@x {{ y }} (no-pty,command="echo a: b" ssh-ed25519 AAAA5678 alice@x {{ y }}) user='alice' ` +
			"after user alice",
		"# a key of alice in /home/alice/.ssh/authorized_keys is not told: Key AAAA5678 for user alice is set to be added"}
	got := modtest.Describe(t, Family(), h, "ssh_auth", nil)
	for i, line := range got { // the message of the state names its argument
		if i == 2 && len(line) > 60 {
			want[2], got[2] = want[2][:60], line[:60]
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if d := cmp.Diff([]string{"missing: bob"}, modtest.Describe(t, Family(), h, "ssh_auth",
		func(l *modules.Look) { l.Names = []string{"bob"} })); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
