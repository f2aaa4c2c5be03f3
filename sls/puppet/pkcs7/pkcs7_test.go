package pkcs7

import (
	"os"
	"strings"
	"testing"
)

func file(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func key(t testing.TB, name string) *Key {
	t.Helper()
	k, err := ReadKey(name, []byte(file(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestOpen opens what OpenSSL encrypted.
func TestOpen(t *testing.T) {
	got, err := Open(file(t, "value.txt"), key(t, "private.pem"))
	if err != nil || got != "top secret word" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestBroken is what is said of keys and texts that do not fit.
func TestBroken(t *testing.T) {
	value, k := file(t, "value.txt"), key(t, "private.pem")
	for text, want := range map[string]string{
		"%%":                              "the text is no base64",
		"aGVsbG8=":                        "it is no PKCS7",
		value[:200]:                       "it is no PKCS7",
		value[:len(value)-8] + "AAAAAAA=": "",
	} {
		got, err := Open(text, k)
		if err == nil && got == "top secret word" || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%.20s: %q, %v, not %s", text, got, err, want)
		}
	}
	if _, err := Open(value, key(t, "other.pem")); err == nil {
		t.Error("another key opens it")
	}
	for text, want := range map[string]string{
		"x": "holds no key in PEM",
		"-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n": "holds no private key that can be read",
	} {
		if _, err := ReadKey("k.pem", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	k := key(f, "private.pem")
	f.Add(file(f, "value.txt"))
	f.Fuzz(func(_ *testing.T, text string) { _, _ = Open(text, k) })
}
