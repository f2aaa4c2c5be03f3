package x509

import (
	"encoding/asn1"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/file"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// made are keys and certificates that are made once: caKey and other of 1024 bits, ca signed by caKey.
type made struct{ caKey, other, sealed, ca, csr string }

func makeAll(t *testing.T) made {
	t.Helper()
	h := hosttest.NewMemory()
	x := modtest.Execs{Family: Family(), Env: environment(t), Host: h}
	call := func(fun string, args ...any) string {
		d := value.NewDict(4)
		for i := 0; i+1 < len(args); i += 2 {
			d.SetStr(args[i].(string), value.From(args[i+1]))
		}
		v, err := x.Value(t, "x509."+fun, nil, d)
		if err != nil {
			t.Fatal(fun, err)
		}
		return value.String(v)
	}
	m := made{caKey: call("create_private_key", "text", true, "bits", 1024),
		other:  call("create_private_key", "text", true, "bits", 1024),
		sealed: call("create_private_key", "text", true, "bits", 1024, "passphrase", "secret")}
	m.ca = call("create_certificate", "text", true, "signing_private_key", m.caKey, "CN", "ca.example", "O", "Example",
		"basicConstraints", "critical CA:true", "keyUsage", "critical cRLSign, keyCertSign", "subjectKeyIdentifier", "hash",
		"authorityKeyIdentifier", "keyid,issuer:always", "days_valid", 3650)
	m.csr = call("create_csr", "text", true, "private_key", m.other, "CN", "www.example", "subjectAltName",
		[]string{"DNS:www.example", "IP:192.0.2.1"})
	return m
}

func environment(t *testing.T) *modules.Env {
	t.Helper()
	reg, err := modules.New(Family(), file.Family())
	if err != nil {
		t.Fatal(err)
	}
	policies := modtest.Dict(t, `{"x509_signing_policies": {"www": [{"signing_private_key": "/pki/ca.key"},
		{"signing_cert": "/pki/ca.crt"}, {"days_valid": 90}]}}`)
	none := func(string) (value.Value, bool) { return nil, false }
	return &modules.Env{Opts: none, Grains: none, Pillar: policies, Cache: modules.NewCache(), Progress: func(string) {},
		Registry: reg, Low: &state.Low{}, Now: func() time.Time { return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC) }}
}

func (all made) machine(set func(m *hosttest.Memory)) func(*testing.T) host.Host {
	return modtest.Memory(nil, func(m *hosttest.Memory) {
		m.MustWrite("/pki/ca.key", all.caKey, 0o600)
		m.MustWrite("/pki/ca.crt", all.ca, 0o644)
		m.MustWrite("/pki/other.key", all.other, 0o600)
		m.MustWrite("/pki/sealed.key", all.sealed, 0o600)
		m.MustWrite("/pki/www.csr", all.csr, 0o644)
		if set != nil {
			set(m)
		}
	})
}

