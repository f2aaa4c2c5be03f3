package host

import (
	"slices"
	"sync"
)

// facts are what states promised to later ones.
type facts struct {
	mu   sync.RWMutex
	m    map[[2]string]Fact // guarded by mu
	list []Fact             // in the order of the last promise; guarded by mu
}

func newFacts() *facts { return &facts{m: map[[2]string]Fact{}} }

func (f *facts) get(kind, name string) (Fact, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	fact, ok := f.m[[2]string{kind, name}]
	return fact, ok
}

func (f *facts) add(fs []Fact) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, fact := range fs {
		key := [2]string{fact.Kind, fact.Name}
		if _, ok := f.m[key]; ok {
			f.list = slices.DeleteFunc(f.list, func(o Fact) bool { return o.Kind == fact.Kind && o.Name == fact.Name })
		}
		f.m[key] = fact
		f.list = append(f.list, fact)
	}
}

// of are the facts of a kind, in the order of their promise.
func (f *facts) of(kind string) []Fact {
	f.mu.RLock()
	defer f.mu.RUnlock()
	var out []Fact
	for _, fact := range f.list {
		if fact.Kind == kind {
			out = append(out, fact)
		}
	}
	return out
}
