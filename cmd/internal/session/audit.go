package session

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// checkAudits reports states that cannot be audited, and properties that what they are about has not. For a function
// that takes any argument `audit` may be a variable of its template.
func (s *Session) checkAudits(low []*state.Low, faults *diag.List) {
	for _, l := range low {
		if !l.Meta().Audit {
			continue
		}
		pos := l.ArgPos("audit")
		if aboutSeveral(l) || !s.registry.CanAudit(l.Module, l.Func) {
			d := diag.Errorf(pos, "audit is not there for %s '%s'", l.Fun(), l.ID)
			faults.Add(d.WithHint("it is for states about one thing of %s", strings.Join(s.registry.Auditable(), ", ")))
			continue
		}
		for _, name := range l.Meta().AuditOnly {
			if !s.registry.HasProperty(l, name) {
				faults.Add(diag.Errorf(pos, "audit of %s '%s' knows no property %q", l.Fun(), l.ID, name).
					WithHint("gostate resource %s shows what there is", l.Module))
			}
		}
	}
}

// aboutSeveral says whether a state is about several things, or about those of a file.
func aboutSeveral(l *state.Low) bool {
	return l.Args != nil && slices.ContainsFunc([]string{"pkgs", "sources", "mods"},
		func(arg string) bool { return l.Args.Has(value.Str(arg)) }) ||
		l.Module == "ssh_auth" && l.Args != nil && l.Args.Has(value.Str("source"))
}

// audited puts an audit in the place of the functions of the states that are audited.
func (s *Session) audited(low []*state.Low, bound []modules.StateFunc) {
	for i, l := range low {
		if l.Meta().Audit && bound[i] != nil {
			bound[i] = &audit{s, l, bound[i]}
		}
	}
}

// An audit is a state that only compares what is there with what was there when it was last looked at. It never mends.
type audit struct {
	s   *Session
	low *state.Low
	fn  modules.StateFunc // the function that is not called
}

// Act tells of differences, and records what is there now, on the machine only.
func (a *audit) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	now, err := a.s.registry.Properties(ctx, env, h, a.low, a.fn)
	if err != nil {
		return state.Effect{}, err
	}
	var last map[string]string
	if a.s.known != nil {
		last = maps.Clone(a.s.known.Seen(a.low.Tag()))
	}
	if only := a.low.Meta().AuditOnly; len(only) > 0 {
		all := now
		now = make(map[string]string, len(only))
		for _, name := range only {
			now[name] = orAbsent(all, name)
		}
		maps.DeleteFunc(last, func(name, _ string) bool { return !slices.Contains(only, name) })
	}
	e := compared(last, now)
	if a.s.known == nil || maps.Equal(last, now) {
		return e, nil
	}
	e.Once = true // it is recorded then
	return e, h.Do(ctx, host.Deed{What: "record what is audited", On: host.FactPath,
		Do:       func(context.Context) error { a.s.known.NoteSeen(a.low.Tag(), now); return nil },
		Foretell: func(host.Host) error { return nil }})
}

// compared is what an audit tells: each property that is other than it was. What was not recorded yet is no difference,
// but where all was.
func compared(last, now map[string]string) state.Effect {
	e := state.NewEffect()
	if last == nil {
		e.Comment = "Audited for the first time: " + strings.Join(slices.Sorted(maps.Keys(now)), ", ")
		return e
	}
	names := maps.Clone(last)
	if last[modules.Is] != "" || last["type"] != "" {
		maps.Copy(names, now)
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if from, to := orAbsent(last, name), orAbsent(now, name); from != to {
			e.Changes.SetStr(name, value.DictOf("old", value.Str(from), "new", value.Str(to)))
		}
	}
	e.Comment = "Audited: as it was"
	if e.Changes.Len() > 0 {
		e.Comment = "Audited: other than it was, and left as it is"
	}
	return e
}

func orAbsent(properties map[string]string, name string) string {
	if v, ok := properties[name]; ok {
		return v
	}
	return modules.Absent
}
