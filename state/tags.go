package state

import (
	"slices"
	"strings"
	"unicode"
)

// IsTag says whether a word can be a tag: it begins with a letter, a digit or `_`, and goes on with these and `:.-`, as
// in Puppet.
func IsTag(word string) bool {
	for i, r := range word {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && (i == 0 || !strings.ContainsRune(":.-", r)) {
			return false
		}
	}
	return word != ""
}

// TagWords are the tags of the state: those that it was given, and those that every state has: the name of its SLS and
// the parts of it (web.config, web, config), its module, its function, both (file, managed, file.managed), and its ID
// where that can be a tag. They are in lower case; one may be there twice. A Puppet catalog gives the tags of its
// states, but for the names of SLS.
func (l *Low) TagWords() []string {
	out := slices.Clone(l.Meta().Tags)
	if l.Meta().Within == nil {
		out = append(out, l.Module, l.Func, l.Module+"."+l.Func)
	}
	if l.SLS != "" {
		out = append(append(out, l.SLS), strings.Split(l.SLS, ".")...)
	}
	if IsTag(l.ID) {
		out = append(out, l.ID)
	}
	for i := range out {
		out[i] = strings.ToLower(out[i])
	}
	return out
}

// HasTag says whether one of the words, in any case, is a tag of the state.
func (l *Low) HasTag(words ...string) bool {
	tags := l.TagWords()
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(tags, strings.ToLower(w)) })
}
