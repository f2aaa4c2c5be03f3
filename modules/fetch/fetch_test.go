package fetch

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

type roots map[string]string

func (r roots) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if t, ok := r[strings.TrimPrefix(source, "salt://")]; ok {
		return []byte(t), nil
	}
	return nil, errors.New("not found in the file roots")
}
func (roots) Exists(string, string) (bool, bool) { return false, false }
func (r roots) List(source, env string) ([]modules.SourceFile, error) {
	if env != "base" {
		return nil, errors.New("no such environment")
	}
	if source == "salt://dir" {
		return []modules.SourceFile{{Path: "e/"}, {Path: "s/x.txt"}, {Path: "y.conf"}}, nil
	}
	return []modules.SourceFile{{Path: "a/b/init.sls"}, {Path: "a/init.sls"}, {Path: "a/x.jinja"}, {Path: "c.sls"}, {Path: "d/link", Link: "../c.sls"}, {Path: "e/"}, {Path: "top.sls"}}, nil
}
func (r roots) Hash(_ context.Context, source, _ string) (string, error) {
	if _, err := r.Fetch(context.Background(), source, ""); err != nil {
		return "", err
	}
	return "abc", nil
}
func (roots) Mode(string, string) (uint32, error) { return 0o644, nil }

type upper struct{}

func (upper) Render(_ context.Context, engine, _ string, text []byte, _, _ string, vars *value.Dict) ([]byte, error) {
	v, _ := vars.GetStr("who")
	return []byte(strings.ReplaceAll(string(text), "NAME", value.String(v))), nil
}

func call(t *testing.T, m *hosttest.Memory, name, args, kwargs string) string {
	t.Helper()
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	a, err := value.ParseJSON(args)
	if err != nil {
		t.Fatal(err)
	}
	kw, err := value.ParseJSON("{" + kwargs + "}")
	if err != nil {
		t.Fatal(err)
	}
	opts := value.DictOf("cachedir", value.Str("/cache"), "file_roots", value.DictOf("base", value.NewList(), "dev", value.NewList()))
	w := &modules.World{Host: m, Files: roots{"dir/s/x.txt": "x", "dir/y.conf": "NAME", "f": "text", "t": "hi NAME"}, Templates: upper{}, Opts: func() *value.Dict { return opts },
		Deserialize: func(_, text string) (value.Value, error) { return value.ParseJSON(text) }}
	v, err := reg.Call(context.Background(), w, name, a.(*value.List).Items, kw.(*value.Dict))
	if err != nil {
		return "error: " + err.Error()
	}
	return value.Repr(v)
}

