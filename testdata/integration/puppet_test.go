//go:build integration && puppet

package integration

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// pupUnit is a service that tells the journal of each start.
const pupUnit = `cat >/etc/systemd/system/pup.service <<'EOF'
[Service]
ExecStart=/bin/sh -c 'echo started; exec sleep infinity'
EOF
systemctl daemon-reload; systemctl start pup; mkdir -p /srv/pup`

// TestBesidePuppet applies each folder of puppet/ with `puppet apply` (Debian's package) on one host and with gostate
// on another, twice, and compares what became of every resource, and the files that are left. A state's ID is Puppet's
// reference with () for []. CPU seconds of both are logged.
func TestBesidePuppet(t *testing.T) {
	scenarios, err := os.ReadDir("puppet")
	if err != nil {
		t.Fatal(err)
	}
	theirs, ours := boot(t, "puppet", "puppet"), boot(t, "beside", "puppet")
	theirs.sh("apt-get -qq update && apt-get -qq install -y puppet-agent puppet-module-puppetlabs-cron-core cron " +
		">/dev/null")
	ours.sh("apt-get -qq update && apt-get -qq install -y cron >/dev/null")
	for _, s := range scenarios {
		t.Run(s.Name(), func(t *testing.T) {
			for _, m := range []*machine{theirs, ours} {
				m.t = t
				m.sh("rm -rf /srv/pup /var/lib/gostate /var/cache/puppet/state; userdel pupuser; groupdel pupgroup; crontab -r; " +
					pupUnit)
			}
			args, _ := os.ReadFile(filepath.Join("puppet", s.Name(), "args"))
			for _, step := range []string{"first", "again"} {
				before := [2]string{restarts(theirs), restarts(ours)}
				want, cpu := puppetRun(theirs, s.Name(), string(args))
				got, ownCPU := gostateRun(ours, s.Name(), string(args))
				t.Logf("%s: CPU %s s (puppet), %s s (gostate)", step, cpu, ownCPU)
				for _, ref := range slices.Sorted(maps.Keys(got)) {
					if want[ref] != got[ref] && !(want[ref] == "" && got[ref] == "unchanged") {
						t.Errorf("%s: %s is %s, for Puppet %s", step, ref, got[ref], want[ref])
					}
				}
				if w, g := filesOf(theirs), filesOf(ours); w != g {
					t.Errorf("%s: files\n%s\nPuppet's\n%s", step, g, w)
				}
				if w, g := since(restarts(theirs), before[0]), since(restarts(ours), before[1]); w != g {
					t.Errorf("%s: the service was started %d times, by Puppet %d", step, g, w)
				}
			}
		})
	}
}

// restarts are the starts of the service that the journal knows.
func restarts(m *machine) string {
	return m.sh("journalctl --sync; journalctl -u pup --no-pager -o cat | grep -c ^started || true")
}

func since(now, before string) int {
	var n [2]int
	for i, s := range []string{now, before} {
		_ = json.Unmarshal([]byte(s), &n[i])
	}
	return n[0] - n[1]
}

func filesOf(m *machine) string {
	return m.sh(`find /srv/pup -printf '%P %y %m %u %g\n' | sort; cat /srv/pup/log 2>/dev/null || true`)
}

// timed runs a command and gives its CPU seconds; its exit code does not matter.
func timed(m *machine, command string) string {
	return m.sh("exec 3>&1; TIMEFORMAT='%U+%S'; { time { " + command + "; } >/tmp/out 2>/tmp/err; } 2>&3 || true")
}

// puppetRun gives the status of each resource in Puppet's report.
func puppetRun(m *machine, name, args string) (map[string]string, string) {
	cpu := timed(m, "puppet apply --lastrunreport /tmp/report.yaml "+strings.TrimSpace(args)+" /mnt/gostate/puppet/"+name+
		"/site.pp")
	var report struct {
		Statuses map[string]struct {
			Failed, Skipped, Changed bool
			FailedToRestart          bool `yaml:"failed_to_restart"`
			OutOfSync                bool `yaml:"out_of_sync"`
		} `yaml:"resource_statuses"`
	}
	if err := yaml.Unmarshal([]byte(m.sh("cat /tmp/report.yaml")), &report); err != nil {
		m.t.Fatal(err)
	}
	out := map[string]string{}
	for ref, s := range report.Statuses {
		status := "unchanged"
		switch {
		case s.Failed || s.FailedToRestart:
			status = "failed"
		case s.Skipped:
			status = "skipped"
		case s.Changed:
			status = "changed"
		case s.OutOfSync:
			status = "noop"
		}
		out[strings.NewReplacer("[", "(", "]", ")").Replace(ref)] = status
	}
	return out, cpu
}

// gostateRun gives the status of each state, in Puppet's words.
func gostateRun(m *machine, name, args string) (map[string]string, string) {
	dir := "/mnt/gostate/puppet/" + name
	m.sh("mkdir -p /tmp/conf; cp " + dir + "/minion /tmp/conf/minion 2>/dev/null || : >/tmp/conf/minion")
	cpu := timed(m, "/mnt/gostate/gostate -c /tmp/conf --file-root "+dir+" --out json "+strings.TrimSpace(args)+" sls t")
	var doc struct{ Local outcomes }
	if err := json.Unmarshal([]byte(m.sh("cat /tmp/out")), &doc); err != nil {
		m.t.Fatalf("%v\n%s", err, m.sh("cat /tmp/out /tmp/err"))
	}
	out := map[string]string{}
	for _, r := range doc.Local {
		status := "unchanged"
		switch {
		case r.failed() && (strings.Contains(r.Comment, "requisite") || strings.Contains(r.Comment, "stage")):
			status = "skipped"
		case r.failed():
			status = "failed"
		case r.pending():
			status = "noop"
		case r.changed():
			status = "changed"
		case strings.Contains(r.Comment, "schedule"):
			status = "skipped"
		}
		out[r.ID] = status
	}
	return out, cpu
}
