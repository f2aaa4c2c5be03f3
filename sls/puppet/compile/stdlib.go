package compile

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/sls/yaml"
)

// stdlibFunction finds one of the functions of the module stdlib that are written in Ruby there, nil for one that we do
// not have.
func stdlibFunction(name string) *builtin {
	name = strings.TrimPrefix(name, "stdlib::")
	f := map[string]func(k *call) any{
		"merge": (*call).merge, "deep_merge": (*call).deepMergeCall, "pick": (*call).pick, "pick_default": (*call).pick,
		"concat": (*call).concat, "difference": (*call).sets, "intersection": (*call).sets, "union": (*call).sets,
		"member": (*call).member, "range": (*call).rangeCall, "zip": (*call).zip, "count": (*call).count,
		"delete":    (*call).deleteCall,
		"delete_at": (*call).deleteAt, "delete_undef_values": (*call).deleteUndef, "delete_values": (*call).deleteValues,
		"any2array": (*call).any2array, "any2bool": (*call).str2bool, "prefix": (*call).affix, "suffix": (*call).affix,
		"str2bool": (*call).str2bool, "bool2str": (*call).bool2str, "bool2num": (*call).bool2num,
		"num2bool": (*call).num2bool,
		"has_key":  (*call).hasKey, "dirname": (*call).dirname, "basename": (*call).dirname, "extname": (*call).dirname,
		"ensure_packages": (*call).ensurePackages, "ensure_resource": (*call).ensureResource,
		"ensure_resources": (*call).ensureResource, "defined_with_params": (*call).definedWith, "getparam": (*call).getparam,
		"validate_legacy": func(*call) any { return nil }, "assert_private": (*call).assertPrivate,
		"join_keys_to_values": (*call).joinKeys, "shell_escape": (*call).shellEscape, "shell_join": (*call).shellEscape,
		"to_json": (*call).serialize, "to_yaml": (*call).serialize, "to_json_pretty": (*call).serialize,
		"parsejson": (*call).deserialize, "parseyaml": (*call).deserialize, "seeded_rand": (*call).seededRand,
		"fqdn_rand_string": (*call).randString, "crc32": (*call).checksum, "sha256": (*call).checksum, "grep": (*call).grep,
		"reject": (*call).grep, "start_with": (*call).startWith, "end_with": (*call).startWith, "values_at": (*call).valuesAt,
		"hash": func(k *call) any { return k.newHash(k.arg(0)) }, "is_string": (*call).is,
		"is_array": (*call).is, "is_hash": (*call).is, "is_bool": (*call).is, "is_integer": (*call).is,
		"enclose_ipv6": (*call).encloseIPv6, "fact": (*call).fact, "os_version_gte": (*call).osVersion,
		"nested_values": (*call).nestedValues, "is_a": func(k *call) any {
			t, ok := k.arg(1).(*types.Type)
			return ok && types.Instance(t, k.arg(0))
		},
	}[name]
	if f == nil {
		return nil
	}
	return &builtin{"", f}
}

func (k *call) list(i int) []any {
	l, ok := k.arg(i).([]any)
	if !ok {
		k.refuse("%s(): Requires array to work with", k.name)
	}
	return l
}

func (k *call) merge() any {
	if len(k.args) < 2 && k.block == nil {
		k.refuse("merge(): wrong number of arguments (%d; must be at least 2)", len(k.args))
	}
	out := types.NewHash()
	for _, a := range k.args {
		switch a := a.(type) {
		case *types.Hash:
			out = out.Merge(a)
		case nil, string:
		default:
			k.refuse("merge(): unexpected argument type %s, only expects hash arguments", types.Infer(a).Kind)
		}
	}
	return out
}

func (k *call) deepMergeCall() any {
	var out any = types.NewHash()
	for _, a := range k.args {
		if h, ok := a.(*types.Hash); ok {
			out = overlay(out.(*types.Hash), h)
		}
	}
	return out
}

// overlay merges hashes key by key; anything else of the second replaces.
func overlay(low, high *types.Hash) *types.Hash {
	out := low.Clone()
	for key, v := range high.All() {
		if a, ok := out.Value(key).(*types.Hash); ok {
			if b, ok := v.(*types.Hash); ok {
				v = overlay(a, b)
			}
		}
		out.Set(key, v)
	}
	return out
}

