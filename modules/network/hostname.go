package network

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func changeSpecs() []modules.ExecSpec {
	return modules.Writing(
		modules.NewExec("network.mod_hostname", "mod_hostname(hostname): sets the name of the host, and in /etc/hosts the "+
			"old one is replaced; False where it cannot be set.",
			modHostname, "hostname"),
		modules.NewExec("network.mod_bufsize", "mod_bufsize(iface, **kwargs): sets the buffers rx, tx, rx-mini and "+
			"rx-jumbo of an interface with ethtool.", modBufsize,
			"iface", "*args", "rx=None", "tx=None", "rx-mini=None", "rx-jumbo=None"),
	)
}

const (
	nameFile  = "/etc/hostname"
	hostsFile = "/etc/hosts"
)

// oldName is the name that /etc/hostname says, else that of the kernel.
func oldName(c *modules.Call) string {
	if b, err := c.Host.ReadFile(nameFile); err == nil && strings.TrimSpace(string(b)) != "" {
		return strings.TrimSpace(string(b))
	}
	return c.Grains.Text("localhost")
}

func modHostname(ctx context.Context, c *modules.Call) (value.Value, error) {
	name := c.Str("hostname")
	if c.Arg("hostname") == value.None || name == "" {
		return value.Bool(false), nil
	}
	old := oldName(c)
	tool := modules.Tool{On: host.Kernel, Args: []string{"hostnamectl", "set-hostname", name},
		Foretell: func(o host.Host) error {
			return modules.WriteLines(o, nameFile, []string{name})
		}}
	if _, err := c.Host.LookPath("hostnamectl"); err != nil {
		tool.Args, tool.Foretell = []string{"hostname", name}, nil
	}
	if err := tool.Run(ctx, c.Host); errors.Is(err, host.ErrPreview) {
		return nil, err
	} else if err != nil {
		c.Log("error", err.Error())
		return value.Bool(false), nil
	}
	return value.None, renameInHosts(c.Host, old, name)
}

// renameInHosts puts the new name in the place of the old one, in lines that then have tabs between their words as Salt
// writes them.
// Salt differs: it also writes the other lines, and comments, so.
func renameInHosts(h host.Host, old, name string) error {
	lines, err := modules.ReadLines(h, hostsFile)
	if err != nil {
		return err
	}
	changed := false
	for i, l := range lines {
		words := strings.Fields(l)
		if at := slices.Index(words, old); at >= 0 && old != name {
			words[at] = name
			lines[i], changed = strings.Join(words, "\t"), true
		}
	}
	if !changed {
		return nil
	}
	return modules.WriteLines(h, hostsFile, lines)
}

func modBufsize(ctx context.Context, c *modules.Call) (value.Value, error) {
	if _, err := c.Host.Stat(ethtool); errors.Is(err, fs.ErrNotExist) {
		return value.Bool(false), nil
	}
	answer := func(ok bool, comment string) (value.Value, error) {
		return value.DictOf("result", value.Bool(ok), "comment", value.Str(comment)), nil
	}
	if len(c.Rest()) > 0 {
		words := make([]string, len(c.Rest()))
		for i, v := range c.Rest() {
			words[i] = value.String(v)
		}
		return answer(false, "Unknown arguments: "+strings.Join(words, " "))
	}
	args := []string{ethtool, "-G", c.Str("iface")}
	for _, k := range []string{"rx", "tx", "rx-mini", "rx-jumbo"} {
		if v := c.Arg(k); v != value.None {
			args = append(args, k, value.String(v))
		}
	}
	if len(args) == 3 {
		return answer(false, "Requires rx=<val> tx==<val> rx-mini=<val> and/or rx-jumbo=<val>")
	}
	out, err := c.Outright(ctx, args...)
	if err != nil {
		return nil, err
	}
	if text := said(out); text != "" {
		return answer(false, text)
	}
	return answer(true, strings.Join(args[3:], " "))
}
