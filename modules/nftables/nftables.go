// Package nftables keeps tables, chains, rules and policies of nftables.
//
// Whether a chain has a rule is asked of nft itself: it translates the rule that is wanted in a trial that changes
// nothing (nft --check), and shows those that are there in the same translation; the text of a rule has many spellings.
// In a preview the trial begins with what earlier states of the run would have done, so that the kernel judges it all.
package nftables

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
	return modules.Family{Name: "nftables", States: []modules.StateSpec{appendSpec(), insertSpec(), deleteSpec(),
		flushSpec(), policySpec(), chainPresentSpec(), chainAbsentSpec(), tablePresentSpec(), tableAbsentSpec()},
		Execs: execs()}
}

// Net is a family of tables, embedded by the states.
type Net struct {
	Family string `arg:"family,word" default:"ipv4" choices:"ipv4|ip4|ip|ipv6|ip6|inet|arp|bridge|netdev" doc:"The family of the table."`
}

// NeedsRoot is true: only root may see the rules.
func (Net) NeedsRoot(*modules.Env) bool { return true }

// nft is the family in nft's words.
func (n Net) nft() string { return spoken(n.Family) }

func spoken(family string) string {
	switch family {
	case "ipv4", "ip4":
		return "ip"
	case "ipv6":
		return "ip6"
	}
	return family
}

// program is where the tool is; coming says that a package of this run would bring it: then there are no rules yet.
func program(h host.Reader) (path string, coming bool, err error) {
	path, err = h.LookPath("nft")
	if err == nil {
		return path, false, nil
	}
	const usual = "/usr/sbin/nft"
	if f, ok := h.Fact(host.FactPackage, "nftables"); ok && f.Value != "absent" {
		if _, err := h.Stat(usual); errors.Is(err, fs.ErrNotExist) {
			return usual, true, nil
		}
	}
	return "", false, host.Missing("%w", err)
}

// ask runs nft to look. Where it is only coming, it says nothing.
func ask(ctx context.Context, h host.Reader, stdin string, args ...string) (*host.Output, error) {
	path, coming, err := program(h)
	if err != nil || coming {
		return &host.Output{}, err
	}
	out, err := h.Query(ctx, host.Cmd{Args: append([]string{path}, args...), Stdin: []byte(stdin),
		Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("run nft: %w", err)
	}
	return out, nil
}

// told are the commands of earlier states of a preview.
func told(h host.Reader) []string {
	f, ok := h.Fact(host.FactFirewall, "nft")
	if !ok || f.Value == "" {
		return nil
	}
	return strings.Split(f.Value, "\n")
}

// tell promises all commands of a preview.
func tell(o host.Host, lines []string) {
	o.Promise(host.Fact{Kind: host.FactFirewall, Name: "nft", Value: strings.Join(lines, "\n")})
}

// try gives nft commands to judge, after those of earlier states. What it prints is the translation.
func try(ctx context.Context, h host.Reader, line string) (string, error) {
	lines := append(told(h), line)
	out, err := ask(ctx, h, strings.Join(lines, "\n")+"\n", "--check", "--debug=netlink", "-f", "-")
	if err != nil {
		return "", err
	}
	return string(out.Stdout), refusal(out)
}

// A complaint is what nft says of a command that it does not take.
type complaint string

func (c complaint) Error() string { return string(c) }

// refused are nft's words where the error is its complaint, which a failure of the state ends in.
func refused(err error) (text string, ok bool) {
	var c complaint
	ok = errors.As(err, &c)
	return string(c), ok
}

// refusal is nft's complaint without the place: its first line alone says what is wrong.
func refusal(out *host.Output) error {
	text := strings.TrimSpace(string(out.Stderr))
	if out.Code == 0 && text == "" {
		return nil
	}
	text, _, _ = strings.Cut(text, "\n")
	if _, after, ok := strings.Cut(text, "Error: "); ok {
		text = after
	}
	if text == "" {
		text = fmt.Sprintf("it ended with exit code %d", out.Code)
	}
	return complaint("nft: " + text)
}

// do gives nft a command, or leaves it to the states that follow in a preview.
func do(ctx context.Context, h host.Host, line string) error { return doAll(ctx, h, []string{line}) }

// doAll gives nft commands of which it does all or none.
func doAll(ctx context.Context, h host.Host, lines []string) error {
	text := strings.Join(lines, "\n")
	return deed(ctx, h, text, func(o host.Host) error {
		if _, err := try(ctx, o, text); err != nil {
			return err
		}
		all := append(told(o), lines...)
		if _, err := now(ctx, o, all); err != nil { // what nft cannot judge because it is only coming
			return err
		}
		tell(o, all)
		return nil
	})
}

func deed(ctx context.Context, h host.Host, line string, foretell func(o host.Host) error) error {
	path, _, err := program(h)
	if err != nil {
		return err
	}
	return h.Do(ctx, host.Deed{What: "nft " + strings.ReplaceAll(line, "\n", "; "), On: host.FactFirewall,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, host.Cmd{Args: []string{path, "--", line}, Env: []string{"LC_ALL=C.UTF-8"}})
			if err != nil {
				return fmt.Errorf("run nft: %w", err)
			}
			return refusal(out)
		}, Foretell: foretell})
}

// changed is the effect of a change, in Salt's shape: a preview shows no changes.
func changed(name, comment, preview string) state.Effect {
	return state.Effect{Changes: value.DictOf("locale", value.Str(name)), Foretold: value.NewDict(0), Comment: comment,
		Preview: preview}
}
