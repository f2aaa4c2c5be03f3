package render

import (
	"testing"
)

// What Salt's filters give for values of kinds that they were not made for.
func TestFilterKinds(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"{{ 5 | is_ip }} {{ true | is_ipv4 }} {{ 5 | is_ipv6 }} {{ 4294967296 | is_ipv6 }} {{ -1 | is_ip }} {{ 5 | ipaddr " +
			"}} {{ 1.5 | is_ip }}", "True True False True False None False"},
		{"{{ [1, [2], none, 0, 'x', false] | ipaddr }} {{ (1, 2) | ipv4 }} {{ [4294967296] | ipaddr }}",
			"['0.0.0.1', '0.0.0.0', '0.0.0.0'] ['0.0.0.1', '0.0.0.2'] ['::1:0:0']"},
		{"{{ [1, 2] | ip_host }} {{ [1] | network_hosts }} {{ [1, 2] | network_size }}",
			"['0.0.0.1/32', '0.0.0.2/32'] [['0.0.0.1']] [1, 1]"},
		{"{{ 'abcd' | to_bytes | ipaddr }} {{ 'abc' | to_bytes | is_ip }}", "97.98.99.100 False"},
		{"{{ ['::1/64', '::1/128', '::1', '127.0.0.1/8'] | ipaddr('loopback') }} {{ ['::/0', '::', '0.0.0.0/0'] | " +
			"ipaddr('unspecified') }}", "['127.0.0.1/8', '::1/128', '::1'] ['::']"},
		{"{{ '10.0.0.1/0.0.0.255' | ipaddr }} {{ '10.0.0.1/255.0.255.0' | is_ip }} {{ '10.0.0.1/0.0.0.0' | ipaddr }}",
			"10.0.0.1/24 False 10.0.0.1/0"},
		{"{{ ['10.0.0.1', '8.8.8.8', '::1'] | filter_by_networks(['10.0.0.0/8', '::/64']) }} {{ {'lo': ['127.0.0.1'], 'e': " +
			"[]} | filter_by_networks(['127.0.0.0/8']) }}",
			"['10.0.0.1', '::1'] {'lo': ['127.0.0.1'], 'e': []}"},
		{"{{ ['x'] | filter_by_networks(none) }} {{ ['x'] | filter_by_networks([]) }} {{ '' | " +
			"filter_by_networks(['10.0.0.0/8']) }}", "['x'] [] []"},
		{"{{ [] | filter_by_networks(['10.0.0.1/8']) }}", "f.jinja:1: 10.0.0.1/8 has host bits set"},
		{"{{ ['10.0.0.1/8'] | filter_by_networks(['10.0.0.0/8']) }}",
			"f.jinja:1: '10.0.0.1/8' does not appear to be an IPv4 or IPv6 address"},
		{"{{ 5 | filter_by_networks(['10.0.0.0/8']) }}", "f.jinja:1: Do not know how to filter a <class 'int'>"},
		{"{{ ['b', 'a', 'B'] | to_snake_case }} {{ ['B', 'C', '', 'd'] | to_snake_case }} {{ 'B' | to_snake_case }}",
			"ba_b bcd b"},
		{"{{ '' | to_snake_case }}", "f.jinja:1: string index out of range"},
		{"{{ 5 | to_snake_case }}", "f.jinja:1: to_snake_case() expects text, not 'int'"},
		{"{{ ['', ' x', ' \\t'] | contains_whitespace }} {{ {'a b': 1} | contains_whitespace }} {{ 'a\x1cb' | " +
			"contains_whitespace }} {{ [' ', 5] | contains_whitespace }}", "True False True True"},
		{"{{ [5] | contains_whitespace }}", "f.jinja:1: 'int' object has no attribute 'isspace'"},
		{"{{ none | contains_whitespace }}", "f.jinja:1: 'NoneType' object is not iterable"},
		{"{{ none | quote }} {{ 0 | quote }} {{ [] | quote }}", "'' '' ''"},
		{"{{ 5 | quote }}", "f.jinja:1: quote() expects text, not 'int'"},
		{"{{ 5 | uuid }}", "f.jinja:1: uuid() expects text, not 'int'"},
		{"{{ ('abc' | to_bytes | uuid) == ('abc' | uuid) }}", "True"},
		{"{{ none | to_num }}", "f.jinja:1: int() argument must be a string, a bytes-like object or a real number, not " +
			"'NoneType'"},
		{"{{ [5] | str_to_num }}", "f.jinja:1: int() argument must be a string, a bytes-like object or a real number, not " +
			"'list'"}, {"{{ true | to_num }} {{ 1.9 | to_num }}", "1 1"},
		{"{{ 'abc' | mysql_to_dict('x') }} {{ ['mysql', none, '| x | y |', '+--', '| 1 | z |'] | mysql_to_dict('x') }}",
			"{} {1: {'x': 1, 'y': 'z'}}"},
		{"{{ ['| x | y |', '| 1'] | mysql_to_dict('x') }}", "f.jinja:1: list index out of range"},
		{"{{ ['| x |', '| 1 |'] | mysql_to_dict('z') }}", "f.jinja:1: 'z'"},
		{"{{ {'a': 1} | compare_dicts('') }} {{ [] | compare_dicts({'a': 2}) }} {{ none | compare_dicts({}) }}",
			"{'a': {'new': '', 'old': 1}} {'a': {'old': '', 'new': 2}} {}"},
		{"{{ none | compare_dicts({'a': 1}) }}", "f.jinja:1: compare_dicts() expects two dicts"},
		{"{{ [1] | compare_dicts({}) }}", "f.jinja:1: compare_dicts() expects two dicts"},
		{"{{ ['ab'] | compare_lists('abc') }} {{ {'a': 1} | compare_lists(['b']) }}",
			"{'new': ['a', 'b', 'c']} {'new': ['b'], 'old': ['a']}"},
		{"{{ [1] | compare_lists('b') }}", "f.jinja:1: 'in <string>' requires string as left operand, not int"},
		{"{{ ['ab', 'ab', 'x'] | intersect('abc') }} {{ ['ab', 'x'] | difference('abc') }} {{ 'abc' | intersect('bc') }}",
			"['ab'] ['x'] {'b', 'c'}"},
		{"{{ [1] | intersect('abc') }}", "f.jinja:1: 'in <string>' requires string as left operand, not int"},
		{"{{ 'x' | is_iter(ignore=none) }} {{ 'x' | is_iter }} {{ 5 | is_iter(ignore=none) }}", "True False False"},
		{"{{ {'a': 5, 'l': [1]} | set_dict_key_value('a:b:c', 1) }} {{ {'a': [1]} | append_dict_key_value('a:b', 1) }}",
			"{'a': {'b': {'c': 1}}, 'l': [1]} {'a': {'b': [1]}}"},
		{"{{ {'a': {}} | update_dict_key_value('a', [['z', 1]]) }} {{ {'a': {}} | update_dict_key_value('a', '') }}",
			"{'a': {'z': 1}} {'a': {}}"},
		{"{{ {'a': {}} | update_dict_key_value('a', 'x') }}",
			"f.jinja:1: Cannot update <class 'dict'> with a <class 'str'>."},
		{"{{ {'a': 5} | update_dict_key_value('a', {}) }}",
			"f.jinja:1: The last key contains a <class 'int'>, which cannot update."},
		{"{{ {} | set_dict_key_value(5, 1) }}", "f.jinja:1: argument of type 'int' is not iterable"},
		{"{{ {'a': {'b': ('c',)}, 5: none} | json_encode_dict }} {{ ('a', [['b']], 1) | json_encode_list }} {{ 'ab' | " +
			"json_decode_list }}", "{b'a': {b'b': [b'c']}, 5: None} [b'a', [[b'b']], 1] [b'a', b'b']"},
		{"{{ [] | json_encode_dict }}", "f.jinja:1: 'list' object has no attribute 'items'"},
		{"{{ 5 | json_decode_list }}", "f.jinja:1: 'int' object is not iterable"},
		{"{% set l = [] %}{% do l.append(l) %}{{ l | json_encode_list }}",
			"f.jinja:1: Reference cycle detected. Check input list."},
		{`{{ "it's\n\n a\n" | yaml_squote }}|{{ 'ü\u2028x' | yaml_squote }}|{{ '\n\u2028\nx' | yaml_squote }}|{{ '' | yaml_squote }}|{{ [1, none] | yaml_squote }}`,
			"'it''s\n\n\n a\n\n'|'ü\u2028x'|'\n\n\u2028\nx'|''|'[1, None]'"},
		{"{{ {'a': {'x': 1}, 'b': {'y': '<&\">', 'z': ['', 2]}} | xml }}",
			"<?xml version=\"1.0\" ?>\n<b y=\"&lt;&amp;&quot;&gt;\">\n <z/>\n <z>2</z>\n</b>\n"},
		{"{{ {'b': [1, 2]} | xml }}", "f.jinja:1: a list cannot be the root of XML"},
		{"{{ {'a': ''} | xml }}", "<?xml version=\"1.0\" ?>\n<a/>\n"},
		{"{{ 5 | is_empty }} {{ true | is_empty }} {{ '/nope' | is_bin_file }} {{ '/nope' | list_files }}",
			"False False False ['/nope']"}, {"{{ none | is_empty }}", "f.jinja:1: is_empty() expects text, not 'NoneType'"},
		{"{{ true | strftime('%S') }} {{ false | date_format('%S') }}", "01 00"},
		{"{{ '08x00x27x13x69x77' | mac_str_to_bytes }} {{ '080027136977' | mac_str_to_bytes }}",
			"b\"\\x08\\x00'\\x13iw\" b\"\\x08\\x00'\\x13iw\""},
		{"{{ '08:00-27:13-69:77' | mac_str_to_bytes }}", "f.jinja:1: Invalid MAC address"},
		{"{{ '//a' | path_join('c') }} {{ '///a' | path_join('c') }} {{ '' | path_join }} {{ '' | path_join('c') }} {{ " +
			"'/a' | path_join('../..', 'b', use_posixpath=true) }} {{ 'a' | path_join('') }} {{ '//a' | path_join('../../b') }}",
			"//a/c /a/c . c /b a //b"},
		{"{{ {'a': {'x': 1}, 'b': [1]} | xml }}", "<?xml version=\"1.0\" ?>\n<a x=\"1\"/>\n"},
		{"{{ {'a': none} | xml }}", "f.jinja:1: Value is not a dict or list. Cannot render as XML"},
		{"{{ ('abc' | to_bytes) | regex_search('b') }}", "f.jinja:1: cannot use a string pattern on a bytes-like object"},
		{"{{ 'b' is match('b' | to_bytes) }}", "f.jinja:1: cannot use a bytes pattern on a string-like object"},
		{"{{ ('ab' | to_bytes) | regex_match('b' | to_bytes) }}", "None"},
		{"{{ [1] | exactly_n_true(true) }} {{ [0] | exactly_n_true(-1) }} {{ [1] | exactly_n_true(-1) }}", "True True False"},
		{"{{ [1] | exactly_n_true('1') }}", "f.jinja:1: 'str' object cannot be interpreted as an integer"},
		{"{{ {'a': 1}.keys() | to_bool }} {{ {}.keys() | to_bool }}", "True False"},
		{"{{ ('inf' | float) | to_num }}", "f.jinja:1: cannot convert float infinity to integer"},
		{"{{ {'a': 1} | traverse(none, 'd') }}", "f.jinja:1: 'NoneType' object is not iterable"},
		{"{{ [5, 6] | traverse(1) }}", "6"},
		{"{{ 99999999999999 | strftime('%Y') }}", "f.jinja:1: year 3170843 is out of range"},
		{"{{ none | which }} {{ '' | which }} {{ (none | gen_mac)[:5] }}", "None None None:"},
		{"{{ 5 | which }}", "f.jinja:1: which() expects text, not 'int'"},
	} {
		checkShown(t, nil, "f.jinja", tt.src, tt.want)
	}
}
