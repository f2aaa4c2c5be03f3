package catalog

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// compiled reads and compiles the JSON of a catalog.
func compiled(t *testing.T, text string) (*Compiled, *diag.List) {
	t.Helper()
	v, err := serial.Deserialize("json", text)
	if err != nil {
		t.Fatal(err)
	}
	cat, faults := Read("c.json", v)
	if faults.HasErrors() {
		return &Compiled{High: &state.High{}}, faults
	}
	return cat.Compile(Options{Source: sources, List: listed, Read: read})
}

func sources(uri string) (string, bool, bool) {
	p, ok := strings.CutPrefix(uri, "puppet:///modules/")
	return "/m/" + p, strings.HasSuffix(p, "tree"), ok && !strings.Contains(p, "missing")
}

func listed(string) ([]Entry, error) {
	return []Entry{{Name: "sub", Dir: true}, {Name: "sub/x"}, {Name: "l", Target: "x"}}, nil
}

func read(p string) ([]byte, error) { return []byte("of " + p + "\n"), nil }

// said is the high data in one line for each state: the function and its arguments, without order and tags.
func said(c *Compiled) string {
	var b strings.Builder
	for _, d := range c.High.Decls {
		fmt.Fprintf(&b, "%s: %s.", d.ID, d.States[0].Module)
		for i := range d.States[0].Args {
			a := &d.States[0].Args[i]
			switch {
			case a.IsFunc():
				b.WriteString(a.Func())
			case a.Name != "order" && a.Name != "tags":
				fmt.Fprintf(&b, " %s=%s", a.Name, value.Repr(a.Value()))
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// one is a catalog of one resource.
func one(typeName, title, params string) string {
	return fmt.Sprintf(`{"resources": [{"type": %q, "title": %q, "file": "s.pp", "line": 3, "parameters": {%s}}]}`,
		typeName,
		title, params)
}

// TestTable holds what becomes of each type with its attributes.
func TestTable(t *testing.T) {
	for _, c := range []struct{ name, kind, title, params, want string }{
		{"file", "File", "/f", `"ensure": "file", "content": "a", "owner": "u", "group": 7, "mode": "0640"`,
			`File[/f]: file.managed name='/f' contents='a' user='u' group=7 mode='0640' follow_symlinks=False`},
		{"nothing said", "File", "/f", `"mode": "u=rw,g=r,o="`,
			`File[/f]: file.managed name='/f' mode='0640' create=False follow_symlinks=False`},
		{"source", "File", "c", `"path": "/f", "source": ["puppet:///modules/m/missing", "puppet:///modules/m/f"], "replace": false`,
			`File[c]: file.managed name='/f' source='/m/m/f' replace=False follow_symlinks=False`},
		{"secret", "File", "/f", `"content": {"__ptype": "Sensitive", "__pvalue": "s"}, "links": "follow"`,
			`File[/f]: file.managed name='/f' contents='s' follow_symlinks=True show_changes=False`},
		{"check", "File", "/f", `"content": "", "validate_cmd": "visudo -cf %"`,
			`File[/f]: file.managed name='/f' contents='' follow_symlinks=False check_cmd='sh -c \'visudo -cf "$0"\''`},
		{"link", "File", "/l", `"ensure": "/t", "force": true`,
			`File[/l]: file.symlink name='/l' target='/t' atomic=True force=True`},
		{"absent", "File", "/f", `"ensure": "absent"`,
			`File[/f]: file.absent name='/f' unless="test -d '/f' && ! test -h '/f'"`},
		{"gone with force", "File", "/f", `"ensure": "absent", "force": "yes"`, `File[/f]: file.absent name='/f'`},
		{"directory", "File", "/d/", `"ensure": "directory", "mode": "0644", "recurse": true, "purge": true, "ignore": "*.x"`,
			`File[/d/]: file.directory name='/d' mode='0755' file_mode='0644' recurse=['mode', 'ignore_excluded'] clean=True ` +
				`exclude_pat=['*.x', '*/*.x', '*.x/*', '*/*.x/*']`},
		{"package", "Package", "p", `"ensure": "1.2-3", "install_options": ["--no-install-recommends", {"-t": "sid"}]`,
			`Package[p]: pkg.installed name='p' version='1.2-3' install_recommends=False fromrepo='sid'`},
		{"latest", "Package", "x", `"name": "p", "ensure": "latest"`, `Package[x]: pkg.latest name='p'`},
		{"purged", "Package", "p", `"ensure": "purged"`, `Package[p]: pkg.purged name='p'`},
		{"held", "Package", "p", `"mark": "hold"`, `Package[p]: pkg.installed name='p' hold=True`},
		{"pip", "Package", "p", `"provider": "pip3", "ensure": "1.0"`, `Package[p]: pip.installed name='p==1.0'`},
		{"service", "Service", "s", `"ensure": "running", "enable": true`,
			`Service[s]: service.running name='s' enable=True unmask=True`},
		{"stopped", "Service", "s", `"ensure": false, "enable": "false"`, `Service[s]: service.dead name='s' enable=False`},
		{"enabled", "Service", "s", `"enable": true`, `Service[s]: service.enabled name='s' unmask=True`},
		{"masked", "Service", "s", `"enable": "mask"`, `Service[s]: service.masked name='s'`},
		{"exec", "Exec", "x", `"command": "a b", "path": ["/bin", "/sbin"], "unless": ["u", "v"], "onlyif": "o", "tries": 3, "timeout": 0`,
			`Exec[x]: cmd.run name='a b' cwd='/' env={'PATH': '/bin:/sbin'} onlyif=['o'] unless='(u\n) || (v\n)' ` +
				`retry={'attempts': 3, 'interval': 0}`},
		{"refreshonly", "Exec", "/bin/x", `"refreshonly": true, "user": "u", "cwd": "/c", "environment": "A=b", "returns": [0, 2]`,
			`Exec[/bin/x]: cmd.wait name='(/bin/x\n); case $? in 0|2) exit 0;; *) exit 1;; esac' cwd='/c' runas='u' env={'A': 'b'} timeout=300`},
		{"user", "User", "u", `"uid": "7", "groups": ["g"], "managehome": true, "comment": "A B,1", "expiry": "absent"`,
			`User[u]: user.present name='u' createhome=True uid='7' allow_uid_change=True groups=['g'] remove_groups=False ` +
				`fullname='A B' roomnumber='1' expire=-1`},
		{"group", "Group", "g", `"gid": 7, "members": ["u"], "auth_membership": false`,
			`Group[g]: group.present name='g' gid=7 addusers=['u']`},
		{"cron", "Cron", "job", `"command": "c", "hour": [1, 2], "minute": 0, "weekday": "Mon", "environment": ["MAILTO=x"]`,
			`Cron[job] (MAILTO): cron.env_present name='MAILTO' value='x' user='root'` + "\n" +
				`Cron[job]: cron.present name='c' identifier='job' user='root' dayweek='mon' hour='1,2' minute='0' ` +
				`require=[{'puppet': 'the first part of Cron[job]'}]`},
		{"key", "Ssh_authorized_key", "me", `"user": "u", "type": "rsa", "key": "AAAA"`,
			`Ssh_authorized_key[me]: ssh_auth.present name='AAAA' comment='me' user='u' enc='ssh-rsa'`},
		{"mount", "Mount", "/m", `"ensure": "mounted", "device": "d", "fstype": "ext4", "pass": 2`,
			`Mount[/m]: mount.mounted name='/m' device='d' fstype='ext4' opts='defaults' pass_num='2'`},
		{"host", "Host", "h", `"ip": "192.0.2.1", "host_aliases": ["i"]`,
			`Host[h]: host.present name='h' ip='192.0.2.1' clean=True` + "\n" +
				`Host[h] (i): host.present name='i' ip='192.0.2.1' clean=True require=[{'puppet': 'the first part of Host[h]'}]`},
		{"line", "File_line", "x", `"path": "/f", "line": "a=\\1", "match": "^a="`,
			`File_line[x]: file.replace name='/f' pattern='^.*(?:^a=).*$' repl='a=\\1' backslash_literal=True backup=False ` +
				`append_if_not_found=True unless="grep -qxF -e 'a=\\1' '/f'"`},
		{"ini", "Ini_setting", "x", `"path": "/f", "section": "s", "setting": "a", "value": 1`,
			`Ini_setting[x]: ini.options_present name='/f' sections={'s': {'a': '1'}} separator='=' no_spaces=False`},
		{"tidy", "Tidy", "/d", `"age": "1w", "recurse": true, "matches": ["*.log"]`,
			`Tidy[/d]: file.tidied name='/d' age=7 age_size_only='age' time_comparison='' rmdirs=False matches=['^.*\\.log$']`},
		{"debconf", "Debconf", "tzdata/Areas", `"type": "select", "value": "Europe", "seen": true`,
			`Debconf[tzdata/Areas]: debconf.set name='tzdata' data={'tzdata/Areas': {'type': 'select', 'value': 'Europe'}}`},
		{"notify", "Notify", "n", `"message": "m", "noop": true, "loglevel": "err"`,
			`Notify[n]: test.succeed_with_changes name='n' comment='m' noop=True`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, faults := compiled(t, one(c.kind, c.title, c.params))
			if err := faults.Err(); err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(c.want, " time_comparison=''", "") + "\n"
			if d := cmp.Diff(want, said(got)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestRefused: what cannot be kept is told with type, attribute and place.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ kind, title, params, want string }{
		{"File", "f", ``, `s.pp:3: File[f]: file paths must be fully qualified, not 'f'`},
		{"File", "/f", `"content": "", "odd": 1`, `File[/f]: attribute 'odd' is not supported`},
		{"File", "/f", `"mode": "u+x"`, `mode => 'u+x' is not supported`},
		{"File", "/f", `"source": "puppet:///modules/m/missing"`, `there is no source puppet:///modules/m/missing`},
		{"File", "/f", `"ensure": "fifo", "content": "x"`, `ensure => 'fifo' is not supported`},
		{"File", "/f", `"content": {"a": 1}`, `content is not a text but {'a': 1}`},
		{"File", "/f", `"content": "{md5}d41d8"`, `content that is a checksum`},
		{"File", "/f", `"stage": "pre"`, `only classes can set 'stage'`},
		{"Notify", "n", `"tag": "a b"`, `invalid tag 'a b'`},
		{"Notify", "n", `"require": 1`, `"require" of Notify[n] is no reference to a resource: 1`},
		{"Notify", "n", `"before": "Notify[m]"`, `could not find resource 'Notify[m]' in parameter 'before' of Notify[n]`},
		{"Notify", "n", `"noop": "perhaps"`, `noop is not true or false but 'perhaps'`},
		{"Augeas", "a", ``, `nothing in gostate keeps the resource type 'Augeas'`},
		{"Usr", "a", ``, `nothing in gostate keeps the resource type 'Usr'`},
		{"Package", "p", `"provider": "windows"`, `provider => windows is not supported`},
		{"Package", "p", `"install_options": ["--odd"]`, `install_options with '--odd' is not supported`},
		{"Service", "s", `"ensure": "perhaps"`, `ensure => perhaps is not supported`},
		{"Service", "s", `"provider": "base", "ensure": "running"`, `there is no command for ensure => running`},
		{"Exec", "ls", ``, `'ls' is not qualified and no path was specified`},
		{"Exec", "/x", `"returns": ["a"]`, `returns is not a list of exit codes but ['a']`},
		{"Exec", "/x", `"environment": "A"`, `environment has "A", which is no NAME=VALUE`},
		{"Exec", "/x", `"timeout": "soon"`, `timeout is not a number but 'soon'`},
		{"Resources", "user", `"purge": true`, `purge of all resources of a type is not supported`},
		{"Tidy", "/d", `"age": "1h", "recurse": true`, `age => '1h' is not supported`},
		{"Tidy", "/d", `"age": "1d"`, `tidy without recurse => true is not supported`},
		{"User", "u", `"purge_ssh_keys": true`, `purge_ssh_keys is not supported`},
		{"Cron", "c", ``, `a job needs a command`},
		{"Mount", "/m", ``, `device and fstype are needed`},
		{"Host", "h", ``, `ip is needed`},
		{"Ssh_authorized_key", "k", ``, `user and key are needed`},
		{"File_line", "l", ``, `path is needed`},
		{"Ini_setting", "i", ``, `path and setting are needed`},
		{"File", "/f", `"content": {"__ptype": "Deferred", "name": "f"}`, `content is not a value that can be kept`},
	} {
		_, faults := compiled(t, one(c.kind, c.title, c.params))
		err := faults.Err()
		if err == nil || !strings.Contains(faults.Error(), c.want) {
			t.Errorf("%s with %s: %v, want %s", c.kind, c.params, faults, c.want)
		}
	}
}

// TestForm: what is no catalog is told, and nothing falls over.
func TestForm(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`[]`, `the catalog is no map but list`},
		{`{}`, `the catalog has no resources`},
		{`{"resources": 1}`, `"resources" of the catalog is no list but int`},
		{`{"resources": [1]}`, `resource 1 of the catalog is no map but int`},
		{`{"resources": [{}]}`, `resource 1 of the catalog has no type`},
		{`{"resources": [{"type": "a b", "title": "x"}]}`, `resource 1 of the catalog has no type`},
		{`{"resources": [{"type": ["File"], "title": "x"}]}`, `"type" of resource 1 of the catalog is not a text but list`},
		{`{"resources": [{"type": "File"}]}`, `of type File, has no title`},
		{`{"resources": [{"type": "File", "title": {}}]}`, `"title" of resource 1 of the catalog is not a text but dict`},
		{`{"resources": [{"type": "File", "title": "/f", "parameters": []}]}`, `"parameters" of resource 1`},
		{`{"resources": [{"type": "File", "title": "/f", "line": "3"}]}`,
			`"line" of resource 1 of the catalog is not a number`},
		{`{"resources": [{"type": "File", "title": "/f", "exported": 1}]}`, `"exported" of resource 1`},
		{`{"resources": [{"type": "File", "title": "/f", "tags": {"a": 1}}]}`, `"tags" of resource 1`},
		{`{"resources": [{"type": "File", "title": "/f", "tags": [1]}]}`, `"tags" of resource 1`},
		{`{"resources": [{"type": "File", "title": "/f"}, {"type": "file", "title": "/f/"}]}`,
			`file[/f/] is the same as File[/f]`},
		{`{"resources": [{"type": "File", "title": "a", "parameters": {"path": "/f"}}, {"type": "File", "title": "/f"}]}`,
			`File[a] is the same as File[/f]`},
		{`{"resources": [], "edges": {"data": 1}}`, `"edges" of the catalog is no list`},
		{`{"resources": [], "edges": [1]}`, `an edge of the catalog is no map`},
		{`{"resources": [], "edges": [{"source": "A[a]", "target": 1}]}`, `an edge of the catalog names "A[a]"`},
		{`{"resources": [{"type": "Class", "title": "a"}], "edges": [{"source": "Class[a]", "target": "Class[b]"}]}`,
			`names "Class[b]"`},
		{`{"resources": [{"type": "Class", "title": "a"}, {"type": "Class", "title": "b"}], "edges": [{"source": "Class[a]", ` +
			`"target": "Class[b]"}, {"source": "Class[b]", "target": "Class[a]"}]}`, `it contains itself, through`},
		{`{"resources": [{"type": "Class", "title": "a"}, {"type": "Class", "title": "b"}], "edges": [{"source": "Class[a]", ` +
			`"target": "Class[b]", "relationship": "odd"}]}`, `unknown relationship "odd"`},
		{`{"resources": [], "containment": [["A[a]"]]}`, `no pair of references`},
		{`{"resources": [], "relationships": [1]}`, `a relationship of the catalog is no map`},
	} {
		if _, faults := compiled(t, c.text); !strings.Contains(faults.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, faults, c.want)
		}
	}
}

// TestRelations: containers stand for what is in them, and one without anything for what comes before it.
func TestRelations(t *testing.T) {
	got, faults := compiled(t, `{"data": {"resources": [
		{"type": "Class", "title": "A"}, {"type": "Class", "title": "Empty"}, {"type": "Class", "title": "B"},
		{"type": "D::E", "title": "e"},
		{"type": "Notify", "title": "a"}, {"type": "Exec", "title": "/b", "parameters": {"require": "Class[Empty]"}},
		{"type": "Exec", "title": "/c", "parameters": {"refreshonly": true, "subscribe": "class[a]"}}],
		"edges": {"data": [
		{"source": {"type": "Class", "title": "A"}, "target": {"type": "Notify", "title": "a"}, "relationship": "contains"},
		{"source_type": "Class", "source_title": "B", "target_type": "D::E", "target_title": "e", "relationship": "contains"},
		{"source": "D::E[e]", "target": "Exec[/b]"},
		{"source": "Class[A]", "target": "Class[Empty]", "relationship": "notifies"},
		{"source": "Notify[a]", "target": "Class[B]", "relationship": "subscription-of"}]}}}`)
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	want := `Exec[/b]: cmd.run name='/b' cwd='/' env={} timeout=300 require=[{'puppet': 'Class[A]'}, {'puppet': 'Notify[a]'}]
Exec[/b] (refresh): cmd.wait name='/b' cwd='/' env={} timeout=300 require=[{'puppet': 'Class[A]'}, ` +
		`{'puppet': 'the first part of Exec[/b]'}] subscribe=[{'puppet': 'Notify[a]'}]
Notify[a]: test.succeed_with_changes name='a' comment='a'
Exec[/c]: cmd.wait name='/c' cwd='/' env={} timeout=300 subscribe=[{'puppet': 'Class[A]'}]
`
	if d := cmp.Diff(want, said(got)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	within := []string{"Exec[/b]", "D::E[e]", "Class[B]", "the first part of Exec[/b]"}
	if d := cmp.Diff(within, got.High.Decls[0].Within); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestTogether: types that work through others, and directories with sources.
func TestTogether(t *testing.T) {
	for _, c := range []struct{ name, resources, want string }{
		{"directory with modes", `{"type": "File", "title": "/d", "parameters": {"ensure": "directory", "recurse": true, "mode": "0550"}},
			{"type": "File", "title": "/d/a/f", "parameters": {"mode": "0440"}}`,
			`File[/d]: file.directory name='/d' mode='0550' file_mode='0550' recurse=['mode', 'ignore_excluded'] exclude_pat=['a/f', 'a']
File[/d/a/f]: file.managed name='/d/a/f' mode='0440' create=False follow_symlinks=False
`},
		{"concat", `{"type": "Concat_file", "title": "/f", "parameters": {"tag": "t", "order": "numeric", "ensure_newline": true}},
			{"type": "Concat_fragment", "title": "z", "parameters": {"target": "/f", "order": "9", "content": "nine"}},
			{"type": "Concat_fragment", "title": "y", "parameters": {"tag": "t", "source": "puppet:///modules/m/y"}},
			{"type": "Concat_fragment", "title": "x", "parameters": {"target": "/g", "content": "no"}}`,
			"Concat_file[/f]: file.managed name='/f' contents='nine\\nof /m/m/y\\n'\n"},
		{"tree", `{"type": "File", "title": "/d", "parameters": {"ensure": "directory", "recurse": true, "purge": true,
			"source": "puppet:///modules/m/tree", "ignore": ["l"]}},
			{"type": "File", "title": "/d/sub", "parameters": {"ensure": "directory", "mode": "0700"}},
			{"type": "File", "title": "/d/[own]", "parameters": {"content": ""}}`,
			`File[/d]: file.directory name='/d' clean=True exclude_pat=['sub', '[[]own]', 'sub/x', 'l', '*/l', 'l/*', '*/l/*']
File[/d/sub/x]: file.managed name='/d/sub/x' source='/m/m/tree/sub/x' require=[{'puppet': 'the first part of File[/d]'}]
File[/d/sub]: file.directory name='/d/sub' mode='0700'
File[/d/[own]]: file.managed name='/d/[own]' contents='' follow_symlinks=False
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, faults := compiled(t, `{"resources": [`+c.resources+`]}`)
			if err := faults.Err(); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, said(got)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestExported: of PuppetDB's catalogs, what is exported is for others.
func TestExported(t *testing.T) {
	resources := `"resources": [{"type": "Notify", "title": "a", "exported": true}]}`
	if got, _ := compiled(t, `{"certname": "web01", `+resources); said(got) != "" {
		t.Errorf("applied: %s", said(got))
	}
	if got, _ := compiled(t, `{`+resources); said(got) == "" {
		t.Error("what this machine collected itself is left out")
	}
}

// TestLarge: a catalog of many resources in one class that waits for another is no burden.
func TestLarge(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"resources": [{"type": "Class", "title": "A"}, {"type": "Class", "title": "B", "parameters": {"require": "Class[A]"}}`)
	edges := []string{}
	for i := range 20000 {
		class := "AB"[i%2 : i%2+1]
		fmt.Fprintf(&b, `, {"type": "Notify", "title": "n%d"}`, i)
		edges = append(edges, fmt.Sprintf(`{"source": "Class[%s]", "target": "Notify[n%d]"}`, class, i))
	}
	b.WriteString(`], "edges": [` + strings.Join(edges, ", ") + `]}`)
	got, faults := compiled(t, b.String())
	if err := faults.Err(); err != nil || len(got.High.Decls) != 20000 {
		t.Errorf("%d states, %v", len(got.High.Decls), err)
	}
}
