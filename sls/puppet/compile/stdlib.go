package compile

import (
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
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

func (k *call) fact() any { return k.digDotted(k.opts.Facts, types.Text(k.arg(0)), nil) }

func (k *call) osVersion() any {
	os, _ := k.opts.Facts.Value("os").(*types.Hash)
	release, _ := os.Value("release").(*types.Hash)
	return types.Equal(os.Value("name"), k.arg(0)) && types.VersionCmp(types.Text(release.Value("full")),
		types.Text(k.arg(1))) >= 0
}
