package rabbitmq

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// kept is where the fake keeps what it has: a line for each thing.
const kept = "/var/lib/rabbit"

// tools are a rabbitmqctl and a rabbitmq-plugins, which say nothing while there is no file of theirs.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if strings.Contains(strings.Join(c.Args, " "), "secret") {
		return nil, errors.New("a password is among the arguments")
	}
	lines, _ := modules.ReadLines(m, kept)
	if _, err := m.Stat(kept); err != nil {
		return &host.Output{Code: 69, Stderr: []byte("Error: unable to perform an operation on node\n")}, nil
	}
	words := slices.DeleteFunc(slices.Clone(c.Args[1:]),
		func(w string) bool { return w == "-q" || w == "--formatter" || w == "json" })
	set := func(key, line string) (*host.Output, error) {
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, key+"=") })
		if line != "" {
			lines = append(lines, key+"="+line)
		}
		return &host.Output{Stdout: []byte(words[0] + " done\n")}, modules.WriteLines(m, kept, lines)
	}
	get := func(key string) string {
		for _, l := range lines {
			if v, ok := strings.CutPrefix(l, key+"="); ok {
				return v
			}
		}
		return ""
	}
	list := func(prefix string) (*host.Output, error) {
		var out []string
		for _, l := range lines {
			if k, v, _ := strings.Cut(l, "="); strings.HasPrefix(k, prefix) {
				out = append(out, v)
			}
		}
		return &host.Output{Stdout: []byte("[\n" + strings.Join(out, "\n,") + "]\n")}, nil
	}
	password := strings.TrimSpace(string(c.Stdin))
	user := func(name, tags string) string { return fmt.Sprintf(`{"user":%q,"tags":[%s]}`, name, tags) }
	switch words[0] {
	case "list":
		var on []string
		for _, l := range lines {
			if k, _, _ := strings.Cut(l, "="); strings.HasPrefix(k, "plugin ") {
				on = append(on, k[7:])
			}
		}
		return &host.Output{Stdout: []byte(strings.Join(on, "\n"))}, nil
	case "enable":
		return set("plugin "+words[1], "on")
	case "disable":
		return set("plugin "+words[1], "")
	case "list_users":
		return list("user ")
	case "list_vhosts":
		return list("vhost ")
	case "list_user_permissions":
		return list("may " + words[1] + " ")
	case "list_policies":
		return list("policy " + words[2] + " ")
	case "list_parameters":
		return list("parameter ")
	case "cluster_status":
		return &host.Output{Stdout: []byte(`{"running_nodes": ["rabbit@mq1"` + get("node") + `]}`)}, nil
	case "add_user":
		_, _ = set("secret "+words[1], password)
		return set("user "+words[1], user(words[1], ""))
	case "delete_user":
		return set("user "+words[1], "")
	case "change_password":
		return set("secret "+words[1], password)
	case "clear_password":
		return set("secret "+words[1], "none")
	case "authenticate_user":
		if get("secret "+words[1]) != password {
			return &host.Output{Code: 65, Stderr: []byte("Error: failed to authenticate\n")}, nil
		}
	case "set_user_tags":
		tags := ""
		for i, t := range words[2:] {
			tags += map[bool]string{true: ","}[i > 0] + `"` + t + `"`
		}
		return set("user "+words[1], user(words[1], tags))
	case "set_permissions":
		return set("may "+words[3]+" "+words[2], fmt.Sprintf(`{"vhost":%q,"configure":%q,"write":%q,"read":%q}`, words[2],
			words[4], words[5], words[6]))
	case "add_vhost":
		return set("vhost "+words[1], fmt.Sprintf(`{"name":%q}`, words[1]))
	case "delete_vhost":
		return set("vhost "+words[1], "")
	case "set_policy":
		n := len(words)
		return set("policy "+words[2]+" "+words[n-3], fmt.Sprintf(`{"vhost":%q,"name":%q,"pattern":%q,"apply-to":"all",`+
			`"definition":%q,"priority":%s}`, words[2], words[n-3], words[n-2], words[n-1], words[4]))
	case "clear_policy":
		return set("policy "+words[2]+" "+words[3], "")
	case "set_parameter":
		return set("parameter "+words[2], fmt.Sprintf(`{"component":%q,"name":%q,"value":%q}`, words[1], words[2], words[3]))
	case "clear_parameter":
		return set("parameter "+words[2], "")
	case "join_cluster":
		if strings.HasSuffix(words[len(words)-1], "nowhere") {
			return &host.Output{Code: 69, Stderr: []byte("Error: unable to reach it\n")}, nil
		}
		return set("node", `,"`+words[len(words)-1]+`"`)
	}
	return &host.Output{}, nil
}

func with(text string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/sbin/rabbitmqctl", "", 0o755)
		m.MustWrite("/usr/sbin/rabbitmq-plugins", "", 0o755)
		if text != "" {
			m.MustWrite(kept, text, 0o644)
		}
	})
}

const full = `user app={"user":"app","tags":["monitoring"]}
secret app=secret
may app /={"vhost":"/","configure":".*","write":".*","read":".*"}
vhost /app={"name":"/app"}
policy / HA={"vhost":"/","name":"HA","pattern":".*","apply-to":"all","definition":"{\"max-length\": 1}","priority":0}
plugin stomp=on
parameter up={"component":"federation-upstream","name":"up","value":"{\"uri\": \"amqp://x\", \"max-hops\": 2}"}
node=,"rabbit@mq2"
`

