package compile

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/sls/yaml"
)

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

func (k *call) startWith() any {
	for _, p := range flatten(k.arg(1)) {
		if strings.HasSuffix(k.name, "start_with") && strings.HasPrefix(types.Text(k.arg(0)), types.Text(p)) ||
			strings.HasSuffix(k.name, "end_with") && strings.HasSuffix(types.Text(k.arg(0)), types.Text(p)) {
			return true
		}
	}
	return false
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
