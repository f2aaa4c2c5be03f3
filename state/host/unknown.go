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

// IsUnknown says whether an error comes of something that nobody can tell yet.
func IsUnknown(err error) bool {
	var u *Unknown
	return errors.As(err, &u)
}

// Untold is the error for what nobody can tell before the state that promised the fact is really applied.
func Untold(r Reader, what string, f Fact) error {
	if m, ok := r.(masked); ok {
		r = m.Host
	}
	u := &Unknown{What: what, By: "an earlier state"}
	if o, ok := r.(*Overlay); ok {
		if by := o.promisedBy(f.Kind, f.Name); by != "" {
			u.By = by
		}
		return o.noted(u)
	}
	return u
}

// Acting says on whose behalf what follows is done: what it leaves in doubt is in doubt until that state is really
// applied. It is one state at a time: those that act beside each other take an overlay of their own.
func (o *Overlay) Acting(state string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.acting = state
}

// actor is the state that acts. The caller holds the lock.
func (o *Overlay) actor() string {
	if o.acting == "" {
		return "an earlier state"
	}
	return o.acting
}

// Doubt is the first thing since the last call that was asked for and that nobody can tell; nil when all was told.
func (o *Overlay) Doubt() *Unknown {
	o.doubtMu.Lock()
	defer o.doubtMu.Unlock()
	u := o.doubt
	o.doubt = nil
	return u
}

// Loose is the first state before the acting one that leaves it in doubt whether a failure is one: one that may have
// changed anything, one that installs packages, unless the failure is Sure, or, where something is missing, one that
// brings commands. "" when there is none.
func (o *Overlay) Loose(failure error) string {
	o.mu.RLock()
	defer o.mu.RUnlock()
	if by := o.loosened(failure); by != o.acting {
		return by
	}
	return ""
}

// loosened is the first such state, the acting one or not. The caller holds the lock.
func (o *Overlay) loosened(failure error) string {
	if o.under != nil {
		o.under.mu.RLock()
		defer o.under.mu.RUnlock()
		if by := o.under.loosened(failure); by != "" {
			return by
		}
	}
	switch {
	case o.loose != "":
		return o.loose
	case o.packages != "" && !IsSure(failure):
		return o.packages
	case errors.Is(failure, fs.ErrNotExist), errors.Is(failure, exec.ErrNotFound):
		return o.brings
	}
	return ""
}

// Sure is a failure that no package that comes before can mend.
func Sure(err error) error {
	if err == nil {
		return nil
	}
	return sure{err}
}

// IsSure says whether it is such a failure. What is not permitted is one: packages give no permissions.
func IsSure(err error) bool { return errors.As(err, new(sure)) || errors.Is(err, fs.ErrPermission) }

type sure struct{ error }

func (s sure) Unwrap() error { return s.error }

// Missing is the failure of a state for which something is not there: an earlier state that brings commands may bring
// it.
func Missing(format string, args ...any) error { return missing{fmt.Errorf(format, args...)} }

type missing struct{ error }

func (missing) Is(target error) bool { return target == fs.ErrNotExist }

func (m missing) Unwrap() error { return m.error }

// loosen notes that anything may have changed.
func (o *Overlay) loosen() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.loose == "" {
		o.loose = o.actor()
	}
}

// bring notes that the acting state installs packages (FactUnit) or brings commands.
func (o *Overlay) bring(kind Kind) {
	o.mu.Lock()
	defer o.mu.Unlock()
	first := &o.brings
	if kind == FactUnit {
		first = &o.packages
	}
	if *first == "" {
		*first = o.actor()
	}
}

// noted notes that something was asked for that nobody can tell.
func (o *Overlay) noted(err error) error {
	u, ok := err.(*Unknown)
	if pe, is := err.(*fs.PathError); is {
		u, ok = pe.Err.(*Unknown)
	}
	if ok {
		o.doubtMu.Lock()
		defer o.doubtMu.Unlock()
		if o.doubt == nil {
			o.doubt = u
		}
	}
	return err
}

// promisedBy is the state that promised a fact, here or below, "" when it was not promised.
func (o *Overlay) promisedBy(kind Kind, name string) string {
	if p, ok := o.facts.promised(kind, name); ok {
		return p.by
	}
	if o.under != nil {
		return o.under.promisedBy(kind, name)
	}
	return ""
}

// forget makes it unknown what is at a path and below. Directories above that are not there come with it, or do not.
func (o *Overlay) forget(p string) {
	if absolute(p) != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	c, err := o.canon(p, true)
	if err != nil {
		return
	}
	for up := parent(c); up != "/"; up = parent(up) {
		if _, err := o.lstat(up); errors.Is(err, fs.ErrNotExist) {
			c = up
		}
	}
	o.tracker.Load().write(c)
	o.moved()
	o.whiteOut(c)
	o.put(c, &node{unknown: o.actor()})
}
