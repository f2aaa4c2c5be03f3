package pkg

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A repoFile is a file of sources of rpm's kin: sections of "key=value", read and changed line by line, so that what is
// not asked for stays as it is. Salt differs: it writes the file anew.
type repoFile struct {
	path  string
	lines []string
}

// repoFiles are the files of a directory, sorted by name.
func repoFiles(h host.Reader, dir string) ([]*repoFile, error) {
	infos, err := h.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the sources: %w", err)
	}
	var out []*repoFile
	for _, i := range infos {
		if !strings.HasSuffix(i.Path, ".repo") {
			continue
		}
		data, err := h.ReadFile(path.Join(dir, i.Path))
		if err != nil {
			return nil, fmt.Errorf("read the sources: %w", err)
		}
		out = append(out, &repoFile{path.Join(dir, i.Path), strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")})
	}
	return out, nil
}

func heading(line string) (id string, ok bool) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
		return line[1 : len(line)-1], true
	}
	return "", false
}

// sections are the names of the sources.
func (f *repoFile) sections() (out []string) {
	for _, l := range f.lines {
		if id, ok := heading(l); ok && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// section is where the lines of a source begin, behind its heading, and end.
func (f *repoFile) section(id string) (from, to int, ok bool) {
	for i, l := range f.lines {
		name, is := heading(l)
		switch {
		case is && ok:
			return from, i, true
		case is && name == id:
			from, ok = i+1, true
		}
	}
	return from, len(f.lines), ok
}

// option reads "key=value" and "key: value".
func option(line string) (key, val string, ok bool) {
	if line == "" || strings.ContainsAny(line[:1], " \t#;[") {
		return "", "", false
	}
	i := strings.IndexAny(line, "=:")
	if i < 0 {
		return "", "", false
	}
	return strings.ToLower(strings.TrimSpace(line[:i])), strings.TrimSpace(line[i+1:]), true
}

// options are those of a source, the lines of a long value with newlines between them, and its comments.
func (f *repoFile) options(id string) *value.Dict {
	from, to, ok := f.section(id)
	if !ok {
		return nil
	}
	out := value.NewDict(0)
	comments := value.NewList()
	last := ""
	for _, l := range f.lines[from:to] {
		text := strings.TrimSpace(l)
		key, val, is := option(l)
		switch {
		case strings.HasPrefix(text, "#"):
			comments.Items = append(comments.Items, value.Str(strings.TrimLeft(text[1:], " \t")))
		case is:
			out.SetStr(key, value.Str(val))
			last = key
		case last != "" && continues(l):
			old, _ := out.GetStr(last)
			out.SetStr(last, value.Str(value.String(old)+"\n"+text))
		}
	}
	if len(comments.Items) > 0 {
		out.SetStr("comments", comments)
	}
	return out
}

// continues says whether a line belongs to the value of the option above it, blank lines and comments between or not.
func continues(line string) bool {
	text := strings.TrimSpace(line)
	_, _, is := option(line)
	return !is && text != "" && !strings.ContainsAny(text[:1], "#;") && line[0] != text[0] // it is indented
}

// set writes an option where it is, else behind the last one of its source; "" removes it.
func (f *repoFile) set(id, key, val string) {
	from, to, _ := f.section(id)
	var kept []string
	at, end, mine := -1, 0, false
	for _, l := range f.lines[from:to] {
		k, _, is := option(l)
		if is {
			mine = k == key
		}
		if mine && (is || continues(l)) {
			if at < 0 {
				at = len(kept)
			}
			continue
		}
		if kept = append(kept, l); is || continues(l) {
			end = len(kept)
		}
	}
	if at < 0 {
		at = end
	}
	if val != "" {
		kept = slices.Insert(kept, at, strings.Split(key+"="+strings.ReplaceAll(val, "\n", "\n "), "\n")...)
	}
	f.lines = slices.Replace(f.lines, from, to, kept...)
}

// comment puts these comments in place of those that a source has, behind its options.
func (f *repoFile) comment(id string, comments []string) {
	from, to, _ := f.section(id)
	is := func(l string) bool { return strings.HasPrefix(strings.TrimSpace(l), "#") }
	kept := slices.DeleteFunc(slices.Clone(f.lines[from:to]), is)
	end := len(kept)
	for end > 0 && strings.TrimSpace(kept[end-1]) == "" {
		end--
	}
	for i, c := range comments {
		kept = slices.Insert(kept, end+i, "# "+strings.TrimLeft(strings.TrimLeft(c, "#"), " \t"))
	}
	f.lines = slices.Replace(f.lines, from, to, kept...)
}

// add begins a source at the end of the file.
func (f *repoFile) add(id string) {
	for len(f.lines) > 0 && strings.TrimSpace(f.lines[len(f.lines)-1]) == "" {
		f.lines = f.lines[:len(f.lines)-1]
	}
	if len(f.lines) > 0 {
		f.lines = append(f.lines, "")
	}
	f.lines = append(f.lines, "["+id+"]")
}

// remove takes a source out.
func (f *repoFile) remove(id string) {
	if from, to, ok := f.section(id); ok {
		f.lines = slices.Delete(f.lines, from-1, to)
	}
}

// write puts the file on the machine; one in which no source is left goes.
func (f *repoFile) write(h host.Host) error {
	if len(f.sections()) == 0 {
		if err := h.Remove(f.path); err != nil {
			return fmt.Errorf("remove %s: %w", f.path, err)
		}
		return nil
	}
	a := host.KeepAttr()
	if _, err := h.Stat(f.path); err != nil {
		a = host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
	}
	if err := h.WriteFile(f.path, strings.NewReader(strings.Join(f.lines, "\n")+"\n"), a); err != nil {
		return fmt.Errorf("write %s: %w", f.path, err)
	}
	return nil
}
