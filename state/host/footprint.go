package host

import (
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
)

// A Footprint is what an overlay was asked and told: what a state reads and writes, so far as a host can see it. What
// happens within a Deed is seen by what the deed foretells.
type Footprint struct {
	Read     []string  // paths that were looked at, without links, and the links that led there; sorted
	Opened   []string  // files whose content was asked for; sorted
	Listed   []string  // directories that were listed; sorted
	Wrote    []string  // paths that were made, changed, removed (with what is below) or left unknown; sorted
	Asked    []Subject // facts, accounts and commands that were looked for
	Promised []Subject // facts that were promised
	Deeds    []Kind    // on what deeds were done, those on Nothing left out
	Queried  bool      // a command or a socket was asked: nobody knows what it read
}

// A Subject is what a fact is about; the name "*" stands for all of the kind.
type Subject struct {
	Kind Kind
	Name string
}

// Meets says whether one footprint writes what the other reads or writes, so that the order of the two matters.
func (f *Footprint) Meets(g *Footprint) bool { return f.disturbs(g) || g.disturbs(f) }

func (f *Footprint) idle() bool { return len(f.Wrote)+len(f.Promised)+len(f.Deeds) == 0 }

// disturbs says whether what f writes is something that g reads. What is written is read as well, so that two writers
// of one path meet; and a writer looks at the directory that it writes in.
func (f *Footprint) disturbs(g *Footprint) bool {
	switch {
	case f.idle():
		return false
	case g.Queried || slices.Contains(f.Deeds, Anything):
		return true
	}
	return slices.ContainsFunc(f.Wrote, g.sees) || slices.ContainsFunc(f.Promised, g.asks) ||
		slices.ContainsFunc(f.Deeds, g.does)
}

// sees says whether something at the path, or below it, was looked at, or its directory listed.
func (f *Footprint) sees(p string) bool {
	if accountFile(p) && slices.ContainsFunc(f.Asked, Subject.account) {
		return true
	}
	_, listed := slices.BinarySearch(f.Listed, path.Dir(p))
	return listed || within(f.Read, p)
}

func (f *Footprint) asks(s Subject) bool {
	return slices.ContainsFunc(f.Asked, func(q Subject) bool {
		return q.Kind == s.Kind && (q.Name == s.Name || q.Name == "*" || s.Name == "*")
	})
}

// does says whether there is a deed on the same, or a look at the files that one on accounts writes.
func (f *Footprint) does(k Kind) bool {
	return slices.Contains(f.Deeds, k) || (k == FactUser || k == FactGroup) && slices.ContainsFunc(f.Read, accountFile)
}

func (s Subject) account() bool { return s.Kind == FactUser || s.Kind == FactGroup }

func accountFile(p string) bool {
	switch p {
	case "/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow":
		return true
	}
	return false
}

// within says whether one of the sorted paths is p or below it.
func within(sorted []string, p string) bool {
	if _, ok := slices.BinarySearch(sorted, p); ok {
		return true
	}
	below := strings.TrimRight(p, "/") + "/"
	i := sort.SearchStrings(sorted, below)
	return i < len(sorted) && strings.HasPrefix(sorted[i], below)
}

// A tracker notes what an overlay is asked and told. A nil one notes nothing.
type tracker struct {
	mu                  sync.Mutex // guards all below
	read, listed, wrote map[string]bool
	opened              map[string]bool
	asked, promised     map[Subject]bool
	deeds               map[Kind]bool
	queried             bool
}

// Track begins to note what the overlay is asked and told, anew if it did already.
func (o *Overlay) Track() {
	o.tracker.Store(&tracker{read: map[string]bool{}, listed: map[string]bool{}, wrote: map[string]bool{},
		opened: map[string]bool{}, asked: map[Subject]bool{}, promised: map[Subject]bool{}, deeds: map[Kind]bool{}})
}

// Footprint is what was noted since Track. It is empty where nothing was tracked.
func (o *Overlay) Footprint() *Footprint {
	t := o.tracker.Load()
	if t == nil {
		return &Footprint{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	bySubject := func(a, b Subject) int {
		if a.Kind != b.Kind {
			return int(a.Kind) - int(b.Kind)
		}
		return strings.Compare(a.Name, b.Name)
	}
	return &Footprint{Read: keys(t.read, strings.Compare), Listed: keys(t.listed, strings.Compare),
		Opened: keys(t.opened, strings.Compare), Wrote: keys(t.wrote, strings.Compare),
		Asked: keys(t.asked, bySubject), Promised: keys(t.promised, bySubject),
		Deeds: keys(t.deeds, func(a, b Kind) int { return int(a) - int(b) }), Queried: t.queried}
}

func keys[K comparable](m map[K]bool, compare func(a, b K) int) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, compare)
	return out
}

func (t *tracker) note(fn func(t *tracker)) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	fn(t)
}

// look notes a reading of a canonical path, or the listing of a directory.
func (t *tracker) look(op, c string) {
	t.note(func(t *tracker) {
		t.read[c] = true
		switch op {
		case "readdir":
			t.listed[c] = true
		case "read", "open":
			t.opened[c] = true
		}
	})
}

// write notes that a canonical path changes, which takes a look at it and at its directory.
func (t *tracker) write(c string) {
	t.note(func(t *tracker) { t.wrote[c], t.read[c], t.read[path.Dir(c)] = true, true, true })
}

func (t *tracker) ask(k Kind, name string) {
	t.note(func(t *tracker) { t.asked[Subject{k, name}] = true })
}

// promise notes facts. A FactPath is a write.
func (t *tracker) promise(fs []Fact) {
	t.note(func(t *tracker) {
		for _, f := range fs {
			if f.Kind != FactPath {
				t.promised[Subject{f.Kind, f.Name}] = true
			}
		}
	})
}

func (t *tracker) deed(on Kind) {
	if on != Nothing {
		t.note(func(t *tracker) { t.deeds[on] = true })
	}
}

func (t *tracker) query() { t.note(func(t *tracker) { t.queried = true }) }

// command notes that a command was looked for: as what was promised, and at the places where it may come to be.
func (t *tracker) command(name string) {
	t.note(func(t *tracker) {
		t.asked[Subject{FactCommand, path.Base(name)}] = true
		if path.IsAbs(name) {
			t.read[path.Clean(name)] = true
			return
		}
		for _, dir := range standardPath {
			t.read[path.Join(dir, name)] = true
		}
	})
}
