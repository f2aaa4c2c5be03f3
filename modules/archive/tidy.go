package archive

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// rules are what an archive must keep to. A limit of 0 is none.
type rules struct {
	strip   int  // so many first components of names are left out
	special bool // devices, fifos, setuid and setgid are taken
	size    int64
	files   int64
	ratio   int64
}

// freeSize is what an archive may come to whatever its ratio is.
const freeSize = 1 << 30

// A tidier cleans the names of members as they come, and refuses what would land elsewhere, be it by a link that the
// archive brings, and what is too much.
//
// Salt differs: it extracts devices and setuid files, and as much as there is.
type tidier struct {
	rules  rules
	packed int64
	links  map[string]string // targets by names
	files  map[string]bool
	seen   int
	size   int64
}

func newTidy(r rules, packed int64) *tidier {
	return &tidier{rules: r, packed: packed, links: map[string]string{}, files: map[string]bool{}}
}

// tidy cleans a member. keep is false for what strip leaves nothing of.
func (t *tidier) tidy(m *member) (keep bool, err error) {
	m.index = t.seen
	if t.seen++; t.rules.files > 0 && int64(t.seen) > t.rules.files {
		return false, fmt.Errorf("the archive holds more than %d files; max_files allows more", t.rules.files)
	}
	t.size += m.size
	if err := t.fits(t.size); err != nil {
		return false, err
	}
	if m.raw = strings.TrimRight(m.name, "/"); !t.name(m, &m.name) {
		return false, outsideError(m.name)
	}
	if m.name == "" {
		return false, nil
	}
	return true, t.kind(m)
}

// name cleans a name and strips it; it says whether it is one inside of the archive.
func (t *tidier) name(m *member, name *string) bool {
	if slices.Contains(strings.Split(*name, "/"), "..") || strings.ContainsRune(*name, 0) {
		return false
	}
	parts := strings.Split(path.Clean("/" + *name)[1:], "/")
	*name = strings.Join(parts[min(t.rules.strip, len(parts)):], "/")
	return true
}

func outsideError(name string) error {
	return fmt.Errorf("the archive holds %q, which is outside of it", name)
}

// kind checks what a member is, and where.
func (t *tidier) kind(m *member) error {
	for dir := path.Dir(m.name); dir != "."; dir = path.Dir(dir) {
		if _, ok := t.links[dir]; ok {
			return fmt.Errorf("the archive holds %q below the link %q", m.name, dir)
		}
	}
	switch {
	case m.hard != "":
		return t.hardLink(m)
	case m.link != "":
		t.links[m.name] = m.link
		return nil
	case m.isDir():
		return nil
	}
	if risky := m.mode&(fs.ModeSetuid|fs.ModeSetgid) != 0; !t.rules.special && (risky || m.special()) {
		what := "a device or a fifo"
		if risky {
			what = "setuid or setgid"
		}
		return fmt.Errorf("the archive holds %q, which is %s; special: true extracts it", m.name, what)
	}
	t.files[m.name] = true
	return nil
}

// hardLink checks what a hard link is to: a file of the archive, which came before. One to a symbolic link is another
// such link, as tar has it.
func (t *tidier) hardLink(m *member) error {
	raw := m.hard
	if !t.name(m, &m.hard) {
		return fmt.Errorf("the archive holds %q, a link to %q, which is outside of it", m.name, raw)
	}
	if target, ok := t.links[m.hard]; ok {
		m.link, m.hard = target, ""
		m.mode = fs.ModeSymlink | 0o777
		t.links[m.name] = target
		return nil
	}
	if !t.files[m.hard] {
		return fmt.Errorf("the archive holds %q, a link to %q, which does not come before it", m.name, raw)
	}
	t.files[m.name] = true
	return nil
}

// fits says whether so many bytes are not too many.
func (t *tidier) fits(size int64) error {
	switch r := t.rules; {
	case size < 0, r.size > 0 && size > r.size:
		return fmt.Errorf("the archive unpacks to more than %d bytes; max_size allows more", r.size)
	case r.ratio > 0 && size > freeSize && size/r.ratio > t.packed:
		return fmt.Errorf("the archive unpacks to more than %d times its size; max_ratio allows more", r.ratio)
	}
	return nil
}

// bounded is what an archive unpacks to, as long as it fits.
type bounded struct {
	io.Reader
	t *tidier
	n int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.n += int64(n)
	if tooMuch := b.t.fits(b.n); tooMuch != nil {
		return 0, tooMuch
	}
	return n, err
}
