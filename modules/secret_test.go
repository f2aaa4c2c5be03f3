package modules_test

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

func TestSecretName(t *testing.T) {
	for name, want := range map[string]bool{
		"password": true, "DB_PASSWORD": true, "PGPASSWORD": true, "rootpw_hash": false, "password_hash": true,
		"https_pass": true, "bypass": false, "pass": true, "Authorization": true, "X-Auth-Token": true,
		"private key": true, "api-key": true, "token": true, "tokens": false, "": false, "passwords": false,
		"password_column": false, "/etc/passwd.conf": false, "compass": false, "key": false, "secret": true,
	} {
		if modules.SecretName(name) != want {
			t.Errorf("%q: want %v", name, want)
		}
	}
}

// TestMarkNamed: secrets among arguments are found by their names, in maps, in lists of pairs and in URLs.
func TestMarkNamed(t *testing.T) {
	str := func(s string) value.Value { return value.Str(s) }
	s := secret.New()
	modules.MarkNamed(s, value.NewList(
		value.DictOf("env", value.NewList(str("PGPASSWORD=in-a-list"), value.DictOf("DB_PASS", str("in-a-map")))),
		str("Authorization: Bearer the-token"), str("get https://u:in-a-url@h/"), str("PORT=no-secret"),
		value.DictOf("q", value.DictOf("type", str("password"), "value", str("in-debconf"))),
		value.DictOf("private_key", str("/etc/a-file.pem"))))
	for text, want := range map[string]bool{"in-a-list": true, "in-a-map": true, "the-token": true, "in-a-url": true,
		"in-debconf": true, "no-secret": false, "/etc/a-file.pem": false} {
		if s.Holds(text) != want {
			t.Errorf("%s: hidden is %v", text, !want)
		}
	}
}
