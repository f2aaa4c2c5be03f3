package compile

import (
	"strings"
	"testing"
)

// TestHostile is what is said of manifests that would go on without end, or that contradict themselves.
func TestHostile(t *testing.T) {
	for _, c := range []struct {
		name, manifest, want string
		files                map[string]string
	}{
		{"a function calls itself", "function f($x) { f($x) }\nf(1)", "stack level too deep", nil},
		{"functions call each other", "function f($x) { g($x) }\nfunction g($x) { f($x) }\nf(1)", "stack level too deep",
			nil},
		{"a lambda calls its function", "function f($x) { [1].each |$y| { f($y) } }\nf(1)", "stack level too deep", nil},
		{"a define declares itself", "define d($n = 0) { d { \"x${n}\": n => $n + 1 } }\nd { 'a': }",
			"Somehow looped more than 1000 times", nil},
		{"a template renders itself", "notice(template('m/t.erb'))", "too deep",
			map[string]string{"modules/m/templates/t.erb": "<%= scope.function_template(['m/t.erb']) %>"}},
		{"an EPP template renders itself", "notice(epp('m/t.epp'))", "stack level too deep",
			map[string]string{"modules/m/templates/t.epp": "<%= epp('m/t.epp') %>"}},
		{"a type names itself", "type T = Array[T]\nnotice([] =~ T)", "", nil},
		{"two definitions of one name", "define x { }\nclass x { }", "is already defined", nil},
		{"two nodes of one name", "node 'a' { }\nnode 'a' { }", "Node 'a' is already defined", nil},
		{"classes inherit each other", "class a inherits b { }\nclass b inherits a { }\ninclude a",
			"Parent classes must not be circular", nil},
		{"a class inherits itself", "class a inherits a { }\ninclude a", "", nil},
		{"classes include each other", "class a { include b }\nclass b { include a }\ninclude a", "-", nil},
		{"a function in Ruby only", "m::f()", "is written in Ruby that gostate does not run",
			map[string]string{"modules/m/lib/puppet/functions/m/f.rb": "Puppet::Functions.create_function(:'m::f') do\n" +
				"  def f\n    Net::HTTP.get('x')\n  end\nend\n"}},
		{"data names itself", "notice(lookup('a'))", "Recursive lookup detected",
			map[string]string{"hiera.yaml": "version: 5\n", "data/common.yaml": "a: \"%{lookup('b')}\"\nb: \"%{lookup('a')}\"\n"}},
		{"an alias names itself", "notice(lookup('a'))", "Recursive lookup detected",
			map[string]string{"hiera.yaml": "version: 5\n", "data/common.yaml": "a: \"%{alias('a')}\"\n"}},
		{"brackets in brackets", "$x = " + strings.Repeat("[", 100_000), "", nil},
		{"texts in texts", "$x = " + strings.Repeat(`"${`, 20_000), "", nil},
		{"operators in a row", "$x = 1" + strings.Repeat(" + 1", 100_000), "-", nil},
	} {
		r := recorded{Manifest: c.manifest, Files: c.files}
		_, _, err := Compile(r.options(t))
		switch {
		case c.want == "-" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "-" && c.name != "a type names itself" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %.300v, not %s", c.name, err, c.want)
		}
	}
}

// TestCollectorsRealizeEachOther holds that collectors that make resources of each other come to an end.
func TestCollectorsRealizeEachOther(t *testing.T) {
	cat := compiled(t, "@notify { 'a': tag => 'x' }\n@notify { 'b': tag => 'y' }\n"+
		"Notify <| tag == 'x' |> { tag +> 'y' }\nNotify <| tag == 'y' |> { tag +> 'x' }", nil)
	if cat.Find("Notify", "a") == nil || cat.Find("Notify", "b") == nil {
		t.Error("not both are realized")
	}
}

// TestLargeManifest compiles 10 MB.
func TestLargeManifest(t *testing.T) {
	line := "# " + strings.Repeat("x", 97) + "\n"
	manifest := strings.Repeat(line, 50_000) + "$l = [\n" +
		strings.Repeat("'a value of a list that is long',\n", 150_000) + "]\n" +
		"notify { 'n': message => \"${l.length}\" }\n"
	if len(manifest) < 9_900_000 {
		t.Fatalf("only %d bytes", len(manifest))
	}
	if got := compiled(t, manifest, nil).Find("Notify", "n").Params.Value("message"); got != "150000" {
		t.Errorf("%v", got)
	}
}
