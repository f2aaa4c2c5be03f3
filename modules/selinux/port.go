package selinux

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Port is what the states of ports take.
type Port struct {
	root
	Name     string `arg:"name,required" doc:"The protocol and the port or range, as tcp/8080 or udp/20-21; else a name."`
	Protocol string `arg:"protocol,word" doc:"The protocol, where the name does not say it: tcp or udp."`
	Number   string `arg:"port,word" doc:"The port or range, where the name does not say it."`
}

// PortPresent keeps the type of a port.
type PortPresent struct {
	Port
	Type  string `arg:"sel_type,required,word" doc:"The type."`
	Range string `arg:"sel_range,word" doc:"The MLS range."`
}

// PortAbsent keeps the policy without a port.
type PortAbsent struct {
	Port
	Type string `arg:"sel_type,word" doc:"The type that it has now, without one any."`
}

func portPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.port_policy_present", Doc: "Keeps a port labelled with a type.",
		Example: "tcp/8888:\n  selinux.port_policy_present:\n    - sel_type: http_port_t",
		New:     func() modules.StateFunc { return &PortPresent{} },
	}
}

func portAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.port_policy_absent", Doc: "Keeps the policy without a port. Only what was added to it can go.",
		Example: "tcp/8888:\n  selinux.port_policy_absent: []", New: func() modules.StateFunc { return &PortAbsent{} },
	}
}

// split is the protocol and the port.
func (p *Port) split() (protocol, port string, ok bool) {
	re := regexp.MustCompile(`^(tcp|udp)/(\d+(-\d+)?)$`)
	m := re.FindStringSubmatch(p.Name)
	if m == nil {
		m = re.FindStringSubmatch(p.Protocol + "/" + p.Number)
	}
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// Validate refuses what is no port.
func (p *Port) Validate() []modules.Fault {
	if _, _, ok := p.split(); ok {
		return nil
	}
	return []modules.Fault{{Arg: "name", Msg: fmt.Sprintf("Invalid name \"%s\" format and protocol and port not "+
		"provided or "+
		"invalid: \"%s\" \"%s\".", p.Name, text(p.Protocol), text(p.Number)), Hint: "tcp/8080 or udp/20-21"}}
}

// find is the policy of the port, nil where it has none of that type.
func (p *Port) find(ctx context.Context, h host.Reader, selType string) (*value.Dict, error) {
	protocol, port, _ := p.split()
	if f, ok := h.Fact(host.FactSELinux, "port "+protocol+"/"+port); ok {
		if f.Value == "absent" || selType != "" && f.Value != selType {
			return nil, nil
		}
		return value.DictOf("sel_type", value.Str(f.Value), "protocol", value.Str(protocol), "port", value.Str(port)), nil
	}
	lines, err := list(ctx, h, "semanage", "port", "-l")
	for _, l := range lines { // type protocol port, port-port, port
		f := strings.Fields(strings.ReplaceAll(l, ",", " "))
		if len(f) > 2 && (selType == "" || f[0] == selType) && f[1] == protocol && slices.Contains(f[2:], port) {
			return value.DictOf("sel_type", value.Str(f[0]), "protocol", value.Str(f[1]), "port",
				value.Str(strings.Join(f[2:], ", "))), nil
		}
	}
	return nil, err
}

// said is the sentence for a port that is as it should be.
func (p *Port) said(word, selType string) string {
	return fmt.Sprintf("SELinux policy for \"%s\" already %s with specified sel_type \"%s\", protocol \"%s\" and port "+
		"\"%s\".",
		p.Name, word, text(selType), text(p.Protocol), text(p.Number))
}

// put changes the policy of the port, and tells what it was and is.
func (p *Port) put(ctx context.Context, h host.Host, was *value.Dict, args []string,
	leaves, selType string) (state.Effect,
	error) {
	protocol, port, _ := p.split()
	err := change(ctx, h, append(append([]string{"semanage", "port"}, args...), port),
		fact("port "+protocol+"/"+port, leaves,
			nil))
	if err != nil {
		return state.Effect{}, err
	}
	now, err := p.find(ctx, h, selType)
	return state.Effect{Changes: value.DictOf("old", orNone(was), "new", orNone(now)), Foretold: none()}, err
}

func orNone(d *value.Dict) value.Value {
	if d == nil {
		return value.None
	}
	return d
}

// Act labels the port.
func (p *PortPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	was, err := p.find(ctx, h, p.Type)
	if err != nil || was != nil {
		return settledOr(err, "%s", p.said("present", p.Type))
	}
	protocol, _, _ := p.split()
	args := []string{"--add", "--proto", protocol, "--type", p.Type}
	if p.Range != "" {
		args = append(args, "--range", p.Range)
	}
	e, err := p.put(ctx, h, nil, args, p.Type, p.Type)
	if err != nil {
		return e, fmt.Errorf("Error adding new policy: %w", err) //nolint:staticcheck // Salt's words
	}
	return e, nil
}

// Act takes the label of the port away.
func (p *PortAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	was, err := p.find(ctx, h, p.Type)
	if err != nil || was == nil {
		return settledOr(err, "%s", p.said("absent", p.Type))
	}
	protocol, _, _ := p.split()
	e, err := p.put(ctx, h, was, []string{"--delete", "--proto", protocol}, "absent", p.Type)
	if err != nil {
		return e, fmt.Errorf("Error deleting policy: %w", err) //nolint:staticcheck // Salt's words
	}
	return e, nil
}
