package sealed_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/armor"
	"golang.org/x/crypto/ssh"

	"github.com/gostate/gostate/sls/sealed"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// A counter is a machine that counts what is read of it and run on it.
type counter struct {
	host.Host
	reads, runs int
}

func (c *counter) ReadFile(p string) ([]byte, error) { c.reads++; return c.Host.ReadFile(p) }
func (c *counter) Query(ctx context.Context, cmd host.Cmd) (*host.Output, error) {
	c.runs++
	return c.Host.Query(ctx, cmd)
}

// keys are keys whose only age key is in a file of this text.
func keys(t *testing.T, text string, mode os.FileMode) (*sealed.Keys, *counter) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "age.key")
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
	o, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{Host: o}
	return &sealed.Keys{Host: c, AgeFiles: []string{file}, Secrets: secret.New(), Warn: func(string) {}}, c
}

func identity(t testing.TB) *age.X25519Identity {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// armored is a text encrypted for the recipients.
func armored(t testing.TB, plain string, to ...age.Recipient) string {
	t.Helper()
	var b bytes.Buffer
	a := armor.NewWriter(&b)
	w, err := age.Encrypt(a, to...)
	if err == nil {
		_, err = io.WriteString(w, plain)
	}
	if err := errors.Join(err, w.Close(), a.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func oneLine(t testing.TB, plain string, to ...age.Recipient) string {
	t.Helper()
	raw, err := io.ReadAll(armor.NewReader(strings.NewReader(armored(t, plain, to...))))
	if err != nil {
		t.Fatal(err)
	}
	return "ENC[AGE," + base64.StdEncoding.EncodeToString(raw) + "]"
}

func block(text string) string {
	return "|\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
}

// source is where the values of a file stand.
func source(t *testing.T) sealed.Source {
	return sealed.Source{Ctx: t.Context(), At: func(m value.Mark) diag.Pos {
		return diag.Pos{File: "secrets.sls", Line: int(m.Line), Col: int(m.Col)}
	}}
}

func decode(t *testing.T, text string) *value.Dict {
	t.Helper()
	v, err := yaml.Decode("secrets.sls", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v.(*value.Dict)
}

// TestLazy: what nobody asks for is not decrypted, and no key is read for it.
func TestLazy(t *testing.T) {
	id := identity(t)
	k, c := keys(t, id.String(), 0o600)
	d := decode(t, "a: "+block(armored(t, "first\n", id.Recipient()))+"b: "+oneLine(t, "second", id.Recipient())+
		"\nlist: [plain, \""+oneLine(t, "third", id.Recipient())+"\", {deep: \""+oneLine(t, "fourth", id.Recipient())+
		"\"}]\nc: clear\n")
	v, err := k.Seal(sealed.Age, d, source(t))
	if err != nil {
		t.Fatal(err)
	}
	d = v.(*value.Dict)
	for range (&value.KeysView{Dict: d}).Iterate {
	}
	if c, _ := d.GetStr("c"); c != value.Value(value.Str("clear")) || !d.Has(value.Str("a")) || d.Len() != 4 {
		t.Errorf("the rest of %v is not there", d)
	}
	copied := value.DeepCopy(d).(*value.Dict)
	if got := value.Repr(sealed.Mask(copied)); got != "{'a': '***', 'b': '***', 'list': '***', 'c': 'clear'}" {
		t.Errorf("it is shown as %s", got)
	}
	if c.reads != 0 {
		t.Errorf("the key was read %d times before anything was asked for", c.reads)
	}
	if got, _ := copied.GetStr("a"); got != value.Value(value.Str("first")) {
		t.Errorf("a is %v", got)
	}
	if got := value.Repr(d); got != "{'a': 'first', 'b': 'second', 'list': ['plain', 'third', {'deep': 'fourth'}], 'c': "+
		"'clear'}" {
		t.Errorf("it is %s", got)
	}
	if c.reads != 1 || !k.Secrets.Holds("first") || !k.Secrets.Holds("the fourth") || k.Secrets.Holds("clear") {
		t.Errorf("the key was read %d times; %v are secret", c.reads, k.Secrets.Texts())
	}
}

// TestSSH: SSH keys open what is encrypted for them.
func TestSSH(t *testing.T) {
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	rs, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]any{"ed25519": ed, "rsa": rs} {
		signer, err := ssh.NewSignerFromKey(key)
		if err != nil {
			t.Fatal(err)
		}
		to, err := agessh.ParseRecipient(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
		if err != nil {
			t.Fatal(err)
		}
		cipher := armored(t, "for "+name, to)
		b, err := ssh.MarshalPrivateKey(key, "")
		if err != nil {
			t.Fatal(err)
		}
		k, _ := keys(t, string(pem.EncodeToMemory(b)), 0o600)
		if got, err := k.Text(sealed.Age, cipher, source(t), value.Mark{}); err != nil ||
			got != value.Value(value.Str("for "+name)) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		locked, err := ssh.MarshalPrivateKeyWithPassphrase(key, "", []byte("pass"))
		if err != nil {
			t.Fatal(err)
		}
		k, _ = keys(t, string(pem.EncodeToMemory(locked)), 0o600)
		if _, err := k.Text(sealed.Age, cipher, source(t), value.Mark{}); err == nil ||
			!strings.Contains(err.Error(), "protected by a passphrase") {
			t.Errorf("%s with a passphrase: %v", name, err)
		}
	}
}

// TestFaults: what cannot be opened says where it stands, why, and what to do, and shows neither key nor plain text.
func TestFaults(t *testing.T) {
	id, other := identity(t), identity(t)
	scrypt, err := age.NewScryptRecipient("pass")
	if err != nil {
		t.Fatal(err)
	}
	scrypt.SetWorkFactor(2)
	cipher := armored(t, "s3cret", id.Recipient())
	for _, tt := range []struct {
		name, key    string
		mode         os.FileMode
		cipher, want string
	}{
		{"another key", other.String(), 0o600, cipher, "no key in .* opens it"},
		{"an open key", id.String(), 0o640, cipher, "is open to others (mode 0640)"},
		{"no key", "hello " + id.String(), 0o600, cipher, "is no file of age keys"},
		{"a key with a passphrase", armored(t, id.String(), scrypt), 0o600, cipher, "protected by a passphrase"},
		{"a damaged value", id.String(), 0o600, strings.Replace(cipher, "\n", "\nAAAA", 1), "damaged or cut short"},
		{"a value cut short", id.String(), 0o600, "ENC[AGE,YWdlLWVu]", "damaged or cut short"},
		{"a value that is no base64", id.String(), 0o600, "ENC[AGE,!]", "damaged or cut short"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, _ := keys(t, tt.key, tt.mode)
			d := decode(t, "x: 1\npassword: "+block(tt.cipher))
			if _, err := k.Seal(sealed.Age, d, source(t)); err != nil {
				t.Fatal(err)
			}
			v, _ := d.GetStr("password")
			u, ok := v.(*value.Undefined)
			if !ok {
				t.Fatalf("it is %v", v)
			}
			var at *diag.Diagnostic
			if !errors.As(u.Err(), &at) || at.Pos.String() != "secrets.sls:2:11" || at.Hint == "" || k.Err() == nil {
				t.Fatalf("the error is %#v", u.Err())
			}
			if want := strings.Split(tt.want, " .* "); !strings.Contains(at.Msg, want[0]) ||
				!strings.Contains(at.Msg, want[len(want)-1]) {
				t.Errorf("%q does not say %q", at.Msg, tt.want)
			}
			if all := at.Msg + at.Hint; strings.Contains(all, "s3cret") || strings.Contains(all, "AGE-SECRET") {
				t.Errorf("%q shows a secret", all)
			}
		})
	}
	k, _ := keys(t, "", 0o600)
	k.AgeFiles = []string{"/does/not/exist"}
	if _, err := k.Text(sealed.Age, cipher, source(t), value.Mark{}); err == nil ||
		!strings.Contains(err.Error(), "cannot read the age key /does/not/exist") {
		t.Errorf("without a key: %v", err)
	}
}

// TestOpen: what is not lazy is opened at once, and aliases that hold themselves end.
func TestOpen(t *testing.T) {
	id := identity(t)
	k, _ := keys(t, "# a comment\n"+id.String()+"\n", 0o600)
	d := decode(t, "a: &a [*a, "+"\""+oneLine(t, "x1234", id.Recipient())+"\"]\nb: &b {c: *b}\nd: 'before "+
		oneLine(t, "y1234", id.Recipient())+" behind'\n")
	v, err := k.Open(sealed.Age, d, source(t))
	if err == nil {
		v, _ = v.(*value.Dict).GetStr("d")
	}
	if err != nil || v != value.Value(value.Str("before y1234 behind")) {
		t.Errorf("%v, %v", v, err)
	}
	if v, err := k.Open(sealed.Age, value.Str(armored(t, "#!yaml\nkey: 1\n", id.Recipient())), source(t)); err != nil ||
		v != value.Value(value.Str("#!yaml\nkey: 1")) {
		t.Errorf("a whole file is %v, %v", v, err)
	}
}