func TestCp(t *testing.T) {
	m := hosttest.NewMemory()
	for _, c := range [][4]string{
		{"cp.get_file_str", `["salt://f"]`, "", "'text'"},
		{"cp.get_file_str", `["salt://nope"]`, "", "False"},
		{"cp.is_cached", `["salt://f"]`, "", "''"},
		{"cp.cache_file", `["salt://f"]`, "", "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://nope"]`, "", "''"},
		{"cp.is_cached", `["salt://f"]`, "", "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://f"]`, `"source_hash": "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"`, "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://f"]`, `"source_hash": "md5=1cb251ec0d568de6a929b520c4aed8d1"`, "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://f"]`, `"source_hash": "md5=00000000000000000000000000000000"`, "error: salt://f has the hash 1cb251ec0d568de6a929b520c4aed8d1, not 00000000000000000000000000000000"},
		{"cp.cache_file", `["salt://f"]`, `"source_hash": "crc=1"`, "error: source_hash crc=1 of salt://f is no hash that can be checked"},
		{"cp.cache_file", `["salt://../../etc/f"]`, "", "''"},
		{"cp.get_file", `["salt://f", "/tmp/"]`, "", "'/tmp/f'"},
		{"cp.get_file", `["salt://f", "/tmp/x/y"]`, `"makedirs": true`, "'/tmp/x/y'"},
		{"cp.get_url", `["salt://f", null]`, "", "'text'"},
		{"cp.get_url", `["salt://f", "/tmp/z"]`, "", "'/tmp/z'"},
		{"cp.get_template", `["salt://t", "/tmp/t"]`, `"who": "me"`, "'/tmp/t'"},
		{"cp.cache_dir", `["salt://dir/"]`, "", "['/cache/files/base/dir/s/x.txt', '/cache/files/base/dir/y.conf']"},
		{"cp.cache_dir", `["salt://dir"]`, `"include_pat": "*.conf"`, "['/cache/files/base/dir/y.conf']"},
		{"cp.get_dir", `["salt://dir", "/tmp"]`, `"template": "jinja", "who": "you"`, "['/tmp/dir/s/x.txt', '/tmp/dir/y.conf']"},
		{"cp.hash_file", `["salt://f"]`, "", "{'hsum': 'abc', 'hash_type': 'sha256'}"},
		{"cp.hash_file", `["salt://nope"]`, "", "{}"},
		{"cp.stat_file", `["salt://f"]`, "", "'0644'"},
		{"cp.list_states", `[]`, "", "['a', 'a.b', 'c', 'top']"},
		{"cp.list_states", `["dev"]`, "", "[]"},
		{"cp.list_master", `[]`, `"prefix": "a"`, "['a/b/init.sls', 'a/init.sls', 'a/x.jinja']"},
		{"cp.list_master_dirs", `[]`, "", "['.', 'a', 'a/b', 'd', 'e']"},
		{"cp.list_master_dirs", `[]`, `"prefix": "a"`, "['a', 'a/b']"},
		{"cp.list_master_symlinks", `[]`, "", "{'d/link': '../c.sls'}"},
		{"cp.envs", `[]`, "", "['base', 'dev']"},
		{"dnsutil.check_ip", `["192.0.2.1"]`, "", "True"},
		{"dnsutil.check_ip", `["x"]`, "", "False"},
		{"dnsutil.parse_hosts", `[]`, `"hosts": "127.0.0.1 localhost\n# x\n127.0.0.1 me\n"`, "{'127.0.0.1': ['localhost', 'me']}"},
	} {
		if diff := cmp.Diff(c[3], call(t, m, c[0], c[1], c[2])); diff != "" {
			t.Errorf("%s %s %s (-want +got)\n%s", c[0], c[1], c[2], diff)
		}
	}
	for p, want := range map[string]string{"/tmp/f": "text", "/tmp/x/y": "text", "/tmp/t": "hi me", "/tmp/dir/y.conf": "you"} {
		if b, err := m.ReadFile(p); string(b) != want {
			t.Errorf("%s holds %q, %v", p, b, err)
		}
	}
	bad := call(t, m, "cp.cache_file", `["salt://f"]`, `"source_hash": "sha256=`+strings.Repeat("0", 64)+`"`)
	if !strings.HasPrefix(bad, "error: salt://f has the hash 982d9e") {
		t.Errorf("got %s", bad)
	}
}

func TestHTTP(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/missing" {
			http.NotFound(w, r)
			return
		}
		_ = r.ParseForm()
		user, _, _ := r.BasicAuth()
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"m": "` + r.Method + `", "q": "` + r.Form.Get("q") + `", "h": "` + r.Header.Get("X-A") + user + `"}`))
	}))
	defer s.Close()
	m := hosttest.NewMemory()
	for _, c := range [][3]string{
		{`["` + s.URL + `"]`, "", `{'body': '{"m": "GET", "q": "", "h": ""}'}`},
		{`["` + s.URL + `"]`, `"decode": true, "status": true, "params": {"q": 1}, "header_dict": {"X-A": "b"}`,
			`{'body': '{"m": "GET", "q": "1", "h": "b"}', 'status': 200, 'dict': {'m': 'GET', 'q': '1', 'h': 'b'}}`},
		{`["` + s.URL + `", "post"]`, `"data": {"q": "z"}, "username": "u", "password": "p"`, `{'body': '{"m": "POST", "q": "z", "h": "u"}'}`},
		{`["` + s.URL + `/missing"]`, "", `{'body': '404 page not found\n', 'status': 404, 'error': 'HTTP 404: Not Found'}`},
		{`["ftp://x"]`, "", "error: http.query: 'ftp://x' is no http or https URL"},
	} {
		if diff := cmp.Diff(c[2], call(t, m, "http.query", c[0], c[1])); diff != "" {
			t.Errorf("%s %s (-want +got)\n%s", c[0], c[1], diff)
		}
	}
	s.Close()
	if got := call(t, m, "http.query", `["`+s.URL+`"]`, ""); !strings.HasPrefix(got, "{'error': ") {
		t.Errorf("got %s", got)
	}
}
