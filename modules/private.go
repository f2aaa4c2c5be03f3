package modules

import (
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// Private says whether a file of the permissions is its owner's alone: what it holds is not shown.
func Private(perm uint32) bool { return perm&0o077 == 0 }

// PrivateDiff is how the change of a file is shown: that there was one where the file is private, unless secrets are
// shown. Salt differs: it shows what it wrote to a file that only its owner may read.
func (e *Env) PrivateDiff(private bool, diff value.Value) value.Value {
	if private && e.hidesPrivate() {
		return value.Str(secret.Shown)
	}
	return diff
}

// PrivateChanges is the same for changes that tell of more than one text: their keys stay.
func (e *Env) PrivateChanges(private bool, changes *value.Dict) *value.Dict {
	if private && e.hidesPrivate() {
		return secret.Mask(changes).(*value.Dict)
	}
	return changes
}

func (e *Env) hidesPrivate() bool { return e == nil || !e.Secrets.Revealed() }
