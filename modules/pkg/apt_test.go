package pkg

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

const policyText = `gst-hello:
  Installed: (none)
  Candidate: 2.0
  Version table:
     2.0 500
        500 file:/srv/repo ./ Packages
     1.0 500
        500 file:/srv/repo ./ Packages
bash:
  Installed: 5.2.15-2+b13
  Candidate: 5.2.15-2+b13
  Version table:
 *** 5.2.15-2+b13 500
        500 http://deb.debian.org/debian bookworm/main amd64 Packages
        100 /var/lib/dpkg/status
mail-of-gst:
  Installed: (none)
  Candidate: (none)
  Version table:
`

func TestParsePolicy(t *testing.T) {
	want := map[string]Offer{
		"gst-hello":   {Candidate: "2.0", Versions: []string{"2.0", "1.0"}},
		"bash":        {Candidate: "5.2.15-2+b13", Versions: []string{"5.2.15-2+b13"}},
		"mail-of-gst": {},
	}
	if d := cmp.Diff(want, parsePolicy(policyText)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestParseSimulation(t *testing.T) {
	got := parseSimulation(`Reading package lists...
Remv bash [5.2.15-2+b13]
Inst gst-hello (1.0 localhost [all])
Inst gst-app [0.9] (1.0 localhost [all]) []
Purg cron [3.0pl1-162]
Conf gst-hello (1.0 localhost [all])
`)
	want := []Step{{Name: "bash", Old: "5.2.15-2+b13"}, {Name: "gst-hello", New: "1.0"},
		{Name: "gst-app", Old: "0.9", New: "1.0"}, {Name: "cron", Old: "3.0pl1-162", Purged: true}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestReason(t *testing.T) {
	tests := []struct{ name, out, errs, want string }{
		{"unknown", "Reading package lists...\n", "E: Unable to locate package nope\n", "Unable to locate package nope"},
		{"version", "", "E: Version '7' for 'gst-app' was not found\n", "Version '7' for 'gst-app' was not found"},
		{"script", "Setting up b (1) ...\nb: cannot\ndpkg: error processing package b (--configure):\n installed b package " +
			"post-installation script subprocess returned error exit status 7\nErrors were encountered while processing:\n b\n",
			"E: Sub-process /usr/bin/dpkg returned an error code (1)\n",
			"b: installed b package post-installation script subprocess returned error exit status 7: cannot"},
		{"silent script", "Setting up b (1) ...\ndpkg: error processing package b (--configure):\n it failed\n", "",
			"b: it failed"},
		{"archive", "dpkg: error processing archive /var/x.deb (--unpack):\n trying to overwrite '/bin/x', which is also " +
			"in package y 1\n", "",
			"/var/x.deb: trying to overwrite '/bin/x', which is also in package y 1"},
		{"unmet", "The following packages have unmet dependencies:\n app : Depends: lib but it is not installable\nE: " +
			"Unable to correct problems\n", "",
			"unmet dependencies: app : Depends: lib but it is not installable"},
		{"twice", "", "E: A\nE: A\nE: B\n", "A; B"},
		{"other", "something\n", "", "something"},
		{"nothing", "", "", "it ended with exit code 3"},
	}
	for _, tt := range tests {
		got := reason(&host.Output{Stdout: []byte(tt.out), Stderr: []byte(tt.errs), Code: 3})
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestParseStatus(t *testing.T) {
	text := `Package: dpkg
Status: install ok installed
Architecture: amd64
Version: 1.21

Package: vim
Status: hold ok installed
Architecture: amd64
Version: 2:9.0
Provides: editor, vim-any (= 9)
Description: a text
 Package: not-one

Package: libc6
Status: install ok installed
Architecture: i386
Version: 2.36

Package: gone
Status: deinstall ok config-files
Architecture: all
Version: 1
`
	entries, err := parseStatus(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	db := newDpkgDatabase(entries)
	if d := cmp.Diff(map[string]string{"dpkg": "1.21", "vim": "2:9.0", "libc6:i386": "2.36"}, db.Versions()); d != "" {
		t.Errorf("versions (-want +got):\n%s", d)
	}
	if !db.Get("vim:amd64").Held() || db.Version("gone") != "" || !db.Provided("editor") || !db.Provided("vim-any") ||
		db.Get("libc6") != nil {
		t.Error("hold, removal, provisions or architectures are misread")
	}
}

func TestHolder(t *testing.T) {
	locks := "1: FLOCK  ADVISORY  WRITE 30 00:2f:94 0 EOF\n2: POSIX  ADVISORY  WRITE 4711 08:01:5678 0 EOF\n2: -> POSIX " +
		"ADVISORY WRITE 4712 08:01:5678 0 EOF\n"
	if got := lockOwner(locks, "POSIX", 5678); got != 4711 {
		t.Errorf("holder is %d", got)
	}
	if got := lockOwner(locks, "POSIX", 94); got != 0 {
		t.Errorf("an flock is taken for dpkg's lock: %d", got)
	}
}

func TestLockHolderIsNamed(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/var/lib/dpkg/lock-frontend", "", 0o640)
	i, err := m.Stat("/var/lib/dpkg/lock-frontend")
	if err != nil {
		t.Fatal(err)
	}
	m.MustWrite("/proc/locks", "1: POSIX  ADVISORY  WRITE 42 08:01:"+uintText(i.Inode)+" 0 EOF\n", 0o444)
	m.MustWrite("/proc/42/cmdline", "apt-get\x00install\x00vim\x00", 0o444)
	m.MustMkdir("/proc/42/fd")
	a := &apt{admindir: "/var/lib/dpkg"}
	if got := a.lockHolder(m); got != "" {
		t.Errorf("a process that has the file not open is named: %q", got)
	}
	if err := m.Symlink("/var/lib/dpkg/lock-frontend", "/proc/42/fd/4"); err != nil {
		t.Fatal(err)
	}
	if got, want := a.lockHolder(m), "apt-get install vim (pid 42)"; got != want {
		t.Errorf("holder is %q, want %q", got, want)
	}
}

// TestAScriptThatOutlivesDpkgIsWaitedFor: it holds debconf's database.
func TestAScriptThatOutlivesDpkgIsWaitedFor(t *testing.T) {
	const file = "/var/cache/debconf/config.dat"
	m := hosttest.NewMemory()
	m.MustWrite(file, "", 0o600)
	i, err := m.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	m.MustWrite("/proc/locks", "1: FLOCK  ADVISORY  WRITE 42 08:01:"+uintText(i.Inode)+" 0 EOF\n", 0o444)
	m.MustWrite("/proc/42/cmdline", "perl\x00frontend\x00nginx-common.postinst\x00", 0o444)
	m.MustMkdir("/proc/42/fd")
	if err := m.Symlink(file, "/proc/42/fd/4"); err != nil {
		t.Fatal(err)
	}
	a := &apt{admindir: "/var/lib/dpkg"}
	if got, want := a.lockHolder(m), "perl frontend nginx-common.postinst (pid 42)"; got != want {
		t.Errorf("holder is %q, want %q", got, want)
	}
}

func uintText(n uint64) string {
	if n == 0 {
		return "0"
	}
	var b []byte
	for ; n > 0; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}
