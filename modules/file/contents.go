package file

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// contents is the text that contents, contents_pillar or contents_grains give; ok is false when none of them is there.
func (m *Managed) contents(env *modules.Env) (raw []byte, ok bool, err error) {
	v, from := m.Contents, "'contents'"
	switch {
	case m.ContentsPillar != nil:
		v, err = m.lookUp(m.ContentsPillar, "Pillar", env.Pillar)
		from = "contents_pillar " + value.String(m.ContentsPillar)
	case m.ContentsGrains != nil:
		v, err = m.lookUp(m.ContentsGrains, "Grain", env.Grains)
		from = "contents_grains " + value.String(m.ContentsGrains)
	}
	if err != nil || v == nil {
		return nil, false, err
	}
	if !m.AllowEmpty && !value.Truth(v) {
		return nil, false, fmt.Errorf("%s value would result in empty contents. Set allow_empty to True to allow the "+
			"managed file to be empty.", from)
	}
	if b, isBytes := v.(value.Bytes); isBytes && !utf8.ValidString(string(b)) {
		if m.Template != "" {
			return nil, false, fmt.Errorf("%s appears to be binary data, and as will not be able to be treated as a Jinja "+
				"template.", from)
		}
		return []byte(b), true, nil
	}
	if s, isText := v.(value.Str); isText && env.Low != nil && env.Low.Meta().Within != nil {
		return []byte(s), true, nil // a Puppet catalog says every byte
	}
	parts := textParts(v)
	if len(parts) == 0 {
		return nil, false, errors.New("Contents specified by contents/contents_pillar/contents_grains is not a string or " +
			"list of strings, and " +
			"is not binary data. SLS is likely malformed.")
	}
	text := joinLines(parts)
	if !m.ContentsNewline {
		text = strings.TrimRight(strings.TrimRight(text, "\n"), "\r")
	}
	return []byte(text), true, nil
}

// lookUp finds a path, or the joined texts of a list of paths, in pillar or grains.
func (m *Managed) lookUp(paths value.Value, what string, get func(string) (value.Value, bool)) (value.Value, error) {
	find := func(p value.Value) (value.Value, error) {
		key := value.String(p)
		if m.ContentsDelimiter != ":" && m.ContentsDelimiter != "" {
			key = strings.ReplaceAll(key, m.ContentsDelimiter, ":")
		}
		if get != nil {
			if v, ok := get(key); ok {
				return v, nil
			}
		}
		return nil, fmt.Errorf("%s %s does not exist", what, value.String(p))
	}
	list, isList := paths.(*value.List)
	if !isList {
		return find(paths)
	}
	var parts []string
	for _, p := range list.Items {
		v, err := find(p)
		if err != nil {
			return nil, err
		}
		parts = append(parts, value.String(v))
	}
	return value.Str(strings.Join(parts, "\n")), nil
}

// textParts are the texts of a value: the items of a list, or the value itself, printed as str() does.
func textParts(v value.Value) []string {
	var items []value.Value
	switch v := v.(type) {
	case *value.List:
		items = v.Items
	case *value.Tuple:
		items = v.Items
	case value.Bytes:
		return []string{string(v)}
	default:
		return []string{ordered(v)}
	}
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = ordered(it)
	}
	return out
}

// ordered is str(v) where maps are Python's OrderedDict, as they are when Salt makes text of data that an SLS or pillar
// holds.
func ordered(v value.Value) string {
	if !holdsDict(v) {
		return value.String(v)
	}
	var items []string
	switch v := v.(type) {
	case *value.Dict:
		for k, it := range v.All() {
			items = append(items, fmt.Sprintf("(%s, %s)", value.Repr(k), orderedRepr(it)))
		}
		return "OrderedDict([" + strings.Join(items, ", ") + "])"
	case *value.List:
		for _, it := range v.Items {
			items = append(items, orderedRepr(it))
		}
	}
	return "[" + strings.Join(items, ", ") + "]"
}

func orderedRepr(v value.Value) string {
	if holdsDict(v) {
		return ordered(v)
	}
	return value.Repr(v)
}

func holdsDict(v value.Value) bool {
	switch v := v.(type) {
	case *value.Dict:
		return v.Len() > 0
	case *value.List:
		return slices.ContainsFunc(v.Items, holdsDict)
	}
	return false
}

// joinLines puts every line of every part on a line of its own.
func joinLines(parts []string) string {
	var b strings.Builder
	for _, part := range parts {
		for _, line := range splitLines(part) {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// A rendering is what a template of a file gave. It is kept during an attempt: the next time it may give something
// else.
type rendering struct {
	text []byte
	err  error
}

type renderingOf struct {
	file   Path
	source string
}

// render runs a template engine over the text, once in an attempt. One that changed an overlay is run again on the
// machine, where the change has to be made.
func (m *Managed) render(ctx context.Context, env *modules.Env, h host.Reader, source string,
	text []byte) ([]byte, error) {
	if env.Templates == nil {
		return nil, fmt.Errorf("the template %s cannot be rendered here", source)
	}
	fill := func() rendering {
		out, err := env.Templates.Render(ctx, m.Template, source, text, slsOf(env), envOf(env), m.vars(env, source))
		return rendering{out, err}
	}
	if env.Kept == nil {
		r := fill()
		return r.text, r.err
	}
	told, key := host.Told(h), renderingOf{m.Name, source}
	r := modules.Get(env.Kept, key, fill)
	if host.Told(h) != told {
		env.Kept.Forget(key)
	}
	return r.text, r.err
}

// vars are the variables of the template: what Salt gives it, defaults, context.
func (m *Managed) vars(env *modules.Env, source string) *value.Dict {
	vars := value.NewDict(8)
	for _, v := range []struct{ name, text string }{{"name", m.Name.String()}, {"source", source}, {"user", m.User.text()},
		{"group", m.Group.text()}, {"mode", m.Mode.String()}} {
		if v.text == "" {
			vars.SetStr(v.name, value.None)
		} else {
			vars.SetStr(v.name, value.Str(v.text))
		}
	}
	for _, more := range []*value.Dict{m.Rest, m.Defaults.Dict, m.Context.Dict} {
		addAll(vars, more)
	}
	if texts := accumulatedFor(env, m.Name.String()); texts != nil {
		vars.SetStr("accumulator", texts)
	}
	return vars
}

func addAll(to, from *value.Dict) {
	if from != nil {
		for k, v := range from.All() {
			_ = to.Set(k, v)
		}
	}
}

func slsOf(env *modules.Env) string {
	if env.Low == nil {
		return ""
	}
	return env.Low.SLS
}

// envOf is the environment of the state.
func envOf(env *modules.Env) string {
	if env.Low == nil || env.Low.SourceEnv() == "" {
		return "base"
	}
	return env.Low.SourceEnv()
}
