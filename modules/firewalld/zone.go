package firewalld

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// A zone is what firewall-cmd --list-all says of one: its entries by their names.
type zone map[string][]string

// read is a zone of the permanent configuration.
func read(ctx context.Context, h host.Reader, name string) (zone, error) {
	if _, ok := promised(h, "firewalld zone "+name); ok { // an earlier state of a preview makes it
		return zone{}, nil
	}
	text, err := ask(ctx, h, "--zone="+name, "--list-all", "--permanent")
	return parse(text)[name], err
}

// parse reads the zones of --list-all and --list-all-zones. What comes line by line comes after a tab.
func parse(text string) map[string]zone {
	out, name, entry := map[string]zone{}, "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch {
		case strings.TrimSpace(line) == "":
		case strings.HasPrefix(line, "\t"):
			out[name][entry] = append(out[name][entry], strings.TrimSpace(line))
		case !strings.HasPrefix(line, " "):
			name, _, _ = strings.Cut(line, " ") // "public (active)"
			out[name] = zone{}
		default:
			key, rest, _ := strings.Cut(line, ":")
			entry = strings.TrimSpace(key)
			out[name][entry] = strings.Fields(rest)
		}
	}
	return out
}

// forward writes a forwarding as firewall-cmd does; users write FROM:TO:PROTOCOL or FROM:TO:PROTOCOL:ADDRESS.
func forward(text string) string {
	f := append(strings.Split(text, ":"), "", "", "", "")
	return "port=" + f[0] + ":proto=" + f[2] + ":toport=" + f[1] + ":toaddr=" + f[3]
}

// fields are the four parts of a forwarding as firewall-cmd writes it: port, protocol, port, address.
func fields(text string) [4]string {
	var out [4]string
	for i, part := range strings.SplitN(text, ":", 4) {
		_, out[i], _ = strings.Cut(part, "=")
	}
	return out
}
