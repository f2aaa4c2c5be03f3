package network

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// netstat asks netstat(8), or ss(8) where that is not there.
func netstat(ctx context.Context, c *modules.Call) (value.Value, error) {
	program, read := "netstat", fromNetstat
	if _, err := c.Host.LookPath(program); err != nil {
		program, read = "ss", fromSS
	}
	text, err := ask(ctx, c, program, "-tulpnea")
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for l := range strings.Lines(text) {
		tcp := strings.HasPrefix(l, "tcp")
		if !tcp && !strings.HasPrefix(l, "udp") {
			continue
		}
		if d := read(strings.Fields(l), tcp); d != nil {
			out.Items = append(out.Items, d)
		}
	}
	return out, nil
}

// fromNetstat reads a line of netstat, whose sockets of UDP have no state.
func fromNetstat(f []string, tcp bool) *value.Dict {
	names := []string{"proto", "recv-q", "send-q", "local-address", "remote-address", "state", "user", "inode", "program"}
	if !tcp {
		names = slices.Delete(names, 5, 6)
	}
	if len(f) < len(names) {
		return nil
	}
	d := value.NewDict(len(names))
	for i, n := range names {
		d.SetStr(n, value.Str(f[i]))
	}
	return d
}

// fromSS reads a line of ss, which ends in words such as users:(("sshd",pid=7,fd=3)), uid:0 and ino:8. As in Salt the
// last word is not looked at.
func fromSS(f []string, tcp bool) *value.Dict {
	if len(f) < 6 {
		return nil
	}
	d := value.DictOf("proto", value.Str(f[0]), "recv-q", value.Str(f[2]), "send-q", value.Str(f[3]), "local-address",
		value.Str(f[4]),
		"remote-address", value.Str(f[5]))
	if tcp {
		state := f[1]
		if state == "ESTAB" {
			state = "ESTABLISHED"
		}
		d.SetStr("state", value.Str(state))
	}
	var user, inode value.Value = value.Int(0), value.Int(0)
	program := ""
	for _, w := range f[min(6, len(f)-1) : len(f)-1] {
		switch name, text, _ := strings.Cut(w, ":"); name {
		case "users":
			if parts := strings.Split(text, `"`); len(parts) > 1 {
				program = parts[1]
			}
		case "uid":
			user = value.Str(text)
		case "ino":
			inode = value.Str(text)
		}
	}
	d.SetStr("user", user)
	d.SetStr("inode", inode)
	d.SetStr("program", value.Str(program))
	return d
}
