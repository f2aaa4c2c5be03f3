package ssh

import "testing"

// FuzzAuthorizedKeys: a key that is written is read as the same key.
func FuzzAuthorizedKeys(f *testing.F) {
	for _, s := range []string{
		"ssh-ed25519 AAAA alice@laptop", `command="a b",no-pty ssh-rsa AAAAB3 c  d`, "# c", "ssh-rsa", `from="*" x ssh-rsa k`,
		`"ssh-rsa k`, "sk-ssh-ed25519@openssh.com AAAA",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		k, ok := parseAuth(line)
		if !ok {
			return
		}
		if again, ok := parseAuth(k.String()); !ok || again != k {
			t.Fatalf("%q is %+v, which is written as %q and read as %+v", line, k, k.String(), again)
		}
	})
}

// FuzzKnownHosts: a host is known by its name, be it hashed or not, and by no other.
func FuzzKnownHosts(f *testing.F) {
	for _, s := range []string{"a,b ssh-rsa AAAA", "|1|c2FsdA==|c3Vt ssh-rsa AAAA", "@revoked * x y",
		"[h]:2222 ssh-ed25519 A c"} {
		f.Add(s, "a")
	}
	f.Fuzz(func(t *testing.T, line, name string) {
		k, ok := parseKnown(line)
		if !ok {
			return
		}
		k.is(name)
		spelled, err := hashed(name)
		if err != nil {
			t.Fatal(err)
		}
		if hidden := (knownKey{names: spelled}); !hidden.is(name) || hidden.is(name+"x") {
			t.Fatalf("%q is not told by %q", name, spelled)
		}
		if again, ok := parseKnown(k.names + " " + k.kind + " " + k.key); !ok || again != k {
			t.Fatalf("%q is %+v, and written again %+v", line, k, again)
		}
	})
}
