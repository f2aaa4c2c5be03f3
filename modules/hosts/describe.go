package hosts

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "host", ByName: true, Other: []string{"hosts"},
		Doc: "Addresses of /etc/hosts with their names.",
		Left: "Addresses of the machine itself (loopback, link-local, multicast) and its own name: every machine " +
			"has others.",
		Rank: 110, Describe: describe}
}

func describe(_ context.Context, l *modules.Look) error {
	f, err := open(l.Host, l.Env)
	if err != nil {
		return err
	}
	for _, e := range f.entries() {
		if e.ip == "" || !l.Wants(!own(l.Host, e), append([]string{e.ip}, e.names...)...) {
			continue
		}
		t := l.Tell(e.ip, "host.only", "hostnames", e.names)
		if e.comment != "" {
			t.Note("%s", e.comment)
		}
	}
	for _, n := range l.Absent() {
		l.Lack(n, "")
	}
	return nil
}

// own says whether an entry is about the machine itself.
func own(h host.Reader, e entry) bool {
	a, err := netip.ParseAddr(e.ip)
	raw, _ := h.ReadFile("/etc/hostname")
	name := strings.TrimSpace(string(raw))
	return err != nil || a.IsLoopback() || a.IsLinkLocalUnicast() || a.IsMulticast() ||
		strings.HasPrefix(e.ip, "fe00::") || name != "" && slices.Contains(e.names, name)
}
