//go:build integration

package integration

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A manager is a package manager, and what of it the tests need.
type manager struct {
	name, release string // of /etc/os-release
	old           string // hello 1.0 in the manager's words
	older         bool   // it has old versions beside the newest
	holds         bool
	takesAlong    bool   // what needs a package goes with it
	kept          string // what is left of a configuration file that was changed
	version       string // prints the version of hello, "" for none
	repos         string // counts the sources with the name "Extra"
	lock          string // holds the database for three seconds
	says          string // of a database that stays locked, "" where the manager waits
}

func managers() []manager {
	rpm := "rpm -q --queryformat '%{VERSION}' hello 2>/dev/null | grep -v installed || true"
	return []manager{
		{name: "dnf", release: "ID=fedora\nNAME=Fedora Linux\nVERSION_ID=40\n", old: "1.0-1", older: true, takesAlong: true,
			kept: "hello.conf.rpmsave", version: rpm,
			repos: "dnf -C -q repolist | grep -c Extra || true",
			lock:  "dnf -q -y clean expire-cache; systemd-run -q flock -x /var/lib/rpm/.rpm.lock sleep 3"},
		{name: "zypper", release: "ID=opensuse-leap\nNAME=openSUSE Leap\nVERSION_ID=15.6\n", old: "1.0-1", older: true,
			holds: true, takesAlong: true, kept: "hello.conf.rpmsave", version: rpm,
			repos: "zypper -q lr | grep -c Extra || true",
			lock:  "systemd-run -q -E LC_ALL=C.UTF-8 sh -c 'sleep 3 | zypper shell'; sleep 1"},
		{name: "pacman", release: "ID=arch\nNAME=Arch Linux\n", old: "1.0-1", kept: "hello.conf.pacsave",
			version: "pacman -Q hello 2>/dev/null | sed 's/hello //; s/-1$//'",
			lock:    "touch /var/lib/pacman/db.lck", says: "could not lock database"},
	}
}

// TestManagers plays the same states with each real package manager but apt, on a host that says to be of its system.
func TestManagers(t *testing.T) {
	m := boot(t, "gs-managers")
	must(t, exec.Command("cp", "managers.sh", m.folder))
	m.sh("bash /mnt/gostate/managers.sh")
	for _, p := range managers() {
		t.Run(p.name, func(t *testing.T) {
			m.t = t
			if err := os.WriteFile(filepath.Join(m.folder, "release"), []byte(p.release), 0o644); err != nil {
				t.Fatal(err)
			}
			m.sh("rm -f /etc/os-release; cp /mnt/gostate/release /etc/os-release")
			p.play(m)
		})
	}
}

func (p manager) play(m *machine) {
	m.write(map[string]string{
		"old":     "hello:\n  pkg.installed:\n    - version: " + p.old + "\n",
		"app":     "tools:\n  pkg.installed:\n    - pkgs:\n      - hello-app\n      - hello: '>=1'\n",
		"latest":  "hello:\n  pkg.latest: []\n",
		"removed": "hello:\n  pkg.removed: []\n",
		"all":     "gone:\n  pkg.purged:\n    - pkgs: [hello, hello-app]\n",
		"missing": "no-such-package:\n  pkg.installed: []\n",
		"three":   "hello:\n  pkg.installed:\n    - version: '3'\n",
		"hold":    "hello:\n  pkg.held: []\n",
		"free":    "hello:\n  pkg.unheld: []\n",
		"update":  "hello:\n  pkg.installed:\n    - version: 2.0-1\n    - update_holds: true\n",
		"repo":    "extra:\n  pkgrepo.managed:\n    - humanname: Extra\n    - baseurl: file:///srv/rpm\n    - gpgcheck: 0\n",
		"norepo":  "extra:\n  pkgrepo.absent: []\n",
		"upgrade": "everything:\n  pkg.uptodate: []\n",
	})
	m.sh("offer 1.0")
	m.converge("old")
	m.want(p.version, "1.0")
	m.sh("offer 2.0; echo b=2 >>/etc/hello.conf")
	p.fails(m, "missing", "Unable to locate package no-such-package")
	p.fails(m, "three", "no version of hello is 3")
	m.converge("latest")
	m.want(p.version, "2.0")
	if p.older {
		m.converge("old")
		m.want(p.version, "1.0")
		p.holding(m)
		m.converge("upgrade")
		m.want(p.version, "2.0")
	} else {
		p.fails(m, "old", "no version of hello is "+p.old)
	}
	if p.repos != "" {
		m.converge("repo")
		m.want(p.repos, "1")
		m.converge("norepo")
		m.want(p.repos, "0")
	}
	m.converge("app")
	if p.takesAlong {
		m.converge("removed")
	} else {
		p.fails(m, "removed", "breaks dependency")
		m.converge("all")
	}
	m.want(p.version, "")
	m.want("cat /etc/"+p.kept, "a=1\nb=2")
	p.locked(m)
	m.converge("all")
	m.sh("rm -f /etc/hello*")
}

// holding: what is held is changed only where that is asked for, and stays held.
func (p manager) holding(m *machine) {
	if !p.holds {
		return
	}
	m.converge("hold")
	m.converge("latest")
	m.want(p.version, "1.0")
	m.converge("update")
	m.converge("hold")
	m.converge("free")
	m.converge("old")
}

// locked: the manager waits for one that has the database, or says that it is locked.
func (p manager) locked(m *machine) {
	m.sh(p.lock)
	run, _, _ := m.apply("tree", "sls", "latest")
	got := run.of(m.t, "hello", "pkg.latest")
	switch {
	case p.says == "" && got.failed():
		m.t.Errorf("it did not wait for the lock: %s", got.Comment)
	case p.says != "" && !strings.Contains(got.Comment, p.says):
		m.t.Errorf("with a locked database: %s", got.Comment)
	}
	m.sh("rm -f /var/lib/pacman/db.lck")
}

// fails previews and runs a state that cannot be: both say so in the same words, and nothing changes.
func (p manager) fails(m *machine, sls, words string) {
	m.t.Helper()
	before := m.sh(p.version)
	for _, args := range [][]string{{"--test", "sls", sls}, {"sls", sls}} {
		run, _, _ := m.apply("tree", args...)
		if f := run.failed(); len(f) != 1 || !strings.Contains(run[f[0]].Comment, words) {
			m.t.Errorf("%v: failed %v, %s", args, f, run.explain())
		}
	}
	m.want(p.version, before)
}
