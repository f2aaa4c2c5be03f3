package session

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// variable says whether the template that a state renders has a variable of the name, as far as the file roots or this
// machine hold it.
func (s *Session) variable(l *state.Low, name string) bool {
	engine := l.Given("template")
	if engine == nil || engine == value.None {
		return false
	}
	word := regexp.MustCompile(`(^|[^\w.'"])` + regexp.QuoteMeta(name) + `\b`)
	texts := textsOf(l.Given("contents"))
	for _, src := range textsOf(l.Given("source")) {
		texts = append(texts, s.templateTexts(src, l.SourceEnv())...)
	}
	return slices.ContainsFunc(texts, func(text string) bool {
		if value.String(engine) == "jinja" {
			text = insideTags(text)
		}
		return word.MatchString(text)
	})
}

// textsOf are the texts of an argument: one, or those of a list, whose entries may be maps with a text as key.
func textsOf(v value.Value) (out []string) {
	switch v := v.(type) {
	case value.Str:
		return []string{string(v)}
	case *value.List:
		for _, it := range v.Items {
			out = append(out, textsOf(it)...)
		}
	case *value.Dict:
		for k := range v.All() {
			out = append(out, textsOf(k)...)
		}
	}
	return out
}

// templateTexts reads a source, all files of a directory. What cannot be read, or would have to be fetched, is left
// out.
func (s *Session) templateTexts(src, env string) (out []string) {
	names := []string{src}
	switch file, dir := s.files.Exists(src, env); {
	case dir:
		list, _ := s.files.List(src, env)
		names = nil
		for _, f := range list {
			names = append(names, strings.TrimSuffix(src, "/")+"/"+f.Path)
		}
	case !file:
		return nil
	}
	for _, name := range names {
		if text, err := s.files.Fetch(context.Background(), name, env); err == nil {
			out = append(out, string(text))
		}
	}
	return out
}

// insideTags is what stands between the marks of a Jinja template.
func insideTags(text string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '{')
		if at < 0 {
			return b.String()
		}
		end := ""
		switch text = text[at+1:]; {
		case strings.HasPrefix(text, "{"):
			end = "}}"
		case strings.HasPrefix(text, "%"):
			end = "%}"
		default:
			continue
		}
		var inside string
		inside, text, _ = strings.Cut(text[1:], end)
		b.WriteString(inside + "\n")
	}
}
