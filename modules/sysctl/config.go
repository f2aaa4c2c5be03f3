package sysctl

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A config is a file of settings.
type config struct {
	path  string
	lines []string
}

// open reads the file; a new one has the head that Salt gives it.
func open(h host.Reader, path string) (*config, error) {
	lines, err := modules.ReadLines(h, path)
	if _, missing := h.Stat(path); err == nil && errors.Is(missing, fs.ErrNotExist) {
		lines = []string{"#", "# Kernel sysctl configuration", "#"}
	}
	return &config{path, lines}, err
}

// setting reads a line; ok is false for one that is none. A mark for settings that may fail is no part of the name.
func setting(line string) (key, val string, ok bool) {
	key, val, ok = strings.Cut(strings.TrimSpace(line), "=")
	key = strings.TrimSpace(key)
	return strings.TrimPrefix(key, "-"), strings.TrimSpace(val), ok && !strings.HasPrefix(key, "#") &&
		!strings.HasPrefix(key, ";")
}

// set notes the setting; it is false where the file has it.
func (c *config) set(name, val string) bool {
	found, changed := false, false
	for i, l := range c.lines {
		key, now, ok := setting(l)
		if !ok || key != name {
			continue
		}
		found = true
		if fields(now) != fields(val) {
			c.lines[i], changed = name+" = "+val, true
		}
	}
	if !found {
		c.lines = append(c.lines, name+" = "+val)
	}
	return changed || !found
}

func (c *config) write(h host.Host) error { return modules.WriteLines(h, c.path, c.lines) }
