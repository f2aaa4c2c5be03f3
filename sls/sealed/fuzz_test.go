package sealed_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/sealed"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// FuzzText: a text with what may be a cipher ends in a value, or in an error with a place and a hint; one without a
// cipher is itself.
func FuzzText(f *testing.F) {
	id := identity(f)
	for _, s := range []string{
		oneLine(f, "s3cret", id.Recipient()), "a " + armored(f, "s3cret", id.Recipient()) + " b", "ENC[AGE,]", "ENC[AGE,YWdl",
		"-----BEGIN AGE ENCRYPTED FILE-----\n-----END AGE ENCRYPTED FILE-----", "ENC[AGE,a]ENC[AGE,b]", `\n`, "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, _ := keys(t, id.String(), 0o600)
		v, err := k.Text(sealed.Age, text, source(t), value.Mark{Line: 1, Col: 1})
		var d *diag.Diagnostic
		switch {
		case err != nil && (!errors.As(err, &d) || d.Hint == "" || d.Pos.Line != 1):
			t.Fatalf("%q: %#v", text, err)
		case err == nil && !strings.Contains(text, "ENC[AGE,") && !strings.Contains(text, "BEGIN AGE") &&
			v != value.Value(value.Str(text)):
			t.Fatalf("%q became %v", text, v)
		}
	})
}

// FuzzSops: whatever a file says that it is, reading it ends, and no value is given where the code does not match.
func FuzzSops(f *testing.F) {
	id := identity(f)
	m := &maker{t: f, key: make([]byte, 32)}
	good := "a: " + m.value("s3cret", "str", "a:") + "\nb: [" + "\"" + m.value("1", "int", "b:") + "\"]\n" +
		m.yaml(id.Recipient())
	for _, s := range []string{good, "sops: {mac: a, lastmodified: b}\na: ENC[AES256_GCM,data:,iv:,tag:,type:str]",
		`{"a": "ENC[AES256_GCM,data:YQ==]", "sops": {"mac": "", "lastmodified": ""}}`,
		"a: &a [*a]\nsops: {mac: 1, lastmodified: 2}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := yaml.Decode("secrets.sls", []byte(text))
		if err != nil || !sealed.IsSops(v) {
			return
		}
		k, _ := keys(t, id.String(), 0o600)
		if v, err = k.Sops(v, text, source(t)); err != nil {
			return
		}
		a, _ := v.(*value.Dict).GetStr("a")
		if a == value.Value(value.Str("s3cret")) && k.Err() == nil && !strings.Contains(text, "mac: ENC") &&
			!strings.Contains(text, "s3cret") {
			t.Fatalf("%q gives %v", text, a)
		}
	})
}
