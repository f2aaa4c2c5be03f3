package erb

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/sls/puppet/types"
)

// world is an Env of fixed variables; sprintf and regsubst are the language's, and tested with the compiler.
type world map[string]any

func (w world) Variable(name string) (any, bool) { v, ok := w[name]; return v, ok }

func (w world) Variables() *types.Hash {
	out := types.NewHash()
	for _, k := range []string{"list", "hash", "name"} {
		out.Set(k, w[k])
	}
	return out
}

func (w world) Keep(name string, v any) { w["kept "+name] = v }

func (w world) Kept(name string) (any, bool) { v, ok := w["kept "+name]; return v, ok }

func (w world) YAML(v any) (string, error) { return types.Inspect(v), nil }

func (w world) Call(name string, args ...any) any {
	return name + "(" + strings.TrimSuffix(types.Inspect(args)[1:], "]") + ")"
}

func things() world {
	return world{"name": "web", "list": []any{int64(3), int64(1), int64(2)}, "none": nil, "empty": []any{}, "yes": true,
		"no":   false,
		"hash": types.NewHash("b", int64(2), "a", []any{"x", "y"}), "a::b": "deep",
		"words": []any{"pear", "Apple", nil, "fig"}}
}

func render(t *testing.T, text string) string {
	t.Helper()
	tmpl, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	out, err := tmpl.Render(things())
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return out
}

