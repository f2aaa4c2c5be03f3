package supervisord

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// kept is where the fake keeps its programs, a line each: name and state; new ones are in known, those of which the
// configuration changed in newer.
const kept, known, newer = "/run/programs", "/etc/known", "/etc/newer"

func lines(m *hosttest.Memory, file string) (out []string) {
	raw, _ := m.ReadFile(file)
	for l := range strings.Lines(string(raw)) {
		out = append(out, strings.TrimSpace(l))
	}
	return out
}

// tools are a supervisorctl.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	all := lines(m, kept)
	find := func(name string) (at []int) {
		for i, l := range all {
			if n, _, _ := strings.Cut(l, " "); n == name || strings.HasSuffix(name, ":") && strings.HasPrefix(n, name) {
				at = append(at, i)
			}
		}
		return at
	}
	say := func(code int, text string) (*host.Output, error) {
		m.MustWrite(kept, strings.Join(all, "\n"), 0o644)
		return &host.Output{Code: code, Stdout: []byte(text + "\n")}, nil
	}
	words := append(c.Args[1:], "")
	if _, err := m.Stat(kept); err != nil {
		return &host.Output{Code: 4, Stdout: []byte("unix:///var/run/supervisor.sock no such file\n")}, nil
	}
	set := func(state, said string) (*host.Output, error) {
		at := find(words[1])
		if len(at) == 0 {
			return say(1, words[1]+": ERROR (no such process)")
		}
		for _, i := range at {
			name, _, _ := strings.Cut(all[i], " ")
			if strings.Contains(name, "broken") && state == "RUNNING" {
				return say(7, name+": ERROR (spawn error)")
			}
			all[i] = name + " " + state
		}
		return say(0, words[1]+": "+said)
	}
	switch words[0] {
	case "status":
		if strings.Contains(strings.Join(all, ","), "STOPPED") {
			return &host.Output{Code: 3, Stdout: []byte(strings.Join(all, "   pid 1\n") + "   Not started\n")}, nil
		}
		return &host.Output{Stdout: []byte(strings.Join(all, "   pid 7, uptime 0:01:02\n") + "\n")}, nil
	case "update":
		said := ""
		for _, n := range lines(m, newer) {
			for _, i := range find(n) {
				all[i] = n + " RUNNING"
			}
			said += n + ": stopped\n" + n + ": updated process group\n"
		}
		m.MustWrite(newer, "", 0o644)
		for _, n := range lines(m, known) {
			if len(find(n)) == 0 {
				all = append(all, n+" RUNNING")
			}
		}
		return say(0, said)
	case "add":
		if !slices.Contains(lines(m, known), words[1]) {
			return say(1, "ERROR: no such process/group: "+words[1])
		}
		all = append(all, words[1]+" RUNNING")
		return say(0, words[1]+": added process group")
	case "start":
		return set("RUNNING", "started")
	case "restart":
		return set("RUNNING", "started")
	case "stop":
		return set("STOPPED", "stopped")
	}
	return say(0, "")
}

func with(programs string) func(m *hosttest.Memory) {
	return func(m *hosttest.Memory) {
		m.MustWrite("/usr/bin/supervisorctl", "", 0o755)
		m.MustWrite(known, "new\nweb", 0o644)
		m.MustWrite(newer, "web", 0o644)
		m.MustWrite(kept, programs, 0o644)
	}
}

