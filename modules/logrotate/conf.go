// Package logrotate keeps settings of logrotate in its files. The lines beside them stay as they are.
package logrotate

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "logrotate", States: []modules.StateSpec{setSpec()}, Execs: execs()}
}

// confFile is logrotate's own file.
const confFile = "/etc/logrotate.conf"

// deepest is how far includes lead from file to file.
const deepest = 10

// A conf is what a file and those that it includes come to: settings, each a text, a number or True, and blocks, each a
// dict of settings.
type conf struct {
	d    *value.Dict
	from map[string]string // the included file that has a key
}

// number is a text as Salt reads it: as a number where it is one.
func number(text string) value.Value {
	if i, err := strconv.Atoi(text); err == nil {
		return value.Int(i)
	}
	return value.Str(text)
}

// taboo says whether logrotate leaves a file of an included directory out.
func taboo(name string) bool {
	return strings.HasPrefix(name, ".") || slices.ContainsFunc([]string{"~", ",v", ".bak", ".disabled", ".rpmorig",
		".rpmnew", ".rpmsave", ".swp", ".cfsaved", ".dpkg-bak", ".dpkg-del", ".dpkg-dist", ".dpkg-new", ".dpkg-old",
		".dpkg-tmp"}, func(end string) bool { return strings.HasSuffix(name, end) })
}

// read reads a file and what it includes.
//
// Salt differs: it reads the files that logrotate leaves out, those of a directory in any order, no file that is
// included by its own name, of the names of a block those of one line, and lines of
// scripts as settings.
func read(h host.Reader, file string, depth int) (*conf, error) {
	raw, err := h.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c := &conf{d: value.NewDict(8), from: map[string]string{}}
	block := c.d
	for _, l := range scan(strings.Split(string(raw), "\n")) {
		switch l.is {
		case head:
			block = value.NewDict(8)
		case end:
			for _, name := range l.heads {
				c.d.SetStr(name, block)
			}
			block = c.d
		case command:
			if l.words[0] == "include" && len(l.words) > 1 {
				if depth == deepest {
					return nil, errors.New(file + " includes itself")
				}
				if err := c.include(h, l.words[1], depth); err != nil {
					return nil, err
				}
			}
			note(block, l.words)
		}
	}
	return c, nil
}

// note keeps a line.
func note(d *value.Dict, words []string) {
	switch len(words) {
	case 1:
		d.SetStr(words[0], value.Bool(true))
	case 2:
		d.SetStr(words[0], number(words[1]))
	default:
		d.SetStr(words[0], value.Str(strings.Join(words[1:], " ")))
	}
}

// include reads a file, or those of a directory.
func (c *conf) include(h host.Reader, name string, depth int) error {
	files := []string{name}
	i, err := h.Stat(name)
	if err != nil {
		return err
	}
	if i.IsDir() {
		infos, err := h.ReadDir(name)
		if err != nil {
			return err
		}
		files = nil
		for _, i := range infos {
			if !taboo(i.Path) && !i.IsDir() {
				files = append(files, path.Join(name, i.Path))
			}
		}
	}
	shown, _ := c.d.GetStr("include files")
	list, ok := shown.(*value.Dict)
	if !ok {
		list = value.NewDict(len(files))
		c.d.SetStr("include files", list)
	}
	for _, file := range files {
		in, err := read(h, file, depth+1)
		if err != nil {
			return err
		}
		keys := value.NewList()
		for k, v := range in.d.All() {
			key := value.String(k)
			c.d.SetStr(key, v)
			c.from[key] = file
			if deeper := in.from[key]; deeper != "" {
				c.from[key] = deeper
			}
			keys.Items = append(keys.Items, value.Str(key))
		}
		list.SetStr(path.Base(file), keys)
	}
	return nil
}
