// Package rabbitmq keeps users, virtual hosts, policies, plugins, upstreams and the cluster of a RabbitMQ server,
// through rabbitmqctl.
//
// What there is, rabbitmqctl tells in JSON. Passwords go to its standard input, never among its arguments.
package rabbitmq

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "rabbitmq", States: []modules.StateSpec{userSpec(), userAbsentSpec(), vhostSpec(true),
		vhostSpec(false), policySpec(), policyAbsentSpec(), pluginSpec(true), pluginSpec(false), upstreamSpec(),
		upstreamAbsentSpec(), joinedSpec()}, Execs: execSpecs()}
}

// A broker is asked as someone; "" is who runs gostate.
type broker struct {
	h     host.Reader
	runAs string
}

func (b *broker) command(stdin string, words ...string) host.Cmd {
	c := host.Cmd{Args: words, RunAs: b.runAs, Env: []string{"LC_ALL=C.UTF-8", "LANG=C.UTF-8"}}
	if stdin != "" {
		c.Stdin = []byte(stdin + "\n")
	}
	return c
}

// list asks rabbitmqctl for a list.
func (b *broker) list(ctx context.Context, words ...string) ([]*value.Dict, error) {
	v, err := b.ask(ctx, append(words, "-q", "--formatter", "json")...)
	if err != nil {
		return nil, err
	}
	l, ok := v.(*value.List)
	if !ok {
		return nil, fmt.Errorf("rabbitmqctl %s: it gave no list", words[0])
	}
	var out []*value.Dict
	for _, it := range l.Items {
		if d, ok := it.(*value.Dict); ok {
			out = append(out, d)
		}
	}
	return out, nil
}

// ask asks rabbitmqctl for JSON.
func (b *broker) ask(ctx context.Context, words ...string) (value.Value, error) {
	if _, err := b.h.LookPath("rabbitmqctl"); err != nil {
		return nil, modules.Unreached(b.h, err, "rabbitmq-server")
	}
	out, err := b.h.Query(ctx, b.command("", append([]string{"rabbitmqctl"}, words...)...))
	if err == nil && out.Code != 0 {
		err = modules.Unreached(b.h, complaint(out), "rabbitmq-server")
	}
	if err != nil {
		return nil, err
	}
	text := string(out.Stdout)
	if i := strings.IndexAny(text, "[{"); i > 0 {
		text = text[i:]
	}
	return value.ParseJSON(text)
}

// complaint is what went wrong, in a line.
func complaint(out *host.Output) error {
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return errors.New("RabbitMQ command failed: " + line) //nolint:staticcheck // Salt's words
		}
	}
	return fmt.Errorf("RabbitMQ command failed: it ended with exit code %d", out.Code) //nolint:staticcheck // as above
}

// run runs a command and gives what it says.
// Salt differs: passwords are arguments there.
func (b *broker) run(ctx context.Context, h host.Host, stdin string, words ...string) (string, error) {
	out, err := h.Run(ctx, b.command(stdin, words...))
	if err == nil && out.Code != 0 {
		err = complaint(out)
	}
	if err != nil {
		return "", err
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

func (b *broker) ctl(ctx context.Context, h host.Host, words ...string) (string, error) {
	return b.run(ctx, h, "", append([]string{"rabbitmqctl"}, words...)...)
}

// deed does something that a preview takes for a fact.
func deed(ctx context.Context, h host.Host, thing, then string, do func(ctx context.Context) error) error {
	return h.Do(ctx, host.Deed{What: "change the " + thing + " of RabbitMQ", On: host.FactBroker, Do: do,
		Foretell: func(o host.Host) error {
			o.Promise(host.Fact{Kind: host.FactBroker, Name: thing, Value: then})
			return nil
		}})
}

// there says whether a thing is, or will be, there.
func there(h host.Reader, thing string, now bool) bool {
	if f, ok := h.Fact(host.FactBroker, thing); ok {
		return f.Value == "present"
	}
	return now
}

// unclear is the error of what an earlier state of a preview changes.
func unclear(h host.Reader, thing string) error {
	if f, ok := h.Fact(host.FactBroker, thing); ok && f.Value == "present" {
		return &host.Unknown{What: "the " + thing, By: "what comes before"}
	}
	return nil
}

// oldNew are the changes of what comes or goes.
func oldNew(old, now value.Value) *value.Dict { return value.DictOf("old", old, "new", now) }

// done drops the changes of what failed.
func done(e *state.Effect, err error) (state.Effect, error) {
	if err != nil {
		e.Changes = nil
	}
	return *e, err
}

func text(d *value.Dict, key string) string {
	v, ok := d.GetStr(key)
	if !ok || v == value.Value(value.None) {
		return ""
	}
	return value.String(v)
}

func find(all []*value.Dict, key, name string) *value.Dict {
	for _, d := range all {
		if text(d, key) == name {
			return d
		}
	}
	return nil
}

// dashed finds names that rabbitmqctl would take for options.
func dashed(arg, name string) []modules.Fault {
	if strings.HasPrefix(name, "-") {
		return []modules.Fault{{Arg: arg, Msg: fmt.Sprintf("%q begins with a dash, so that rabbitmqctl takes it for an option",
			name)}}
	}
	return nil
}
