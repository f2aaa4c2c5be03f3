package hub

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/cmd/internal/disk"
)

// A Server is what the configuration of a NATS server of the hub says beside the keys.
type Server struct {
	Dir    string // of the hub: its server/ is read
	Listen string // HOST:PORT for machines
	Name   string // of this server, in a cluster
	// Cluster is HOST:PORT for the other servers, and Routes are those of theirs; "" is a server alone.
	Cluster string
	Routes  []string
	Store   string // the directory of the streams; "" is server/data
}

// Config is the configuration as nats-server reads it. The server inside of gostate-hub reads the same text.
func (s *Server) Config() (string, error) {
	site, err := ReadSite(filepath.Join(s.Dir, "server"))
	if err != nil {
		return "", err
	}
	dir, err := filepath.Abs(filepath.Join(s.Dir, "server"))
	if err != nil {
		return "", err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	documents := map[string]string{}
	for _, name := range []string{"operator", "system", "account"} {
		text, err := os.ReadFile(in(name + ".jwt"))
		if err != nil {
			return "", err
		}
		documents[name] = strings.TrimSpace(string(text))
	}
	store := s.Store
	if store == "" {
		store = in("data")
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("server_name: %s\nlisten: %q", s.name(), s.Listen)
	line("# Machines come back in numbers: a handshake may wait for its turn.\nauthorization { timeout: 60 }")
	line("max_connections: 100000\nwrite_deadline: \"30s\"\nping_interval: \"2m\"")
	line("operator: %s\nsystem_account: %s", documents["operator"], site.System)
	line("resolver { type: full, dir: %q, allow_delete: false, interval: \"2m\" }", filepath.Join(store, "accounts"))
	line("resolver_preload {\n  %s: %s\n  %s: %s\n}", site.System, documents["system"], site.Account,
		documents["account"])
	line("# What is acknowledged is on the disk.")
	line("jetstream { store_dir: %q, sync_interval: always }", filepath.Join(store, "streams"))
	tls := fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, min_version: \"1.3\", ", in("server.crt"),
		in("server.key"), in("ca.crt"))
	line(tls + "timeout: 60 }")
	if s.Cluster != "" {
		line("cluster {\n  name: gostate\n  listen: %q\n  routes: [%s]\n  %sverify: true, timeout: 10 }\n}", s.Cluster,
			quoted(s.Routes), tls)
	}
	return b.String(), nil
}

func (s *Server) name() string {
	if s.Name != "" {
		return s.Name
	}
	return "hub"
}

func quoted(routes []string) string {
	var out []string
	for _, r := range routes {
		out = append(out, fmt.Sprintf("%q", "tls://"+strings.TrimPrefix(r, "tls://")))
	}
	return strings.Join(out, ", ")
}

// ReadSite reads hub.json of a directory.
func ReadSite(dir string) (*Site, error) {
	data, err := os.ReadFile(filepath.Join(dir, "hub.json"))
	if err != nil {
		return nil, fmt.Errorf("there is no hub: %w", err)
	}
	s := &Site{}
	if err := json.Unmarshal(data, s); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", filepath.Join(dir, "hub.json"), err)
	}
	return s, nil
}

// Write writes hub.json of a directory.
func (s *Site) Write(dir string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(dir, "hub.json"), append(data, '\n'), 0o600)
}