// TestTags is what Ruby's ERB makes of tags and the white space around them, with trim_mode '-'.
func TestTags(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"a\n":                            "a\n",
		"a <%= 1 %>\nb":                  "a 1\nb",
		"<%= 1 -%>\nb":                   "1b",
		"<%= 1 -%> \nb":                  "1 \nb",
		"<%= 1 -%>\r\nb":                 "1b",
		"  <% x = 1 %>\n<%= x %>":        "  \n1",
		"  <%- x = 1 -%>\n<%= x %>":      "1",
		"a  <%- x = 1 -%>\n<%= x %>":     "a  1",
		"<%= 1 %>  <%- x = 1 %>|":        "1|",
		"<%# no -%>\nb<%# if %>c":        "bc",
		"<%-# no -%>\nb":                 "b",
		"<%% %> <%= '%%>' %> %%>":        "<% %> %> %%>",
		"<% if @yes # why\n%>y<% end %>": "y",
		"<% [1, 2].each do |x| -%>\n<%= x %>,\n<% end -%>\nend": "1,\n2,\nend",
	} {
		if got := render(t, text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// TestRuby is what Ruby 3.1 makes of expressions, as inspect writes it.
func TestRuby(t *testing.T) {
	for code, want := range map[string]string{
		"1 + 2 * 3":                            "7",
		"-7 / 2":                               "-4",
		"-7 % 3":                               "2",
		"2 ** 10":                              "1024",
		"7 / 2.0":                              "3.5",
		"1 == 1.0":                             "true",
		"'a' == 'A'":                           "false",
		"1 <=> 2":                              "-1",
		"nil.to_s":                             `""`,
		"nil.to_a":                             "[]",
		"!nil && 5":                            "5",
		"nil || :a":                            ":a",
		"not true":                             "false",
		"@none.nil?":                           "true",
		"@none.inspect":                        "\"nil\"",
		"@nope":                                "nil",
		"@none != :undef":                      "true",
		"defined? @none":                       "nil",
		"defined?(@name) && 1":                 "1",
		"scope['a::b']":                        `"deep"`,
		"scope.lookupvar('a::b').upcase":       `"DEEP"`,
		"scope.to_hash.has_key?('name')":       "true",
		"scope.call_function('f', [1, @list])": `"f(1, [3, 1, 2])"`,
		"scope.function_f(['x'])":              `"f('x')"`,
		"has_variable?('name')":                "true",
		"@list.sort":                           "[1, 2, 3]",
		"@list.sort { |a, b| b <=> a }":        "[3, 2, 1]",
		"@list.map { |x| x + 1 }.join(',')":    `"4,2,3"`,
		"@list[-1]":                            "2",
		"@list[0..1]":                          "[3, 1]",
		"@list[1..-1]":                         "[1, 2]",
		"@list[1, 5]":                          "[1, 2]",
		"@list[9]":                             "nil",
		"@list.first(2)":                       "[3, 1]",
		"@list.include?(3) and @list.any?":     "true",
		"@words.compact.map(&:downcase).sort":  `["apple", "fig", "pear"]`,
		"@words.reject { |w| w.nil? }.sort_by { |w| w.length }.last": `"Apple"`,
		"@list.inject(0) { |sum, x| sum + x }":                       "6",
		"[1, [2, [3, nil]]].flatten.compact":                         "[1, 2, 3]",
		"[1, 1, 2].uniq | [5]":                                       "[1, 2, 5]",
		"[1, 2] - [1] + [7]":                                         "[2, 7]",
		"%w(a b) * '-'":                                              `"a-b"`,
		"[nil, [1, 'a']].to_s":                                       `"[nil, [1, \"a\"]]"`,
		"@hash":                                                      `{"b"=>2, "a"=>["x", "y"]}`,
		"@hash.sort.first":                                           `["a", ["x", "y"]]`,
		"@hash.sort_by { |k, v| k }.map { |k, v| k }":                `["a", "b"]`,
		"@hash.map { |k, v| \"#{k}=#{v}\" }":                         `["b=2", "a=[\"x\", \"y\"]"]`,
		"@hash.keys.length + @hash.size":                             "4",
		"@hash.select { |k, v| v == 2 }":                             `{"b"=>2}`,
		"@hash.delete('b') + @hash.length":                           "3",
		"{:a => 1, 'b' => [2]}":                                      `{:a=>1, "b"=>[2]}`,
		"{a: 1}[:a]":                                                 "1",
		"@hash['a'][0]":                                              `"x"`,
		"@hash.fetch('zz', 'd')":                                     `"d"`,
		"@hash.dig('a', 1)":                                          `"y"`,
		"'Some text'.split":                                          `["Some", "text"]`,
		"'abc'[1..-1] + 'abc'[0] + 'abc'[0, 2]":                      `"bcaab"`,
		"' x '.strip.capitalize":                                     `"X"`,
		"'a.b'.start_with?('a.') ? 'y':'n'":                          `"y"`,
		"'x=1' =~ /(\\w)=(\\d)/ ? $2 + $1 : 0":                       `"1x"`,
		"'abc' =~ /c$/i":                                             "2",
		"'banana'.gsub(/an/) { |m| m.upcase }":                       `"bANANa"`,
		"'12abc'.to_i":                                               "12",
		"'x' * 3 << 'y'":                                             `"xxxy"`,
		"'a#{1}' + \"a#{1 + 1}\\n\"":                                 `"a\#{1}a2` + `\n"`,
		"\"#{@hash[\"b\"]} #{'}'}\"":                                 `"2 }"`,
		"Array(nil) + Array('a') + Array([1])":                       `["a", 1]`,
		"(1..3).map { |i| i * i }":                                   "[1, 4, 9]",
		"(1...3).to_a":                                               "[1, 2]",
		"case 'b' when 'a', 'b' then 1 else 2 end":                   "1",
		"case 5 when String then 's' when 1..9 then 'd' end":         `"d"`,
		"case 'xyz' when /^x/ then 'm' end":                          `"m"`,
		"x = if @yes then 1 else 2 end":                              "1",
		"y ||= 4":                                                    "4",
		"@name.is_a? String":                                         "true",
		"1.is_a?(Integer) && 1.0.is_a?(Numeric)":                     "true",
		"@list.is_a?(Array) && !@hash.kind_of?(Array)":               "true",
		"@none&.length":                                              "nil",
		"Regexp.escape('a.b*c')":                                     `"a\\.b\\*c"`,
		"[3, 1].each_with_index.nil?":                                "",
		"@list\n  .sort\n  .first":                                   "1",
		"[1,\n 2,\n]":                                                "[1, 2]",
		"'%d' % 5":                                                   `"sprintf('%d', 5)"`,
		"[1, 2, 3].each { |v| break v * 10 if v == 2 }":              "20",
		"[1, 2, 3].map { |v| next 0 if v == 2; v }":                  "[1, 0, 3]",
	} {
		if want == "" {
			continue
		}
		if got := render(t, "<% v = ("+code+") %><%= v.inspect %>"); got != want && !(want == `"nil"` && got == want) {
			t.Errorf("%s: %s, not %s", code, got, want)
		}
	}
}

func TestStatements(t *testing.T) {
	for text, want := range map[string]string{
		"<% def f(v, w = 'd')\n case v\n when true\n 'yes'\n else\n return w if v.nil?\n v\n end\n end -%>\n" +
			"<%= f(true) %><%= f(nil) %><%= f 'x' %>": "yesdx",
		"<% o = []\n o << 'a' if @yes\n o << 'b' unless @yes\n o << 'c' << 'd' -%>\n<%= o.join %>": "acd",
		"<% s = 'a'; s << 'b'; s += 'c' %><%= s %>":                                                "abc",
		"<% @list.each_with_index do |x, i| %><%= i %>:<%= x %> <% end %>":                         "0:3 1:1 2:2 ",
		"<% @hash.each_pair { |k, v| %><%= k %> <% } %>":                                           "b a ",
		"<% @hash.each do |pair| %><%= pair[0] %> <% end %>":                                       "b a ",
		"<% x = 1; [2].each { |y| x = y; z = 1 } %><%= x %>":                                       "2",
		"<% h = {}; h['a'] = 1; h['a'] += 1; l = []; l[2] = h %><%= l %>":                          "[nil, nil, {\"a\"=>2}]",
		"<% unless @no then %>a<% else %>b<% end %><% if @no %>c<% elsif @yes %>d<% end %>":        "ad",
		"<%= @name if @no %>|<%= @empty.empty? ? 'e' : 'f' %>":                                     "|e",
		"<% require 'json' %><%= {'a' => [1, \"<\\n\", nil]}.to_json %>":                           `{"a":[1,"<\n",null]}`,
	} {
		if got := render(t, text); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
	}
}

// TestVariablesStay holds that a template cannot change what it was given.
func TestVariablesStay(t *testing.T) {
	w := things()
	tmpl, err := Parse("<% @hash.delete('a'); @list << 9; scope['list'] << 8 %><%= @list.length %>")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := tmpl.Render(w); err != nil || out != "4" {
		t.Errorf("%q, %v", out, err)
	}
	if got := fmt.Sprint(types.Inspect(w["list"]), types.Inspect(w["hash"])); got !=
		"[3, 1, 2]{'b' => 2, 'a' => ['x', 'y']}" {
		t.Error(got)
	}
}

// TestUnknown is what is refused when a template is read, with the line and the word.
func TestUnknown(t *testing.T) {
	for text, want := range map[string]string{
		"\n<%= foo %>": "the word 'foo' is not known: it is no local of the template and none of the " +
			"functions that there are (line: 2)",
		"<%= @a.crypt('a') %>":            "the method 'crypt' is not known (line: 1)",
		"<% begin\nx\nrescue\nend %>":     "the word 'x' is not known",
		"<%= `id` %>":                     "\"`\" is not known (line: 1)",
		"<%= system('id') %>":             "the word 'system' is not known",
		"<%= File.read('/etc/shadow') %>": "'File.read' is not known (line: 1)",
		"<%= IO %>":                       "the class 'IO' is not known",
		"<% require 'open3' %>":           "this library of Ruby is not known to require",
		"<%= scope.compiler %>":           "'scope.compiler' is not known",
		"a\nb <% if @x %>":                "the end of a line is not known here",
		"<% end %>":                       "'end' is not known here",
		"<%= 1":                           "the tag <% is never closed by %>",
		"<%= 'a %>":                       "a text is never closed by '",
		"<%= /(/ %>":                      "the regular expression /(/ is not known",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

// TestFails is what ends a template while it is rendered: also what would go on without end.
func TestFails(t *testing.T) {
	for text, want := range map[string]string{
		"\n<%= @none.length %>":                          "undefined method 'length' for nil:NilClass (line: 2)",
		"<%= 1 + 'a' %>":                                 "'+' is not known between Integer and String",
		"<%= 'a' + 1 %>":                                 "no implicit conversion of Integer into String",
		"<% fail('no: ' + @name) %>":                     "no: web",
		"<%= 1 / 0 %>":                                   "divided by 0",
		"<%= [1, 'a'].sort %>":                           "comparison of ",
		"<% def f(x)\n f(x)\n end %><% f(1) %>":          "goes too deep",
		"<% a = []; a << a %><%= a %>":                   "goes too deep",
		"<% a = [1]; 99.times { a = [a, a] } %><%= a %>": "too",
		"<% (1..900000000).each { |x| } %>":              "is too long",
		"<% 9999.times { 9999.times { } } %>":            "too many steps",
		"<% s = 'xx'; 99.times { s += s } %>":            "a text is too long",
		"<% l = [1]; 99.times { l += l } %>":             "an array is too long",
		"<%= 9999999999 * 9999999999 %>":                 "is too large",
		"<% next %>":                                     "next is not known here",
		"<% [1].each { |x| return x } %>":                "return is not known here",
	} {
		tmpl, err := Parse(text)
		if err == nil {
			_, err = tmpl.Render(things())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %.300v, not %s", text, err, want)
		}
	}
}

func FuzzERB(f *testing.F) {
	for _, s := range []string{"<%= @list.map { |x| x + 1 }.join(',') -%>\n",
		"<%- if @yes -%>\na <%% <%# b %>\n<%- end -%>",
		"<% def f(v)\n case v\n when true\n 'yes'\n else\n v\n end\n end %><%= f(1) %>",
		"<%= \"#{@hash['a']} #{1 ? 2 : 3}\" %>",
		"<% o = []; o << 'a' << %w(b c).join(' ') unless @no %><%= o[-1][0..2] %>", "<%= 'a1b' =~ /(\\d)/ ? $1 : $2 %>",
		"<% {a: 1, 'b' => 2}.each_pair do |k, v| %><%= k.to_s.rjust(5, '0') %><% end %>", "<%= scope['a::b'][1, 2] %>",
		"<%= 'banana'.gsub(/a(n)/) { |m| $1.upcase }.sub('b', {}) %>", "<%= (1..3).to_a.inject { |a, b| a * b } %>",
		"<% x ||= [[1, 2], [3, 4]].to_h.sort_by { |(a, b), c| a } %><%= x&.first %>", "<%= '%05.2f' % [1.5] %>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tmpl, err := Parse(text)
		if err == nil {
			_, _ = tmpl.Render(things())
		}
	})
}
