// Package supervisord keeps programs of supervisord running, or not, through supervisorctl.
//
// Which programs there are and what they do, supervisorctl tells. Whether an update of the configuration changes
// something, it tells only while it does it.
package supervisord

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "supervisord", States: []modules.StateSpec{runningSpec(), deadSpec()}, Execs: execSpecs()}
}

// Control are the arguments that say which supervisorctl is asked, and as whom.
type Control struct {
	User     string `arg:"user,word" doc:"Who runs supervisorctl."`
	ConfFile string `arg:"conf_file,path" doc:"The configuration of supervisorctl."`
	BinEnv   string `arg:"bin_env,path" doc:"The supervisorctl, or the virtual environment that has it."`
}

// command is supervisorctl with words.
func (c *Control) command(h host.Reader, words ...string) (host.Cmd, error) {
	bin := "supervisorctl"
	if c.BinEnv != "" {
		bin = c.BinEnv
		if i, err := h.Stat(bin); err == nil && i.IsDir() {
			bin += "/bin/supervisorctl"
		}
	}
	if _, err := h.LookPath(bin); err != nil {
		return host.Cmd{}, err
	}
	args := []string{bin}
	if c.ConfFile != "" {
		args = append(args, "-c", c.ConfFile)
	}
	return host.Cmd{Args: append(args, words...), RunAs: c.User, Env: []string{"LC_ALL=C.UTF-8"}}, nil
}

// A process is what supervisorctl says of one.
type process struct{ name, state, reason string }

// status are all processes, with what earlier states of a preview made of them.
func (c *Control) status(ctx context.Context, h host.Reader) ([]process, error) {
	cmd, err := c.command(h, "status")
	if err != nil {
		return nil, modules.Unreached(h, err, "supervisor", "supervisord")
	}
	out, err := h.Query(ctx, cmd)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 && out.Code != 3 { // 3: not all of them run
		return nil, modules.Unreached(h, modules.Complaint("supervisorctl", out), "supervisor", "supervisord")
	}
	all := parse(string(out.Stdout))
	for _, f := range h.Facts(host.FactProgram) {
		i := slices.IndexFunc(all, func(p process) bool { return p.name == f.Name })
		if i < 0 {
			i, all = len(all), append(all, process{name: f.Name})
		}
		all[i].state = f.Value
	}
	return all, nil
}

func parse(text string) (out []process) {
	for line := range strings.Lines(text) {
		words := append(strings.Fields(line), "", "")
		if words[0] != "" {
			rest, _ := strings.CutPrefix(strings.TrimSpace(line), words[0])
			reason, _ := strings.CutPrefix(strings.TrimSpace(rest), words[1])
			out = append(out, process{words[0], words[1], strings.TrimSpace(reason)})
		}
	}
	return out
}

// stopped says whether a process does not run, nor starts.
func (p process) stopped() bool { return p.state != "RUNNING" && p.state != "STARTING" }

// of are the processes of a name: one, or all of a group, whose name ends in a colon.
func of(all []process, name string) (out []process) {
	for _, p := range all {
		if p.name == name || strings.HasSuffix(name, ":") && strings.HasPrefix(p.name, name) {
			out = append(out, p)
		}
	}
	return out
}

// members are the processes of a name; which ones a group has that comes with this run, nobody knows.
func members(all []process, name string) ([]process, error) {
	have := of(all, name)
	group, _, in := strings.Cut(name, ":")
	if len(have) == 0 && in && len(of(all, group+":")) > 0 && of(all, group+":")[0].name == group+":" {
		return nil, &host.Unknown{What: "the programs of " + group, By: "supervisord.running " + group + ":"}
	}
	return have, nil
}

// plain is a name as Salt takes it: a group may end in :*.
func plain(name string) string {
	if strings.HasSuffix(name, ":*") {
		return name[:len(name)-1]
	}
	return name
}

// run runs supervisorctl and gives what it said; its complaint is an error, unless it is that all is as wanted.
func (c *Control) run(ctx context.Context, h host.Host, words ...string) (string, error) {
	cmd, err := c.command(h, words...)
	if err != nil {
		return "", err
	}
	out, err := h.Run(ctx, cmd)
	if err != nil {
		return "", err
	}
	text := strings.TrimSpace(string(out.Stdout))
	if out.Code != 0 && !strings.Contains(text, "ERROR") {
		text = strings.TrimSpace("ERROR: " + text + "\n" + string(out.Stderr))
	}
	if !strings.Contains(text, "ERROR") {
		return text, nil
	}
	for _, fine := range []string{"already started", "not running", "process group already active"} {
		if strings.Contains(text, fine) {
			return text, nil
		}
	}
	return text, errors.New(text)
}

// deed does something to programs and leaves in a preview the state that they have then.
func (c *Control) deed(ctx context.Context, h host.Host, what, name string, have []process, then string,
	do func(ctx context.Context) error) error {
	return h.Do(ctx, host.Deed{What: fmt.Sprintf("%s %s in supervisord", what, name), On: host.FactProgram, Do: do,
		Foretell: func(o host.Host) error {
			for _, p := range have {
				o.Promise(host.Fact{Kind: host.FactProgram, Name: p.name, Value: then})
			}
			if len(have) == 0 {
				o.Promise(host.Fact{Kind: host.FactProgram, Name: name, Value: then})
			}
			return nil
		}})
}
