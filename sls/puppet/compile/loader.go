package compile

import (
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// moduleDir is the folder of a module, "" for none.
func (c *Compiler) moduleDir(name string) string {
	if name == "" || strings.ContainsAny(name, "/.") {
		return ""
	}
	for _, dir := range c.allModules() {
		if path.Base(dir) == name {
			return dir
		}
	}
	return ""
}

// autoload reads the file that has to define a class or define: a is a/manifests/init.pp, a::b::c is
// a/manifests/b/c.pp. Files of outer names are read, too, as a class may stand in that of another.
func (c *Compiler) autoload(name string) {
	parts := strings.Split(name, "::")
	dir := c.moduleDir(parts[0])
	if dir == "" {
		return
	}
	for n := len(parts); n >= 1 && c.classes[name] == nil; n-- {
		file := path.Join(dir, "manifests", path.Join(parts[1:n]...)+".pp")
		if n == 1 {
			file = path.Join(dir, "manifests", "init.pp")
		}
		if c.loaded[file] {
			continue
		}
		c.loaded[file] = true
		text, err := c.opts.Read(file)
		if err != nil {
			continue
		}
		c.factsInRuby(parts[0], dir, file, string(text))
		f := c.parse(file, string(text))
		c.checkLocation(f, strings.Join(parts[:n], "::"), file)
		c.define(f, "", parts[0], file)
	}
}

// checkLocation refuses a definition that its file's name does not promise.
func (c *Compiler) checkLocation(f *syntax.File, name, file string) {
	for _, n := range f.Body {
		d, ok := n.(*syntax.Class)
		if ok && !strings.EqualFold(d.Name, name) && !strings.HasPrefix(strings.ToLower(d.Name), strings.ToLower(name)+"::") {
			panic(fault{&Error{Err: &syntax.Error{File: file, Pos: d.Pos, Msg: fmt.Sprintf(
				"Unacceptable location. The name '%s' is unacceptable in file '%s'", d.Name, file)}}})
		}
	}
}

func (c *Compiler) functionFile(n *syntax.Function, file string) {
	c.loaded["function "+strings.ToLower(n.Name)] = true
	c.ruby["file "+strings.ToLower(n.Name)] = file
}

// findFunction finds a function written in the language: a::b is a/functions/b.pp.
func (c *Compiler) findFunction(name string) *syntax.Function {
	name = strings.ToLower(strings.TrimPrefix(name, "::"))
	if f := c.funcs[name]; f != nil {
		return f
	}
	if c.loaded["function "+name] {
		return nil
	}
	c.loaded["function "+name] = true
	parts := strings.Split(name, "::")
	dirs := []string{c.moduleDir(parts[0])}
	if len(parts) == 1 {
		dirs = []string{c.opts.EnvDir}
	} else if parts[0] == "environment" {
		dirs = []string{c.opts.EnvDir}
	}
	for _, dir := range dirs {
		if dir == "" {
			continue
		}
		rest := parts[1:]
		if len(parts) == 1 {
			rest = parts
		}
		file := path.Join(dir, "functions", path.Join(rest...)+".pp")
		if text, err := c.opts.Read(file); err == nil {
			c.define(c.parse(file, string(text)), "", parts[0], file)
			return c.funcs[name]
		}
	}
	return nil
}

// rubyFunction is the file of a function in Ruby that a module has, "" for none.
func (c *Compiler) rubyFunction(name string) string {
	if f, known := c.ruby[name]; known {
		return f
	}
	parts := strings.Split(strings.TrimPrefix(name, "::"), "::")
	found := ""
	look := func(dir string) {
		for _, sub := range []string{"lib/puppet/functions/" + path.Join(parts...) + ".rb",
			"lib/puppet/parser/functions/" + path.Join(parts...) + ".rb"} {
			if found == "" && dir != "" {
				if _, err := c.opts.Read(path.Join(dir, sub)); err == nil {
					found = path.Join(dir, sub)
				}
			}
		}
	}
	if len(parts) > 1 {
		if dir := c.moduleDir(parts[0]); dir != "" {
			look(dir)
		}
	} else {
		if stdlibFunction(name) != nil {
			look(c.moduleDir("stdlib")) // which most of them are of: the other modules need no look
		}
		for _, dir := range c.allModules() {
			if found == "" {
				look(dir)
			}
		}
	}
	c.ruby[name] = found
	return found
}

// allModules are the folders of all modules, each name once.
func (c *Compiler) allModules() (dirs []string) {
	if c.modules != nil {
		return c.modules
	}
	defer func() { c.modules = dirs }()
	dirs = []string{}
	seen := map[string]bool{}
	for _, dir := range c.opts.ModulePath {
		names, _ := c.opts.List(dir)
		for _, n := range names {
			if !seen[n] && !strings.HasPrefix(n, ".") {
				seen[n] = true
				dirs = append(dirs, path.Join(dir, n))
			}
		}
	}
	return dirs
}

// alias notes a type alias; what it stands for is evaluated when it is asked for, as it may name itself.
func (c *Compiler) alias(n *syntax.TypeAlias, file string) {
	t := types.New("TypeAlias")
	t.Text = n.Name
	name := strings.ToLower(n.Name)
	if c.types[name] != nil {
		return
	}
	c.types[name] = t
	defer c.inFile(file)()
	t.Alias = c.typeOf(c.top, n.Type)
	if t.Alias.Kind == "Object" {
		t.Alias.Text = n.Name
		c.types[name] = t.Alias
	}
}

// findAlias finds a type alias: A::B is a/types/b.pp.
func (c *Compiler) findAlias(name string) *types.Type {
	name = strings.ToLower(strings.TrimPrefix(name, "::"))
	if t := c.types[name]; t != nil {
		return t
	}
	if c.loaded["type "+name] {
		return nil
	}
	c.loaded["type "+name] = true
	parts := strings.Split(name, "::")
	dir := c.moduleDir(parts[0])
	if len(parts) == 1 {
		dir, parts = c.opts.EnvDir, append([]string{""}, parts...)
	}
	if dir == "" {
		return nil
	}
	file := path.Join(dir, "types", path.Join(parts[1:]...)+".pp")
	text, err := c.opts.Read(file)
	if err != nil {
		return nil
	}
	c.define(c.parse(file, string(text)), "", parts[0], file)
	return c.types[name]
}