func TestConformance(t *testing.T) {
	all := makeAll(t)
	crt := func(args ...any) modtest.Deed {
		return modtest.State("x509.certificate_managed", "/srv/www.crt", args...)
	}
	// what is random: serial numbers, what is hashed of them, and what is made of keys
	random := regexp.MustCompile(`([0-9A-F]{2}:){4,}[0-9A-F]{2}|'diff': '[^']*'`)
	modtest.Suite{Family: Family(), Env: environment, Moment: random,
		Situations: modtest.Situations{
			"nothing": all.machine(nil),
			"other things": all.machine(func(m *hosttest.Memory) {
				m.MustWrite("/srv/www.key", all.other, 0o644)
				m.MustWrite("/srv/www.crt", all.ca, 0o644)
				m.MustWrite("/srv/www.csr", all.csr, 0o644)
				m.MustWrite("/srv/ca.crl", "nonsense", 0o644)
			}),
			"sealed": all.machine(func(m *hosttest.Memory) { m.MustWrite("/srv/www.key", all.sealed, 0o600) }),
		},
		Deeds: []modtest.Deed{
			modtest.State("x509.private_key_managed", "/srv/www.key", "bits", 1024, "makedirs", true),
			modtest.State("x509.private_key_managed", "/srv/www.key", "algo", "ec", "makedirs", true),
			modtest.State("x509.private_key_managed", "/nowhere/www.key"),
			modtest.State("x509.private_key_managed", "/srv/www.key", "new", true, "bits", 1024, "overwrite", true, "mode",
				"0640", "makedirs", true).In("other things", "nothing"),
			modtest.State("x509.csr_managed", "/srv/www.csr", "private_key", "/pki/other.key", "CN", "www.example",
				"subjectAltName", "DNS:www.example, IP Address:192.0.2.1", "makedirs", true),
			modtest.State("x509.csr_managed", "/srv/www.csr", "private_key", "/pki/none.key", "makedirs", true),
			crt("signing_private_key", "/pki/ca.key", "signing_cert", "/pki/ca.crt", "public_key", "/pki/other.key", "CN",
				"www.example", "makedirs", true, "authorityKeyIdentifier", "keyid,issuer:always"),
			crt("signing_private_key", "/pki/ca.key", "CN", "ca.example", "O", "Example", "basicConstraints",
				"critical CA:true", "keyUsage", "critical cRLSign, keyCertSign", "subjectKeyIdentifier", "hash",
				"authorityKeyIdentifier", "keyid,issuer:always", "makedirs", true),
			crt("signing_policy", "www", "csr", "/pki/www.csr", "days_remaining", 0, "makedirs", true),
			crt("signing_private_key", "/pki/other.key", "signing_cert", "/pki/ca.crt"),
			modtest.State("x509.crl_managed", "/srv/ca.crl", "signing_private_key", "/pki/ca.key", "signing_cert",
				"/pki/ca.crt", "makedirs", true, "revoked", []any{map[string]any{"lost": []any{
					map[string]any{"serial_number": "D6:D2"}, map[string]any{"reason": "keyCompromise"}}}}),
			modtest.State("x509.pem_managed", "/srv/www.crt", "text", strings.ReplaceAll(all.ca, "\n", " "), "makedirs", true),
			modtest.State("x509.pem_managed", "/srv/www.key", "text", all.other, "makedirs", true),
			modtest.State("x509.pem_managed", "/srv/www.key", "text", "nonsense"),
		}}.Run(t)
}

// TestKeysStaySecret: no text of a key is in changes or comments, and a new file with one is its owner's alone.
func TestKeysStaySecret(t *testing.T) {
	all := makeAll(t)
	h := all.machine(nil)(t)
	suite := modtest.Suite{Family: Family(), Env: environment}
	for _, d := range []modtest.Deed{
		modtest.State("x509.private_key_managed", "/pki/new.key", "bits", 1024),
		modtest.State("x509.pem_managed", "/pki/copy.key", "text", all.other),
		modtest.State("x509.pem_managed", "/pki/copy.key", "text", all.caKey),
	} {
		e, err := suite.One(t, h, d)
		if told := value.Repr(e.Changes) + e.Comment; err != nil || strings.Contains(told, "PRIVATE KEY") ||
			!e.Alters() {
			t.Errorf("%v: %v, and tells %s", d, err, told)
		}
	}
	for _, f := range []string{"/pki/new.key", "/pki/copy.key"} {
		if i, err := h.Stat(f); err != nil || i.Perm() != 0o400 {
			t.Errorf("%s has the mode %o %v", f, i.Perm(), err)
		}
	}
	if _, err := suite.One(t, h, modtest.State("x509.private_key_managed", "/pki/sealed.key", "passphrase",
		"wrong")); err == nil || err.Error() != errPassphrase.Error() {
		t.Error(err)
	}
}