func TestConformance(t *testing.T) {
	state := modtest.State
	modtest.Suite{Family: Family(), Beyond: []string{kept, newer},
		Situations: modtest.Situations{
			"not installed": modtest.Memory(tools, nil),
			"down": modtest.Memory(tools, func(m *hosttest.Memory) {
				m.MustWrite("/usr/bin/supervisorctl", "",
					0o755)
			}),
			"running": modtest.Memory(tools, with("web RUNNING\ng:a RUNNING\ng:b RUNNING")),
			"stopped": modtest.Memory(tools, with("web STOPPED\ng:a RUNNING\ng:b STOPPED\nbroken STOPPED")),
		},
		Deeds: []modtest.Deed{
			state("supervisord.running", "web"), state("supervisord.running", "g:*"), state("supervisord.running", "new"),
			state("supervisord.running", "web", "restart", true), state("supervisord.running", "web").Watched(),
			state("supervisord.running", "web", "update", true).In("not installed", "down", "stopped"),
			state("supervisord.running", "new", "update", true),
			state("supervisord.running", "broken").Untold("the program does not start"),
			state("supervisord.running", "nonsense").Untold("the configuration does not know it"),
			state("supervisord.running", "web", "bin_env", "/nowhere/supervisorctl"),
			state("supervisord.dead", "web"), state("supervisord.dead", "g:"), state("supervisord.dead", "none"),
		},
	}.Run(t)
}

// TestWords: comments and changes.
func TestWords(t *testing.T) {
	suite := modtest.Suite{Family: Family()}
	for _, tt := range []struct {
		programs string
		deed     modtest.Deed
		want     string
	}{
		{"web RUNNING", modtest.State("supervisord.running", "web"), "Not starting already running service: web {}"},
		{"web STOPPED", modtest.State("supervisord.running", "web"),
			"Starting service: web {'web': 'Starting service: web'}"},
		{"", modtest.State("supervisord.running", "new"), "Starting: new {'new': 'Adding service: new Starting: new'}"},
		{"web RUNNING", modtest.State("supervisord.running", "web").Watched(),
			"Restarting service: web {'web': 'Restarting service: web'}"},
		{"web RUNNING", modtest.State("supervisord.running", "web", "update", true),
			"Not starting updated service: web {'web': 'Updating supervisor Not starting updated service: web'}"},
		{"g:a RUNNING\ng:b STOPPED", modtest.State("supervisord.running", "g:*"),
			"Starting group: g: {'g:': 'Starting group: g:'}"},
		{"g:a RUNNING\ng:b STOPPED", modtest.State("supervisord.dead", "g:"),
			"Stopping service: g: {'g:': 'Stopping service: g:'}"},
		{"web STOPPED", modtest.State("supervisord.dead", "web"), "Service web is not running {}"},
	} {
		h := modtest.Memory(tools, with(tt.programs))(t)
		e, err := suite.One(t, h, tt.deed)
		if got := e.Comment + " " + value.Repr(e.Changes); err != nil || got != tt.want {
			t.Errorf("%v: %s %v, want %s", tt.deed, got, err, tt.want)
		}
	}
}

// TestAfterAStart: a supervisord that the run starts is not known to be down.
func TestAfterAStart(t *testing.T) {
	m := modtest.Memory(tools, func(m *hosttest.Memory) { m.MustWrite("/usr/bin/supervisorctl", "", 0o755) })(t)
	over := host.NewOverlay(m)
	over.Promise(host.Fact{Kind: host.FactService, Name: "supervisor", Value: "active"})
	_, err := modtest.Suite{Family: Family()}.One(t, over, modtest.State("supervisord.running", "web"))
	if !host.IsUnknown(err) {
		t.Error(err)
	}
}

func TestExecs(t *testing.T) {
	h := modtest.Memory(tools, func(m *hosttest.Memory) {
		with("web RUNNING\njob STOPPED")(m)
		m.MustWrite("/etc/supervisord.conf", "[program:web]\ncommand = /bin/web ; it\nautostart=true\npriority=5\n", 0o644)
	})(t)
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{
		{"supervisord.status", `[]`, "", "{'web': {'state': 'RUNNING', 'reason': 'pid 1'}, 'job': {'state': 'STOPPED', " +
			"'reason': 'Not started'}}"},
		{"supervisord.start", `["job"]`, "", "'job: started'"},
		{"supervisord.stop", `["none"]`, "", "'none: ERROR (no such process)'"},
		{"supervisord.status_bool", `["job", "RUNNING"]`, "", "True"},
		{"supervisord.options", `["web"]`, "", "{'command': '/bin/web', 'autostart': True, 'priority': 5}"},
		{"supervisord.options", `["none"]`, "", "error: Process 'none' not found"},
	})
}
