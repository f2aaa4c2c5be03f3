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

// Absent keeps a source of packages away.
type Absent struct {
	Name    string      `arg:"name,required" doc:"The source: its name, or on apt the line: deb URI DIST COMPS."`
	File    string      `arg:"file,path" not:".." doc:"Look only in this file."`
	KeyID   string      `arg:"keyid" alias:"keyid_ppa?" doc:"No effect: keys are files, which file.absent removes."`
	PPA     string      `arg:"ppa" doc:"A personal package archive of Launchpad: user/name."`
	PPAAuth string      `arg:"ppa_auth,secret" doc:"The user:password of a private archive of Launchpad."`
	Refresh value.Value `arg:"refresh" alias:"refresh_db" doc:"No effect: the lists are fetched when something changed."`
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

// source is what has to go; ok is false for a name that is no source, which is nowhere.
func (a *Absent) source(env *modules.Env) (source, bool) {
	name := a.Name
	if a.PPA != "" && launchpad(env) {
		name = "ppa:" + strings.TrimPrefix(a.PPA, "ppa:")
	}
	if line, err := archive(env, name, a.PPAAuth); strings.HasPrefix(name, "ppa:") && err == nil {
		name = line
	}
	return parse(name)
}

// without is a line without the components of the source, "" when none is left; ok is false for another line.
func without(text string, gone source) (line string, ok bool) {
	s, is := parse(text)
	if !is || !s.same(gone) {
		return text, false
	}
	if len(gone.comps) > 0 {
		s.comps = slices.DeleteFunc(s.comps, func(c string) bool { return slices.Contains(gone.comps, c) })
	}
	if len(gone.comps) == 0 || len(s.comps) == 0 {
		return "", true
	}
	return s.String(), true
}

// A clearing is what has to change: the files, as they have to be, and whether nothing is left in any.
type clearing struct {
	files []*list
	bare  bool
	other bool // the source is there, for other architectures
}

// clear takes the source out of the lists. Salt differs: it fails for one without components.
func (a *Absent) clear(h host.Reader, gone source) (c clearing, err error) {
	all, err := lists(h)
	c.bare = true
	for _, l := range all {
		var keep []string
		found := false
		for _, text := range l.lines {
			line, ok := without(text, gone)
			if s, _ := parse(text); ok && !slices.Equal(s.architectures(), gone.architectures()) {
				c.other, line, ok = true, text, false
			}
			if found = found || ok; line != "" || !ok {
				keep = append(keep, line)
			}
		}
		if a.File != "" && a.File != l.path {
			keep, found = l.lines, false
		}
		if l.lines = keep; found {
			c.files = append(c.files, l)
		}
		c.bare = c.bare && len(keep) == 0
	}
	if c.bare && len(c.files) > 0 { // as python3-apt leaves a machine without sources
		main := &list{path: mainList, lines: []string{"## See sources.list(5) for more information, especialy",
			"# Remember that you can only use http, ftp or file URIs", "# CDROMs are managed through the apt-cdrom tool."}}
		c.files = append(slices.DeleteFunc(c.files, func(l *list) bool { return l.path == mainList }), main)
	}
	return c, err
}

// Act removes it. A file of its own that is left empty goes too.
func (a *Absent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	tool, err := manager(env)
	switch {
	case err != nil:
		return state.Effect{}, err
	case tool != "apt":
		return a.withoutSection(ctx, env)
	}
	absent := state.Settled(fmt.Sprintf("Package repo %s is absent", a.Name))
	gone, ok := a.source(env)
	if !ok {
		return absent, nil
	}
	c, err := a.clear(h, gone)
	switch {
	case err != nil:
		return state.Effect{}, err
	case len(c.files) == 0 && c.other:
		return state.Effect{}, fmt.Errorf("Repo %s doesn't exist in the sources.list(s): it is there for other architectures", a.Name) //nolint:staticcheck // Salt's words
	case len(c.files) == 0:
		return absent, nil
	}
	e := state.Effect{Changes: value.DictOf("repo", value.Str(a.Name)), Comment: fmt.Sprintf("Removed repo %s", a.Name),
		Preview: fmt.Sprintf("Package repo '%s' will be removed", a.Name)}
	for _, l := range c.files {
		if len(l.lines) > 0 || !strings.HasPrefix(l.path, parts) {
			err = errors.Join(err, l.write(h))
		} else if rerr := h.Remove(l.path); rerr != nil {
			err = errors.Join(err, fmt.Errorf("remove %s: %w", l.path, rerr))
		}
	}
	if err == nil {
		err = refresh(ctx, env)
	}
	if err != nil {
		e.Changes = nil
	}
	return e, err
}
