package render

import (
	"testing"
)

// What Salt's functions give for values at their edges.
func TestFilterEdges(t *testing.T) {
	for _, tt := range []struct{ src, want string }{
		{"{{ ['a', 'A', 'a'] | unique }} {{ ['a', 'B'] | min }} {{ ['a', 'B'] | max }}", "['a', 'A'] B a"},
		{"{{ [{'n': 'b'}, {'n': 'a'}] | min(attribute='n') }} {{ ['a', 'A'] | unique(false) | list }}", "{'n': 'a'} ['a']"},
		{"{{ 5 | is_hex }} {{ '' | is_hex }} {{ ('f' * 40) | is_hex }}", "False False True"},
		{"{{ 'webserver' | check_whitelist_blacklist(whitelist=['web|db']) }} {{ 'xdb' | " +
			"check_whitelist_blacklist(whitelist=['web|db']) }}", "True False"},
		{"{{ 'test1CASE' | to_snake_case }} {{ 'HTTPServer' | to_snake_case }} {{ 'a_Bc' | to_snake_case }}",
			"test1case http_server a__bc"},
		{"{{ '10' | human_to_bytes('') }} {{ '10' | human_to_bytes('M') }} {{ '10 Gx' | human_to_bytes }} {{ '2g' | " +
			"human_to_bytes }} {{ '1MB' | human_to_bytes }} {{ '1.2.3' | human_to_bytes }}",
			"0 10485760 0 2147483648 1048576 0"},
		{"{{ '20EiB' | human_to_bytes }} {{ '20EB' | human_to_bytes(handle_metric=True) }} {{ 'MB' | human_to_bytes }} {{ " +
			"'0.1G' | human_to_bytes }}",
			"23058430092136939520 20000000000000000000 0 107374182"},
		{"{{ {'a': 1} | compare_dicts({'a': 2}) }} {{ {'a': 1} | compare_dicts({}) }} {{ {} | compare_dicts({'a': 2}) }}",
			"{'a': {'old': 1, 'new': 2}} {'a': {'new': '', 'old': 1}} {'a': {'old': '', 'new': 2}}"},
		{"{{ {1: 'a', 3: 'b'} | avg }} {{ '1.5' | avg }}", "2.0 1.5"},
		{"{{ '127.0.0.1' | is_ip('loopback,private') }} {{ '10.0.0.1' | is_ip('loopback,private') }} {{ '127.0.0.1' | " +
			"is_ip('lo') }} {{ 'fe80::1' | is_ip('ll') }} {{ '10.0.0.1' | is_ip('nonsense') }}",
			"True False True True True"},
		{"{{ '8.8.8.8' | is_ip('global') }} {{ '224.0.0.1' | is_ip('public') }} {{ '203.0.113.7' | is_ip('global') }} {{ " +
			"'203.0.113.7' | is_ip('private') }} {{ '240.0.0.1' | is_ip('reserved') }} {{ '0.0.0.0' | is_ip('private') }}",
			"True True False True True True"},
		{"{{ '2001:db8::1' | is_ip('private') }} {{ '2606:4700::1' | is_ip('global') }} {{ '2606:4700::1' | " +
			"is_ip('reserved') }} {{ '4000::1' | is_ip('reserved') }} {{ 'fec0::1' | is_ip('sl') }}",
			"True True False True True"},
		{"{{ ['fe80::', '10.0.0.1', '::1', '10.0.0.2/24'] | ipaddr }} {{ ('10.0.0.1', 'x') | ipv4 }} {{ {'10.0.0.1': 1} | " +
			"ipaddr }} {{ '10.0.0.1/255.255.255.0' | ipaddr }}",
			"['10.0.0.1', '10.0.0.2/24', 'fe80::', '::1'] ['10.0.0.1'] None 10.0.0.1/24"},
		{"{{ ['192.168.0.1', 'foo', '192.168.0.1/28'] | ip_host }} {{ '192.168.0.1/28' | ip_host }} {{ 'foo' | ip_host }}",
			"['192.168.0.1/32', '192.168.0.1/28'] 192.168.0.1/28 None"},
		{"{{ ['10.0.0.1/30', 'foo', '10.0.0.8/31'] | network_hosts }} {{ 'foo' | network_hosts }} {{ '10.0.0.1' | " +
			"network_hosts }} {{ 'fe80::/126' | network_hosts(version=6) }} {{ 'fe80::/126' | network_hosts(version=4) }}",
			"[['10.0.0.1', '10.0.0.2'], ['10.0.0.8', '10.0.0.9']] None ['10.0.0.1'] ['fe80::1', 'fe80::2', 'fe80::3'] None"},
		{"{{ ['10.0.0.1/30', 'foo', '::/64'] | network_size }} {{ 'x' | network_size }}", "[4, 18446744073709551616] None"},
		{"{{ ('00:50' | gen_mac) is match('^00:50(:[0-9A-F]{2}){3}$') }}", "True"},
		{"{{ [1, 2] | union([2, 3]) }} {{ [1, 2] | symmetric_difference([2, 3]) }} {{ ['x', 'a'] | difference('ab') }}",
			"[1, 2, 3] [1, 3] ['x']"},
		{"{{ 'ab' | union([2, 3]) }}", "f.jinja:1: can only concatenate str (not \"list\") to str"},
		{"{{ [1] | symmetric_difference((1, 2)) }}", "f.jinja:1: can only concatenate list (not \"tuple\") to list"},
		{"{{ {} | union([2]) }}", "f.jinja:1: unsupported operand type(s) for +: 'dict' and 'list'"},
		{"{{ 'c2Vj cmV0\n' | base64_decode }} {{ '10.0.0.0/24' | base64_decode }} [{{ 'é' | base64_decode }}]",
			"secret b'\\xd7M4\\xd3\\xfd\\xb8' []"},
		{"{{ 'abc' | base64_decode }}", "f.jinja:1: Incorrect padding"},
		{"{{ (8 | random_str | length) }} {{ (40 | random_str | length) }} {{ (32 | random_str) == (32 | random_str) }}",
			"8 40 False"},
		{"{{ (range(60) | list | combinations(58) | length) }} {{ [] | combinations(0) }} {{ [1, 2] | combinations(3) }}",
			"1770 [()] []"},
		{"{{ [1] | combinations_with_replacement(99999999999999) }}", "f.jinja:1: more than 1000000 choices"},
		{"{{ [1] | product(repeat=40) | first | length }} {{ [1] | product(repeat=99999999999999) }}",
			"f.jinja:1: more than 1000000 choices"},
		{"{{ {'b': (1,), 'a': 'x' * 90} | python }}", "{'a': 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',\n 'b': (1,)}"},
		{"{{ (1, 2) | union((2, 3)) }} {{ ([1, 2, 1] | union([3])) }}", "{1, 2, 3} [1, 2, 3]"},
		{"{{ 'a b' | method_call('split', sep=' ') }} {{ 'a' | method_call('nope') }}", "['a', 'b'] None"},
		{"{{ 10 | to_num }} {{ ' 7 ' | to_num }} {{ '1e3' | to_num }} {{ 5.9 | to_num }}", "10 7 1000.0 5"},
		{"{% load_yaml as a, b %}[1, {x: 2}]{% endload %}{{ a }} {{ b.x }}{% load_json as (c, d,) %}{\"k\": 1, \"l\": 2}{% " +
			"endload %} {{ c }}{{ d }}{% load_yaml as e, %}[5]{% endload %} {{ e }}", "1 2 kl 5"},
		{"{% set l = [] %}{% do l.extend([l, l]) %}{{ l | flatten }}",
			"f.jinja:1: Reference cycle detected. Check input list."},
		{"{% set l = {} %}{% do l.update({'a': l, 'b': l}) %}{{ l | xml }}",
			"f.jinja:1: Reference cycle detected. Check input list."},
		{"{% set l = {} %}{% do l.update({'a': l, 'b': l, 'c': 1}) %}{% set x = show_full_context() %}{{ x.l }}",
			"{'a': '...', 'b': '...', 'c': 1}"},
		{"{{ 0 | strftime('%99999999999d') }}", "f.jinja:1: Invalid format string"},
		{"{{ 86400 * 40 | int }} {{ (86400 * 40) | strftime('%_5Y %-m 100%%') }}", "3456000  1970 2 100%"},
		{"{% load_yaml as a, b %}[1]{% endload %}", "f.jinja:1: not enough values to unpack (expected 2, got 1)"},
		{"{% load_yaml as a, b %}[1, 2, 3]{% endload %}", "f.jinja:1: too many values to unpack (expected 2)"},
		{"{% load_yaml as a, b %}5{% endload %}", "f.jinja:1: cannot unpack non-iterable int object"},
	} {
		checkShown(t, nil, "f.jinja", tt.src, tt.want)
	}
}
