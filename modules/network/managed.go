package network

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Managed keeps an interface.
type Managed struct {
	root
	Name     string      `arg:"name,required,word" doc:"The interface."`
	Enabled  bool        `arg:"enabled" default:"true" doc:"Brings the interface up, now and at boot; else it is brought down."`
	Type     string      `arg:"type,word" default:"eth" choices:"eth|bond|bridge|slave|vlan" doc:"The kind of interface."`
	Filename string      `arg:"filename,path" not:".." doc:"The file, a path or a name in /etc/network/interfaces.d; by default /etc/network/interfaces, or where the interface is."`
	Noifup   value.Value `arg:"noifupdown" doc:"Leaves the interface as it is now, whatever is given."`
	Rest     *value.Dict `arg:"**"`
}

// root is embedded by the states.
type root struct{}

// NeedsRoot is true: only root may change interfaces.
func (root) NeedsRoot(*modules.Env) bool { return true }

func managedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "network.managed",
		Doc: "Keeps an interface in /etc/network/interfaces, as ifupdown reads it (Debian), and up or down. All other " +
			"arguments are its settings: proto (dhcp, static, manual, ...), ipaddr, netmask, gateway, dns, mtu, hwaddr; " +
			"ipv6proto, ipv6ipaddr and their like; mode and slaves of a bond, ports of a bridge, master of a slave; up_cmds " +
			"and its like.",
		Example: "eth0:\n  network.managed:\n    - type: eth\n    - proto: static\n    - ipaddr: 192.0.2.10\n    - netmask: " +
			"255.255.255.0\n    - gateway: 192.0.2.1\n    - dns: [192.0.2.1]",
		New: func() modules.StateFunc { return &Managed{} },
	}
}

func (m *Managed) builder() *builder {
	args := m.Rest
	if args == nil {
		args = value.NewDict(0)
	}
	return &builder{name: m.Name, kind: m.Type, args: args}
}

// Validate refuses settings that cannot be.
func (m *Managed) Validate() []modules.Fault {
	_, err := m.builder().build(m.Enabled)
	if err == nil {
		return nil
	}
	arg := "name"
	var b bad
	if errors.As(err, &b) {
		arg = b.arg
	}
	return []modules.Fault{{Arg: arg, Msg: err.Error()}}
}

// debian fails where ifupdown's files are not read.
func debian(env *modules.Env) error {
	if family := env.Grains.Text("os_family"); family != "Debian" {
		return fmt.Errorf("network states write the files of Debian's ifupdown, which %s does not read: write its own files "+
			"with file.managed", family)
	}
	return nil
}

// Act writes the interface, then brings it up or down.
//
// Salt differs: it rewrites the whole file, without the comments and the lines that it does not know, and with what
// interfaces.d holds; it leaves out commands, dns-search, broadcast and numbers of bonds, bridges and ethtool; it
// installs packages, in test mode, too; and does not heed a failure of ifup.
func (m *Managed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if err := debian(env); err != nil {
		return state.Effect{}, err
	}
	e, err := m.write(h)
	if err == nil && m.Type == "bond" {
		err = m.bonding(ctx, h, &e)
	}
	if err == nil && m.Noifup == nil {
		err = m.run(ctx, h, &e)
	}
	if e.Changes.Len() > 0 && e.Preview == "" {
		e.Preview = fmt.Sprintf("Interface %s is set to be brought %s.", m.Name, map[bool]string{true: "up",
			false: "down"}[m.Enabled])
	}
	return e, err
}

// write writes the interface where it is not as it should be.
func (m *Managed) write(h host.Host) (state.Effect, error) {
	e := state.Effect{Changes: value.NewDict(2), Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("Interface %s is up to date.", m.Name)}
	want, err := m.builder().build(m.Enabled)
	if err != nil {
		return e, err
	}
	all, err := files(h)
	if err != nil {
		return e, err
	}
	now, there := read(all, m.Name)
	old, text := now.text(m.Name), want.text(m.Name)
	switch {
	case there && old == text:
		return e, nil
	case there:
		diff := difference(old+"\n", text+"\n") // Salt has an empty line after it
		e.Comment = fmt.Sprintf("Interface %s updated.", m.Name)
		e.Preview = fmt.Sprintf("Interface %s is set to be updated:\n%s", m.Name, diff)
		e.Changes.SetStr("interface", value.Str(diff))
	default:
		e.Comment, e.Preview = fmt.Sprintf("Interface %s added.", m.Name), fmt.Sprintf("Interface %s is set to be added.",
			m.Name)
		e.Changes.SetStr("interface", value.Str("Added network interface."))
	}
	f := m.file(all)
	f.replace(m.Name, text)
	return e, modules.WriteLines(h, f.path, f.lines)
}

