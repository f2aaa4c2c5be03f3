package host

import (
	"errors"
	"fmt"
)

// An Unknown error says what a preview cannot tell before a state has really been applied.
type Unknown struct {
	What string // "/etc/app.conf"
	By   string // the state that will settle it: "cmd.run make"
}

func (u *Unknown) Error() string {
	return fmt.Sprintf("cannot tell %s until %s is applied", u.What, u.By)
}

// Acting says on whose behalf what follows is done: what it leaves in doubt is in doubt until that state is really applied.
func (o *Overlay) Acting(state string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.acting = state
}

// Doubt is the first thing since the last call that was asked for and that nobody can tell; nil when all was told.
func (o *Overlay) Doubt() *Unknown {
	o.doubtMu.Lock()
	u := o.doubt
	o.doubt = nil
	o.doubtMu.Unlock()
	if base, ok := o.base.(*Overlay); ok {
		if below := base.Doubt(); u == nil {
			u = below
		}
	}
	return u
}

// Loose is the first state that may have changed anything, "" when what is here is sure: after it, a failure is none for certain.
func (o *Overlay) Loose() string {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if base, ok := o.base.(*Overlay); ok && o.loose == "" {
		return base.Loose()
	}
	return o.loose
}

// unsure notes that something was asked for that nobody can tell.
func (o *Overlay) unsure(what, by string) error {
	u := &Unknown{What: what, By: by}
	o.doubtMu.Lock()
	defer o.doubtMu.Unlock()
	if o.doubt == nil {
		o.doubt = u
	}
	return u
}

// IsUnknown says whether an error comes of something that nobody can tell yet.
func IsUnknown(err error) bool {
	var u *Unknown
	return errors.As(err, &u)
}
