package user

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
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
func machine(t *testing.T) *hosttest.Memory {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nalice:x:1000:1000:Alice A,1,2:/home/alice:/bin/sh\n",
		0o644)
	h.MustWrite("/etc/group", "root:x:0:\nadm:x:4:alice\nstaff:x:50:alice\nsudo:x:27:\nalice:x:1000:\n", 0o644)
	h.MustWrite("/etc/shadow", "root:*:19000:0:99999:7:::\nalice:"+hash+":19000:0:99999:7:::\n", 0o640)
	h.MustMkdir("/home/alice")
	if err := h.Chown("/home/alice", 1000, 1000); err != nil {
		t.Fatal(err)
	}
	h.MustWrite("/etc/login.defs", "UID_MIN 1000\nGID_MIN 1000\nUSERGROUPS_ENAB "+
		"yes\nPASS_MIN_DAYS\t0\nPASS_MAX_DAYS\t99999\nPASS_WARN_AGE\t7\n", 0o644)
	h.MustWrite("/etc/skel/.profile", "# profile\n", 0o644)
	for _, tool := range []string{"useradd", "usermod", "userdel", "chpasswd", "passwd", "chage"} {
		h.MustWrite("/usr/sbin/"+tool, "", 0o755)
	}
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

func names(ns ...string) value.Value { return modules.TextList(ns) }

