package render

import (
	"testing"
)

// What Salt's documentation and its functions give.
func TestFilters(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"{{ {'b': 1, 'a': [1, 'x']} | yaml }}", "{a: [1, x], b: 1}"},
		{"{{ {'b': 1, 'a': [1, 'x']} | yaml(False) }}", "a:\n- 1\n- x\nb: 1"},
		{"{{ [1] | tojson | load_json }} {{ ('x' | tojson) | yaml_encode }} {{ ('a' | e) | json }} {{ 'x' | path_join('b' " +
			"| e) }}", `[1] "\"x\"" "a" x/b`},
		{"{{ [{'a': 1, 'b': 2}, {'a': 1}] | groupby('a') | list | json }}", `[[1, [{"a": 1, "b": 2}, {"a": 1}]]]`},
		{"{{ 'text' | yaml }} {{ none | yaml }} {{ true | yaml }}", "text null true"},
		{"{{ 'yes' | yaml }}", "'yes'"},
		{"{{ {'b': 1, 'a': 'ü'} | json }} {{ {'b': 1, 'a': 2} | json(sort_keys=False) }}",
			`{"a": "ü", "b": 1} {"b": 1, "a": 2}`},
		{"{{ [1, {'a': 2}] | json(indent=2) }}", "[\n  1,\n  {\n    \"a\": 2\n  }\n]"},
		{"{{ {'b': 1, 'a': 'x'} | python }}", "{'a': 'x', 'b': 1}"},
		{`{{ 7 | yaml_encode }} {{ none | yaml_encode }} {{ true | yaml_encode }} {{ 'a "b": c' | yaml_encode }}`,
			`7 null true "a \"b\": c"`},
		{`{{ '"The quick"' | yaml_dquote }} {{ "it's" | yaml_squote }} {{ 'ü' | yaml_dquote }}`,
			`"\"The quick\"" 'it''s' "\xFC"`},
		{"{{ {'root': {'bar': 42, 'baz': [{'n': 1}, {'n': 2}]}} | xml }}",
			"<?xml version=\"1.0\" ?>\n<root bar=\"42\">\n <baz n=\"1\"/>\n <baz n=\"2\"/>\n</root>\n"},
		{"{{ {'name': 'x', 'l': [1]} | dict_to_sls_yaml_params }}", "- name: x\n- l:\n  - 1"},
		{"{{ 'yes' | to_bool }} {{ 'TRUE' | to_bool }} {{ 1 | to_bool }} {{ 'no' | to_bool }} {{ none | to_bool }} {{ [0] " +
			"| to_bool }} {{ 1.5 | to_bool }}", "True True True False False True False"},
		{"{{ ['yes', 0, False, 'True'] | exactly_n_true(2) }} {{ ['yes', False, 0, None] | exactly_one_true }}", "True True"},
		{`{{ "it's" | quote }} {{ 'plain/x.y' | quote }} {{ '' | quote }}`, `'it'"'"'s' plain/x.y ''`},
		{"{{ 'abcdefabcdef' | regex_search('BC(.*)', ignorecase=True) }}", "('defabcdef',)"},
		{"{{ 'abcd' | regex_match('^(.*)BC(.*)$', ignorecase=True) }} {{ 'abc' | regex_match('b') }}", "('a', 'd') None"},
		{`{{ 'yes, this is a TEST' | regex_replace(' ([a-z])', '__\\1', ignorecase=True) }}`, "yes,__this__is__a__TEST"},
		{"{{ 'lets replace spaces' | regex_replace('\\s+', '__') }}", "lets__replace__spaces"},
		{"{{ 'https://e.com?a=b%20' | regex_escape }}", `https://e\.com\?a=b%20`},
		{"{{ 'random' | uuid }}", "3652b285-26ad-588e-a5dc-c2ee65edc804"},
		{"{{ [1, 2, 3] | is_list }} {{ (1,) | is_list }} {{ [1] | is_iter }} {{ 'x' | is_iter }} {{ {} | is_iter }}",
			"True False True False True"},
		{"{{ [1, 2, 3] | avg }} {{ 4 | avg }} {{ [1, 2] | min }} {{ [1, 2] | max }}", "2.0 4.0 1 2"},
		{"{{ [1,2,3] | union([2,3,4]) }} {{ [1,2,3] | intersect([2,3,4]) }} {{ [1,2,3] | difference([2,3,4]) }} {{ [1,2,3] " +
			"| symmetric_difference([2,3,4]) }}",
			"[1, 2, 3, 4] [2, 3] [1] [1, 4]"},
		{"{{ [{'a': 1}, {'a': 1}, {'b': 2}] | union([{'b': 2}]) }}", "[{'a': 1}, {'b': 2}]"},
		{"{{ [1, [2, [3, none]], 4] | flatten }} {{ [1, [2, [3]]] | flatten(levels=1) }} {{ [none, 1] | " +
			"flatten(preserve_nulls=True) }}", "[1, 2, 3, 4] [1, 2, [3]] [None, 1]"},
		{"{{ [1, 2, 1, 3, 4] | method_call('index', 1, 1, 3) }} {{ ['a.b.c'] | map('method_call', 'split', '.', 1) | list }}",
			"2 [['a', 'b.c']]"},
		{"{{ [1, 2, 3] | is_sorted }} {{ [2, 1] | is_sorted }} {{ ['b', 'A'] | sorted_ignorecase }}",
			"True False ['A', 'b']"},
		{"{{ [1, 2, 3] | compare_lists([1, 2, 4]) }} {{ {'a': 'b'} | compare_dicts({'a': 'c'}) }}",
			"{'new': [4], 'old': [3]} {'a': {'old': 'b', 'new': 'c'}}"},
		{"{{ '0xabcd' | is_hex }} {{ 'xyzt' | is_hex }}", "True False"},
		{"{{ 'abcd' | contains_whitespace }} {{ 'ab cd' | contains_whitespace }}", "False True"},
		{"{{ 'abcd' | substring_in_list(['this', 'an abcd example']) }}", "True"},
		{"{{ 5 | check_whitelist_blacklist(whitelist=[5, 6]) }} {{ 5 | check_whitelist_blacklist(blacklist=[5]) }} {{ " +
			"'web1' | check_whitelist_blacklist(whitelist='web*') }}", "True False True"},
		{"{{ 1457456400 | date_format('%Y') }} {{ '2002/12/25' | strftime('%y') }} {{ '1040814000' | strftime('%Y-%m') }}",
			"2016 02 2002-12"},
		{"{{ '5' | to_num }} {{ '5.5' | to_num }} {{ 'x' | to_num }}", "5 5.5 x"},
		{"{{ {} | set_dict_key_value('bar:baz', 42) }} {{ {} | set_dict_key_value('a.b', 1, delimiter='.') }}",
			"{'bar': {'baz': 42}} {'a': {'b': 1}}"},
		{"{{ {'bar': {'baz': [1, 2]}} | append_dict_key_value('bar:baz', 42) }} {{ {} | extend_dict_key_value('a:b', [4, " +
			"2]) }}", "{'bar': {'baz': [1, 2, 42]}} {'a': {'b': [4, 2]}}"},
		{"{{ {'bar': {'baz': {'qux': 1}}} | update_dict_key_value('bar:baz', {'quux': 3}) }}",
			"{'bar': {'baz': {'qux': 1, 'quux': 3}}}"},
		{"{{ 'random' | md5 }}", "7ddf32e17a6ac5ce04a8ecbf782ca509"},
		{"{{ 'random' | sha256 }}", "a441b15fe9a3cf56661190a0b93b9dec7d04127288cc87250967cf3b52894d11"},
		{"{{ 'random' | base64_encode }} {{ 'Z2V0IHNhbHRlZA==' | base64_decode }}", "cmFuZG9t get salted"},
		{"{{ 'get salted' | hmac('shared secret', 'eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ=') }}", "True"},
		{"{{ {'a1': {'b1': {'c1': 'foo'}}, 'a2': 'bar'} | traverse('a1:b1', 'default') }} {{ {'a2': 'bar'} | " +
			"traverse('a2:b2', 'default') }} {{ {'l': [5]} | traverse('l:0') }}", "{'c1': 'foo'} default 5"},
		{"{{ 'camelsWillLoveThis' | to_snake_case }} {{ 'snake_case_for_the_win' | to_camelcase }} {{ 'snake_case' | " +
			"to_camelcase(uppercamel=True) }}", "camels_will_love_this snakeCaseForTheWin SnakeCase"},
		{"{{ '192.168.0.1' | is_ip }} {{ 'foo' | is_ip }} {{ '192.168.0.1' | is_ip(options='loopback') }} {{ 'fe80::' | " +
			"is_ipv6 }} {{ '::1' | is_ipv4 }}", "True False False True False"},
		{"{{ ['192.168.0.1', 'foo', 'fe80::'] | ipaddr }} {{ ['192.168.0.1', 'fe80::'] | ipv4 }} {{ ['192.168.0.1', " +
			"'fe80::'] | ipv6 }}", "['192.168.0.1', 'fe80::'] ['192.168.0.1'] ['fe80::']"},
		{"{{ '192.168.0.1/30' | network_hosts }} {{ '192.168.0.1/8' | network_size }} {{ ['::1', '1.2.3.4'] | ipwrap }}",
			"['192.168.0.1', '192.168.0.2'] 16777216 ['[::1]', '1.2.3.4']"},
		{"{{ ('00:50' | gen_mac) is match('00:50(:[0-9A-F]{2}){3}$') }}", "True"},
		{"{{ '/etc/salt/' | path_join('pillar', 'device1.sls') }}", "/etc/salt/pillar/device1.sls"},
		{"{{ 'x' | sequence }} {{ [1] | sequence }} {{ 'x' | skip }}", "['x'] [1] "},
		{"{{ [1, 2] | zip(['a', 'b']) }} {{ [1, 2] | zip_longest(['a']) }} {{ [1, 2] | zip_longest(['a'], fillvalue=0) }}",
			"[(1, 'a'), (2, 'b')] [(1, 'a'), (2, None)] [(1, 'a'), (2, 0)]"},
		{"{{ 'foo*' | ifelse('f', 'web*', 'w', 'd') }} {{ 'x' | ifelse('f', 'd') }} {{ [1, 2] | product(repeat=2) | length }}", "w d 4"},
		{"{{ [1, 2, 3] | combinations(2) }} {{ [1, 2] | permutations }} {{ [1, 2] | product(['a']) }} {{ 'AB' | " +
			"combinations_with_replacement(2) }} {{ [1, 2] | compress([0, 1]) }}",
			"[(1, 2), (1, 3), (2, 3)] [(1, 2), (2, 1)] [(1, 'a'), (2, 'a')] [('A', 'A'), ('A', 'B'), ('B', 'B')] [2]"},
		{"{{ '10G' | human_to_bytes }} {{ '1.5 KiB' | human_to_bytes }} {{ '1MB' | human_to_bytes(handle_metric=True) }}",
			"10737418240 1536 1000000"},
		{"{{ [3, 1, 2] | random_shuffle(seed='x') == [3, 1, 2] | random_shuffle(seed='x') }} {{ range(9) | list | " +
			"random_sample(3) | length }}", "True 3"},
		{"{{ [1, 2, 3, 4, 5] | random_shuffle(seed=7) }} {{ [1, 2, 3, 4, 5] | random_shuffle('x') }}",
			"[3, 2, 4, 1, 5] [3, 4, 1, 2, 5]"},
		{"{{ 'a' is match('[a-b]') }} {{ [{'v': 'a'}, {'v': 'b'}] | selectattr('v', 'match', '[b-e]') | list }} {{ [1] is " +
			"list }} {{ 'x' is list }} {{ 1 is equalto(1) }}", "True [{'v': 'b'}] True False True"},
		{"{{ nope | yaml }}", "f.jinja:1:4: 'nope' is undefined\nhint: did you mean 'none'?"},
		{"{{ 1 | regex_search }}", "f.jinja:1: regex_search() missing 1 required positional argument: 'rgx'"},
		{"{{ 'x' | regex_search('x', ignroecase=True) }}",
			"f.jinja:1: regex_search() got an unexpected keyword argument 'ignroecase'"},
		{"{{ 'x' | regex_search('(') }}", "f.jinja:1: missing closing ) in `(`"},
		{"{{ 'x: [' | load_yaml }}", "f.jinja:1: cannot load: did not find expected node content\nhint: the bracket that " +
			"opens here is never closed"},
	} {
		checkShown(t, nil, "f.jinja", tt.src, tt.want)
	}
}
