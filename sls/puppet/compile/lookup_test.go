package compile

import (
	"os"
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/puppet/types"
)

// lookupData is an environment with a module, as it was looked up in with Puppet 7.23.
func lookupData(t *testing.T) Options {
	t.Helper()
	r := recorded{Files: map[string]string{
		"hiera.yaml": "version: 5\nhierarchy:\n  - {name: Per-node data, path: \"nodes/%{trusted.certname}.yaml\"}\n" +
			"  - {name: Other, paths: [\"os/%{facts.os.family}.yaml\", common.yaml]}\n",
		"data/common.yaml": "a: {x: 1, y: [1, 2]}\nb: \"v %{lookup(\\\"c\\\")}\"\nc: C\nm::p: from env\nlookup_options:\n" +
			"  a: {merge: deep}\n  \"^d.*\": {merge: unique}\nd1: [1]\n",
		"data/os/Debian.yaml":        "d1: [2, 1]\n",
		"modules/m/hiera.yaml":       "version: 5\n",
		"modules/m/data/common.yaml": "m::p: 1\nm::q: 2\n",
	}}
	return r.options(t)
}

// TestLookup looks keys up from the outside: what is found, and what is said of the way.
func TestLookup(t *testing.T) {
	o := lookupData(t)
	for _, c := range []struct {
		l    Lookup
		want string
	}{
		{Lookup{Names: []string{"b"}}, "'v C'"},
		{Lookup{Names: []string{"no", "c"}}, "'C'"},
		{Lookup{Names: []string{"a.y.1"}}, "2"},
		{Lookup{Names: []string{"d1"}}, "[2, 1]"},
		{Lookup{Names: []string{"d1"}, Merge: "first"}, "[2, 1]"},
		{Lookup{Names: []string{"m::p"}}, "'from env'"},
		{Lookup{Names: []string{"m::q"}, Type: "Integer"}, "2"},
		{Lookup{Names: []string{"no"}, Default: "d"}, "'d'"},
	} {
		got, err := c.l.Lookup(o)
		if err != nil || !got.OK || types.Inspect(got.Value) != c.want {
			t.Errorf("%v: %+v, not %s: %v", c.l, got, c.want, err)
		}
	}
	if got, err := (&Lookup{Names: []string{"no"}}).Lookup(o); err != nil || got.OK {
		t.Errorf("%+v, %v", got, err)
	}
	_, err := (&Lookup{Names: []string{"c"}, Type: "Integer"}).Lookup(o)
	if err == nil || err.Error() != "Found value has wrong type, expects an Integer value, got String" {
		t.Error(err)
	}
}

// TestExplain holds the explanation of a key whose value looks another up, in Puppet's words.
func TestExplain(t *testing.T) {
	got, err := (&Lookup{Names: []string{"b"}, Explain: true}).Lookup(lookupData(t))
	if err != nil {
		t.Fatal(err)
	}
	const want = `Searching for "b"
  Environment Data Provider (hiera configuration version 5)
    Using configuration "/env/hiera.yaml"
    Hierarchy entry "Per-node data"
      Path "/env/data/nodes/web01.example.com.yaml"
        Original path: "nodes/%{trusted.certname}.yaml"
        Path not found
    Hierarchy entry "Other"
      Path "/env/data/os/Debian.yaml"
        Original path: "os/%{facts.os.family}.yaml"
        No such key: "b"
      Path "/env/data/common.yaml"
        Original path: "common.yaml"
        Interpolation on "v %{lookup("c")}"
          Searching for "c"
`
	if !strings.Contains(got.How, want) || !strings.HasSuffix(got.How, "        Found key: \"b\" value: \"v C\"\n") {
		t.Error(got.How)
	}
	if !strings.HasPrefix(got.How, "Searching for \"lookup_options\"\n") {
		t.Error(got.How)
	}
}

// TestEncryptedData holds that values that hiera-eyaml encrypted are opened, and told to be secret; and what is said of
// keys that cannot be used.
func TestEncryptedData(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile("../pkcs7/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	look := func(options, value string) (string, []string, error) {
		r := recorded{Files: map[string]string{
			"hiera.yaml": "version: 5\nhierarchy:\n  - name: secrets\n    lookup_key: eyaml_lookup_key\n    path: s.yaml\n" +
				options,
			"data/s.yaml": "k: [\"a " + value + "\"]\n", "keys/p.pem": read("private.pem"), "keys/o.pem": read("other.pem"),
			"keys/broken.pem": "no key",
		}}
		o := r.options(t)
		var told []string
		o.Secret = func(s string) { told = append(told, s) }
		got, err := (&Lookup{Names: []string{"k"}}).Lookup(o)
		return types.Inspect(got.Value), told, err
	}
	key := func(name string) string { return "    options: {pkcs7_private_key: keys/" + name + ".pem}\n" }
	value := "ENC[PKCS7," + read("value.txt") + "]"
	got, told, err := look(key("p"), value)
	if err != nil || got != "['a top secret word']" || len(told) != 1 || told[0] != "top secret word" {
		t.Errorf("%s, %v, %v", got, told, err)
	}
	for _, c := range [][3]string{
		{key("broken"), value, "The key of encrypted values cannot be used: /env/keys/broken.pem holds no key in PEM"},
		{key("none"), value, "The key of encrypted values cannot be used: "},
		{key("o"), value, "A value of /env/data/s.yaml cannot be decrypted with keys/o.pem"},
		{"", value, "the level 'secrets' of /env/hiera.yaml names no pkcs7_private_key"},
		{key("p"), "ENC[GPG,aaaa]", "is encrypted with GPG, which is not known here"},
	} {
		if _, _, err := look(c[0], c[1]); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%v, not %s", err, c[2])
		}
	}
}

// TestOldHiera holds that a hiera.yaml of Hiera 3 is left out with a warning, and unknown back ends are named.
func TestOldHiera(t *testing.T) {
	r := recorded{Manifest: "notice(lookup('k', String, 'first', 'd'))",
		Files: map[string]string{"hiera.yaml": ":backends: [yaml]\n:hierarchy: [common]\n"}}
	_, logs, err := Compile(r.options(t))
	if err != nil || len(logs) != 2 || !strings.Contains(logs[0].Message, "hiera.yaml version 3") ||
		logs[1].Message != "d" {
		t.Errorf("%v, %v", logs, err)
	}
	r.Files["hiera.yaml"] = "version: 5\nhierarchy:\n  - {name: h, path: a.conf, data_hash: hocon_data}\n"
	r.Files["data/a.conf"] = "k = 1"
	if _, _, err = Compile(r.options(t)); err == nil ||
		!strings.Contains(err.Error(), "hocon_data of the level 'h' is not known") {
		t.Error(err)
	}
}
