package roster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rosters are one of each kind.
func rosters() map[string]string {
	return map[string]string{
		"config": "Host web1 web2\n  HostName 10.0.0.1\nHost *.x !y\nhost=db1\n",
		"other":  "# of ssh\nHost web3\n  ProxyJump web1\n",
		"roster": "web1: 10.0.0.5\ndb1:\n  host: 10.0.0.6\n  user: admin\n  port: 2222\n  sudo: True\n  minion_opts: " +
			"{grains: {role: db}}\n",
		"hosts": "lone ansible_host=10.9.9.9\n[web]\nweb[08:10] " +
			"ansible_user=ops\n[db]\ndb-[a:b]\n[site:children]\nweb\ndb\n[site:vars]\nansible_port=2200\n",
		"hosts.yml": "all:\n  children:\n    web:\n      hosts:\n        web[1:2]: {ansible_host: 10.0.0.1}\n      vars: " +
			"{ansible_become: false}\n",
		"nodes.yaml": "nodes:\n  web1: {host: 10.0.0.5, user: admin, labels: {role: web}, env: prod}\n  db1: {grains: " +
			"{role: db}}\n",
		"bad-range": "web\nweb[9:1]\n",
		"bad-port":  "web1 ansible_port=x\n",
		"bad.yaml":  "web1: {prot: 22}\nweb2: {passwd: x}\n",
		"dash":      "-oProxyCommand=x\n",
	}
}

func load(t *testing.T, name, target string) ([]*Host, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(rosters()[name]), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load([]string{file}, strings.NewReader(""), target)
}

func TestTargets(t *testing.T) {
	for _, tt := range []struct{ roster, target, want string }{
		{"config", "web*", "web1 web2"}, {"config", "*", "web1 web2 db1"}, {"config", "* and not E@web.*", "db1"}, {"other", "web*", "web3"},
		{"roster", "G@role:db", "db1"}, {"roster", "L@web1,db1", "web1 db1"},
		{"hosts", "web", "web08 web09 web10"}, {"hosts", "N@site and not web*", "db-a db-b"},
		{"hosts", "lone", "lone"}, {"hosts.yml", "web", "web1 web2"},
		{"nodes.yaml", "G@role:web", "web1"}, {"nodes.yaml", "prod or db*", "db1"},
	} {
		hosts, err := load(t, tt.roster, tt.target)
		var names []string
		for _, h := range hosts {
			names = append(names, h.ID)
		}
		if got := strings.Join(names, " "); got != tt.want || err != nil {
			t.Errorf("%s %s: %q, %v, want %q", tt.roster, tt.target, got, err, tt.want)
		}
	}
}

func TestReached(t *testing.T) {
	for _, tt := range []struct {
		roster, target string
		user, address  string
		port           int
		sudo           string
	}{
		{"roster", "db1", "admin", "10.0.0.6", 2222, "yes"}, {"hosts", "web09", "ops", "web09", 2200, ""},
		{"hosts.yml", "web2", "", "10.0.0.1", 0, "no"}, {"nodes.yaml", "web1", "admin", "10.0.0.5", 0, ""},
	} {
		hosts, err := load(t, tt.roster, tt.target)
		if err != nil || len(hosts) != 1 {
			t.Errorf("%s: %v, %v", tt.roster, hosts, err)
			continue
		}
		h, sudo := hosts[0], ""
		if h.Sudo != nil {
			sudo = map[bool]string{true: "yes", false: "no"}[*h.Sudo]
		}
		if h.User != tt.user || h.Destination() != tt.address || h.Port != tt.port || sudo != tt.sudo {
			t.Errorf("%s: %+v, sudo %q", tt.roster, h, sudo)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct{ roster, target, want string }{
		{"bad-range", "*", `bad-range:2: "web[9:1]" is no range: it leads from 9 to 1`},
		{"bad-port", "*", `bad-port:1: the port of web1 is "x"`},
		{"bad.yaml", "*", `bad.yaml:1:1: web1 has an unknown key "prot"`},
		{"bad.yaml", "*", "web2 has passwd: gostate gives ssh no password"},
		{"dash", "*", `dash:1: "-oProxyCommand=x" is no name of a host`},
		{"config", "wbe1", `target "wbe1" means none of 3 hosts`},
		{"config", "web* and", "missing at the end"},
		{"none", "x", "none"},
	} {
		_, err := load(t, tt.roster, tt.target)
		if tt.roster == "none" {
			_, err = Load([]string{"/nowhere/none"}, nil, "x")
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: %v, want %q", tt.roster, tt.target, err, tt.want)
		}
	}
}

func TestStandardInput(t *testing.T) {
	hosts, err := Load([]string{"-"}, strings.NewReader("web1\n# no\n\nweb2 # the second\n"), "*")
	if err != nil || len(hosts) != 2 {
		t.Fatalf("%v, %v", hosts, err)
	}
	if d := cmp.Diff("web2", hosts[1].ID); d != "" {
		t.Error(d)
	}
}

// TestSSHConfig: a configuration that is not the user's own is what ssh reads, too.
func TestSSHConfig(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	hosts, err := load(t, "other", "web3")
	if err != nil || len(hosts) != 1 || len(hosts[0].Options) != 2 || hosts[0].Options[0] != "-F" ||
		!filepath.IsAbs(hosts[0].Options[1]) {
		t.Fatalf("%+v, %v", hosts, err)
	}
	own := filepath.Join(home, ".ssh", "config")
	if err := os.MkdirAll(filepath.Dir(own), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(own, []byte(rosters()["config"]), 0o600); err != nil {
		t.Fatal(err)
	}
	if hosts, err = Load([]string{own}, nil, "db1"); err != nil || len(hosts) != 1 || hosts[0].Options != nil {
		t.Errorf("%+v, %v", hosts, err)
	}
}
