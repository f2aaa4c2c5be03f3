package user

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func bind(t *testing.T, spec modules.StateSpec, name string, args ...any) modules.StateFunc {
	t.Helper()
	fn, diags := modules.Bind(&spec, &state.Low{ID: name, Name: name, Args: value.DictOf(args...)})
	if fn == nil {
		t.Fatal(diags[0])
	}
	return fn
}

// hash is of the password "secret".
const hash = "$6$saltsalt$.wuABC"

// machine has the user alice in adm and staff, and useradd that adds what it is told.
func machine(t *testing.T) *host.Memory {
	h := host.NewMemory()
	h.MustWrite("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nalice:x:1000:1000:Alice A,1,2:/home/alice:/bin/sh\n", 0o644)
	h.MustWrite("/etc/group", "root:x:0:\nadm:x:4:alice\nstaff:x:50:alice\nsudo:x:27:\nalice:x:1000:\n", 0o644)
	h.MustWrite("/etc/shadow", "root:*:19000:0:99999:7:::\nalice:"+hash+":19000:0:99999:7:::\n", 0o640)
	h.MustMkdir("/home/alice")
	h.Invalidate("accounts")
	h.Script = func(c host.Cmd) (*host.Output, error) {
		if c.Args[0] == "useradd" {
			name := c.Args[len(c.Args)-1]
			h.AddUser(name, 2000)
			old, _ := h.ReadFile("/etc/shadow")
			h.MustWrite("/etc/shadow", string(old)+name+":!:19000:0:99999:7:::\n", 0o640)
			h.MustMkdir("/home/" + name)
		}
		return &host.Output{}, nil
	}
	return h
}

func names(ns ...string) value.Value { return texts(ns) }

