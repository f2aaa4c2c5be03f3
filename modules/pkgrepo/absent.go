package pkgrepo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a source of apt away.
type Absent struct {
	Name    string      `arg:"name,required" doc:"The source, as in sources.list: deb URI DIST COMPS."`
	File    string      `arg:"file" doc:"Look only in this file."`
	KeyID   string      `arg:"keyid" alias:"keyid_ppa?" doc:"No effect: keys are files, which file.absent removes."`
	PPA     string      `arg:"ppa" doc:"A personal package archive of Launchpad: user/name."`
	Refresh value.Value `arg:"refresh" alias:"refresh_db" doc:"No effect: the next package state fetches the lists of sources that changed."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkgrepo.absent",
		Doc:     "Keeps a source of packages away. A file that is left empty in sources.list.d goes too.",
		Example: "deb http://old.example.org/debian bookworm main:\n  pkgrepo.absent: []",
		New:     func() modules.StateFunc { return &Absent{} },
		AnyArgs: true,
	}
}

// Validate refuses what is no source.
func (a *Absent) Validate() []modules.Fault {
	if _, ok := parse(a.Name); !ok && a.PPA == "" {
		return []modules.Fault{{Arg: "name", Msg: fmt.Sprintf("%q is no source of apt", a.Name), Hint: "a source is: deb URI DISTRIBUTION COMPONENT..."}}
	}
	return nil
}

// matches says whether a line is the source. A PPA is known by its user and name in the address.
func (a *Absent) matches(s source) bool {
	if a.PPA != "" {
		return strings.Contains(s.uri, "/"+strings.TrimPrefix(a.PPA, "ppa:")+"/")
	}
	want, _ := parse(a.Name)
	if !s.same(want) || s.disabled {
		return false
	}
	return len(want.comps) == 0 || slices.ContainsFunc(want.comps, func(c string) bool { return slices.Contains(s.comps, c) })
}

// without gives the files that change, as they have to be.
func (a *Absent) without(h host.Reader) ([]*list, error) {
	all, err := lists(h)
	var out []*list
	for _, l := range all {
		if a.File != "" && a.File != l.path {
			continue
		}
		n := len(l.lines)
		l.lines = slices.DeleteFunc(l.lines, func(text string) bool { s, ok := parse(text); return ok && a.matches(s) })
		if len(l.lines) != n {
			out = append(out, l)
		}
	}
	return out, err
}

// Act removes it. A file of its own that is left empty goes too.
func (a *Absent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	files, err := a.without(h)
	if err != nil || len(files) == 0 {
		return state.Settled(fmt.Sprintf("Package repo %s is absent", a.Name)), err
	}
	e := state.Effect{Changes: value.DictOf("repo", value.Str(a.Name)), Comment: fmt.Sprintf("Removed repo %s", a.Name),
		Preview: fmt.Sprintf("Package repo '%s' will be removed", a.Name)}
	for _, l := range files {
		if len(l.lines) > 0 || !strings.HasPrefix(l.path, parts) {
			err = errors.Join(err, l.write(h))
		} else if rerr := h.Remove(l.path); rerr != nil {
			err = errors.Join(err, fmt.Errorf("remove %s: %w", l.path, rerr))
		}
	}
	return e, err
}
