//go:build integration

package integration

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A formula is the acceptance tree in one of its two forms.
type formula struct {
	*machine
	tree    string
	service string // the package and the unit
	conf    string // the folder of its configuration
}

// TestAcceptanceLocal runs the acceptance steps with the package of the local repository: no network.
func TestAcceptanceLocal(t *testing.T) {
	f := &formula{boot(t, "gs-local", "../trees/httpd-local"), "httpd-local", "gst-httpd", "/etc/gst-httpd/conf.d"}
	f.offline()
	f.accept(t)
}

// TestAcceptanceMirror runs them with apache2 from Debian's mirror.
func TestAcceptanceMirror(t *testing.T) {
	f := &formula{boot(t, "gs-mirror", "../trees/httpd"), "httpd", "apache2", "/etc/apache2/conf-enabled"}
	f.sh("apt-get -qq update")
	f.accept(t)
}

func (f *formula) accept(t *testing.T) {
	steps := []struct {
		name string
		run  func(*testing.T)
	}{
		{"preview touches nothing and the run does what it says", f.firstRun},
		{"the second run changes nothing", f.secondRun},
		{"an edited source restarts once", f.editOne},
		{"two edited sources restart once", f.editTwo},
		{"what was changed by hand is repaired", f.repair},
		{"a package that fails leaves the service alone", f.failingPackage},
	}
	for _, s := range steps {
		ok := t.Run(s.name, func(t *testing.T) { f.t = t; s.run(t) })
		if !ok {
			t.FailNow() // each step starts from what the one before left
		}
	}
}

// starts counts how often the service was started: systemd notes each start in its journal.
func (f *formula) starts() int {
	out := f.sh("journalctl --sync; journalctl -q -o cat -u " + f.service + " | grep -c '^Started ' || true")
	n, err := strconv.Atoi(out)
	if err != nil {
		f.t.Fatal(err)
	}
	return n
}

// foretold previews, checks that nothing was touched, runs, and compares: what the preview names is what the run
// changes.
func (f *formula) foretold(args ...string) outcomes {
	f.t.Helper()
	before := f.snapshot()
	preview, _, code := f.apply(f.tree, append([]string{"--test"}, args...)...)
	if code != 0 || len(preview.failed()) > 0 {
		f.t.Fatalf("preview: exit code %d, failed:\n%s", code, preview.explain())
	}
	if d := difference(before, f.snapshot()); len(d) > 0 {
		f.t.Errorf("the preview touched the machine:\n%s", strings.Join(d, "\n"))
	}
	run, _, code := f.apply(f.tree, args...)
	if code != 0 {
		f.t.Fatalf("run: exit code %d, failed:\n%s", code, run.explain())
	}
	if d := cmp.Diff(run.changed(), preview.pending()); d != "" {
		f.t.Errorf("the preview does not foretell the run (-changed +foretold):\n%s", d)
	}
	return run
}

func (f *formula) firstRun(t *testing.T) {
	f.t = t
	f.sh("! dpkg -s " + f.service + " 2>/dev/null")
	run := f.foretold("highstate")
	if got := len(run.changed()); got != len(run) {
		t.Errorf("%d of %d states changed: %v", got, len(run), run.changed())
	}
	f.sh("systemctl is-active " + f.service + "; systemctl is-enabled " + f.service +
		"; getent passwd webapp; getent group webapp")
	if got := f.sh("stat -c %a " + f.conf + "/site.conf"); got != "644" {
		t.Errorf("mode of site.conf is %s", got)
	}
}

func (f *formula) secondRun(t *testing.T) {
	before := f.starts()
	if run := f.foretold("highstate"); len(run.changed()) > 0 {
		t.Errorf("changed again: %v", run.changed())
	}
	if n := f.starts() - before; n != 0 {
		t.Errorf("the service was started %d times", n)
	}
}

func (f *formula) edit(files ...string) {
	for _, file := range files {
		must(f.t, command("sh", "-c", "echo '# edited' >>"+filepath.Join(f.folder, f.tree, "httpd", file)))
	}
}

func (f *formula) editOne(t *testing.T) {
	f.edit("site.conf")
	f.restarts(t, "file", "service")
}

func (f *formula) editTwo(t *testing.T) {
	f.edit("site.conf", "tuning.conf")
	f.restarts(t, "file", "file", "service")
}

// restarts runs, and checks that states of just these modules changed and that the service was restarted once.
func (f *formula) restarts(t *testing.T, want ...string) {
	t.Helper()
	f.sh("systemctl reset-failed " + f.service) // systemd refuses the sixth start within ten seconds
	before := f.starts()
	run := f.foretold("highstate")
	var got []string
	for _, tag := range run.changed() {
		got = append(got, strings.Split(tag, "_|-")[0])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("modules that changed (-want +got):\n%s", d)
	}
	if n := f.starts() - before; n != 1 {
		t.Errorf("the service was started %d times, not once", n)
	}
}

func (f *formula) repair(t *testing.T) {
	f.sh("systemctl stop " + f.service)
	f.restarts(t, "service")
	f.sh("echo garbage >" + f.conf + "/site.conf")
	f.restarts(t, "file", "service")
	f.sh("userdel webapp; rm " + f.conf + "/tuning.conf")
	f.restarts(t, "file", "group", "service", "user")
}

// failingPackage asks for a package that cannot be installed: the service that requires it must not be touched.
func (f *formula) failingPackage(t *testing.T) {
	must(t, command("sh", "-c", "sed -i 's/- name: "+f.service+"$/- name: gst-broken/;0,/gst-broken/!s/gst-broken/"+
		f.service+"/' "+
		filepath.Join(f.folder, f.tree, "httpd", "init.sls")))
	f.edit("site.conf")
	before, pid := f.starts(), f.sh("systemctl show -p MainPID "+f.service)
	run, stderr, code := f.apply(f.tree, "highstate")
	if code != 2 {
		t.Errorf("exit code %d, not 2", code)
	}
	pkg := run.of(t, "httpd", "pkg.installed")
	if !pkg.failed() || strings.Contains(strings.TrimSpace(pkg.Comment), "\n") ||
		!strings.Contains(pkg.Comment, "gst-broken") {
		t.Errorf("the package's result is no failure with its reason in one line: %q", pkg.Comment)
	}
	if !strings.Contains(stderr+pkg.Comment, "gst-broken") {
		t.Errorf("the reason is not told: %s", stderr)
	}
	if service := run.of(t, "httpd", "service.running"); !service.failed() || service.changed() {
		t.Errorf("the service: %+v", service)
	}
	if n := f.starts() - before; n != 0 || f.sh("systemctl show -p MainPID "+f.service) != pid {
		t.Errorf("the service was touched")
	}
}