func ran(h *host.Memory) string {
	var out []string
	for _, c := range h.Ran {
		line := strings.Join(c.Args, " ")
		if len(c.Stdin) > 0 {
			line += " < " + strings.TrimSpace(string(c.Stdin))
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

func TestPresentChanges(t *testing.T) {
	yes, no := value.Bool(true), value.Bool(false)
	tests := []struct {
		name    string
		args    []any
		changes string // "" when nothing changes
		ran     string
		err     string
	}{
		{"as it is", []any{"uid", value.Int(1000), "shell", value.Str("/bin/sh"), "fullname", value.Str("Alice A"), "password", value.Str(hash), "groups", names("staff", "adm")}, "", "", ""},
		{"shell and name", []any{"shell", value.Str("/bin/bash"), "fullname", value.Str("Alice B")},
			"{'shell': '/bin/bash', 'fullname': 'Alice B'}", "usermod -s /bin/bash -c Alice B,1,2 alice", ""},
		{"uid is not changed by the way", []any{"uid", value.Int(1001)}, "", "",
			"Changing uid (1000 -> 1001) not permitted, set allow_uid_change to True to force this change"},
		{"uid", []any{"uid", value.Int(1001), "allow_uid_change", yes}, "{'uid': 1001}", "usermod -u 1001 alice", ""},
		{"gid by name", []any{"gid", value.Str("staff"), "allow_gid_change", yes}, "{'gid': 50}", "usermod -g 50 alice", ""},
		{"no such group", []any{"gid", value.Str("nope")}, "", "", `Default group with name "nope" not found`},
		{"groups", []any{"groups", names("sudo")}, "{'groups': ['sudo']}", "usermod -G sudo alice", ""},
		{"more groups", []any{"groups", names("sudo"), "remove_groups", no}, "{'groups': ['adm', 'staff', 'sudo']}", "usermod -G adm,staff,sudo alice", ""},
		{"no groups", []any{"groups", names()}, "{'groups': []}", "usermod -G  alice", ""},
		{"optional groups", []any{"optional_groups", names("sudo", "nope")}, "{'groups': ['adm', 'staff', 'sudo']}", "usermod -G adm,staff,sudo alice", ""},
		{"missing groups", []any{"groups", names("nope", "sudo", "noo")}, "", "", "The following group(s) are not present: nope,noo"},
		{"home", []any{"home", value.Str("/srv/alice")}, "{'home': '/srv/alice', 'homeDoesNotExist': '/srv/alice'}", "usermod -d /srv/alice -m alice", ""},
		{"home that is there", []any{"home", value.Str("/home")}, "{'home': '/home'}", "usermod -d /home alice", ""},
		{"password", []any{"password", value.Str("$6$x$y")}, "{'passwd': 'XXX-REDACTED-XXX'}", "chpasswd -e < alice:$6$x$y", ""},
		{"password only at first", []any{"password", value.Str("$6$x$y"), "enforce_password", no}, "", "", ""},
		{"lock", []any{"password_lock", yes}, "{'password_lock': True}", "usermod -L alice", ""},
		{"empty", []any{"empty_password", yes}, "{'empty_password': True}", "passwd -d alice", ""},
		{"ages", []any{"maxdays", value.Int(90), "mindays", value.Int(0), "expire", value.Str("2030-01-01")},
			"{'maxdays': 90, 'expire': 21915}", "chage -M 90 -E 21915 alice", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := machine(t)
			fn := bind(t, presentSpec(), "alice", tt.args...)
			f, err := modtest.Of(fn).Check(context.Background(), nil, h)
			if err != nil || tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			got := ""
			if f.Pending {
				got = value.Repr(f.Changes)
				if tt.name == "home" {
					h.MustMkdir("/srv/alice") // as usermod -m does
				}
				fn = bind(t, presentSpec(), "alice", tt.args...)
			}
			if d := cmp.Diff(tt.changes, got); d != "" {
				t.Errorf("changes (-want +got):\n%s", d)
			}
			if tt.name == "home" || !f.Pending {
				return
			}
			if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.ran, ran(h)); d != "" {
				t.Errorf("commands (-want +got):\n%s", d)
			}
		})
	}
}

func TestPresentNew(t *testing.T) {
	h := machine(t)
	fn := bind(t, presentSpec(), "bob", "uid", value.Int(2000), "groups", names("sudo"), "shell", value.Str("/bin/bash"), "system", value.Bool(true),
		"fullname", value.Str("Bob"), "password", value.Str("$6$x$y"), "createhome", value.Bool(false))
	f, err := modtest.Of(fn).Check(context.Background(), nil, h)
	if err != nil || f.Comment != "User bob set to be added" {
		t.Fatalf("%+v %v", f, err)
	}
	if attrs := f.Effects[0].Attrs; attrs["uid"] != "2000" || attrs["home"] != "/home/bob" || attrs["groups"] != "bob,sudo" {
		t.Errorf("promises %v", f.Effects)
	}
	if len(f.Effects) != 2 || f.Effects[1].Kind != host.FactGroup {
		t.Errorf("the group of its name is not promised: %v", f.Effects)
	}
	a, err := modtest.Of(fn).Apply(context.Background(), nil, h, f)
	if err != nil {
		t.Fatal(err)
	}
	if p, _ := a.Changes.GetStr("passwd"); p != value.Value(value.Str("XXX-REDACTED-XXX")) {
		t.Errorf("changes show the password: %s", value.Repr(a.Changes))
	}
	commands := strings.Split(ran(h), "; ")
	if commands[0] != "useradd -s /bin/bash -u 2000 -G sudo -M -r -c Bob bob" || !strings.Contains(ran(h), "chpasswd -e < bob:$6$x$y") {
		t.Errorf("commands %v", commands)
	}
}

func TestHashedPassword(t *testing.T) {
	hash, err := hashed("secret")
	if err != nil || !strings.HasPrefix(hash, "$6$") || !matches(hash, "secret") || matches(hash, "Secret") {
		t.Errorf("%q %v", hash, err)
	}
	if matches("!", "secret") || matches("$y$j9T$abc$def", "secret") {
		t.Error("what is no hash of a known kind matches")
	}
}

func TestAbsent(t *testing.T) {
	h := machine(t)
	fn := bind(t, absentSpec(), "alice", "purge", value.Bool(true))
	f, err := modtest.Of(fn).Check(context.Background(), nil, h)
	if err != nil || value.Repr(f.Changes) != "{'alice group': 'removed', 'alice': 'removed'}" {
		t.Fatalf("%+v %v", f, err)
	}
	if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil || ran(h) != "userdel -r alice" {
		t.Errorf("%s %v", ran(h), err)
	}
	h.Promise(f.Effects...)
	if f, err := modtest.Of(bind(t, absentSpec(), "eve")).Check(context.Background(), nil, h); err != nil || f.Pending {
		t.Errorf("%+v %v", f, err)
	}
}