func (k *call) pick() any {
	for _, a := range k.args {
		if a != nil && a != "" {
			return a
		}
	}
	if k.name == "pick" {
		k.refuse("pick(): must receive at least one non empty value")
	}
	if len(k.args) > 0 {
		return k.args[len(k.args)-1]
	}
	return nil
}

func (k *call) concat() any {
	out := slices.Clone(k.list(0)) // which refuses a call without arguments
	for _, a := range k.args[1:] {
		out = append(out, flattenOnce(a)...)
	}
	return out
}

func (k *call) sets() any {
	has := func(l []any, x any) bool {
		return slices.ContainsFunc(l, func(y any) bool { return strictEqual(x, y) })
	}
	out := []any{}
	switch k.name {
	case "difference":
		for _, x := range k.list(0) {
			if !has(k.list(1), x) {
				out = append(out, x)
			}
		}
	case "intersection":
		for _, x := range k.list(0) {
			if has(k.list(1), x) && !has(out, x) {
				out = append(out, x)
			}
		}
	default:
		for i := range k.args {
			for _, x := range k.list(i) {
				if !has(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	return out
}

func (k *call) member() any {
	for _, want := range flattenOnce(k.arg(1)) {
		if !slices.ContainsFunc(k.list(0), func(x any) bool { return strictEqual(x, want) }) {
			return false
		}
	}
	return true
}

func (k *call) rangeCall() any {
	from, okA := toNumber(types.Text(k.arg(0)))
	to, okB := toNumber(types.Text(k.arg(1)))
	step := int64(1)
	if n, ok := toNumber(types.Text(k.arg(2))); ok {
		step, _ = n.(int64)
	}
	out := []any{}
	if okA && okB {
		a, _ := from.(int64)
		b, _ := to.(int64)
		for i := a; i <= b && step > 0; i += step {
			out = append(out, i)
		}
		return out
	}
	for s, n := types.Text(k.arg(0)), 0; n < 100000; n++ {
		out = append(out, s)
		if s == types.Text(k.arg(1)) || len(s) > len(types.Text(k.arg(1))) {
			break
		}
		s = successor(s)
	}
	return out
}

// successor is Ruby's: az is followed by ba, a9 by b0.
func successor(s string) string {
	b := []byte(s)
	for i := len(b) - 1; i >= 0; i-- {
		switch {
		case b[i] == 'z':
			b[i] = 'a'
		case b[i] == 'Z':
			b[i] = 'A'
		case b[i] == '9':
			b[i] = '0'
		default:
			b[i]++
			return string(b)
		}
	}
	first := map[byte]string{'a': "a", 'A': "A", '0': "1"}[b[0]]
	return first + string(b)
}

func (k *call) zip() any {
	a, b := k.list(0), k.list(1)
	out := []any{}
	for i := range a {
		var other any
		if i < len(b) {
			other = b[i]
		}
		if k.arg(2) == true {
			out = append(out, a[i], other)
		} else {
			out = append(out, []any{a[i], other})
		}
	}
	return out
}

func (k *call) count() any {
	n := int64(0)
	for _, x := range k.items(k.arg(0)) {
		if len(k.args) > 1 && types.Equal(x, k.arg(1)) || len(k.args) == 1 && x != nil && x != "" {
			n++
		}
	}
	return n
}

func (k *call) deleteCall() any {
	drop := flattenOnce(k.arg(1))
	gone := func(x any) bool { return slices.ContainsFunc(drop, func(d any) bool { return strictEqual(x, d) }) }
	switch x := k.arg(0).(type) {
	case []any:
		return slices.DeleteFunc(slices.Clone(x), gone)
	case *types.Hash:
		out := types.NewHash()
		for key, v := range x.All() {
			if !gone(key) {
				out.Set(key, v)
			}
		}
		return out
	case string:
		for _, d := range drop {
			x = strings.ReplaceAll(x, types.Text(d), "")
		}
		return x
	}
	k.refuse("delete(): First argument must be an Array, String, or Hash. Given an argument of class %s.",
		types.Infer(k.arg(0)).Kind)
	return nil
}

func (k *call) deleteAt() any {
	l := k.list(0)
	i, _ := k.arg(1).(int64)
	if i < 0 {
		i += int64(len(l))
	}
	if i < 0 || i >= int64(len(l)) {
		k.refuse("delete_at(): Given index exceeds size of array given")
	}
	return slices.Delete(slices.Clone(l), int(i), int(i)+1)
}

func (k *call) deleteUndef() any {
	switch x := k.arg(0).(type) {
	case []any:
		return slices.DeleteFunc(slices.Clone(x), func(v any) bool { return v == nil })
	case *types.Hash:
		out := types.NewHash()
		for key, v := range x.All() {
			if v != nil {
				out.Set(key, v)
			}
		}
		return out
	}
	k.refuse("delete_undef_values(): expected an array or hash, got %s", types.Inspect(k.arg(0)))
	return nil
}

func (k *call) deleteValues() any {
	h, _ := k.arg(0).(*types.Hash)
	out := types.NewHash()
	for key, v := range h.All() {
		if !types.Equal(v, k.arg(1)) {
			out.Set(key, v)
		}
	}
	return out
}

func (k *call) any2array() any {
	if len(k.args) == 1 {
		switch x := k.args[0].(type) {
		case []any:
			return x
		case *types.Hash:
			out := []any{}
			for key, v := range x.All() {
				out = append(out, key, v)
			}
			return out
		case string:
			if x == "" {
				return []any{}
			}
		case nil:
			return []any{}
		}
	}
	return append([]any{}, k.args...)
}

func (k *call) affix() any {
	fix := types.Text(k.arg(1))
	put := func(v any) string {
		if k.name == "prefix" || k.name == "stdlib::prefix" {
			return fix + types.Text(v)
		}
		return types.Text(v) + fix
	}
	switch x := k.arg(0).(type) {
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = put(x[i])
		}
		return out
	case *types.Hash:
		out := types.NewHash()
		for key, v := range x.All() {
			out.Set(put(key), v)
		}
		return out
	}
	k.refuse("%s(): expected first argument to be an Array or a Hash, got %s", k.name, types.Inspect(k.arg(0)))
	return nil
}

func (k *call) str2bool() any {
	switch x := k.arg(0).(type) {
	case bool:
		return x
	case string:
		switch strings.ToLower(x) {
		case "", "0", "f", "n", "false", "no":
			return false
		case "1", "t", "y", "true", "yes":
			return true
		}
		if k.name == "any2bool" {
			return true
		}
	case nil:
		return false
	case int64:
		return x > 0
	}
	if k.name == "any2bool" {
		return true
	}
	k.refuse("str2bool(): Unknown type of boolean given")
	return nil
}

func (k *call) bool2str() any {
	b, _ := k.arg(0).(bool)
	yes, no := "true", "false"
	if len(k.args) > 2 {
		yes, no = types.Text(k.arg(1)), types.Text(k.arg(2))
	}
	if b {
		return yes
	}
	return no
}

func (k *call) bool2num() any {
	if k.str2bool() == true {
		return int64(1)
	}
	return int64(0)
}

func (k *call) num2bool() any {
	n, _ := toNumber(types.Text(k.arg(0)))
	return asFloat(n) > 0
}

func (k *call) hasKey() any {
	h, _ := k.arg(0).(*types.Hash)
	_, ok := h.Get(k.arg(1))
	return ok
}

func (k *call) dirname() any {
	s := types.Text(k.arg(0))
	switch k.name {
	case "dirname":
		return path.Dir(s)
	case "extname":
		return path.Ext(s)
	}
	return strings.TrimSuffix(path.Base(s), types.Text(k.arg(1)))
}

func (k *call) ensurePackages() any {
	dflt := types.NewHash("ensure", "installed")
	if h, ok := k.arg(1).(*types.Hash); ok {
		dflt = dflt.Merge(h)
		if h.Value("ensure") == "present" {
			dflt.Set("ensure", "installed")
		}
	}
	one := func(title any, attrs *types.Hash) { k.ensure("package", title, attrs) }
	if h, ok := k.arg(0).(*types.Hash); ok {
		for title, v := range h.All() {
			attrs := dflt
			if given, ok := v.(*types.Hash); ok {
				attrs = dflt.Merge(given)
			}
			one(title, attrs)
		}
		return nil
	}
	for _, t := range flatten(k.arg(0)) {
		one(t, dflt)
	}
	return nil
}

// ensure declares a resource unless one with these parameters is there.
func (k *call) ensure(typeName string, title any, attrs *types.Hash) {
	if r := k.catalog.Find(typeName, types.Text(title)); r != nil && hasParams(r, attrs) {
		return
	}
	k.declareNamed(typeName, title, attrs.Clone(), 0)
}

func hasParams(r *Resource, attrs *types.Hash) bool {
	for key, v := range attrs.All() {
		have := r.Params.Value(key)
		same := types.Text(have) == types.Text(v)
		if key == "ensure" {
			norm := func(x any) string {
				if s := types.Text(x); s != "installed" {
					return s
				}
				return "present"
			}
			same = norm(have) == norm(v)
		}
		if !same {
			return false
		}
	}
	return true
}

func (k *call) ensureResource() any {
	typeName := types.Text(k.arg(0))
	attrs, _ := k.arg(2).(*types.Hash)
	if attrs == nil {
		attrs = types.NewHash()
	}
	if h, ok := k.arg(1).(*types.Hash); ok {
		for title, v := range h.All() {
			one := attrs
			if given, ok := v.(*types.Hash); ok {
				one = attrs.Merge(given)
			}
			k.ensure(typeName, title, one)
		}
		return nil
	}
	for _, t := range flatten(k.arg(1)) {
		k.ensure(typeName, t, attrs)
	}
	return nil
}

func (k *call) refArg(i int) *Resource {
	switch a := k.arg(i).(type) {
	case *types.Type:
		return k.catalog.Lookup(a)
	case string:
		if t := k.refOf(a); t != nil {
			return k.catalog.Lookup(t)
		}
	}
	return nil
}

func (k *call) definedWith() any {
	r := k.refArg(0)
	attrs, _ := k.arg(1).(*types.Hash)
	return r != nil && hasParams(r, attrs)
}

func (k *call) getparam() any {
	r := k.refArg(0)
	if r == nil {
		return ""
	}
	if v := r.Params.Value(types.Text(k.arg(1))); v != nil {
		return v
	}
	return ""
}

func (k *call) assertPrivate() any {
	caller := k.scope.owner().caller()
	own := k.scope.module
	if caller != own || own == "" {
		what, name := "Class", k.scope.class
		if r := k.scope.resource; r != nil && r.Kind == "define" {
			what, name = "Defined type", strings.ToLower(r.Type)
		}
		if len(k.args) > 0 {
			k.refuse("%s", types.Text(k.arg(0)))
		}
		k.refuse("%s %s is private", what, name)
	}
	return nil
}

func (k *call) joinKeys() any {
	h, _ := k.arg(0).(*types.Hash)
	sep := types.Text(k.arg(1))
	out := []any{}
	for key, v := range h.All() {
		if l, ok := v.([]any); ok {
			for _, x := range l {
				out = append(out, types.Text(key)+sep+types.Text(x))
			}
			continue
		}
		out = append(out, types.Text(key)+sep+types.Text(v))
	}
	return out
}

var unsafe = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9_\-.,:+/@\n]`) })

func (k *call) shellEscape() any {
	one := func(v any) string {
		s := types.Text(v)
		if s == "" {
			return "''"
		}
		return strings.ReplaceAll(unsafe().ReplaceAllString(s, `\$0`), "\n", "'\n'")
	}
	if strings.HasSuffix(k.name, "shell_join") {
		var words []string
		for _, x := range k.list(0) {
			words = append(words, one(x))
		}
		return strings.Join(words, " ")
	}
	return one(k.arg(0))
}

func (k *call) serialize() any {
	if strings.HasSuffix(k.name, "to_yaml") {
		text, err := RubyYAML(k.arg(0))
		if err != nil {
			k.refuse("%s(): %v", k.name, err)
		}
		return text
	}
	s, err := serial.Serialize("json", Data(k.arg(0)), nil)
	if err != nil {
		k.refuse("%s(): %v", k.name, err)
	}
	return s
}

// RubyYAML is a value as Ruby's to_yaml writes it.
func RubyYAML(v any) (string, error) {
	return yaml.Encode(Data(v), yaml.EncodeOptions{Psych: true, ExplicitStart: true, AllowUnicode: true, NoAliases: true})
}

func (k *call) deserialize() any {
	format := strings.TrimPrefix(k.name[strings.LastIndex(k.name, ":")+1:], "parse")
	v, err := serial.Deserialize(format, types.Text(k.arg(0)))
	if err != nil {
		if len(k.args) > 1 {
			return k.arg(1)
		}
		k.refuse("%s(): %v", k.name, err)
	}
	return FromValue(v)
}

func (k *call) seededRand() any {
	n, _ := k.arg(0).(int64)
	return k.seeded(max(n, 1), types.Text(k.arg(1)))
}

func (k *call) randString() any {
	n, _ := toNumber(types.Text(k.arg(0)))
	size, _ := n.(int64)
	chars := types.Text(k.arg(1))
	if chars == "" {
		chars = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	}
	var b strings.Builder
	for i := range size {
		seed := []string{k.fqdn(), itoa(int64(len(chars)))}
		for _, a := range k.args[min(2, len(k.args)):] {
			seed = append(seed, types.Text(a))
		}
		seed = append(seed, itoa(i+1))
		b.WriteByte(chars[k.seeded(int64(len(chars)), strings.Join(seed, ":"))])
	}
	return b.String()
}

func (k *call) checksum() any {
	s := types.Text(k.arg(0))
	if strings.HasSuffix(k.name, "crc32") {
		return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(s)))
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(s)))
}

func (k *call) grep() any {
	re := k.regexp(types.Text(k.arg(1)), k.at)
	out := []any{}
	for _, x := range k.list(0) {
		if (re.Match(types.Text(x)) != nil) == (k.name == "grep") {
			out = append(out, x)
		}
	}
	return out
}

func (k *call) startWith() any {
	for _, p := range flatten(k.arg(1)) {
		if strings.HasSuffix(k.name, "start_with") && strings.HasPrefix(types.Text(k.arg(0)), types.Text(p)) ||
			strings.HasSuffix(k.name, "end_with") && strings.HasSuffix(types.Text(k.arg(0)), types.Text(p)) {
			return true
		}
	}
	return false
}

func (k *call) valuesAt() any {
	out := []any{}
	for _, i := range flatten(k.arg(1)) {
		if n, ok := i.(int64); ok && n >= 0 && n < int64(len(k.list(0))) {
			out = append(out, k.list(0)[n])
		}
	}
	return out
}

func (k *call) is() any {
	switch strings.TrimPrefix(k.name, "is_") {
	case "string":
		_, ok := k.arg(0).(string)
		return ok
	case "array":
		_, ok := k.arg(0).([]any)
		return ok
	case "hash":
		_, ok := k.arg(0).(*types.Hash)
		return ok
	case "bool":
		_, ok := k.arg(0).(bool)
		return ok
	}
	n, ok := toNumber(types.Text(k.arg(0)))
	_, isInt := n.(int64)
	return ok && isInt
}

func (k *call) encloseIPv6() any {
	one := func(v any) any {
		s := types.Text(v)
		if strings.Count(s, ":") > 1 && !strings.HasPrefix(s, "[") {
			return "[" + s + "]"
		}
		return s
	}
	out := []any{}
	for _, x := range flatten(k.arg(0)) {
		out = append(out, one(x))
	}
	return out
}

func (k *call) fact() any { return k.digDotted(k.opts.Facts, types.Text(k.arg(0)), nil) }

func (k *call) osVersion() any {
	os, _ := k.opts.Facts.Value("os").(*types.Hash)
	release, _ := os.Value("release").(*types.Hash)
	return types.Equal(os.Value("name"), k.arg(0)) && types.VersionCmp(types.Text(release.Value("full")),
		types.Text(k.arg(1))) >= 0
}

// nestedValues are all values below a hash, those of hashes and arrays inside it, too.
func (k *call) nestedValues() any {
	out := []any{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case *types.Hash:
			for _, x := range v.All() {
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		default:
			out = append(out, v)
		}
	}
	walk(k.arg(0))
	return out
}
