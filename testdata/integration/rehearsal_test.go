//go:build integration

package integration

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// alive describes what of the host is no file: packages, units, processes, mounts.
func (m *machine) alive() string {
	m.t.Helper()
	return m.sh(`dpkg -l; (systemctl list-unit-files --no-pager; systemctl list-units --all --no-pager --plain) | grep -v -e '^run-' -e listed; cat /proc/1/mountinfo
ps -eo args --sort args | grep -v -e 'ps -eo' -e ' --sort' -e sort -e grep -e bash -e '^\[' -e nsenter -e systemd-run -e '(sd-'`)
}

// said is what a state says of itself, without what differs between two runs.
func (o outcome) said() string {
	changes := regexp.MustCompile(`"pid": \d+`).ReplaceAllString(string(o.Changes), `"pid": N`)
	result := "none"
	if o.Result != nil {
		result = map[bool]string{true: "true", false: "false"}[*o.Result]
	}
	return result + " " + o.Comment + " " + changes
}

// TestRehearsal: a rehearsal leaves nothing, and says what the run then does.
func TestRehearsal(t *testing.T) {
	m := boot(t, "gs-rehearse")
	m.offline()
	m.write(map[string]string{
		"all": `gst-app:
  pkg.installed: []
version:
  cmd.run:
    - name: gst-hello > /srv/version
    - creates: /srv/version
/srv/version:
  file.append: [{text: noted}]
/etc/gst-app/gst-app.conf:
  file.managed: [{contents: version = mine}]
wanderer:
  user.present: [{home: /home/wanderer, uid: 4711}]
as the wanderer:
  cmd.run: [{name: id -un > ~/me, runas: wanderer, creates: /home/wanderer/me}]
gst-app service:
  service.running:
    - name: gst-app
    - watch: [{file: /etc/gst-app/gst-app.conf}]
cron:
  service.dead: [{enable: false}]
`,
		"wild": "rm -rf --no-preserve-root /etc /srv; kill -9 1; systemctl stop cron; touch /run/wild; true:\n  cmd.run: []\n",
	})
	files, alive := m.snapshot(), m.alive()
	untouched := func(what string) {
		t.Helper()
		if d := difference(files, m.snapshot()); len(d) > 0 {
			t.Errorf("%s: files of the host changed: %q", what, d)
		}
		if d := cmp.Diff(alive, m.alive()); d != "" {
			t.Errorf("%s: the host changed:\n%s", what, d)
		}
	}
	rehearsed, errs, code := m.apply("tree", "rehearse", "all")
	if code != 0 {
		t.Fatalf("the rehearsal: exit code %d\n%s%s", code, rehearsed.explain(), errs)
	}
	untouched("the rehearsal")
	m.apply("tree", "rehearse", "wild")
	untouched("a wild rehearsal")
	m.sh("! test -e /run/wild")
	wantTree(t, m)
	untouched("another rehearsal")

	run, _, code := m.apply("tree", "sls", "all")
	if code != 0 {
		t.Fatalf("the run: exit code %d\n%s", code, run.explain())
	}
	for tag, r := range run {
		if d := cmp.Diff(r.said(), rehearsed[tag].said()); d != "" {
			t.Errorf("%s (-run +rehearsal):\n%s", tag, d)
		}
	}
	m.want("cat /srv/version", "gst-hello 2.0\nnoted")
}

// wantTree looks at the files that a rehearsal says it changed, and at what it says it did not do.
func wantTree(t *testing.T, m *machine) {
	t.Helper()
	out, errs, code := m.exec("/mnt/gostate/gostate", "--file-root", "/mnt/gostate/tree", "--out", "json", "rehearse",
		"all")
	var doc struct {
		Files        []struct{ Path, Change string }
		NotRehearsed []string `json:"not_rehearsed"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != 0 {
		t.Fatalf("exit code %d: %v\n%s%s", code, err, out, errs)
	}
	got := map[string]string{}
	for _, f := range doc.Files {
		got[f.Path] = f.Change
	}
	for path, change := range map[string]string{
		"/srv/version": "added", "/usr/bin/gst-hello": "added", "/etc/passwd": "changed", "/home/wanderer/me": "added",
		"/var/lib/dpkg/status": "changed", "/etc/gst-app/gst-app.conf": "added", "/usr/sbin/policy-rc.d": "",
	} {
		if got[path] != change {
			t.Errorf("%s is %q in the tree of changes, want %q", path, got[path], change)
		}
	}
	want := []string{"start gst-app.service", "stop cron.service", "disable cron.service"}
	if d := cmp.Diff(want, doc.NotRehearsed); d != "" {
		t.Errorf("not rehearsed (-want +got):\n%s", d)
	}
}
