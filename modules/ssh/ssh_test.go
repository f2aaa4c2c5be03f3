package ssh

import (
	"context"
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

const (
	keyA = "AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl" // github.com's
	file = "/home/alice/.ssh/authorized_keys"
)

// converge binds, checks, applies and checks again; it gives the changes ("" for none) or the error.
func converge(t *testing.T, h *hosttest.Memory, spec modules.StateSpec, name string,
	args ...any) (changes, fault string) {
	t.Helper()
	fn, diags := modules.Bind(&spec, &state.Low{ID: name, Name: name, Args: value.DictOf(args...)})
	if fn == nil {
		return "", diags[0].Msg
	}
	ctx := context.Background()
	f, err := modtest.Of(fn).Check(ctx, nil, h)
	if err != nil {
		return "", err.Error()
	}
	if !f.Pending {
		return "", ""
	}
	a, err := modtest.Of(fn).Apply(ctx, nil, h, f)
	if err != nil {
		return "", err.Error()
	}
	if again, err := modtest.Of(fn).Check(ctx, nil, h); err != nil || again.Pending {
		t.Errorf("%s does not converge: %+v %v", spec.Name, again, err)
	}
	return value.Repr(a.Changes), ""
}

func machine(text string) *hosttest.Memory {
	h := hosttest.NewMemory()
	h.AddUser("alice", 1000)
	h.Invalidate("accounts")
	h.MustMkdir("/home/alice")
	if text != "" {
		h.MustWrite(file, text, 0o600)
	}
	return h
}

func TestAuth(t *testing.T) {
	const before = "# keys\nssh-rsa AAAAold1 old@x\nno-pty,command=\"a b\" ssh-ed25519 AAAAnew1\n"
	alice := []any{"user", value.Str("alice")}
	tests := []struct {
		name, key string
		spec      modules.StateSpec
		args      []any
		changes   string
		after     string
		err       string
	}{
		{"new line", "ssh-rsa AAAAxxx1 me@y", authPresentSpec(), nil, "{'AAAAxxx1': 'New'}",
			before + "ssh-rsa AAAAxxx1 me@y\n", ""},
		{"new body", "AAAAxxx1", authPresentSpec(), []any{"enc", value.Str("ed25519"), "comment", value.Str("c"), "options",
			value.NewList(value.Str("no-pty"), value.Str("no-agent-forwarding"))},
			"{'AAAAxxx1': 'New'}", before + "no-pty,no-agent-forwarding ssh-ed25519 AAAAxxx1 c\n", ""},
		{"there", "ssh-rsa AAAAold1 old@x", authPresentSpec(), nil, "", before, ""},
		{"without its comment", "ssh-rsa AAAAold1", authPresentSpec(), nil, "{'AAAAold1': 'Updated'}",
			"# keys\nssh-rsa AAAAold1 \nno-pty,command=\"a b\" ssh-ed25519 AAAAnew1\n", ""},
		{"options of the line count", "no-pty ssh-rsa AAAAxxx1 c", authPresentSpec(),
			[]any{"options", value.NewList(value.Str("no-agent-forwarding"))},
			"{'AAAAxxx1': 'New'}", before + "no-pty ssh-rsa AAAAxxx1 c\n", ""},
		{"too much padding", "AAAAB3NzaC1kcQ9J5bYTEyZ==", authPresentSpec(), nil, "{'AAAAB3NzaC1kcQ9J5bYTEyZ==': 'New'}",
			before + "ssh-rsa AAAAB3NzaC1kcQ9J5bYTEyZ== \n", ""},
		{"no base64", "AAAA%", authPresentSpec(), nil, "", before,
			"Invalid public ssh key, most likely has spaces or invalid syntax"},
		{"no such kind", "AAAAxxx1", authPresentSpec(), []any{"enc", value.Str("rot13")}, "", before,
			"Incorrect encryption key type 'rot13'."},
		{"other options", "ssh-ed25519 AAAAnew1", authPresentSpec(), nil, "{'AAAAnew1': 'Updated'}",
			"# keys\nssh-rsa AAAAold1 old@x\nssh-ed25519 AAAAnew1 \n", ""},
		{"no key", "hello world", authPresentSpec(), nil, "", before,
			"Invalid public ssh key, most likely has spaces or invalid syntax"},
		{"absent", "AAAAold1", authAbsentSpec(), nil, "{'AAAAold1': 'Removed'}",
			"# keys\nno-pty,command=\"a b\" ssh-ed25519 AAAAnew1\n", ""},
		{"absent already", "AAAAnone", authAbsentSpec(), nil, "", before, ""},
		{"exactly", "x", authManageSpec(), []any{"ssh_keys",
			value.NewList(value.Str("ssh-rsa AAAAold1 old@x"), value.Str("ssh-rsa AAAAzzz1"))},
			"{'AAAAnew1': 'Key removed', 'AAAAzzz1': 'New'}", "# keys\nssh-rsa AAAAold1 old@x\nssh-rsa AAAAzzz1 \n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := machine(before)
			changes, fault := converge(t, h, tt.spec, tt.key, append(alice, tt.args...)...)
			data, _ := h.ReadFile(file)
			if d := cmp.Diff([]string{tt.changes, tt.after, tt.err}, []string{changes, string(data), fault}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestAuthMakesTheFolder(t *testing.T) {
	h := machine("")
	converge(t, h, authPresentSpec(), "ssh-rsa AAAAxxx1", "user", value.Str("alice"))
	dir, err := h.Stat("/home/alice/.ssh")
	if err != nil || dir.Perm() != 0o700 || dir.UID != 1000 {
		t.Errorf("%+v %v", dir, err)
	}
	if f, err := h.Stat(file); err != nil || f.Perm() != 0o600 || f.UID != 1000 {
		t.Errorf("%+v %v", f, err)
	}
	if _, fault := converge(t, h, authPresentSpec(), "ssh-rsa AAAAxxx1", "user",
		value.Str("eve")); !strings.Contains(fault, "does not exist") {
		t.Errorf("a user who is not there: %q", fault)
	}
}

func TestKnown(t *testing.T) {
	h := machine("")
	const finger = "SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU"
	h.Script = func(c host.Cmd) (*host.Output, error) {
		return &host.Output{Stdout: []byte("# github.com:22\ngithub.com ssh-ed25519 " + keyA + "\ngithub.com ssh-ed25519 " +
			other + "\n")}, nil
	}
	args := []any{"user", value.Str("alice"), "enc", value.Str("ed25519")}
	if _, fault := converge(t, h, knownPresentSpec(), "github.com",
		append(args, "fingerprint", value.Str("SHA256:wrong"))...); !strings.Contains(fault, "does not match") {
		t.Errorf("a wrong fingerprint: %q", fault)
	}
	changes, fault := converge(t, h, knownPresentSpec(), "github.com", append(args, "fingerprint", value.Str(finger))...)
	if fault != "" || !strings.Contains(changes, keyA) {
		t.Fatalf("%q %q", changes, fault)
	}
	data, _ := h.ReadFile("/home/alice/.ssh/known_hosts")
	if !strings.HasPrefix(string(data), "|1|") {
		t.Errorf("the name is not hashed: %s", data)
	}
	if strings.Contains(string(data), other) {
		t.Errorf("a key that nobody vouches for is taken: %s", data)
	}
	another := machine("")
	_, fault = converge(t, another, knownPresentSpec(), "github.com",
		append(args, "key", value.Str(keyA), "port", value.Int(2222))...)
	if data, _ := another.ReadFile("/home/alice/.ssh/known_hosts"); !strings.HasPrefix(string(data), "|1|") {
		t.Errorf("hashed, with a port: %q %q", data, fault)
	}
	if changes, fault := converge(t, h, knownPresentSpec(), "github.com",
		append(args, "key", value.Str(keyA))...); changes != "" || fault != "" {
		t.Errorf("a key that is known: %q %q", changes, fault)
	}
	if changes, _ := converge(t, h, knownAbsentSpec(), "github.com", "user",
		value.Str("alice")); !strings.HasPrefix(changes, "{'old': [{'hostname': '|1|") ||
		!strings.HasSuffix(changes, "'new': None}") {
		t.Errorf("removal: %q", changes)
	}
	converge(t, h, knownPresentSpec(), "h", "key", value.Str("ssh-rsa AAAAqqq1"), "port", value.Int(2222),
		"hash_known_hosts", value.Bool(false))
	if i, err := h.Stat("/etc/ssh/ssh_known_hosts"); err != nil || i.Perm() != 0o600 {
		t.Errorf("%o %v", i.Perm(), err)
	}
	if dir, _ := h.Stat("/etc/ssh"); dir.Perm() != 0o755 {
		t.Errorf("the folder has the mode %o", dir.Perm())
	}
	if data, _ := h.ReadFile("/etc/ssh/ssh_known_hosts"); string(data) != "[h]:2222 ssh-rsa AAAAqqq1\n" {
		t.Errorf("the machine's known hosts: %q", data)
	}
	if _, fault := converge(t, h, knownPresentSpec(), "h", "user", value.Str("alice")); !strings.Contains(fault,
		"fingerprint is needed") {
		t.Errorf("nothing vouches for the key: %q", fault)
	}
}

// TestSource: a source is told as a whole.
func TestSource(t *testing.T) {
	h := machine("ssh-rsa AAAAold1 old\n\n")
	spec := authPresentSpec()
	fn, diags := modules.Bind(&spec, &state.Low{ID: "all", Name: "all",
		Args: value.DictOf("user", value.Str("alice"), "source", value.Str("salt://keys"))})
	if fn == nil {
		t.Fatal(diags[0].Msg)
	}
	env := &modules.Env{Files: source{}, Low: &state.Low{}}
	e, err := fn.Act(context.Background(), env, h)
	if err != nil || value.Repr(e.Changes) != "{'all': 'Updated'}" {
		t.Errorf("%s %v", value.Repr(e.Changes), err)
	}
	if got, _ := h.ReadFile(file); string(got) != "ssh-rsa AAAAold1 new words\nno-pty ssh-ed25519 AAAAxxx1 \n" {
		t.Errorf("wrote %q", got)
	}
}

type source struct{ modules.Files }

func (source) Fetch(context.Context, string, string) ([]byte, error) {
	return []byte("# keys\nssh-rsa AAAAold1 new words\nno-pty ssh-ed25519 AAAAxxx1\n"), nil
}