// TestReasons: why a certificate is made anew.
func TestReasons(t *testing.T) {
	all := makeAll(t)
	h := all.machine(nil)(t)
	suite := modtest.Suite{Family: Family(), Env: environment}
	args := func(more ...any) []any {
		return append([]any{"signing_private_key", "/pki/ca.key", "signing_cert", "/pki/ca.crt", "public_key",
			"/pki/other.key", "CN", "www", "subjectAltName", "DNS:www", "authorityKeyIdentifier", "keyid,issuer:always"},
			more...)
	}
	for _, tt := range []struct {
		args []any
		want string
	}{
		{args("days_valid", 100), "/srv.crt does not exist"},
		{args(), ""},
		{args("days_remaining", 101), "Certificate needs renewal: 100 days remaining but it needs to be at least 101"},
		{args("days_remaining", 0), ""},
		{args("CN", "other"), "Certificate properties are different: Subject, Subject Hash"},
		{args("subjectAltName", "DNS:other"), "Certificate properties are different: Subject, Subject Hash, X509v3 Extensions"},
		{args("CN", "www", "public_key", "/pki/ca.key"), "Certificate properties are different: Public Key, " +
			"X509v3 Extensions"},
		{[]any{"signing_private_key", "/pki/other.key", "CN", "www"}, "Certificate is not signed by private_signing_key"},
	} {
		e, err := suite.One(t, h, modtest.State("x509.certificate_managed", "/srv.crt", tt.args...))
		got := ""
		if status, ok := e.Changes.GetStr("Status"); ok {
			got = text(status.(*value.Dict), "Old")
		}
		if err != nil || got != tt.want {
			t.Errorf("%v: %q %v, want %q", tt.args, got, err, tt.want)
		}
	}
}

func TestExecs(t *testing.T) {
	all := makeAll(t)
	h := all.machine(nil)(t)
	x := modtest.Execs{Family: Family(), Env: environment(t), Host: h}
	x.Table(t, [][4]string{
		{"x509.get_private_key_size", `["/pki/ca.key"]`, "", "1024"},
		{"x509.get_private_key_size", `["/pki/sealed.key"]`, `{"passphrase": "secret"}`, "1024"},
		{"x509.get_private_key_size", `["/pki/sealed.key"]`, "",
			"error: the private key /pki/sealed.key: The provided passphrase cannot decrypt the private key."},
		{"x509.verify_private_key", `["/pki/ca.key", "/pki/ca.crt"]`, "", "True"},
		{"x509.verify_private_key", `["/pki/other.key", "/pki/ca.crt"]`, "", "False"},
		{"x509.verify_private_key", `["/pki/other.key", "/pki/www.csr"]`, "", "True"},
		{"x509.verify_signature", `["/pki/ca.crt", "/pki/ca.key"]`, "", "True"},
		{"x509.verify_signature", `["/pki/ca.crt", "/pki/other.key"]`, "", "False"},
		{"x509.will_expire", `["/pki/ca.crt", 30]`, "",
			"{'path': '/pki/ca.crt', 'check_days': 30, 'cn': 'ca.example', 'will_expire': False}"},
		{"x509.will_expire", `["/pki/ca.crt", 4000]`, "",
			"{'path': '/pki/ca.crt', 'check_days': 4000, 'cn': 'ca.example', 'will_expire': True}"},
		{"x509.expired", `["/pki/ca.crt"]`, "", "{'path': '/pki/ca.crt', 'cn': 'ca.example', 'expired': False}"},
		{"x509.expired", `["/pki/none"]`, "", "{}"},
		{"x509.expires", `["/pki/ca.crt"]`, `{"days": 4000}`, "True"},
		{"x509.read_certificate", `["/pki/none"]`, "", "error: read /pki/none: no such file or directory"},
		{"x509.get_pem_entry", `["nonsense"]`, "", `error: "nonsense" is neither a path nor the text of a key or certificate`},
		{"x509.create_certificate", `[]`, `{"text": true, "signing_private_key": "/pki/ca.key", "keyusage": "x"}`,
			`error: x509.certificate_managed has no argument "keyusage"`},
		{"x509.create_certificate", `[]`, `{"text": true, "signing_private_key": "/pki/ca.key", "keyUsage": "nonsense"}`,
			`error: x509.certificate_managed: keyUsage: "nonsense" means nothing`},
	})
	info := x.Call(t, "x509.read_certificate", `["/pki/ca.crt"]`, "")
	for _, want := range []string{"'Subject': {'CN': 'ca.example', 'O': 'Example'}", "'Version': 3",
		"'basicConstraints': 'critical CA:TRUE'", "'keyUsage': 'critical Certificate Sign, CRL Sign'"} {
		if !strings.Contains(info, want) {
			t.Errorf("%s is not in %s", want, info)
		}
	}
}

