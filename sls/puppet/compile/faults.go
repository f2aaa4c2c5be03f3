package compile

import (
	"errors"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/state/diag"
)

// Faults are the faults of manifests that an error tells of, at their places, in Puppet's words. Another error is
// itself.
func Faults(err error) error {
	var l diag.List
	var many *syntax.Errors
	if errors.As(err, &many) {
		for _, f := range many.Faults {
			l.Add(atPlace(f, f.Msg))
		}
	}
	var one *syntax.Error
	if errors.As(err, &one) {
		l.Add(atPlace(one, strings.TrimSuffix(err.Error(), one.Place())))
		return l.Err()
	}
	if many != nil {
		l.Add(diag.Errorf(diag.Pos{File: many.Together.File}, "%s", strings.TrimSuffix(err.Error(), many.Together.Place())))
		return l.Err()
	}
	return err
}

func atPlace(e *syntax.Error, msg string) *diag.Diagnostic {
	return &diag.Diagnostic{Pos: diag.Pos{File: e.File, Line: e.Pos.Line, Col: e.Pos.Col}, Msg: msg}
}
