package random

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

func functions() modtest.Execs {
	return modtest.Execs{Family: Family(), Env: &modules.Env{
		Grains: modules.Whole(func() *value.Dict { return value.DictOf("id", value.Str("web1")) }),
	}}
}

func TestHashes(t *testing.T) {
	functions().Table(t, [][4]string{
		{"random.hash", `["hello", "md5"]`, "", "'5d41402abc4b2a76b9719d911017c592'"},
		{"random.str_encode", `["hello"]`, "", `'aGVsbG8=\n'`},
		{"random.sample", `[[1, 1, 1], 2]`, "", "[1, 1]"},
		{"random.sample", `[[1], 2]`, "", "error: Sample larger than population or is negative"},
		{"random.shuffle", `["aa"]`, "", "['a', 'a']"},
		{"random.shuffle", `[[1, 2, 3, 4], 9]`, "", "[4, 3, 2, 1]"},
		{"random.seed", `[60]`, "", "52"}, {"random.seed", `[1000, "web"]`, "", "171"},
		{"random.seed", `[0]`, "", "error: empty range for randrange()"},
		{"random.rand_int", `[5, 99999999999, 3]`, "", "78331461634"},
		{"random.shadow_hash", `["x", "pw", "des"]`, "", "error: Unknown algorithm 'des'"},
	})
	got := functions().Call(t, "random.shadow_hash", `["saltsalt", "pw", "sha512"]`, "")
	if !strings.HasPrefix(got, "'$6$saltsalt$") {
		t.Errorf("got %s", got)
	}
}

func call(t *testing.T, name, args, kwargs string) (value.Value, error) {
	return functions().Value(t, name, modtest.JSON(t, args).(*value.List).Items, modtest.JSON(t, kwargs).(*value.Dict))
}

func TestRandom(t *testing.T) {
	v, err := call(t, "random.get_str", `[12]`, `{"punctuation": false, "uppercase": false, "digits": false}`)
	s, _ := v.(value.Str)
	if err != nil || len(s) != 12 || strings.Trim(string(s), lowercase) != "" {
		t.Errorf("got %q, %v", s, err)
	}
	if v, _ := call(t, "random.get_str", `[5, "x"]`, "{}"); v != value.Str("xxxxx") {
		t.Errorf("got %v", v)
	}
	if _, err := call(t, "random.get_str", `[100000]`, "{}"); err == nil {
		t.Error("want an error")
	}
	for range 50 {
		v, err := call(t, "random.rand_int", `[3, 5]`, "{}")
		if i, _ := v.(value.Int); err != nil || i < 3 || i > 5 {
			t.Fatalf("got %v, %v", v, err)
		}
	}
	for _, f := range []string{"random.seed", "random.rand_int"} {
		kw := "{}"
		if f == "random.rand_int" {
			kw = `{"seed": "x"}`
		}
		a, _ := call(t, f, `[1, 1000]`, kw)
		b, _ := call(t, f, `[1, 1000]`, kw)
		if a != b || a == nil {
			t.Errorf("%s: %v, then %v", f, a, b)
		}
	}
}
