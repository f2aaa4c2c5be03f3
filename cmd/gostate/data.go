package main

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A lookup is a command that shows some of the grains or of the pillar.
type lookup struct {
	what string // "grain" or "pillar key"
	data modules.Data
	from string // where they were looked for
	show func(v value.Value, top bool) error
}

// run prints all of the data (no words, or "items"), the names at its top ("ls"), or what is under the words behind
// "get" or "item".
// Salt differs: its functions give an empty value for a key that there is not.
func (l lookup) run(words []string) error {
	command := ""
	if len(words) > 0 && slices.Contains([]string{"items", "ls", "get", "item"}, words[0]) {
		command, words = words[0], words[1:]
	}
	switch {
	case command == "ls" && len(words) == 0:
		return l.show(textList(keysOf(l.data.Dict())), false)
	case command == "ls" || command == "items" && len(words) > 0:
		return usagef("%s takes no keys\nhint: get KEY shows one", command)
	case command == "items" || command == "" && len(words) == 0:
		return l.show(l.data.Dict(), true)
	case len(words) == 0:
		return usagef("%s needs a key\nhint: gostate grains get os_family", command)
	case command == "get" && len(words) > 1:
		return usagef("get takes one key\nhint: item shows several")
	}
	out := value.NewDict(len(words))
	for i, w := range words {
		v, ok := l.data(w)
		if !ok {
			return l.unknown(w, command == "" && i == 0)
		}
		out.SetStr(w, v)
	}
	if len(words) == 1 {
		v, _ := out.GetStr(words[0])
		return l.show(v, false)
	}
	return l.show(out, true)
}

// unknown says that there is no such key, with the nearest one of its level, or the nearest of the words that may stand
// before a key.
func (l lookup) unknown(path string, first bool) error {
	d := diag.Errorf(diag.Pos{}, "there is no %s %q%s", l.what, path, l.from)
	if near := diag.Nearest(path, []string{"items", "get", "item", "ls"}); first && near != "" {
		return d.WithHint("did you mean %q?", near)
	}
	parts := strings.Split(path, ":")
	level := value.Value(l.data.Dict())
	for i, part := range parts {
		keys := keysOf(level)
		next, ok := value.Value(nil), false
		if in, isDict := level.(*value.Dict); isDict {
			next, ok = in.GetStr(part)
		}
		if ok {
			level = next
			continue
		}
		done := strings.Join(parts[:i], ":")
		if near := diag.Nearest(part, keys); near != "" {
			return d.WithHint("did you mean %q?", strings.TrimPrefix(done+":"+near, ":"))
		}
		if i > 0 && len(keys) > 0 && len(keys) <= 20 {
			return d.WithHint("%s has the keys %s", done, strings.Join(keys, ", "))
		}
		break
	}
	return d
}

// keysOf are the keys of a map, nothing of another value.
func keysOf(v value.Value) []string {
	d, ok := v.(*value.Dict)
	if !ok {
		return nil
	}
	out := make([]string, 0, d.Len())
	for k := range d.All() {
		out = append(out, value.String(k))
	}
	slices.Sort(out)
	return out
}