// file is the file that the interface is written to.
func (m *Managed) file(all []*file) *file {
	path := m.Filename
	if path != "" && path[0] != '/' {
		path = interfacesDir + "/" + path
	}
	for _, f := range all {
		if f.path == path || path == "" && slices.Contains(f.about, m.Name) {
			return f
		}
	}
	if path == "" {
		return all[0]
	}
	return &file{path: path}
}

// difference is a unified diff as Salt shows it here: with an empty line after each.
func difference(old, text string) string {
	lines := modules.UnifiedDiff(modules.SplitKeep(old), modules.SplitKeep(text))
	for i, l := range lines {
		if i < 2 || strings.HasPrefix(l, "@@") {
			lines[i] = strings.TrimSuffix(l, "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// bonding writes the file of the kernel's module, and loads that.
func (m *Managed) bonding(ctx context.Context, h host.Host, e *state.Effect) error {
	text, err := m.builder().modprobe()
	if err != nil {
		return err
	}
	file := "/etc/modprobe.d/" + m.Name + ".conf"
	raw, err := h.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(raw) == text {
		return nil
	}
	e.Comment, e.Preview = fmt.Sprintf("Bond interface %s added.", m.Name),
		fmt.Sprintf("Bond interface %s is set to be added.", m.Name)
	change := value.Str(fmt.Sprintf("Added bond %s.", m.Name))
	if err == nil {
		change = value.Str(difference(string(raw), text))
		e.Comment, e.Preview = fmt.Sprintf("Bond interface %s updated.", m.Name),
			fmt.Sprintf("Bond interface %s is set to be updated:\n%s", m.Name, change)
	}
	e.Changes.SetStr("bond", change)
	if err := h.WriteFile(file, strings.NewReader(text), host.Attr{Mode: 0o644, HasMode: true}); err != nil {
		return err
	}
	if m.Noifup != nil {
		return nil
	}
	return modules.Tool{On: host.FactModule, Args: []string{"modprobe", "bonding"}}.Run(ctx, h)
}

// isUp says whether an interface is up. One that is not there is not.
func isUp(ctx context.Context, h host.Reader, name string) (bool, error) {
	if f, ok := h.Fact(host.FactInterface, name); ok {
		return f.Value == "up", nil
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"ip", "-o", "link", "show", "dev", name}})
	if err != nil {
		return false, fmt.Errorf("run ip: %w", err)
	}
	_, flags, _ := strings.Cut(string(out.Stdout), "<") // 2: eth0: <BROADCAST,UP,LOWER_UP> mtu ...
	flags, _, _ = strings.Cut(flags, ">")
	return slices.Contains(strings.Split(flags, ","), "UP"), nil
}

// run brings the interface up or down. One that is up and was changed is brought down and up again. A slave is its
// master's.
func (m *Managed) run(ctx context.Context, h host.Host, e *state.Effect) error {
	if m.Type == "slave" {
		return nil
	}
	up, err := isUp(ctx, h, m.Name)
	if err != nil {
		return err
	}
	changed := e.Changes.Len() > 0
	said, verbs := "", []string(nil)
	switch {
	case m.Enabled && up && changed:
		said, verbs = "Interface %s restart to validate", []string{"ifdown", "ifup"}
	case m.Enabled && !up:
		said, verbs = "Interface %s is up", []string{"ifup"}
	case !m.Enabled && up:
		said, verbs = "Interface %s down", []string{"ifdown"}
	default:
		return nil
	}
	for _, v := range verbs {
		if err := turn(ctx, h, v, m.Name); err != nil {
			return err
		}
	}
	e.Changes.SetStr("status", value.Str(fmt.Sprintf(said, m.Name)))
	return nil
}

// turn brings an interface up or down.
func turn(ctx context.Context, h host.Host, verb, name string) error {
	if _, err := h.LookPath(verb); host.IsUnknown(err) {
		return err
	} else if err != nil {
		return host.Missing("ifupdown is not installed: pkg.installed ifupdown before it, or noifupdown: true")
	}
	return modules.Tool{On: host.FactInterface, Args: []string{verb, name}, Foretell: func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactInterface, Name: name, Value: strings.TrimPrefix(verb, "if")})
		return nil
	}}.Run(ctx, h)
}
