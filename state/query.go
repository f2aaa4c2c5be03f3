package state

import (
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
)

// A Query picks states by what their SLS says of them: `path=/etc/app/* and tag=web`. A term is ARGUMENT=TEXT or
// ARGUMENT!=TEXT, where the text may be a pattern; `and` binds before `or`. Besides arguments there are id, name, path
// (a name that is an absolute one), sls, fun and tag. What a state does not say is no text at all: only != is true of
// it.
type Query struct{ ways [][]term }

type term struct {
	key, want string
	not       bool
	glob      *fnmatch.Pattern // nil: the text itself
}

// ParseQuery reads a query; ok is false for what is none.
func ParseQuery(text string) (q Query, ok bool) {
	if !strings.Contains(text, "=") {
		return q, false
	}
	for _, way := range strings.Split(text, " or ") {
		var all []term
		for _, one := range strings.Split(way, " and ") {
			t, ok := parseTerm(one)
			if !ok {
				return Query{}, false
			}
			all = append(all, t)
		}
		q.ways = append(q.ways, all)
	}
	return q, true
}

// parseTerm reads one term. Puppet's way of writing it, `tag == 'web'`, is taken, too.
func parseTerm(text string) (t term, ok bool) {
	key, want, _ := strings.Cut(text, "=")
	key, t.not = strings.CutSuffix(strings.TrimSpace(key), "!")
	t.key = strings.TrimSpace(key)
	want = strings.TrimSpace(strings.TrimPrefix(want, "="))
	if n := len(want); n > 1 && (want[0] == '\'' || want[0] == '"') && want[n-1] == want[0] {
		want = want[1 : n-1]
	}
	if t.key == "tag" || t.key == "tags" {
		t.key, want = "tag", strings.ToLower(want)
	}
	if t.want = plainText(want); fnmatch.HasMeta(want) {
		t.glob = fnmatch.Compile(want)
	}
	return t, isWord(t.key)
}

// isWord says whether a text can be the name of an argument.
func isWord(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	})
}

// plainText makes equal what YAML and people write in several ways: a mode with and without zeros before it, True and
// true.
func plainText(s string) string {
	switch {
	case strings.EqualFold(s, "true"), strings.EqualFold(s, "false"):
		return strings.ToLower(s)
	case len(s) > 1 && s[0] == '0' && strings.Trim(s, "0123456789") == "":
		return strings.TrimLeft(s[:len(s)-1], "0") + s[len(s)-1:]
	}
	return s
}

// Match says whether the query picks the state.
func (q Query) Match(l *Low) bool {
	return slices.ContainsFunc(q.ways, func(way []term) bool { return matchAll(way, l) })
}

func matchAll(way []term, l *Low) bool {
	return !slices.ContainsFunc(way, func(t term) bool {
		return slices.ContainsFunc(l.said(t.key), t.is) == t.not
	})
}

func (t term) is(text string) bool {
	if t.glob != nil {
		return t.glob.Match(text)
	}
	return t.want == text
}

// said are the texts that the SLS says for a key: of a list each.
func (l *Low) said(key string) []string {
	switch key {
	case "id", "title":
		return []string{plainText(l.ID)}
	case "name":
		return []string{plainText(l.Name)}
	case "sls":
		return []string{l.SLS}
	case "fun":
		return []string{l.Func, l.Fun()}
	case "tag":
		return l.TagWords()
	}
	for i := range l.chunk {
		if a := &l.chunk[i]; a.Name == key {
			return saidTexts(a.Val)
		}
	}
	if key == "path" && path.IsAbs(l.Name) {
		return []string{path.Clean(l.Name)}
	}
	return nil
}

func saidTexts(v value.Value) (out []string) {
	switch v := v.(type) {
	case nil, value.NoneType, *value.Dict:
		return nil
	case *value.List:
		for _, it := range v.Items {
			out = append(out, saidTexts(it)...)
		}
		return out
	}
	return []string{plainText(value.String(v))}
}
