package top

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// dict reads YAML for a test.
func dict(t *testing.T, text string) *value.Dict {
	t.Helper()
	v, err := yaml.Decode("test", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d, _ := v.(*value.Dict)
	return d
}

func minion(t *testing.T) *Matcher {
	grains := dict(t, `
role: web
roles: [db, cache]
nested: {deep: val}
os: Debian
n: 12
ipv4: [127.0.0.1, 10.1.2.3]
ipv6: ['::1', 'fe80::1']
list: [{a: {b: c}}]`)
	pillar := dict(t, "color: red\ndeep: {er: yes_str}\nurl: http://x:80/")
	groups := dict(t, `
mygroup: 'G@role:web'
outer: 'N@mygroup and not web9*'
ids: [other, web01]
ring: 'N@ring2'
ring2: 'N@ring'`)
	return NewMatcher(Minion{
		ID: "web01", Grains: func() *value.Dict { return grains }, Pillar: func() *value.Dict { return pillar },
		Nodegroups: groups,
	})
}

func TestMatchers(t *testing.T) {
	m := minion(t)
	for _, tt := range []struct {
		kind, target string
		want         bool
	}{
		{"glob", "web*", true}, {"glob", "db*", false}, {"glob", "*", true}, {"glob", "web0[12]", true},
		{"pcre", "web(01|02)", true}, {"pcre", "eb01", false}, {"list", "a,web01", true}, {"list", "a,web", false},
		{"grain", "role:web", true}, {"grain", "role:W?b", true}, {"grain", "roles:cache", true},
		{"grain", "nested:deep:val", true},
		{"grain", "nested:deep", true}, {"grain", "role", false}, {"grain", "nope:x", false}, {"grain", "*:cache", true},
		{"grain", "n:12", true}, {"grain", "list:a:b:c", true}, {"grain_pcre", "role:w.*", true},
		{"grain_pcre", "role:.b", false},
		{"pillar", "color:re*", true}, {"pillar_pcre", "color:r.d", true}, {"pillar_exact", "color:re*", false},
		{"pillar_exact", "color:red", true}, {"pillar", "url:http://x:80/", true}, {"pillar", "deep:er:yes*", true},
		{"ipcidr", "127.0.0.0/8", true}, {"ipcidr", "10.1.2.3", true}, {"ipcidr", "192.168.0.0/16", false},
		{"ipcidr", "fe80::/10", true},
		{"compound", "G@role:web and not E@other.* and ( I@color:blue or L@web01 )", true},
		{"compound", "G@role:db or I@color:blue", false}, {"compound", "web* and P@os:(Debian|Ubuntu)", true},
		{"compound", "not G@role:db", true}, {"compound", "web* not db*", true}, {"compound", "db* and web* or web*", true},
		{"compound", "G|@nested|deep|val", true}, {"compound", "N@outer", true},
		{"compound", "S@10.0.0.0/8 and J@color:^red$", true},
		{"nodegroup", "mygroup", true}, {"nodegroup", "outer", true}, {"nodegroup", "ids", true},
	} {
		got, err := m.Match(tt.kind, tt.target, "")
		if got != tt.want || err != nil {
			t.Errorf("%s %q: %v, %v, want %v", tt.kind, tt.target, got, err, tt.want)
		}
	}
}

func TestBadTargets(t *testing.T) {
	m := minion(t)
	for _, tt := range []struct{ kind, target, want string }{
		{"pcre", "(", "is no regular expression"},
		{"compound", "web* and", "missing at the end"},
		{"compound", "and web*", "missing before 'and'"},
		{"compound", "( web*", "not closed"},
		{"compound", "web* )", "unexpected ')'"},
		{"compound", "Q@x", "unknown matcher 'Q@'"},
		{"compound", strings.Repeat("( ", 500), "nested too deeply"},
		{"nodegroup", "mygruop", "did you mean 'mygroup'?"},
		{"nodegroup", "ring", "holds itself"},
		{"ipcidr", "10.0.0.1/8", "host bits"},
		{"grian", "x", "did you mean 'grain'?"},
	} {
		_, err := m.Match(tt.kind, tt.target, "")
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %.30q: %v, want %q", tt.kind, tt.target, err, tt.want)
		}
	}
}

