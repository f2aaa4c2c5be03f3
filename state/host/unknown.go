package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
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

// Loose is the first state before the acting one that leaves it in doubt whether a failure is one: one that may have changed
// anything or, where something is missing, one that installs packages. "" when there is none.
func (o *Overlay) Loose(failure error) string {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if by := o.first(failure); by != o.acting {
		return by
	}
	return ""
}

// first is the first such state, the acting one or not. The caller holds the lock.
func (o *Overlay) first(failure error) string {
	if base, ok := o.base.(*Overlay); ok {
		base.mu.RLock()
		defer base.mu.RUnlock()
		if by := base.first(failure); by != "" {
			return by
		}
	}
	if o.loose == "" && (errors.Is(failure, fs.ErrNotExist) || errors.Is(failure, exec.ErrNotFound)) {
		return o.brings
	}
	return o.loose
}

// Missing is the failure of a state for which something is not there: an earlier state that installs packages may bring it.
func Missing(format string, args ...any) error { return missing{fmt.Errorf(format, args...)} }

type missing struct{ error }

func (missing) Is(target error) bool { return target == fs.ErrNotExist }

func (m missing) Unwrap() error { return m.error }

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
