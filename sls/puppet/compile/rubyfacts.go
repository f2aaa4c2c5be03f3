package compile

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// factsInRuby warns of facts that a file of a module asks for and that the module finds out in Ruby, which nobody runs:
// without a word, a class would come out as on a machine that lacks them. Each is told once.
func (c *Compiler) factsInRuby(module, dir, file, text string) {
	if c.facts == nil {
		c.facts = map[string]map[string]string{}
	}
	if c.facts[dir] == nil {
		c.facts[dir] = c.rubyFactsOf(dir)
	}
	for _, name := range slices.Sorted(maps.Keys(c.facts[dir])) {
		source := c.facts[dir][name]
		if !hasWord(text, name) {
			continue
		}
		delete(c.facts[dir], name)
		if _, known := c.opts.Facts.Get(name); !known {
			c.log("warning", fmt.Sprintf("the module %s finds out the fact '%s' in Ruby (%s), which is not run: it is unknown "+
				"to %s; a file in facts.d can give it", module, name, source, file))
		}
	}
}

// rubyFactsOf are the names of the facts that a module finds out in Ruby, with their files.
func (c *Compiler) rubyFactsOf(dir string) map[string]string {
	out := map[string]string{}
	names, _ := c.opts.List(path.Join(dir, "lib/facter"))
	for _, n := range names {
		file := path.Join(dir, "lib/facter", n)
		text, err := c.opts.Read(file)
		if err != nil || path.Ext(n) != ".rb" {
			continue
		}
		for _, part := range strings.Split(string(text), "Facter.add(")[1:] {
			name := strings.TrimLeft(part, `:'" `)
			if end := strings.IndexFunc(name, func(r rune) bool { return !isWord(r) }); end > 0 {
				out[name[:end]] = file
			}
		}
	}
	return out
}

func isWord(r rune) bool {
	return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// hasWord says whether a text holds a name as a whole word.
func hasWord(text, name string) bool {
	for rest := text; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		before, after := rest[:i], rest[i+len(name):]
		if !(before != "" && isWord(rune(before[len(before)-1])) || after != "" && isWord(rune(after[0]))) {
			return true
		}
		rest = after
	}
}