// files reads "env: text" pairs as top files.
func files(t *testing.T, pairs ...string) []File {
	var out []File
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i] + "/top.sls"
		var data value.Value = value.None
		if pairs[i+1] != "" {
			v, err := yaml.Decode(name, []byte(pairs[i+1]))
			if err != nil {
				t.Fatal(err)
			}
			data = v
		}
		out = append(out, File{Env: pairs[i], Data: data, Pos: func(m value.Mark) diag.Pos {
			return diag.Pos{File: name, Line: int(m.Line), Col: int(m.Col)}
		}})
	}
	return out
}

func show(res []EnvSLS) string {
	var parts []string
	for _, e := range res {
		parts = append(parts, e.Env+":"+strings.Join(e.Names(), ","))
	}
	return strings.Join(parts, " ")
}

func TestMatch(t *testing.T) {
	base := "base:\n  '*': [a]\n  'db*': [nope]\n  'role:web':\n    - match: grain\n    - b\ndev:\n  '*': [d]\n"
	dev := "dev:\n  '*': [e, d]\nqa:\n  '*': [x]\n"
	for _, tt := range []struct {
		name  string
		files []File
		o     Options
		want  string
	}{
		{"merge", files(t, "base", base, "dev", dev, "qa", ""), Options{}, "base:a,b dev:d"},
		{"merge, dev not in base", files(t, "base", "base: {'*': [a]}", "dev", dev), Options{}, "base:a dev:e,d"},
		{"same", files(t, "base", base, "dev", dev, "qa", ""), Options{Strategy: "same"}, "base:a,b dev:e,d"},
		{"same, default_top", files(t, "base", base, "dev", ""), Options{Strategy: "same", DefaultTop: "base"},
			"base:a,b dev:d"},
		{"merge_all", files(t, "base", base, "dev", dev), Options{Strategy: "merge_all"}, "base:a,b dev:d,e qa:x"},
		{"saltenv", files(t, "dev", base), Options{Strategy: "merge_all", SaltEnv: "dev"}, "dev:d"},
		{"another env", files(t, "base", "base: {'*': [a, dev: z]}"),
			Options{HasEnv: func(e string) bool { return e == "dev" }}, "base:a dev:z"},
		{"twice", files(t, "base", "base: {'*': [a], 'w*': [a]}"), Options{}, "base:a,a"},
		{"compound is the default", files(t, "base", "base: {'G@os:Debian': [a]}"), Options{}, "base:a"},
		{"pillar", files(t, "base", "base: {'w*': [b, {order: 2}], '*': a, 'we*': [a, {order: -1}, c]}"),
			Options{Pillar: true}, "base:a,c,b"},
		{"empty", files(t, "base", ""), Options{}, ""},
	} {
		res, _, err := Match(context.Background(), tt.files, minion(t), tt.o)
		if d := cmp.Diff(tt.want, show(res)); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.name, err, d)
		}
	}
}

func TestMalformed(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"- base\n", "base/top.sls:1:1: a top file must be a mapping of environments, not a list"},
		{"base:\n  '*': a\n", "base/top.sls:2:3: what target '*' of environment 'base' gets must be a list of SLS, not text"},
		{"base: [a]\n", "base/top.sls:1:1: environment 'base' must be a mapping of targets, not a list"},
		{"base:\n", "base/top.sls:1:1: environment 'base' must be a mapping of targets, not empty"},
		{"1: {'*': [a]}\n", "base/top.sls:1:1: environment 1 is no text"},
		{"base:\n  'x':\n    - match: grian\n    - a\n", "base/top.sls:3:14: unknown matcher 'grian'"},
		{"base:\n  '*':\n    - 1.5\n    -\n", "base/top.sls:3:7: target '*' lists 1.5, which is no text\nbase/top.sls:4:6: " +
			"target '*' lists empty where the name of an SLS is expected"},
		{"base:\n  'web* and':\n    - a\n", "base/top.sls:2:3: compound target 'web* and': a target is missing at the end"},
	} {
		_, _, err := Match(context.Background(), files(t, "base", tt.text), minion(t), Options{})
		got := ""
		if err != nil {
			got = err.Error()
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%q (-want +got)\n%s", tt.text, d)
		}
	}
}
