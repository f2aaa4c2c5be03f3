package compile

import (
	"strconv"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// rubyClass is what Ruby calls a value in its messages: the name of its class, or nil, true and false.
func rubyClass(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return "Integer"
	case float64:
		return "Float"
	case []any:
		return "Array"
	case *types.Hash:
		return "Hash"
	case types.Default:
		return "Symbol"
	case *types.Sensitive:
		return "Puppet::Pops::Types::PSensitiveType::Sensitive"
	case *types.Object:
		switch v.Type.Kind {
		case "Timespan", "Timestamp":
			return "Puppet::Pops::Time::" + v.Type.Kind
		case "SemVer":
			return "SemanticPuppet::Version"
		case "Binary":
			return "Puppet::Pops::Types::PBinaryType::Binary"
		}
	}
	return types.Infer(v).Kind
}

// rubyText is a value as Ruby writes it where a text is made of it.
func rubyText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case []any, *types.Hash:
		return rubyInspect(v)
	case *types.Regexp:
		return "(?-mix:" + v.Source + ")"
	}
	return types.Text(v)
}

// rubyInspect is a value as Ruby shows it to programmers.
func rubyInspect(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case string:
		return strconv.Quote(v)
	case types.Default:
		return ":default"
	case *types.Regexp:
		return "/" + v.Source + "/"
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = rubyInspect(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case *types.Hash:
		var parts []string
		for k, x := range v.All() {
			parts = append(parts, rubyInspect(k)+"=>"+rubyInspect(x))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return types.Text(v)
}
