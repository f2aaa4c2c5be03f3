package sealed_test

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/gostate/gostate/sls/sealed"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

const modified = "2026-11-22T10:00:00Z"

// A maker makes documents of sops by the format that its documentation describes.
type maker struct {
	t   testing.TB
	key []byte
	mac []byte // what the code is made of
}

func newMaker(t *testing.T) *maker {
	m := &maker{t: t, key: make([]byte, 32)}
	if _, err := rand.Read(m.key); err != nil {
		t.Fatal(err)
	}
	return m
}

// seal encrypts a value at a path.
func (m *maker) seal(plain, kind, path string) string {
	m.t.Helper()
	block, err := aes.NewCipher(m.key)
	if err != nil {
		m.t.Fatal(err)
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, 32)
	if err != nil {
		m.t.Fatal(err)
	}
	iv := make([]byte, 32)
	out := gcm.Seal(nil, iv, []byte(plain), []byte(path))
	e := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("ENC[AES256_GCM,data:%s,iv:%s,tag:%s,type:%s]", e(out[:len(out)-16]), e(iv), e(out[len(out)-16:]),
		kind)
}

// value is seal for a value that the code covers.
func (m *maker) value(plain, kind, path string) string {
	m.mac = append(m.mac, plain...)
	return m.seal(plain, kind, path)
}

// yaml is the metadata of a file for the recipient.
func (m *maker) yaml(to age.Recipient) string {
	return "sops:\n  age:\n    - recipient: age1x\n      enc: |\n        " +
		strings.ReplaceAll(strings.TrimSpace(armored(m.t, string(m.key), to)), "\n", "\n        ") +
		"\n  lastmodified: \"" + modified + "\"\n  mac: " + m.code() + "\n  version: 3.11.0\n"
}

func (m *maker) code() string {
	return m.seal(fmt.Sprintf("%X", sha512.Sum512(m.mac)), "str", modified)
}

func TestSopsYAML(t *testing.T) {
	id := identity(t)
	k, c := keys(t, id.String(), 0o600)
	m := newMaker(t)
	text := "db:\n  password: " + m.value("s3cret", "str", "db:password:") + "\n  port: " +
		m.value("5432", "int", "db:port:") +
		"\n  list:\n    - " + m.value("one1", "str", "db:list:") + "\n    - deep: " +
		m.value("0.5", "float", "db:list:deep:") +
		"\non: " + m.value("True", "bool", "on:") + "\nempty: \"\"\nnote_unencrypted: yes\n"
	m.mac = append(m.mac, "yes"...) // YAML 1.2 has a text where Salt's has a truth
	text += m.yaml(id.Recipient())
	v, err := k.Sops(decode(t, text), text, source(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := value.Repr(sealed.Mask(v)); got != "{'db': {'password': '***', 'port': '***', 'list': '***'}, True: "+
		"'***', 'empty': '', 'note_unencrypted': True}" || c.reads > 0 {
		t.Errorf("it is shown as %s, with %d keys read", got, c.reads)
	}
	if got := value.Repr(v); got != "{'db': {'password': 's3cret', 'port': 5432, 'list': ['one1', {'deep': 0.5}]}, "+
		"True: True, 'empty': '', 'note_unencrypted': True}" {
		t.Errorf("it is %s: %v", got, k.Err())
	}
	if c.reads != 1 || !k.Secrets.Holds("s3cret") {
		t.Errorf("the key was read %d times", c.reads)
	}
}

func TestSopsJSON(t *testing.T) {
	id := identity(t)
	k, _ := keys(t, id.String(), 0o600)
	m := newMaker(t)
	text := "{\n\t\"a\": {\n\t\t\"b\": \"" + m.value("s3cret", "str", "a:b:") +
		"\"\n\t},\n\t\"n_unencrypted\": 1,\n\t\"sops\": {\"age\": [{\"enc\": " +
		fmt.Sprintf("%q", armored(t, string(m.key), id.Recipient())) + "}], \"lastmodified\": \"" + modified +
		"\", \"mac\": \""
	m.mac = append(m.mac, '1')
	text += m.code() + "\"}\n}\n"
	data, err := value.ParseJSON(text)
	if err != nil || !sealed.IsSops(data) {
		t.Fatal(data, err)
	}
	v, err := k.Sops(data, text, source(t))
	if err != nil {
		t.Fatal(err)
	}
	if got := value.Repr(v); got != "{'a': {'b': 's3cret'}, 'n_unencrypted': 1}" {
		t.Errorf("it is %s: %v", got, k.Err())
	}
}

// TestSopsFaults: what was changed without sops, and what nobody here can open, is an error at the value that is asked
// for.
func TestSopsFaults(t *testing.T) {
	id, other := identity(t), identity(t)
	m := newMaker(t)
	a, b := m.value("s3cret", "str", "a:"), m.value("two222", "str", "b:")
	good := "a: " + a + "\nb: " + b + "\n" + m.yaml(id.Recipient())
	for _, tt := range []struct{ name, text, want string }{
		{"a value that is gone", strings.Replace(good, "b: "+b+"\n", "", 1), "its MAC does not match"},
		{"a clear value in its place", strings.Replace(good, "b: "+b, "b: evil", 1), "its MAC does not match"},
		{"a value that was moved", strings.Replace(good, "b: "+b, "b: "+a, 1), "was moved there"},
		{"another time", strings.Replace(good, modified, "2026-11-22T11:00:00Z", 1), "its MAC does not match"},
		{"another key", strings.Replace(good, good[strings.Index(good, "sops:"):], m.yaml(other.Recipient()), 1),
			"no key in"},
		{"a key of a cloud", strings.Replace(good, good[strings.Index(good, "  age:"):strings.Index(good, "  lastmodified")],
			"  kms:\n    - arn: arn:aws:x\n      enc: AQ\n", 1), "AWS KMS arn:aws:x is not asked by gostate"},
		{"several groups", strings.Replace(good, "sops:\n", "sops:\n  key_groups: [{age: []}, {age: []}]\n", 1),
			"split over 2 key groups"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, _ := keys(t, id.String(), 0o600)
			v, err := k.Sops(decode(t, tt.text), tt.text, source(t))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := v.(*value.Dict).GetStr("a")
			u, ok := got.(*value.Undefined)
			if !ok {
				t.Fatalf("it is %v", got)
			}
			var d *diag.Diagnostic
			if !errors.As(u.Err(), &d) || d.Pos.String() != "secrets.sls:1:4" || d.Hint == "" ||
				!strings.Contains(d.Msg, tt.want) {
				t.Errorf("the error is %#v", u.Err())
			}
			if strings.Contains(d.Msg+d.Hint, "s3cret") {
				t.Errorf("%q shows a secret", d.Msg)
			}
		})
	}
}
