//go:build integration

package integration

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the transcripts in the documentation")

// A machine is one booted host. Its folder is /mnt/gostate there: the binary and the trees under test.
type machine struct {
	t      *testing.T
	name   string
	folder string
	within []string // the command in which gostate runs, such as that of a network of its own
}

// boot starts a host with the binary and copies of the trees, and ends it with the test.
func boot(t *testing.T, name string, trees ...string) *machine {
	t.Helper()
	bin := os.Getenv("GOSTATE_BIN")
	if bin == "" {
		t.Fatal("GOSTATE_BIN names no binary: run these tests with testdata/integration/run.sh")
	}
	m := &machine{t: t, name: name, folder: t.TempDir()}
	must(t, exec.Command("cp", bin, filepath.Join(m.folder, "gostate")))
	for _, tree := range trees {
		must(t, exec.Command("cp", "-r", tree, m.folder))
	}
	cmd := exec.Command("host/host.sh", "up", name)
	cmd.Env = append(os.Environ(), "GOSTATE_BIND="+m.folder)
	must(t, cmd)
	t.Cleanup(func() { must(t, exec.Command("host/host.sh", "down", name)) })
	return m
}

func must(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
	}
}

// exec runs a command in the host.
func (m *machine) exec(args ...string) (stdout, stderr string, code int) {
	m.t.Helper()
	cmd := exec.Command("host/host.sh", append([]string{"exec", m.name}, args...)...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// sh runs a script in the host, which has to succeed, and gives what it printed.
func (m *machine) sh(script string) string {
	m.t.Helper()
	out, errs, code := m.exec("bash", "-c", script)
	if code != 0 {
		m.t.Fatalf("%s: exit code %d\n%s%s", script, code, out, errs)
	}
	return strings.TrimSpace(out)
}

// offline leaves the host only the local repository.
func (m *machine) offline() {
	m.sh(`rm -f /etc/apt/sources.list /etc/apt/sources.list.d/*
echo 'deb [trusted=yes] file:/srv/repo ./' >/etc/apt/sources.list.d/local.list
apt-get -qq update`)
}

// An outcome is one state's result as --out json gives it.
type outcome struct {
	Result  *bool           `json:"result"`
	Changes json.RawMessage `json:"changes"`
	Comment string          `json:"comment"`
	ID      string          `json:"__id__"`
	Num     int             `json:"__run_num__"`
}

func (o outcome) pending() bool { return o.Result == nil }
func (o outcome) failed() bool  { return o.Result != nil && !*o.Result }
func (o outcome) changed() bool {
	c := strings.TrimSpace(string(o.Changes))
	return c != "{}" && c != "" && c != "null"
}

// outcomes are the results of a run by their tag.
type outcomes map[string]outcome

// apply runs gostate on a tree with --out json.
func (m *machine) apply(tree string, args ...string) (outcomes, string, int) {
	m.t.Helper()
	words := append(slices.Clone(m.within), "/mnt/gostate/gostate", "--file-root", "/mnt/gostate/"+tree, "--no-color",
		"--out", "json")
	out, errs, code := m.exec(append(words, args...)...)
	var doc struct{ Local outcomes }
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		m.t.Fatalf("%s: exit code %d, no results: %v\n%s%s", strings.Join(args, " "), code, err, out, errs)
	}
	return doc.Local, errs, code
}

// changed are the tags of the states that changed something, sorted.
func (o outcomes) changed() []string {
	return o.tags(func(r outcome) bool { return !r.failed() && r.changed() })
}

// pending are the tags of the states that would change, sorted.
func (o outcomes) pending() []string { return o.tags(outcome.pending) }

// failed are the tags of the states that failed, sorted.
func (o outcomes) failed() []string { return o.tags(outcome.failed) }

func (o outcomes) tags(is func(outcome) bool) []string {
	var out []string
	for tag, r := range o {
		if is(r) {
			out = append(out, tag)
		}
	}
	sort.Strings(out)
	return out
}

// of is the result of the state with the ID and the function.
func (o outcomes) of(t *testing.T, id, fun string) outcome {
	t.Helper()
	for tag, r := range o {
		if r.ID == id && strings.HasPrefix(tag, strings.Split(fun, ".")[0]+"_|-") &&
			strings.HasSuffix(tag, "_|-"+strings.Split(fun, ".")[1]) {
			return r
		}
	}
	t.Fatalf("no result of %s %s among %v", fun, id, o.tags(func(outcome) bool { return true }))
	return outcome{}
}

// explain lists failures with their comments, for messages.
func (o outcomes) explain() string {
	var b strings.Builder
	for _, tag := range o.failed() {
		fmt.Fprintf(&b, "  %s: %s\n", tag, o[tag].Comment)
	}
	return b.String()
}

// snapshot describes every file of the host but what its own services write, a database server's among them, and the
// shared memory of databases.
func (m *machine) snapshot() string {
	m.t.Helper()
	return m.sh(`find / -xdev \( -path /proc -o -path /sys -o -path /run -o -path /dev -o -path /mnt/gostate -o -path /srv/repo -o -path /var/log -o -path /var/lib/systemd -o -path /var/lib/postgresql -o -path /tmp/systemd-private-\* -o -name \*.sqlite-shm \) -prune -o \
-printf '%p %y %m %U %G %s %T@ %l\n' | sort`)
}

// difference are the lines that two snapshots do not share.
func difference(a, b string) []string {
	in := func(text string) map[string]bool {
		m := map[string]bool{}
		for line := range strings.Lines(text) {
			m[strings.TrimSpace(line)] = true
		}
		return m
	}
	before, after := in(a), in(b)
	var out []string
	for l := range before {
		if !after[l] {
			out = append(out, "- "+l)
		}
	}
	for l := range after {
		if !before[l] {
			out = append(out, "+ "+l)
		}
	}
	slices.Sort(out)
	return out
}

// command is a command on the machine that runs the tests.
func command(name string, args ...string) *exec.Cmd { return exec.Command(name, args...) }
