package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/state/diag"
)

// flagSet knows which words on the command line are flags, and which of them take a value.
type flagSet map[string]cli.Flag

func newFlagSet(groups ...[]cli.Flag) flagSet {
	s := flagSet{}
	for _, g := range groups {
		for _, f := range g {
			for _, n := range f.Names() {
				s[n] = f
			}
		}
	}
	return s
}

func (s flagSet) names() []string {
	var out []string
	for n := range s {
		if len(n) > 1 {
			out = append(out, "--"+n)
		}
	}
	slices.Sort(out)
	return out
}

// split separates the words of a command line into flags (with their values) and the rest, so that flags may stand
// anywhere. Everything after "--" is not a flag. A word that looks like a flag and is none is an error.
func (s flagSet) split(words []string) (flags, rest []string, err error) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--" {
			return flags, append(rest, words[i+1:]...), nil
		}
		if len(w) < 2 || w[0] != '-' || isNumber(w) {
			rest = append(rest, w)
			continue
		}
		name, _, hasValue := strings.Cut(strings.TrimLeft(w, "-"), "=")
		f, ok := s[name]
		if !ok {
			return nil, nil, s.unknown(w, name)
		}
		flags = append(flags, w)
		if isBool(f) || hasValue {
			continue
		}
		if i+1 == len(words) {
			return nil, nil, usagef("flag %s needs a value", w)
		}
		i++
		flags = append(flags, words[i])
	}
	return flags, rest, nil
}

func isBool(f cli.Flag) bool {
	d, ok := f.(cli.DocGenerationFlag)
	return ok && !d.TakesValue()
}

// takesNext says whether the word is a flag whose value is the next word.
func (s flagSet) takesNext(word string) bool {
	if !strings.HasPrefix(word, "-") || strings.Contains(word, "=") {
		return false
	}
	f, ok := s[strings.TrimLeft(word, "-")]
	return ok && !isBool(f)
}

// with is the union of two sets.
func (s flagSet) with(other flagSet) flagSet {
	out := maps.Clone(s)
	maps.Copy(out, other)
	return out
}

// pick separates flags, as split gives them, into those of s and the others, which are those of rest.
func (s flagSet) pick(flags []string, rest flagSet) (mine, others []string) {
	all := rest.with(s)
	for i := 0; i < len(flags); i++ {
		name, _, hasValue := strings.Cut(strings.TrimLeft(flags[i], "-"), "=")
		group := flags[i : i+1]
		if !isBool(all[name]) && !hasValue {
			group = flags[i : i+2]
			i++
		}
		if _, ok := s[name]; ok {
			mine = append(mine, group...)
		} else {
			others = append(others, group...)
		}
	}
	return mine, others
}

func (s flagSet) unknown(word, name string) error {
	if slices.Contains([]string{"dry-run", "dryrun", "check", "what-if", "pretend"}, name) {
		return usagef("unknown flag %s\nhint: --test says what would change and changes nothing", word)
	}
	if near := diag.Nearest("--"+name, s.names()); near != "" {
		return usagef("unknown flag %s\nhint: did you mean %s?", word, near)
	}
	return usagef("unknown flag %s\nhint: gostate --help lists the flags", word)
}

func isNumber(w string) bool {
	return strings.Trim(w, "-0123456789.") == "" && strings.ContainsAny(w, "0123456789")
}

// A usageError ends the program with exit code 64.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, args ...any) error { return &usageError{msg: fmt.Sprintf(format, args...)} }

// keywords takes Salt's NAME=VALUE words that stand for flags (test=True, pillar='{...}', saltenv=base, ...) out of a
// command's words and gives the flags in their place. Words that only look alike stay.
func keywords(words []string, known map[string]string) (flags, rest []string, err error) {
	for _, w := range words {
		k, v, ok := strings.Cut(w, "=")
		flag, isKeyword := known[k]
		if !ok || !isKeyword {
			rest = append(rest, w)
			continue
		}
		if v = boolWord(flag, v); flag == "test" && v != "true" && v != "false" {
			return nil, nil, usagef("%s is neither true nor false\nhint: test=True", w)
		}
		flags = append(flags, "--"+flag+"="+v)
	}
	return flags, rest, nil
}

// boolWord spells a YAML boolean as the flag package reads it.
func boolWord(flag, v string) string {
	if flag != "test" {
		return v
	}
	switch strings.ToLower(v) {
	case "true", "yes", "on", "1":
		return "true"
	case "false", "no", "off", "0", "none", "null":
		return "false"
	}
	return v
}
