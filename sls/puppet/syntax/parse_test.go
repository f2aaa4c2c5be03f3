package syntax

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"include a, b\n": "",
		"$x = [1, 2].map |Integer $i| { $i + 1 }\n":        "",
		"file { '/a': ensure => file; '/b': }":             "",
		"class a::b(String $x = 'y') inherits c { }":       "",
		"File['a'] -> Service <| tag == 'x' |> { a => 1 }": "",
		"notify { \"a ${x[1]} ${b.c} $d ${1 + 2}\": }":     "",
		"if $a { } elsif $b { } else { }":                  "",
		"notify { 'a':  message = 'x' }":                   "Syntax error at '=' (file: a.pp, line: 1, column: 24)",
		"class a-b { }":                                    "Unacceptable name. The name 'a-b' is unacceptable",
		"$a::b = 1\n":                                      "Illegal attempt to assign to 'a::b'",
		"1\n2":                                             "This Literal Integer has no effect",
		"define d(*$x) { }":                                "The parameter $x has 'captures rest'",
		"$x = 99999999999999999999":                        "outside of Puppet Integer max range",
		"$x = 'a":                                          "Unclosed quote",
		"$x = @(END)\n  text\n":                            "Heredoc without end-tag",
		"/* comment":                                       "Unclosed comment",
		strings.Repeat("(", 2000):                          "nested more than 1000 deep",
		"node default { class x { } }":                     "may only appear at toplevel",
		"case 1 { default: { } default: { } }":             "more than one 'default'",
		"@class { 'x': }":                                  "Classes are not virtualizable",
		"function f($a = 1, $b) { }":                       "is required but appears after optional parameters",
		"$x = { 'a' => 1, 'a' => 2 }":                      "declared more than once",
		"class c($title) { }":                              "redefines a built in parameter",
		"File <| title + 1 |>":                             "Illegal query expression",
		"$x = \"\\u{zz}\"":                                 "",
		"$x = 12abc":                                       "Illegal number '12abc'",
		"plan x { }":                                       "Language validation logged 2 errors",
		"notify { 'a': * => {}, * => {} }":                 "can only be used once per resource body",
		"$x['a'] = 1":                                      "Illegal attempt to assign via [index/key]",
		"type A = Variant[String[1], Integer]\n$y = 1 ? { /x/ => 1, default => 2 }": "",
	} {
		_, err := Parse("a.pp", text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%.60s: got %v, want %s", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("file { \"/a/${b['c']}\": content => @(\"E\"/L) }\n x ${y}\n | E\n")
	f.Add("class a(String $x = 'y') inherits b { $z ? { /a/ => 1, default => [1, *$w] } }")
	f.Add("A['x'] -> B <<| tag == 'a' and c != 1 |>> { d +> 2 }")
	f.Fuzz(func(_ *testing.T, text string) { _, _ = Parse("a.pp", text) })
}

func FuzzParseEPP(f *testing.F) {
	f.Add("<%- | String $a | -%>\n<% if $a { -%>\nx <%= $a %>\n<% } -%>\n<%# c -%>\n<%% y")
	f.Fuzz(func(_ *testing.T, text string) { _, _ = ParseEPP("a.epp", text) })
}
