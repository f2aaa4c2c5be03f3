package value

import "sync"

// An unmade dict knows how to get one key and how to make the whole.
type unmade struct {
	get   func(key string) (Value, bool)
	whole func() *Dict

	mu sync.Mutex // is held while the dict is made
}

// NewLazyDict is a dict whose text keys are got one by one until something needs the whole of it: a walk, its length,
// a change, what prints it. get gives what is found under a key in the dict that whole makes; both may be called from
// several goroutines. whole is called once, and what it gives belongs to the dict from then on.
func NewLazyDict(get func(key string) (Value, bool), whole func() *Dict) *Dict {
	d := &Dict{}
	d.unmade.Store(&unmade{get: get, whole: whole})
	return d
}

// made are the entries, all of them.
func (d *Dict) made() []Entry {
	if u := d.unmade.Load(); u != nil {
		d.make(u)
	}
	return d.entries
}

func (d *Dict) make(u *unmade) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if d.unmade.Load() == nil {
		return // somebody else was first
	}
	d.become(u.whole())
	d.unmade.Store(nil)
}

// become takes the entries of another dict, which nobody uses any more.
func (d *Dict) become(other *Dict) { d.entries, d.index = other.made(), other.index }
