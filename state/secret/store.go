// Package secret knows the secrets of a run and hides them in what is shown.
//
// A Store is a value that the run carries. A secret is known by its text: whatever holds that text, or a usual writing
// of it (quoted, escaped, in base64), shows Shown in its place, wherever it came from. What is made of a secret is
// registered as well (Carry). Nothing here changes what is written to a machine. A nil Store knows nothing, and one
// that is empty costs a look at a flag.
package secret

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gostate/gostate/state/value"
)

// Shown stands in the place of a secret.
const Shown = "***"

const (
	// shortest is the length below which a text is not looked for: it would be found everywhere.
	shortest = 4
	// shortWord is the length up to which an ordinary word is looked for as a word, and not as a part of others.
	shortWord = 9
	// shortestLine is the same for one line of a secret of several.
	shortestLine = 8
)

// A Store holds the secrets of a run. It may be used by several goroutines.
type Store struct {
	filled atomic.Bool
	open   atomic.Bool

	mu    sync.RWMutex // guards what is below
	known map[string]bool
	names map[string]bool             // see Spare
	forms map[[shortest]byte][]string // by their first bytes, the longest first
	heads [1 << 16 / 64]uint64        // a bit for each pair of bytes that a form begins with
}

// New makes an empty store.
func New() *Store { return &Store{} }

// Reveal has what is hidden where it is made (the diff of a private file) shown. What the Store knows is still hidden
// by whoever asks it to.
func (s *Store) Reveal() { s.open.Store(true) }

// Revealed says whether secrets are to be shown.
func (s *Store) Revealed() bool { return s != nil && s.open.Load() }

// Empty says whether there is nothing to hide.
func (s *Store) Empty() bool { return s == nil || !s.filled.Load() }

// Count is how many secrets are known.
func (s *Store) Count() int {
	if s.Empty() {
		return 0
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.known)
}

// Mark registers what a value holds as secret: texts and bytes, and numbers by their text. Keys of maps, booleans and
// None are not.
func (s *Store) Mark(v value.Value) {
	if s == nil {
		return
	}
	eachLeaf(v, 0, s.MarkText)
}

// MarkText registers a text as secret.
func (s *Store) MarkText(text string) {
	if s == nil || len(strings.TrimSpace(text)) < shortest || stands(text) || s.knows(text) {
		return
	}
	forms := formsOf(text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known, s.forms = map[string]bool{}, map[[shortest]byte][]string{}
	}
	s.known[text], s.known[strings.TrimSpace(text)] = true, true
	for _, f := range forms {
		s.add(f)
	}
	s.filled.Store(true)
}

// stands says whether a text stands in results for what is not shown.
func stands(text string) bool {
	switch text {
	case "XXX-REDACTED-XXX", "changed":
		return true
	}
	return false
}

// Spare says that a word is the name of something in the run. One of lower-case letters is shown though a password is
// the same (postgres): where all names in a report were hidden, it could not be read, and the gap told the word.
func (s *Store) Spare(word string) {
	if s == nil || len(word) < shortest || !ordinary(word) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[word] = true
}

// add takes one form; the caller holds the lock.
func (s *Store) add(form string) {
	if len(form) < shortest {
		return
	}
	key := [shortest]byte([]byte(form[:shortest]))
	list := s.forms[key]
	i, found := slices.BinarySearchFunc(list, form, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	if found {
		return
	}
	s.forms[key] = slices.Insert(list, i, form)
	pair := int(form[0])<<8 | int(form[1])
	s.heads[pair/64] |= 1 << (pair % 64)
}

func (s *Store) knows(text string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.known[text]
}

// Texts are the secrets, sorted.
func (s *Store) Texts() []string {
	if s.Empty() {
		return nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.known))
}

// maxDepth ends values that hold themselves.
const maxDepth = 200

// eachLeaf calls f with the texts of a value.
func eachLeaf(v value.Value, depth int, f func(text string)) {
	if depth > maxDepth {
		return
	}
	switch v := v.(type) {
	case value.Str:
		f(string(v))
	case value.Bytes:
		f(string(v))
	case value.Int, value.BigInt, value.Float:
		f(value.String(v))
	case *value.Dict:
		for _, item := range v.Peeks() { // what is sealed is registered when it is opened
			eachLeaf(item, depth+1, f)
		}
	case *value.Set:
		eachOf(v.Items(), depth, f)
	case *value.List:
		eachOf(v.Items, depth, f)
	case *value.Tuple:
		eachOf(v.Items, depth, f)
	case value.Texter:
		f(string(v.PlainText()))
	}
}

func eachOf(items []value.Value, depth int, f func(text string)) {
	for _, item := range items {
		eachLeaf(item, depth+1, f)
	}
}
