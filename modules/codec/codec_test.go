package codec

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func call(t *testing.T, name, args, kwargs string) (value.Value, error) {
	t.Helper()
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	h := hosttest.NewMemory()
	h.MustWrite("/etc/f", "hello", 0o644)
	a, err := value.ParseJSON(args)
	if err != nil {
		t.Fatal(err)
	}
	kw, err := value.ParseJSON("{" + kwargs + "}")
	if err != nil {
		t.Fatal(err)
	}
	w := &modules.World{Host: h, Grains: func() *value.Dict { return value.DictOf("server_id", value.Int(42)) }}
	return reg.Call(context.Background(), w, name, a.(*value.List).Items, kw.(*value.Dict))
}

// TestHashes holds the functions against what Python's hashlib, hmac and base64 give.
func TestHashes(t *testing.T) {
	for _, c := range [][3]string{

		{"hashutil.md5_digest", `["hello"]`, "'5d41402abc4b2a76b9719d911017c592'"},
		{"hashutil.digest", `["hello", "sha1"]`, "'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'"},
		{"hashutil.sha256_digest", `["hello"]`, "'2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'"},
		{"hashutil.digest", `["x", "nope"]`, "error: Hash func 'nope' is not supported."},
		{"hashutil.digest_file", `["/etc/f"]`, "'5d41402abc4b2a76b9719d911017c592'"},
		{"hashutil.base64_b64encode", `["get salted"]`, "'Z2V0IHNhbHRlZA=='"},
		{"hashutil.base64_b64decode", `["Z2V0IHNhbHRlZA=="]`, "'get salted'"},
		{"hashutil.base64_encodestring", `["get salted"]`, `'Z2V0IHNhbHRlZA==\n'`},
		{"hashutil.base64_decodestring", `["Z2V0IHNhbHRlZA==\n"]`, "'get salted'"},
		{"hashutil.base64_encodefile", `["/etc/f"]`, `'aGVsbG8=\n'`},
		{"hashutil.hmac_signature", `["get salted", "shared secret", "eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ="]`, "True"},
		{"hashutil.hmac_signature", `["get salty", "shared secret", "eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ="]`, "False"},
		{"hashutil.hmac_compute", `["get salted", "shared secret"]`, "'78159ff5bb2d5e0f8d88fe403b0a690791ccbd989830fcc433d5b960c9bf0264'"},
		{"random.hash", `["hello", "md5"]`, "'5d41402abc4b2a76b9719d911017c592'"},
		{"random.str_encode", `["hello"]`, `'aGVsbG8=\n'`},
		{"random.shadow_hash", `["saltsalt", "pw", "sha512"]`, "'$6$saltsalt$"},
		{"random.shadow_hash", `["x", "pw", "des"]`, "error: Unknown algorithm 'des'"},
	} {
		v, err := call(t, c[0], c[1], "")
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = value.Repr(v)
		}
		if diff := cmp.Diff(c[2], got); diff != "" && !(c[0] == "random.shadow_hash" && strings.HasPrefix(got, c[2])) {
			t.Errorf("%s %s (-want +got)\n%s", c[0], c[1], diff)
		}
	}
}

func TestRandom(t *testing.T) {
	v, err := call(t, "random.get_str", `[12]`, `"punctuation": false, "uppercase": false, "digits": false`)
	s, _ := v.(value.Str)
	if err != nil || len(s) != 12 || strings.Trim(string(s), lowercase) != "" {
		t.Errorf("got %q, %v", s, err)
	}
	if v, _ := call(t, "random.get_str", `[5, "x"]`, ""); v != value.Str("xxxxx") {
		t.Errorf("got %v", v)
	}
	if _, err := call(t, "random.get_str", `[100000]`, ""); err == nil {
		t.Error("want an error")
	}
	for range 50 {
		v, err := call(t, "random.rand_int", `[3, 5]`, "")
		if i, _ := v.(value.Int); err != nil || i < 3 || i > 5 {
			t.Fatalf("got %v, %v", v, err)
		}
	}
	for _, f := range []string{"random.seed", "random.rand_int"} {
		kw := ""
		if f == "random.rand_int" {
			kw = `"seed": "x"`
		}
		a, _ := call(t, f, `[1, 1000]`, kw)
		b, _ := call(t, f, `[1, 1000]`, kw)
		if a != b || a == nil {
			t.Errorf("%s: %v, then %v", f, a, b)
		}
	}
}
