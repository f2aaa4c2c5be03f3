package cp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
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
	return []modules.SourceFile{{Path: "a/b/init.sls"}, {Path: "a/init.sls"}, {Path: "a/x.jinja"}, {Path: "c.sls"},
		{Path: "d/link", Link: "../c.sls"}, {Path: "e/"}, {Path: "top.sls"}}, nil
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

func TestCp(t *testing.T) {
	m := hosttest.NewMemory()
	x := modtest.Execs{Family: Family(), Host: m, Env: &modules.Env{
		Files:     roots{"dir/s/x.txt": "x", "dir/y.conf": "NAME", "f": "text", "t": "hi NAME"},
		Templates: upper{}, Opts: modtest.Dict(t, `{"cachedir": "/cache", "file_roots": {"base": [], "dev": []}}`),
	}}
	x.Table(t, [][4]string{
		{"cp.get_file_str", `["salt://f"]`, "", "'text'"},
		{"cp.get_file_str", `["salt://nope"]`, "", "False"},
		{"cp.is_cached", `["salt://f"]`, "", "''"},
		{"cp.cache_file", `["salt://f"]`, "", "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://nope"]`, "", "False"},
		{"cp.cache_files", `[["salt://f", "salt://nope"]]`, "", "['/cache/files/base/f', False]"},
		{"cp.cache_dest", `["salt://nope?saltenv=dev"]`, "", "'/cache/files/dev/nope'"},
		{"cp.cache_dest", `["https://foo.com/bar.rpm?x=1"]`, "", "'/cache/extrn_files/base/foo.com/bar.rpm'"},
		{"cp.cache_dest", `["/etc/hosts"]`, "", "'/etc/hosts'"},
		{"cp.cache_local_file", `["/etc/passwd"]`, "", "'/cache/localfiles/etc/passwd'"},
		{"cp.cache_local_file", `["/etc/nope"]`, "", "''"},
		{"cp.is_cached", `["/etc/passwd"]`, "", "'/cache/localfiles/etc/passwd'"},
		{"cp.is_cached", `["/etc/group"]`, "", "''"},
		{"cp.is_cached", `["f"]`, "", "'/cache/files/base/f'"},
		{"cp.list_minion", `[]`, "", "['etc/passwd', 'f']"},
		{"cp.get_url", `["file:///etc/hostname", "/tmp/h"]`, "", "'/etc/hostname'"},
		{"cp.get_url", `["salt://f", "/no/dir/z"]`, "", "False"},
		{"cp.get_file", `["salt://f", "/no/dir/z"]`, "", "False"},
		{"cp.get_file", `["salt://nope", "/tmp/z"]`, "", "''"},
		{"cp.get_file", `["salt://NAME", "/tmp/NAME"]`, `{"template": "jinja", "who": "f"}`, "'/tmp/f'"},
		{"cp.is_cached", `["salt://f"]`, "", "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://f"]`, `{"source_hash": "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1"}`, "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://f"]`, `{"source_hash": "md5=1cb251ec0d568de6a929b520c4aed8d1"}`, "'/cache/files/base/f'"},
		{"cp.cache_file", `["salt://f"]`, `{"source_hash": "md5=00000000000000000000000000000000"}`,
			"error: salt://f has the hash 1cb251ec0d568de6a929b520c4aed8d1, not 00000000000000000000000000000000"},
		{"cp.cache_file", `["salt://f"]`, `{"source_hash": "crc=1"}`,
			"error: source_hash crc=1 of salt://f is no hash that can be checked"},
		{"cp.cache_file", `["salt://../../etc/f"]`, "", "False"},
		{"cp.get_file", `["salt://f", "/tmp/"]`, "", "'/tmp/f'"},
		{"cp.get_file", `["salt://f", "/tmp/x/y"]`, `{"makedirs": true}`, "'/tmp/x/y'"},
		{"cp.get_url", `["salt://f", null]`, "", "'text'"},
		{"cp.get_url", `["salt://f", "/tmp/z"]`, "", "'/tmp/z'"},
		{"cp.get_template", `["salt://t", "/tmp/t"]`, `{"who": "me"}`, "'/tmp/t'"},
		{"cp.cache_dir", `["salt://dir/"]`, "", "['/cache/files/base/dir/s/x.txt', '/cache/files/base/dir/y.conf']"},
		{"cp.cache_dir", `["salt://dir"]`, `{"include_pat": "*.conf"}`, "['/cache/files/base/dir/y.conf']"},
		{"cp.cache_dir", `["salt://dir"]`, `{"include_pat": "E@^dir/s/", "include_empty": true}`,
			"['/cache/files/base/dir/s/x.txt', '/cache/files/base/dir/e']"},
		{"cp.cache_dir", `["salt://dir"]`, `{"exclude_pat": "dir/s/*"}`, "['/cache/files/base/dir/y.conf']"},
		{"cp.get_dir", `["salt://NAME", "/tmp"]`, `{"template": "jinja", "who": "dir"}`,
			"['/tmp/dir/e', '/tmp/dir/s/x.txt', '/tmp/dir/y.conf']"},
		{"cp.hash_file", `["salt://f"]`, "", "{'hsum': 'abc', 'hash_type': 'sha256'}"},
		{"cp.hash_file", `["salt://nope"]`, "", "''"},
		{"cp.stat_file", `["salt://f"]`, "", "'0644'"},
		{"cp.list_states", `[]`, "", "['a', 'a.b', 'c', 'top']"},
		{"cp.list_states", `["dev"]`, "", "[]"},
		{"cp.list_master", `[]`, `{"prefix": "a"}`, "['a/b/init.sls', 'a/init.sls', 'a/x.jinja']"},
		{"cp.list_master_dirs", `[]`, "", "['.', 'a', 'a/b', 'd', 'e']"},
		{"cp.list_master_dirs", `[]`, `{"prefix": "a"}`, "['a', 'a/b']"},
		{"cp.list_master_symlinks", `[]`, "", "{'d/link': '../c.sls'}"},
		{"cp.envs", `[]`, "", "['base', 'dev']"},
	})
	for p, want := range map[string]string{"/tmp/f": "text", "/tmp/x/y": "text", "/tmp/t": "hi me",
		"/tmp/dir/y.conf": "NAME"} {
		if b, err := m.ReadFile(p); string(b) != want {
			t.Errorf("%s holds %q, %v", p, b, err)
		}
	}
	bad := x.Call(t, "cp.cache_file", `["salt://f"]`, `{"source_hash": "sha256=`+strings.Repeat("0", 64)+`"}`)
	if !strings.HasPrefix(bad, "error: salt://f has the hash 982d9e") {
		t.Errorf("got %s", bad)
	}
}
