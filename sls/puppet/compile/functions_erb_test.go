package compile

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/puppet/types"
)

// erbOf compiles a manifest with a module m whose template is t.erb, and gives the message of the notify 'x'.
func erbOf(t *testing.T, template, manifest string) (string, error) {
	t.Helper()
	r := recorded{Manifest: manifest, Files: map[string]string{"modules/m/templates/t.erb": template}}
	cat, _, err := Compile(r.options(t))
	if err != nil {
		return "", err
	}
	for _, r := range cat.Resources {
		if r.Ref() == "Notify[x]" {
			return types.Text(r.Params.Value("message")), nil
		}
	}
	t.Fatal("no notify")
	return "", nil
}

// TestERB is what templates get of the language: variables of scopes, functions, texts that it formats.
func TestERB(t *testing.T) {
	const manifest = "class m($p = 'q', $u = undef) { $l = [1, 'a']  notify { 'x': message => template('m/t.erb') } }\n" +
		"function m::twice($x) { $x * 2 }\n$top = 'T'\ninclude m\n"
	for template, want := range map[string]string{
		"<%= @p %><%= @top %><%= @u.inspect %><%= @facts['os']['family'] %>":             "qTnilDebian",
		"<%= scope['m::p'] %><%= scope['::top'] %><%= scope.lookupvar('no::no').nil? %>": "qTtrue",
		"<% @m_x = 1 %><%= defined?(@u).nil? %><%= has_variable?('p') %>":                "truetrue",
		"<%= scope.to_hash['l'] %><%= scope.to_hash.key?('u') %>":                        "[1, \"a\"]false",
		"<%= scope.call_function('m::twice', [4]) %>":                                    "8",
		"<%= '%03d|%-4s|%s' % [7, 'ab', [1, 'x']] %>":                                    "007|ab  |[1, \"x\"]",
		"<%= sprintf('%-*s|', 5, 'key') %>":                                              "key  |",
		"<%= 'a-b-c'.gsub(/-(b)/, '+\\1') %><%= 'a.b'.sub('.', '') %>":                   "a+b-cab",
		"<%= 'a,b,,c,,'.split(',').inspect %>":                                           `["a", "b", "", "c"]`,
		"<%= scope.function_template(['m/t.erb']) if false %>":                           "",
		"<%= {'a' => @l}.to_json %>":                                                     `{"a":[1,"a"]}`,
	} {
		if got, err := erbOf(t, template, manifest); err != nil || got != want {
			t.Errorf("%s: %q, not %q: %v", template, got, want, err)
		}
	}
}

// TestERBRefused is what the errors of templates say: the file, the line and the word.
func TestERBRefused(t *testing.T) {
	for _, c := range [][3]string{
		{"a\n<%= foo %>", "template('m/t.erb')",
			"Failed to parse template m/t.erb: the word 'foo' is not known"},
		{"a\n<%= foo %>", "template('m/t.erb')", "(file: /env/modules/m/templates/t.erb, line: 2)"},
		{"", "inline_template('<%= @x.y %>')", "Failed to parse inline template: the method 'y' is not known"},
		{"", "template('m/no.erb')", "Could not find template 'm/no.erb'"},
		{"<%= scope.function_template(['m/t.erb']) %>", "template('m/t.erb')", "stack level too deep"},
		{"<%= scope.call_function('nono', []) %>", "template('m/t.erb')", "Unknown function: 'nono'"},
	} {
		_, err := erbOf(t, c[0], "notify { 'x': message => "+c[1]+" }")
		if err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: %v, not %s", c[0], err, c[2])
		}
	}
}

// TestTypedLambda holds that a function that says how many parameters a block has takes one with types.
func TestTypedLambda(t *testing.T) {
	got, err := erbOf(t, "", `{ 'x' => { 'message' => 'y' } }.each |String $k, Hash $v| { notify { $k: * => $v } }`)
	if err != nil || got != "y" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestUnderscore holds that ${_x} is a variable, as ${x} is.
func TestUnderscore(t *testing.T) {
	got, err := erbOf(t, "", `$_a = 'A'
$_h = { 'k' => 'v' }
notify { 'x': message => "${_a}/${_h['k']}$_a" }`)
	if err != nil || got != "A/vA" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestEPPBlanks holds that -%> takes blanks up to the end of the line, and those that are all up to the next tag.
func TestEPPBlanks(t *testing.T) {
	const template = "<% if true { -%>[a] <% } -%> <%= 1 -%> \nb <% -%> c"
	if got, err := erbOf(t, "", `notify { 'x': message => inline_epp("`+template+`") }`); err != nil || got != "[a] 1b  c" {
		t.Errorf("%q, %v", got, err)
	}
}