func TestConformance(t *testing.T) {
	state := modtest.State
	all := []any{map[string]any{"/": []any{".*", ".*", ".*"}}}
	modtest.Suite{Family: Family(), Beyond: []string{kept},
		Situations: modtest.Situations{
			"not installed": modtest.Memory(tools, nil), "down": with(""), "empty": with("x=y\n"), "full": with(full),
		},
		Deeds: []modtest.Deed{
			state("rabbitmq_user.present", "app", "password", "secret", "tags", []string{"monitoring"}, "perms", all),
			state("rabbitmq_user.present", "app", "password", "secret2", "tags", []string{}, "perms",
				[]any{map[string]any{"/": []any{"", "", ""}}}),
			state("rabbitmq_user.present", "app"), state("rabbitmq_user.present", "app", "force", true),
			state("rabbitmq_user.absent", "app"),
			state("rabbitmq_vhost.present", "/app"), state("rabbitmq_vhost.absent", "/app"),
			state("rabbitmq_policy.present", "HA", "pattern", ".*", "definition", `{"max-length": 1}`),
			state("rabbitmq_policy.present", "HA", "pattern", "^a", "definition", map[string]any{"max-length": 2}, "priority",
				3),
			state("rabbitmq_policy.absent", "HA"), state("rabbitmq_policy.absent", "HA", "vhost", "/app"),
			state("rabbitmq_plugin.enabled", "stomp"), state("rabbitmq_plugin.disabled", "stomp"),
			state("rabbitmq_upstream.present", "up", "uri", "amqp://x", "max_hops", 2),
			state("rabbitmq_upstream.present", "up", "uri", "amqp://y"), state("rabbitmq_upstream.absent", "up"),
			state("rabbitmq_cluster.joined", "c", "host", "mq2"), state("rabbitmq_cluster.joined", "c", "host", "mq3"),
			state("rabbitmq_cluster.joined", "c", "host", "nowhere").Untold("the other host does not answer"),
		}}.Run(t)
}

// TestWords: comments and changes.
func TestWords(t *testing.T) {
	suite := modtest.Suite{Family: Family()}
	for _, tt := range []struct {
		fun, name string
		args      []any
		want      string
	}{
		{"user.present", "app", []any{"password", "secret"}, "User 'app' is already present. {}"},
		{"user.present", "app", []any{"password", "secret", "tags", "monitoring"},
			"'app' is already in the desired state. {}"},
		{"user.present", "app", []any{"password", "secret2", "tags", []string{"a"}}, "'app' was configured. " +
			"{'password': {'old': '', 'new': 'Set password.'}, 'tags': {'old': ['monitoring'], 'new': ['a']}}"},
		{"user.present", "app", []any{"perms", []any{map[string]any{"/": []any{"", "", "x"}}}}, "'app' was configured. " +
			"{'perms': {'old': {'/': {'configure': '.*', 'write': '.*', 'read': '.*'}}, 'new': {'/': {'configure': '', " +
			"'write': '', 'read': 'x'}}}}"},
		{"policy.present", "HA", []any{"pattern", "^a", "definition", `{"max-length": 1}`}, "set_policy done " +
			`{'old': {'pattern': '.*', 'apply_to': 'all', 'definition': '{"max-length": 1}', 'priority': '0'}, ` +
			`'new': ['Pattern']}`},
		{"upstream.present", "up", []any{"uri", "amqp://y", "max_hops", 2},
			`Upstream "up" updated. {'old': {'uri': 'amqp://x'}, 'new': {'uri': 'amqp://y'}}`},
		{"vhost.absent", "/app", nil, "delete_vhost done {'old': '/app', 'new': ''}"},
		{"policy.absent", "HA", nil, "Deleted {'new': '', 'old': 'HA'}"},
	} {
		e, err := suite.One(t, with(full)(t), modtest.State("rabbitmq_"+tt.fun, tt.name, tt.args...))
		if got := e.Comment + " " + value.Repr(e.Changes); err != nil || got != tt.want {
			t.Errorf("%s %v: %s %v, want %s", tt.fun, tt.args, got, err, tt.want)
		}
	}
}

func TestExecs(t *testing.T) {
	modtest.Execs{Family: Family(), Host: with(full)(t)}.Table(t, [][4]string{
		{"rabbitmq.list_users", `[]`, "", "{'app': ['monitoring']}"}, {"rabbitmq.list_vhosts", `[]`, "", "['/app']"},
		{"rabbitmq.user_exists", `["app"]`, "", "True"}, {"rabbitmq.vhost_exists", `["/"]`, "", "False"},
		{"rabbitmq.list_policies", `[]`, "", `{'/': {'HA': {'pattern': '.*', 'apply_to': 'all', 'definition': ` +
			`'{"max-length": 1}', 'priority': '0'}}}`},
		{"rabbitmq.list_enabled_plugins", `[]`, "", "['stomp']"}, {"rabbitmq.plugin_is_enabled", `["x"]`, "", "False"},
		{"rabbitmq.upstream_exists", `["up"]`, "", "True"}, {"rabbitmq.policy_exists", `["/", "HA"]`, "", "True"},
		{"rabbitmq.list_user_permissions", `["app"]`, "", "{'/': {'configure': '.*', 'write': '.*', 'read': '.*'}}"},
	})
}
