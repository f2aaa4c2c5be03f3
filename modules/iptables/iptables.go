// Package iptables keeps rules, chains and policies of the kernel's packet filter, for IPv4 and IPv6.
//
// What there is, is asked of iptables itself: it alone knows which of its rules are the same. In a preview the rules
// are those of the machine and what earlier states of the run would have done to them.
package iptables

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "iptables", States: []modules.StateSpec{appendSpec(), insertSpec(), deleteSpec(),
		policySpec(), flushSpec(), presentSpec(), absentSpec()}, Execs: execs()}
}

// Net is the kind of addresses, embedded by the states.
type Net struct {
	Table  string `arg:"table,word" default:"filter" doc:"The table."`
	Family string `arg:"family,word" default:"ipv4" choices:"ipv4|ipv6" doc:"The kind of addresses, ipv4 or ipv6."`
}

// NeedsRoot is true: only root may see the rules.
func (Net) NeedsRoot(*modules.Env) bool { return true }

// program is the tool for a kind of addresses. As in Salt, what is not ipv6 is ipv4.
func program(family string) string {
	if family == "ipv6" {
		return "ip6tables"
	}
	return "iptables"
}

// coming says whether a package of this run would bring the tool: then there are no rules yet.
func coming(h host.Reader, family string) bool {
	f, ok := h.Fact(host.FactPackage, "iptables")
	if !ok || f.Value == "absent" {
		return false
	}
	_, err := h.Stat("/usr/sbin/" + program(family))
	return errors.Is(err, fs.ErrNotExist)
}

// full is the path of the tool.
func full(h host.Reader, family string) (string, error) {
	if coming(h, family) {
		return "/usr/sbin/" + program(family), nil
	}
	path, err := h.LookPath(program(family))
	if err != nil {
		return "", host.Missing("%w", err)
	}
	return path, nil
}

// ask runs a program that only looks.
func ask(ctx context.Context, h host.Reader, args ...string) (*host.Output, error) {
	out, err := h.Query(ctx, host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", args[0], err)
	}
	return out, nil
}

// save is what iptables-save says, with the tables that there are.
func save(ctx context.Context, h host.Reader, family string) (string, error) {
	path, err := full(h, family)
	if err != nil {
		return "", err
	}
	if coming(h, family) {
		return "", nil
	}
	out, err := ask(ctx, h, path+"-save")
	if err != nil {
		return "", err
	}
	return strings.TrimRight(string(out.Stdout), " \t\n"), modules.Complaint(program(family)+"-save", out)
}

// A deed is one change: -A, -I, -D, -P, -N, -X or -F of a chain, with what follows the chain.
type deed struct {
	family, table string
	verb          byte
	chain         string
	rest          string // a rule as the user wrote it, a position and a rule, a position, a policy
}

// do runs iptables, or leaves the deed to the states that follow in a preview.
func (d deed) do(ctx context.Context, h host.Host) error {
	path, err := full(h, d.family)
	if err != nil {
		return err
	}
	words, err := modules.Words(d.rest)
	if err != nil {
		return fmt.Errorf("%s: %w", d.rest, err)
	}
	args := []string{path, "--wait", "-t", d.table, "-" + string(d.verb)}
	if d.chain != "" {
		args = append(args, d.chain)
	}
	what := strings.TrimSpace(fmt.Sprintf("%s -t %s -%c %s %s", program(d.family), d.table, d.verb, d.chain, d.rest))
	return h.Do(ctx, host.Deed{What: what, On: host.FactFirewall, Do: func(ctx context.Context) error {
		out, err := h.Run(ctx, host.Cmd{Args: append(args, words...), Env: []string{"LC_ALL=C.UTF-8"}})
		if err != nil {
			return fmt.Errorf("run %s: %w", path, err)
		}
		// As in Salt, words of complaint are a failure, whatever the exit code.
		if text := strings.TrimSpace(string(out.Stderr)); text != "" {
			return errors.New(text)
		}
		return modules.Complaint(program(d.family), out)
	}, Foretell: func(o host.Host) error { return foretell(ctx, o, d) }})
}

// none are the changes of a preview: as in Salt it shows none.
func none() state.Changes { return value.NewDict(0) }
