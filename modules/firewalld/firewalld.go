// Package firewalld keeps zones and services of firewalld, as firewall-cmd sees and changes them: in the permanent
// configuration, which a reload makes the one that runs.
//
// In a preview the lists are those of firewalld and what earlier states of the run would have made of them.
package firewalld

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "firewalld", States: []modules.StateSpec{presentSpec(), serviceSpec()}, Execs: execs()}
}

const program = "firewall-cmd"

// root is embedded by the states.
type root struct{}

// NeedsRoot is true: firewalld listens to root alone.
func (root) NeedsRoot(*modules.Env) bool { return true }

// installed is an error where there is no firewall-cmd.
func installed(h host.Reader) error {
	if _, err := h.LookPath(program); host.IsUnknown(err) {
		return err
	} else if err != nil {
		return host.Missing("firewalld is not installed: pkg.installed firewalld before it: %w", err)
	}
	return nil
}

func command(words ...string) host.Cmd {
	return host.Cmd{Args: append([]string{program}, words...), Env: []string{"LC_ALL=C.UTF-8"}}
}

// ask asks firewalld. Where a state before it starts firewalld, nobody can tell yet.
func ask(ctx context.Context, h host.Reader, words ...string) (string, error) {
	if err := installed(h); err != nil {
		return "", err
	}
	out, err := h.Query(ctx, command(words...))
	if err != nil {
		return "", fmt.Errorf("run %s: %w", program, err)
	}
	if f, ok := h.Fact(host.FactService, "firewalld.service"); ok && out.Code != 0 && f.Value == "active" {
		return "", &host.Unknown{What: "the configuration of firewalld", By: "service.running firewalld"}
	}
	return strings.TrimRight(string(out.Stdout), "\n"), complaint(out)
}

// complaint is Salt's sentence for what firewall-cmd refused.
func complaint(out *host.Output) error {
	if out.Code == 0 {
		return nil
	}
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	return fmt.Errorf("firewall-cmd failed: %s", text)
}

// change runs firewall-cmd, or promises the lists that it leaves.
func change(ctx context.Context, h host.Host, words []string, leaves ...host.Fact) error {
	return h.Do(ctx, host.Deed{What: program + " " + strings.Join(words, " "), On: host.FactFirewall,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, command(words...))
			if err != nil {
				return fmt.Errorf("run %s: %w", program, err)
			}
			return complaint(out)
		},
		Foretell: func(o host.Host) error {
			o.Promise(leaves...)
			return nil
		}})
}

// leaving is a list as a change leaves it.
func leaving(list string, items ...string) host.Fact {
	return host.Fact{Kind: host.FactFirewall, Name: list, Value: strings.Join(items, "\n")}
}

func reload(ctx context.Context, h host.Host) error {
	return change(ctx, h, []string{"--reload"})
}

// promised is a list as earlier states of a preview leave it.
func promised(h host.Reader, list string) ([]string, bool) {
	f, ok := h.Fact(host.FactFirewall, list)
	if f.Value == "" {
		return nil, ok
	}
	return strings.Split(f.Value, "\n"), ok
}

// words are the words of an answer, with those that a preview promised.
func words(ctx context.Context, h host.Reader, list string, args ...string) ([]string, error) {
	if items, ok := promised(h, list); ok {
		return items, nil
	}
	text, err := ask(ctx, h, args...)
	return strings.Fields(text), err
}

// zones are the zones of the permanent configuration.
func zones(ctx context.Context, h host.Reader) ([]string, error) {
	return words(ctx, h, "firewalld zones", "--get-zones", "--permanent")
}

// services are the services that zones can let in.
func services(ctx context.Context, h host.Reader) ([]string, error) {
	return words(ctx, h, "firewalld services", "--get-services", "--permanent")
}

// lacking are the items that a list does not have, each once.
func lacking(items, list []string) []string {
	var out []string
	for _, i := range items {
		if !slices.Contains(list, i) && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}
