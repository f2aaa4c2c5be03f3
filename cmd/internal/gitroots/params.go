package gitroots

import (
	"errors"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// settings are the parameters that stand in a list of maps of one key each, or in one map.
func settings(v value.Value) (*value.Dict, error) {
	out := value.NewDict(4)
	switch v := v.(type) {
	case *value.Dict:
		return v, nil
	case *value.List:
		for _, it := range v.Items {
			d, ok := it.(*value.Dict)
			if !ok || d.Len() != 1 {
				return nil, errors.New("is no list of KEY: VALUE")
			}
			_ = out.Set(d.At(0).Key, d.At(0).Val)
		}
		return out, nil
	}
	return nil, errors.New("is no list of KEY: VALUE")
}

// perEnvs is what `saltenv` says of single environments.
func perEnvs(v value.Value) (map[string]perEnv, error) {
	out := map[string]perEnv{}
	if v == nil || v == value.Value(value.None) {
		return out, nil
	}
	envs, err := settings(v)
	if err != nil {
		return nil, errors.New("saltenv is no list of environments: - prod: [{ref: v1}]")
	}
	for k, v := range envs.All() {
		given, err := settings(v)
		if err != nil {
			return nil, errors.New("saltenv '" + value.String(k) + "' is no list of ref, root and mountpoint")
		}
		env := perEnv{}
		for name, v := range given.All() {
			text := value.String(v)
			switch value.String(name) {
			case "ref":
			case "root", "mountpoint":
				var ok bool
				if text, ok = cleanPath(text); !ok {
					return nil, errors.New("saltenv '" + value.String(k) + "' has a path that leads out of the remote")
				}
			default:
				return nil, errors.New("saltenv '" + value.String(k) + "' has '" + value.String(name) +
					"': it can have ref, root and mountpoint")
			}
			env[value.String(name)] = text
		}
		out[value.String(k)] = env
	}
	return out, nil
}

// words are those of a list, or of a text with commas.
func words(v value.Value) (out []string) {
	if l, ok := v.(*value.List); ok {
		for _, it := range l.Items {
			out = append(out, value.String(it))
		}
		return out
	}
	for w := range strings.SplitSeq(value.String(v), ",") {
		out = append(out, strings.TrimSpace(w))
	}
	return out
}