func ran(h *hosttest.Memory) string {
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
		{"as it is", []any{"uid", value.Int(1000), "shell", value.Str("/bin/sh"), "fullname", value.Str("Alice A"),
			"password", value.Str(hash), "groups", names("staff", "adm")}, "", "", ""},
		{"shell and name", []any{"shell", value.Str("/bin/bash"), "fullname", value.Str("Alice B")},
			"{'shell': '/bin/bash', 'fullname': 'Alice B'}", "usermod -s /bin/bash -c Alice B,1,2 alice", ""},
		{"uid is not changed by the way", []any{"uid", value.Int(1001)}, "", "",
			"Changing uid (1000 -> 1001) not permitted, set allow_uid_change to True to force this change"},
		{"uid", []any{"uid", value.Int(1001), "allow_uid_change", yes}, "{'uid': 1001}", "usermod -u 1001 alice", ""},
		{"gid by name", []any{"gid", value.Str("staff"), "allow_gid_change", yes}, "{'gid': 50}",
			"usermod -g 50 -G adm,alice alice", ""},
		{"gid, and the old group beside", []any{"gid", value.Int(50), "allow_gid_change", yes, "groups", names("alice")},
			"{'gid': 50, 'groups': ['alice', 'staff']}",
			"usermod -g 50 -G alice alice", ""},
		{"no such group", []any{"gid", value.Str("nope")}, "", "", `Default group with name "nope" not found`},
		{"groups", []any{"groups", names("sudo")}, "{'groups': ['alice', 'sudo']}", "usermod -G sudo alice", ""},
		{"more groups", []any{"groups", names("sudo"), "remove_groups", no}, "{'groups': ['adm', 'alice', 'staff', 'sudo']}",
			"usermod -G adm,staff,sudo alice", ""},
		{"no groups", []any{"groups", names()}, "{'groups': ['alice']}", "usermod -G  alice", ""},
		{"optional groups", []any{"optional_groups", names("sudo", "nope")}, "{'groups': ['alice', 'sudo']}",
			"usermod -G sudo alice", ""},
		{"an optional group that is the primary one", []any{"optional_groups", names("alice")}, "{'groups': ['alice']}",
			"usermod -G  alice", ""},
		{"optional groups that are not there", []any{"optional_groups", names("nope")}, "", "", ""},
		{"in groups and in optional groups", []any{"groups", names("adm", "staff"), "optional_groups", names("adm")}, "", "",
			""},
		{"missing groups", []any{"groups", names("nope", "sudo", "noo")}, "", "",
			"The following group(s) are not present: nope,noo"},
		{"home", []any{"home", value.Str("/srv/alice")}, "{'home': '/srv/alice'}", "usermod -d /srv/alice alice", ""},
		{"home that is there", []any{"home", value.Str("/home")}, "{'home': '/home'}", "usermod -d /home alice", ""},
		{"password", []any{"password", value.Str("$6$x$y")}, "{'passwd': 'XXX-REDACTED-XXX'}", "chpasswd -e < alice:$6$x$y",
			""},
		{"password only at first", []any{"password", value.Str("$6$x$y"), "enforce_password", no}, "", "", ""},
		{"lock", []any{"password_lock", yes}, "{'passwd': 'XXX-REDACTED-XXX'}", "usermod -L alice", ""},
		{"empty", []any{"empty_password", yes}, "{'passwd': 'XXX-REDACTED-XXX'}", "passwd -d alice", ""},
		{"ages", []any{"maxdays", value.Int(90), "mindays", value.Int(0), "expire", value.Str("2030-01-01")},
			"{'max': 90, 'expire': 21915}", "chage -M 90 -E 21915 alice", ""},
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
			}
			if d := cmp.Diff(tt.changes, got); d != "" {
				t.Errorf("changes (-want +got):\n%s", d)
			}
			over := host.NewOverlay(h)
			for range 2 {
				f, err = modtest.Of(fn).Check(context.Background(), nil, over)
				fn.Act(context.Background(), nil, over)
			}
			if err != nil || f.Pending {
				t.Errorf("on an overlay it is pending again: %v %v", value.Repr(f.Changes), err)
			}
			if tt.changes == "" {
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

// TestHomeMadeAnew: a home directory that was removed is shown when it comes back.
func TestHomeMadeAnew(t *testing.T) {
	h := machine(t)
	if err := h.RemoveAll("/home/alice"); err != nil {
		t.Fatal(err)
	}
	e, err := bind(t, presentSpec(), "alice").Act(t.Context(), nil, h)
	if _, gone := h.Stat("/home/alice"); err != nil || gone != nil ||
		value.Repr(e.Changes) != "{'homeDoesNotExist': '/home/alice'}" {
		t.Errorf("%s %v %v", value.Repr(e.Changes), err, gone)
	}
}

func TestPresentNew(t *testing.T) {
	h := machine(t)
	fn := bind(t, presentSpec(), "bob", "uid", value.Int(2000), "groups", names("sudo"), "shell", value.Str("/bin/bash"),
		"system", value.Bool(true),
		"fullname", value.Str("Bob"), "password", value.Str("$6$x$y"), "createhome", value.Bool(false), "maxdays",
		value.Int(90), "mindays", value.Int(0))
	f, err := modtest.Of(fn).Check(context.Background(), nil, h)
	if err != nil || f.Comment != "User bob set to be added" {
		t.Fatalf("%+v %v", f, err)
	}
	a, err := modtest.Of(fn).Apply(context.Background(), nil, h, f)
	if err != nil {
		t.Fatal(err)
	}
	want := "{'gid': 2000, 'groups': ['bob'], 'home': '', 'name': 'bob', 'passwd': 'x', 'shell': '/bin/sh', 'uid': " +
		"2000, 'fullname': '', 'roomnumber': '', " +
		"'workphone': '', 'homephone': '', 'other': '', 'password': 'XXX-REDACTED-XXX', 'maxdays': 90}"
	if d := cmp.Diff(want, value.Repr(a.Changes)); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	commands := strings.Split(ran(h), "; ")
	if commands[0] != "useradd -s /bin/bash -u 2000 -U -G sudo -M -r -c Bob bob" ||
		!strings.Contains(ran(h), "chpasswd -e < bob:$6$x$y") {
		t.Errorf("commands %v", commands)
	}
}

// TestNewAndLocked: a new user's password is locked at once.
func TestNewAndLocked(t *testing.T) {
	h := machine(t)
	fn := bind(t, presentSpec(), "bob", "password", value.Str("$6$x$y"), "password_lock", value.Bool(true))
	if _, err := fn.Act(t.Context(), nil, h); err != nil || !strings.Contains(ran(h), "usermod -L bob") {
		t.Errorf("%s %v", ran(h), err)
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
	if f, err := modtest.Of(bind(t, absentSpec(), "eve")).Check(context.Background(), nil, h); err != nil || f.Pending {
		t.Errorf("%+v %v", f, err)
	}
}

// TestForetold: what a preview leaves is what useradd and its kin leave.
func TestForetold(t *testing.T) {
	o := host.NewOverlay(machine(t))
	for _, fn := range []modules.StateFunc{
		bind(t, presentSpec(), "bob", "groups", names("sudo"), "home", value.Str("/srv/people/bob"), "password",
			value.Str("$6$x$y"), "maxdays", value.Int(90)),
		bind(t, presentSpec(), "daemon", "system", value.Bool(true), "createhome", value.Bool(false), "gid",
			value.Str("staff")),
		bind(t, absentSpec(), "alice", "purge", value.Bool(true)),
	} {
		if _, err := fn.Act(context.Background(), nil, o); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, name := range []string{"bob", "daemon", "alice"} {
		if a, ok, err := find(o, name); err != nil || ok {
			got = append(got, value.Repr(a.info()))
		}
	}
	shadow, _ := o.ReadFile("/etc/shadow")
	adm, _ := o.Group("adm")
	_, gone := o.Group("alice")
	profile, err := o.Stat("/srv/people/bob/.profile")
	_, home := o.Stat("/home/alice")
	got = append(got, string(shadow), fmt.Sprint(adm.Members, gone != nil, profile.UID, profile.GID, err, home != nil))
	if d := cmp.Diff([]string{
		"{'gid': 1001, 'groups': ['bob', 'sudo'], 'home': '/srv/people/bob', 'name': 'bob', 'passwd': 'x', 'shell': " +
			"'/bin/sh', 'uid': 1001, " +
			"'fullname': '', 'roomnumber': '', 'workphone': '', 'homephone': '', 'other': ''}",
		"{'gid': 50, 'groups': ['staff'], 'home': '/home/daemon', 'name': 'daemon', 'passwd': 'x', 'shell': '/bin/sh', " +
			"'uid': 999, " +
			"'fullname': '', 'roomnumber': '', 'workphone': '', 'homephone': '', 'other': ''}",
		"root:*:19000:0:99999:7:::\nbob:$6$x$y::0:90:7:::\ndaemon:!:::::::\n", "[] true 1001 1001 <nil> true",
	}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestRefused: a preview fails where useradd would.
func TestRefused(t *testing.T) {
	for name, args := range map[string][]any{
		"Bob Builder": nil, "bob": {"uid", value.Int(1000)}, "eve": {"gid", value.Int(77)},
		"dave": {"home", value.Str("rel")},
	} {
		if f, err := modtest.Of(bind(t, presentSpec(), name, args...)).Check(context.Background(), nil,
			machine(t)); err == nil {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// TestBusy: a user with processes is not removed, unless it is forced.
func TestBusy(t *testing.T) {
	h := machine(t)
	h.MustMkdir("/proc/77")
	if err := h.Chown("/proc/77", 1000, 1000); err != nil {
		t.Fatal(err)
	}
	_, err := modtest.Of(bind(t, absentSpec(), "alice")).Check(context.Background(), nil, h)
	if err == nil || !strings.Contains(err.Error(), "user alice is currently used by process 77") {
		t.Errorf("foretold: %v", err)
	}
	if _, err := modtest.Of(bind(t, absentSpec(), "alice", "force", value.Bool(true))).Check(context.Background(), nil,
		h); err != nil {
		t.Error(err)
	}
}

// TestExistingGroup: useradd makes no group that is there, so Salt's way to join it is to ask for it.
func TestExistingGroup(t *testing.T) {
	h := machine(t)
	raw, _ := h.ReadFile("/etc/group")
	h.MustWrite("/etc/group", string(raw)+"web:x:77:\n", 0o644)
	h.Invalidate("accounts")
	if _, err := modtest.Of(bind(t, presentSpec(), "web")).Check(context.Background(), nil, h); err == nil {
		t.Error("the group was taken without being asked for")
	}
	for _, args := range [][]any{{"gid", value.Int(77)}, {"groups", names("web")}} {
		f, err := modtest.Of(bind(t, presentSpec(), "web", args...)).Check(context.Background(), nil, h)
		if gid, _ := f.Changes.GetStr("gid"); err != nil || !value.Equal(gid, value.Int(77)) {
			t.Errorf("%v: %v %v", args, value.Repr(f.Changes), err)
		}
	}
}

// TestExecs calls the execution functions one after the other on an overlay.
func TestExecs(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	h := host.NewOverlay(machine(t))
	for _, tt := range []struct{ call, want string }{
		{"user.add bob 1500", "True"}, {"user.add bob", "False"}, {"user.add Bob:x", "False"},
		{"user.primary_group bob", "bob"},
		{"user.chshell bob /bin/zsh", "True"}, {"user.chuid bob 1501", "True"}, {"user.chgid bob staff", "True"},
		{"user.chgid bob nope", "False"},
		{"user.chfullname bob Bob", "True"}, {"user.chother bob x", "True"}, {"user.chgroups bob sudo", "True"},
		{"user.chgroups bob adm true", "True"},
		{"user.chgroups bob nope", "False"}, {"user.chhome bob /home/bob2 true", "True"},
		{"user.list_groups bob", "['adm', 'staff', 'sudo']"},
		{"user.info bob", "{'gid': 50, 'groups': ['adm', 'staff', 'sudo'], 'home': '/home/bob2', 'name': 'bob', 'passwd': " +
			"'x', 'shell': '/bin/zsh', 'uid': 1501, " +
			"'fullname': 'Bob', 'roomnumber': '', 'workphone': '', 'homephone': '', 'other': 'x'}"},
		{"shadow.set_password bob $6$a$b", "True"}, {"shadow.lock_password bob", "True"},
		{"shadow.set_maxdays bob 90", "True"}, {"shadow.set_maxdays eve 90", "False"},
		{"shadow.info bob", "{'name': 'bob', 'passwd': '!$6$a$b', 'lstchg': -1, 'min': 0, 'max': 90, 'warn': 7, 'inact': " +
			"-1, 'expire': -1}"},
		{"shadow.unlock_password bob", "True"}, {"shadow.del_password bob", "True"},
		{"shadow.info eve", "{'name': '', 'passwd': '', 'lstchg': '', 'min': '', 'max': '', 'warn': '', 'inact': '', " +
			"'expire': ''}"},
		{"shadow.list_users", "['alice', 'bob', 'root']"}, {"shadow.default_hash", "!"},
		{"shadow.gen_password secret abc md5", "$1$abc$"}, {"shadow.gen_password secret abc sha256", "$5$abc$"},
		{"user.rename bob rob", "True"}, {"user.list_users", "['alice', 'rob', 'root']"},
		{"user.list_groups rob", "['adm', 'staff', 'sudo']"},
		{"user.delete rob", "True"}, {"user.delete rob", "False"}, {"user.chshell rob /bin/sh", "User 'rob' does not exist"},
		{"user.get_loginclass alice", "False"},
	} {
		words := strings.Fields(tt.call)
		var args []value.Value
		for _, a := range words[1:] {
			args = append(args, value.Str(a))
		}
		v, err := reg.Call(t.Context(), &modules.Env{}, h, words[0], args, nil)
		got := fmt.Sprint(err)
		if err == nil {
			got = value.String(v)
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.call, got, tt.want)
		}
	}
	if _, err := reg.Call(t.Context(), &modules.Env{}, h, "user.add", []value.Value{value.Str("x")},
		value.DictOf("nope", value.Int(1))); err == nil {
		t.Error("an unknown argument was taken")
	}
	if _, err := reg.Call(t.Context(), &modules.Env{}, h, "user.info", []value.Value{value.Str("x")},
		value.DictOf("root", value.Str("/mnt"))); err == nil {
		t.Error("another root was taken")
	}
}