// TestDiffers: where Salt drops what else is in a file, makes a new list in every run, or asks another machine.
func TestDiffers(t *testing.T) {
	all := makeAll(t)
	h := all.machine(func(m *hosttest.Memory) { m.MustWrite("/pki/both.pem", all.other+all.ca, 0o600) })(t)
	suite := modtest.Suite{Family: Family(), Env: environment}
	both := modtest.State("x509.private_key_managed", "/pki/both.pem", "bits", 1024)
	if e, err := suite.One(t, h, both); err != nil || e.Alters() {
		t.Error("a key with a certificate behind it:", e.Comment, err)
	}
	if text, _ := h.ReadFile("/pki/both.pem"); string(text) != all.other+all.ca {
		t.Error("what stands behind the key is gone")
	}
	crl := modtest.State("x509.crl_managed", "/pki/ca.crl", "signing_private_key", "/pki/ca.key", "signing_cert",
		"/pki/ca.crt", "revoked", []any{map[string]any{"lost": []any{map[string]any{"serial_number": "D6:D2"}}}})
	if e, err := suite.One(t, h, crl); err != nil || !e.Alters() {
		t.Error("a list:", err)
	}
	suite.Env = func(t *testing.T) *modules.Env {
		env, later := environment(t), environment(t).Now().Add(time.Hour)
		env.Now = func() time.Time { return later }
		return env
	}
	if e, err := suite.One(t, h, crl); err != nil || e.Alters() {
		t.Error("the same list an hour later:", value.Repr(e.Changes), err)
	}
	_, err := suite.One(t, h, modtest.State("x509.certificate_managed", "/pki/x.crt", "ca_server", "ca", "signing_policy",
		"www", "public_key", "/pki/other.key"))
	if err == nil || !strings.Contains(err.Error(), "is to be signed by the machine ca") {
		t.Error(err)
	}
	if r, err := readRequest(h, "/pki/www.csr"); err != nil || r.Version != 0 {
		t.Error("the version of a request:", r.Version, err)
	}
}

// TestSerialOfIssuer: the mark of who signed names its serial number, also one whose first bit is set.
func TestSerialOfIssuer(t *testing.T) {
	all := makeAll(t)
	h := all.machine(nil)(t)
	suite := modtest.Suite{Family: Family(), Env: environment}
	if _, err := suite.One(t, h, modtest.State("x509.certificate_managed", "/pki/self.crt", "signing_private_key",
		"/pki/ca.key", "CN", "self", "serial_number", "F1:A1:A6", "authorityKeyIdentifier", "issuer:always")); err != nil {
		t.Fatal(err)
	}
	c, err := readCertificate(h, "/pki/self.crt")
	if err != nil {
		t.Fatal(err)
	}
	var id authorityKeyID
	if _, err := asn1.Unmarshal(c.Extensions[0].Value, &id); err != nil {
		t.Fatal(err)
	}
	if got := hexed(id.Serial.Bytes); got != "00:F1:A1:A6" || showAuthority(id) != "DirName:/CN=self\nserial:F1:A1:A6" {
		t.Errorf("the serial number is %s, shown as %q", got, showAuthority(id))
	}
}
