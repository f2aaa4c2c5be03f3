package compile

import (
	"strings"
	"testing"
)

// TestOperatorsAsPuppet: what Puppet 7.23 gives for an expression, or why it refuses.
func TestOperatorsAsPuppet(t *testing.T) {
	const none = "Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable"
	for expr, want := range map[string]string{
		"Timespan(90) >= -7":           "true",
		"Timestamp('2020-01-01') >= 1": "true",
		"Integer[1,5] < 2.5":           "false",
		"default < default":            "false",
		"String(1e3 + Timespan(90))":   "'0-00:18:10.0'",
		"'10' >= 1e3": "String >= Float, is not possible. Caused by 'A String is not comparable to a non " +
			"String'",
		"-7 >= true":                "Caused by 'A Numeric is not comparable to non Numeric'",
		"['a'] > undef":             "Comparison of: Array > Undef Value, is not possible. Caused by '" + none + "'",
		"/a/ < String":              "Comparison of: Regexp < String-Type, is not possible. Caused by '" + none + "'",
		"SemVer('1.2.3') < [1]":     "Comparison of: Semver < Array, is not possible. Caused by 'Versions not comparable",
		"default > {}":              "Comparison of: Object > Hash, is not possible. Caused by 'Symbol not comparable",
		"1 =~ ['a']":                "Caused by 'no implicit conversion of Array into String'",
		"undef !~ 0":                "Caused by 'no implicit conversion of Integer into String'",
		"{} / 1":                    "The value '{}' cannot be converted to Numeric.",
		"1 * ['a', {'b' => undef}]": `The value '["a", {"b"=>nil}]' cannot be converted to Numeric.`,
		"/a.c/ << 1":                "The value '(?-mix:a.c)' cannot be converted to Numeric.",
		"1.5 % 1":                   "Operator '%' is not applicable to a Float.",
		"1 % 1.5":                   "Operator '%' is not applicable to an Integer when right side is a Float.",
		"1 / Timespan(1)":           "Operator '/' is not applicable to an Integer when right side is a Timespan.",
		"String(true, '%y')":        "'yes'",
		"String(false, '%#Y')":      "'N'",
		"String(-255, '%x')":        "'..f01'",
		"String(-255, '%#o')":       "'..7401'",
		"String(-1, '%b')":          "'..1'",
		"String(undef, '%#n')":      "'null'",
		"String([1, 'a'], '%(a')":   `'(1, \'a\')'`,
		"String([1, 'a'], '%s')":    `'[1, \'a\']'`,
		"String(3.5, '%T')": "Illegal format 'T' specified for value of Float type - expected one of the " +
			"characters 'dxXobBeEfgGaAsp'",
		"String(1, '%5d|')":     "The format '%5d|' is not a valid format on the form",
		"String(1, '%--d')":     "The same flag can only be used once",
		"assert_type('%d', 3)":  "Syntax error at '%'",
		"create_resources('x')": "create_resources(): Wrong number of arguments given (1 for minimum 2)",
		"getvar(1)":             "'getvar' parameter 'get_string' expects a match for Pattern",
		"[1].regsubst('a')":     "'regsubst' expects between 3 and 5 arguments, got 2",
		"Enum['b', 'a', 'b']":   "Enum['a', 'b']",
		"defined(Package[undef])": "'defined' parameter 'vals' expects a value of type String, Type[CatalogEntry], or " +
			"Type[Type], got Undef",
		"[*Package[undef, undef]]": "[]",
		"Integer('1.5e3')":         "'new' The string '1.5e3' cannot be converted to Integer",
		"Integer(/a/)":             "'new' Value of type Regexp[/a/] cannot be converted to Integer",
		"Boolean(undef)":           "'new_boolean' Value of type Undef cannot be converted to Boolean",
		"Array(2.5)":               "'new_array' Value of type Float cannot be converted to Array",
		"String[1, 2]([1, 2])": "Converted value from String[1, 2].new() has wrong type, expects a String[1, 2] " +
			"value, got String",
		"Type('%d')":                "Syntax error at '%'",
		"split(undef, ',')":         "'split' parameter 'str' expects a String value, got Undef",
		"String({'a' => 1}, '%|h')": `'|\'a\' => 1|'`,
		"String([1, [2]], {Array => {format => '%a', separator => ';', string_formats => {Integer => '%x'}}})": "'[1;[2]]'",
	} {
		r := recorded{Manifest: "$x = " + expr + "\nnotify { 'r': message => String($x, '%p') }"}
		cat, _, err := Compile(r.options(t))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = cat.Find("Notify", "r").Params.Value("message").(string)
		}
		if err == nil && got != want || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", expr, got, want)
		}
	}
}
