// Package pkgrepo keeps the sources of packages configured: lines in /etc/apt/sources.list and sources.list.d, and
// their keys, or sections in the files of dnf, yum and zypper, which the functions of pkg read and write.
//
// Lines and keys are files, so that previews see them; a preview does not fetch the lists of a source, and so cannot
// tell what is in them.
package pkgrepo

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "pkgrepo", States: []modules.StateSpec{managedSpec(), absentSpec()},
		Describers: []modules.Describer{describer()}}
}

const (
	mainList = "/etc/apt/sources.list"
	parts    = "/etc/apt/sources.list.d"
)

// A source is one line of apt's: "deb [arch=amd64 signed-by=/x] URI DIST COMPS...".
type source struct {
	kind     string // "deb", "deb-src"
	options  []string
	uri      string
	dist     string
	comps    []string
	disabled bool   // commented out
	comment  string // after the line
}

// parse reads a line; ok is false when it is no source.
func parse(line string) (s source, ok bool) {
	text := strings.TrimSpace(line)
	rest := strings.TrimSpace(strings.TrimLeft(text, "# "))
	s.disabled = strings.HasPrefix(text, "#")
	if i := commentAt(rest); i >= 0 {
		s.comment, rest = rest[i+2:], strings.TrimSpace(rest[:i])
	}
	kind, rest, found := strings.Cut(rest, " ")
	if !found || kind != "deb" && kind != "deb-src" {
		return s, false
	}
	s.kind, rest = kind, strings.TrimSpace(rest)
	if strings.HasPrefix(rest, "[") {
		inner, after, closed := strings.Cut(rest[1:], "]")
		if !closed {
			return s, false
		}
		s.options, rest = strings.Fields(inner), strings.TrimSpace(after)
	}
	f := fields(rest)
	if len(f) < 2 || !strings.Contains(f[0], ":") || !unicode.IsLetter(rune(f[0][0])) {
		return s, false
	}
	s.uri, s.dist, s.comps = f[0], f[1], f[2:]
	return s, true
}

// commentAt is where the space before a comment stands, -1 without one.
func commentAt(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && strings.ContainsRune(" \t\v\f\r", rune(text[i-1])) {
			return i - 1
		}
	}
	return -1
}

// fields are the words of a line. What is in brackets is one: cdrom:[Debian 12 - amd64]/.
func fields(text string) []string {
	depth := 0
	return strings.FieldsFunc(text, func(r rune) bool {
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		}
		return depth == 0 && (r == ' ' || r == '\t')
	})
}

// String is the line.
func (s source) String() string {
	var b strings.Builder
	if s.disabled {
		b.WriteString("# ")
	}
	b.WriteString(s.kind)
	if len(s.options) > 0 {
		b.WriteString(" [" + strings.Join(s.ordered(), " ") + "]")
	}
	b.WriteString(" " + s.uri + " " + s.dist)
	for _, c := range s.comps {
		b.WriteString(" " + c)
	}
	if s.comment != "" {
		b.WriteString(" #" + s.comment)
	}
	return b.String()
}

// ordered are the options as python3-apt writes them, which knows arch and trusted and leaves a line with others alone.
func (s source) ordered() []string {
	known := func(o string) bool { return strings.HasPrefix(o, "arch=") || strings.HasPrefix(o, "trusted=") }
	if slices.ContainsFunc(s.options, func(o string) bool { return !known(o) }) {
		return s.options
	}
	return slices.Sorted(slices.Values(s.options))
}

// option is the value of one option, "" when it has none.
func (s source) option(key string) string {
	for _, o := range s.options {
		if v, ok := strings.CutPrefix(o, key+"="); ok {
			return v
		}
	}
	return ""
}

// setOption sets or, with "", removes an option.
func (s *source) setOption(key, val string) {
	s.options = slices.DeleteFunc(slices.Clone(s.options), func(o string) bool { return strings.HasPrefix(o, key+"=") })
	if val != "" {
		s.options = append(s.options, key+"="+val)
	}
}

// same says whether two lines are about one thing: type, place and distribution, and components that are in both.
func (s source) same(o source) bool {
	if s.kind != o.kind || strings.TrimRight(s.uri, "/") != strings.TrimRight(o.uri, "/") || s.dist != o.dist {
		return false
	}
	both := func(c string) bool { return slices.Contains(o.comps, c) }
	return len(s.comps) == 0 || len(o.comps) == 0 || slices.ContainsFunc(s.comps, both)
}

// architectures are those of the option arch.
func (s source) architectures() []string {
	if a := s.option("arch"); a != "" {
		return strings.Split(a, ",")
	}
	return nil
}

// A list is one file of sources, line by line.
type list struct {
	path  string
	lines []string
}

// lists are the files of sources in one-line form, the main one first.
func lists(h host.Reader) ([]*list, error) {
	files := []string{mainList}
	infos, err := h.ReadDir(parts)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read apt's sources: %w", err)
	}
	for _, i := range infos {
		if strings.HasSuffix(i.Path, ".list") {
			files = append(files, path.Join(parts, i.Path))
		}
	}
	var out []*list
	for _, f := range files {
		l, err := readList(h, f)
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

func readList(h host.Reader, file string) (*list, error) {
	data, err := h.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return &list{path: file}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read apt's sources: %w", err)
	}
	text := strings.TrimSuffix(string(data), "\n")
	if text == "" {
		return &list{path: file}, nil
	}
	return &list{path: file, lines: strings.Split(text, "\n")}, nil
}

func (l *list) write(h host.Host) error {
	text := strings.Join(l.lines, "\n")
	if text != "" {
		text += "\n"
	}
	for _, dir := range []string{"/etc/apt", path.Dir(l.path)} {
		if _, err := h.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			if err := h.Mkdir(dir, host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
				return fmt.Errorf("make %s: %w", dir, err)
			}
		}
	}
	a := host.KeepAttr()
	if _, err := h.Stat(l.path); err != nil {
		a = host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
	}
	return h.WriteFile(l.path, strings.NewReader(text), a)
}

// find is where a source stands: a file and the number of the line; nil when it stands nowhere.
func find(all []*list, want source) (*list, int) {
	for _, l := range all {
		for i, text := range l.lines {
			if s, ok := parse(text); ok && s.same(want) {
				return l, i
			}
		}
	}
	return nil, -1
}

func grain(env *modules.Env, name string) string {
	if env.Grains == nil {
		return ""
	}
	v, _ := env.Grains(name)
	text, _ := modules.Text(v)
	return text
}

// refresh fetches the lists anew.
func refresh(ctx context.Context, env *modules.Env) error {
	_, err := env.Exec.Call(ctx, "pkg.refresh_db", nil, value.DictOf("failhard", value.Bool(true)))
	return err
}
