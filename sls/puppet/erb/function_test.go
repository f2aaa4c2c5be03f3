package erb

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/puppet/types"
)

// called defines functions by a text and calls the first one in its first way.
func called(t *testing.T, text string, args ...any) (any, error) {
	t.Helper()
	all, err := ParseFunction(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return all[0].Call(things(), 0, args)
}

// TestFunction calls functions of modules that are written in Ruby, of both kinds.
func TestFunction(t *testing.T) {
	modern := func(body string) string {
		return "# frozen\nrequire 'ipaddr'\nPuppet::Functions.create_function(:'m::f') do\n  # @param a\n" +
			"  dispatch :f do\n    param 'Any', :a\n    optional_param 'Any', :b\n    return_type 'Any'\n  end\n\n" +
			"  def f(a, b = nil)\n" + body + "\n  end\n\n  private\n\n  def twice(x)\n    x * 2\n  end\nend\n"
	}
	old := func(body string) string {
		return "module Puppet::Parser::Functions\n  newfunction(:f, type: :rvalue, doc: <<-EOS\n    what #{it} does\n  EOS\n" +
			"  ) do |args|\n" + body + "\n  end\nend\n"
	}
	for _, c := range []struct {
		text, want string
		args       []any
	}{
		{modern("return 'Off' if a == :undef || a.nil?\n'On'"), `'Off'`, []any{nil}},
		{modern("twice(a) + twice(1)"), "8", []any{int64(3)}},
		{modern("closure_scope['name'].upcase"), "'WEB'", []any{nil}},
		{modern("scope = closure_scope\nscope['hash'].key?('b')"), "true", []any{nil}},
		{modern("call_function('downcase', a)"), `'downcase(\'X\')'`, []any{"X"}},
		{modern("k, v = *%r{(\\d+)(\\w)}.match(a)[1, 2]\nv + k"), "'k12'", []any{"12k"}},
		{modern("s = ''\na.each { |x| s.concat(\"<#{x}>\") }\ns"), "'<1><2>'", []any{[]any{int64(1), int64(2)}}},
		{modern("a.each_with_object({}) { |x, acc| acc[x] = x * 2 }"), "{1 => 2}", []any{[]any{int64(1)}}},
		{modern("IPAddr.new('fe80::/64').include? IPAddr.new(a)"), "true", []any{"fe80::1"}},
		{modern("Gem::Version.new(RUBY_VERSION) < Gem::Version.new('2.4.0')"), "false", []any{nil}},
		{modern("begin\nInteger(a)\nrescue ArgumentError => e\n\"no: #{e.message}\"\nend"),
			`'no: invalid value for Integer(): "x"'`, []any{"x"}},
		{modern("n = 1\nwhile n < a\nn *= 2\nend\nn << 1"), "16", []any{int64(5)}},
		{modern("case a\nwhen 'k' then 1\nelse raise Puppet::ParseError, 'x'\nend"), "1", []any{"k"}},
		{old("args[0] == '' ? 'empty' : args.length"), "'empty'", []any{nil}},
		{old("return lookupvar('name') + args[0]"), "'web1'", []any{"1"}},
		{"Puppet::Functions.create_function(:f) do\n  X = %w[a b]\n  def f(*args)\n    X + args\n  end\nend",
			"['a', 'b', 'c']", []any{"c"}},
	} {
		got, err := called(t, c.text, c.args...)
		if err != nil || types.Inspect(got) != c.want {
			t.Errorf("%s: %s, not %s: %v", c.text, types.Inspect(got), c.want, err)
		}
	}
}

// TestFunctionRefused is what is refused of functions in Ruby: words that are not known, when they are reached, and
// work without end, which no rescue takes.
func TestFunctionRefused(t *testing.T) {
	def := func(body string) string {
		return "Puppet::Functions.create_function(:f) do\n  def f(a)\n" + body + "\n  end\nend"
	}
	for body, want := range map[string]string{
		"File.read(a)": "'File.read' is not known (line: 3)",
		"foo(1)":       "the word 'foo' is not known",
		"begin\nfoo\nrescue StandardError\n1\nend":           "the word 'foo' is not known",
		"begin\nwhile true\nend\nrescue\n1\nend":             "too many steps",
		"raise Puppet::ParseError, \"no #{a}\"":              "no x",
		"f(a)":                                               "goes too deep",
		"a.crypt('x')":                                       "undefined method 'crypt'",
		"Puppet::Util::Execution.execute('id')":              "is not known",
		"s = ''\nwhile true\ns << 'xxxxxxxxx' * 999999\nend": "too long",
	} {
		if _, err := called(t, def(body), "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", body, err, want)
		}
	}
	if v, err := called(t, def("if false\nFile.read(a)\nend\n1"), "x"); err != nil || v != int64(1) {
		t.Errorf("a branch that is not taken: %v, %v", v, err)
	}
	for _, text := range []string{"class X\nend", "`id`", "Puppet::Functions.create_function(:f) do\n  include Y\nend",
		"module A\n  def x\n  end\nend", "newfunction(:f)"} {
		if f, err := ParseFunction(text); err == nil {
			t.Errorf("%s: %v", text, f)
		}
	}
}

func FuzzParseFunction(f *testing.F) {
	f.Add("Puppet::Functions.create_function(:'a::b') do\n dispatch :b do\n param 'Any', :x\n end\n def b(x)\n x\n " +
		"end\nend")
	f.Add("module Puppet::Parser::Functions\n newfunction(:f, type: :rvalue, doc: <<-E\nx\nE\n) do |args|\n args[0]\n " +
		"end\nend")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ParseFunction(text)
		if err != nil {
			return
		}
		for _, fn := range all {
			for i := range max(1, len(fn.Ways)) {
				_, _ = fn.Call(things(), i, []any{"x", int64(1)})
			}
		}
	})
}
