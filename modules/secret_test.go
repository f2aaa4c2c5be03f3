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

// TestMarkWithin: values tell of secrets in URLs and in answers to debconf. What a map calls so need not be one.
func TestMarkWithin(t *testing.T) {
	str := func(s string) value.Value { return value.Str(s) }
	s := secret.New()
	modules.MarkWithin(s, value.NewList(str("get https://u:in-a-url@h/"),
		value.DictOf("q", value.DictOf("type", str("password"), "value", str("in-debconf"))),
		value.DictOf("proxy_pass", str("http://localhost:9999"), "password", str("of-a-template"))))
	for text, want := range map[string]bool{"in-a-url": true, "in-debconf": true, "http://localhost:9999": false,
		"of-a-template": false} {
		if s.Holds(text) != want {
			t.Errorf("%s: hidden is %v", text, !want)
		}
	}
}
