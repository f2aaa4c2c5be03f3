package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/puppet/types"
)

// compiled compiles a manifest with the files of an environment; it must compile.
func compiled(t *testing.T, manifest string, files map[string]string) *Catalog {
	t.Helper()
	r := recorded{Manifest: manifest, Files: files}
	cat, _, err := Compile(r.options(t))
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// TestSelectorBinds holds what a selector asks: all that binds tighter than it, as `in` and `==`, but not `and`.
func TestSelectorBinds(t *testing.T) {
	for manifest, want := range map[string]string{
		`'a' in ['a'] ? { true => 'in', default => 'no' }`:    "in",
		`1 + 1 ? { 2 => 'two', default => 'no' }`:             "two",
		`1 == 1 ? { true => 'same', default => 'no' }`:        "same",
		`true and false ? { false => 'x', default => false }`: "true",
		`!true ? { false => 'f', default => 'no' }`:           "f",
		`1 ? { 1 => 2 } + 3`:                                  "5",
	} {
		got, err := erbOf(t, "", "$r = "+manifest+"\nnotify { 'x': message => \"${r}\" }")
		if err != nil || got != want {
			t.Errorf("%s: %q, not %q: %v", manifest, got, want, err)
		}
	}
}

// TestCaller holds that $caller_module_name is the module of what declared a class or define.
func TestCaller(t *testing.T) {
	cat := compiled(t, "include a", map[string]string{
		"modules/a/manifests/init.pp": "class a { b::d { 'x': } include b }",
		"modules/b/manifests/init.pp": "class b { notify { \"class ${caller_module_name}\": } }",
		"modules/b/manifests/d.pp":    "define b::d { notify { \"define ${caller_module_name}\": } }",
	})
	for _, ref := range []string{"class a", "define a"} {
		if cat.Find("Notify", ref) == nil {
			t.Errorf("no %s", ref)
		}
	}
}

// TestTagsOfClasses holds that a class has the tags of what declared it first, and hands them to its resources.
func TestTagsOfClasses(t *testing.T) {
	cat := compiled(t, "class a { include b } class b { notify { 'n': } } include a", nil)
	if tags := cat.Find("Notify", "n").AllTags(); !slices.Contains(tags, "a") {
		t.Errorf("tags %v", tags)
	}
}

// TestEmptyCollector holds that a collector without resources in a row of arrows gives way to what is on its left.
func TestEmptyCollector(t *testing.T) {
	cat := compiled(t, "notify { ['a', 'b']: }\nNotify['a'] -> User <| |> -> Group <| |> ~> Notify['b']", nil)
	if want := (Edge{"Notify[a]", "Notify[b]", true}); !slices.Contains(cat.Edges, want) {
		t.Errorf("edges %v", cat.Edges)
	}
}

// TestFileTitle holds that slashes at the end of a file's title are not part of its path.
func TestFileTitle(t *testing.T) {
	cat := compiled(t, "file { ['/a/b/', '/']: ensure => directory }", nil)
	if got := cat.Find("File", "/a/b/").Params.Value("path"); got != "/a/b" {
		t.Errorf("path %v", got)
	}
	if got := cat.Find("File", "/").Params.Value("path"); got != nil {
		t.Errorf("path of /: %v", got)
	}
	if s := types.Text(cat.Find("File", "/a/b").Title); !strings.HasSuffix(s, "/") {
		t.Errorf("title %v", s)
	}
}

// TestAlias holds that a resource is found by its path or name, and that two of one path are refused.
func TestAlias(t *testing.T) {
	cat := compiled(t, "file { 'x': path => '/a/c', alias => 'z' } notify { 'n': require => File['/a/c'] }\n"+
		"notify { 'm': require => File['z'] }", nil)
	for _, want := range []Edge{{"File[x]", "Notify[n]", false}, {"File[x]", "Notify[m]", false}} {
		if !slices.Contains(cat.Edges, want) {
			t.Errorf("edges %v", cat.Edges)
		}
	}
	r := recorded{Manifest: "file { '/a/c': }\nfile { 'y': path => '/a/c' }"}
	_, _, err := Compile(r.options(t))
	want := `Cannot alias File[y] to ["/a/c"] at (file: site.pp, line: 2); resource ["File", "/a/c"] already declared ` +
		`(file: site.pp, line: 1)`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
}

// TestDefaultsInOrder holds that defaults are of resources that are declared behind them, those of defines included.
func TestDefaultsInOrder(t *testing.T) {
	cat := compiled(t, `class b { notify { 'early': } }
define d { notify { 'defined': } }
class w { include b  d { 'x': }  Notify { message => 'm' }  notify { 'late': } }
include w`, nil)
	for title, want := range map[string]any{"early": nil, "late": "m", "defined": "m"} {
		if got := cat.Find("Notify", title).Params.Value("message"); got != want {
			t.Errorf("%s: %v, not %v", title, got, want)
		}
	}
}

// TestNumberTitle holds that a title that is a number leaves the name as a parameter.
func TestNumberTitle(t *testing.T) {
	cat := compiled(t, "define d { }\ncreate_resources('d', { 80 => {}, 'x' => {} })", nil)
	if a, b := cat.Find("D", "80").Params.Value("name"), cat.Find("D", "x").Params.Value("name"); a != "80" || b != nil {
		t.Errorf("%v, %v", a, b)
	}
}

// TestRubyFunction calls functions of modules in Ruby: what we know of it runs, anything else is refused by file and
// line, and arguments are checked as the file says.
func TestRubyFunction(t *testing.T) {
	files := map[string]string{"modules/m/lib/puppet/functions/m/f.rb": `Puppet::Functions.create_function(:'m::f') do
  dispatch :text do
    param 'String', :x
  end
  dispatch :number do
    param 'Integer', :x
  end
  def text(x)
    return File.read(x) if x == '/etc/shadow'
    "text #{x} #{closure_scope['facts']['os']['family']}"
  end
  def number(x)
    raise Puppet::ParseError, 'too small' if x < 1
    x * 2
  end
end
`}
	for expr, want := range map[string]string{"m::f('a')": "text a Debian", "m::f(4)": "8"} {
		cat := compiled(t, "notify { 'x': message => \"${"+expr+"}\" }", files)
		if got := cat.Find("Notify", "x").Params.Value("message"); got != want {
			t.Errorf("%s: %v", expr, got)
		}
	}
	for expr, want := range map[string]string{
		"m::f('/etc/shadow')": "'File.read' is not known (file: /env/modules/m/lib/puppet/functions/m/f.rb, line: 9)",
		"m::f(0)":             "Error while evaluating a Function Call, too small (file: site.pp, line: 1, column: 6)",
		"m::f(true)":          "'m::f' parameter 'x' expects a value of type String or Integer, got Boolean",
	} {
		r := recorded{Manifest: "$x = " + expr, Files: files}
		if _, _, err := Compile(r.options(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", expr, err, want)
		}
	}
}

// TestFewReads holds that functions of stdlib are not looked for in every module.
func TestFewReads(t *testing.T) {
	files := map[string]string{"modules/stdlib/lib/puppet/functions/pick.rb": "x"}
	for i := range 60 {
		files["modules/a"+itoa(int64(i))+"/manifests/init.pp"] = ""
	}
	r := recorded{Manifest: "notice(pick(undef, 1))", Files: files}
	o := r.options(t)
	reads, read := 0, o.Read
	o.Read = func(file string) ([]byte, error) { reads++; return read(file) }
	if _, logs, err := Compile(o); err != nil || len(logs) != 1 || reads > 10 {
		t.Errorf("%d reads, %v, %v", reads, logs, err)
	}
}
