package roster

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/top"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Select gives the hosts that a target means: a compound expression of Salt's, over names, groups (N@), and the grains
// (G@) and pillar (I@) that the rosters give. A group may be named as it is. With bare, a plain name that no roster has
// is a host that ssh knows how to reach.
func Select(all []*Host, target string, bare bool) ([]*Host, error) {
	if group := inGroup(all, target); len(group) > 0 && !slices.ContainsFunc(all,
		func(h *Host) bool { return h.ID == target }) {
		return group, nil
	}
	out, err := Match(all, "compound", target, Facts{})
	if err != nil || len(out) > 0 {
		return out, err
	}
	if strings.ContainsAny(target, "*?[]@ ,()") || !bare && len(all) > 0 {
		return nil, unknown(all, target)
	}
	h := &Host{ID: target}
	return []*Host{h}, h.check()
}

func inGroup(all []*Host, name string) (out []*Host) {
	for _, h := range all {
		if slices.Contains(h.Groups, name) {
			out = append(out, h)
		}
	}
	return out
}

// Facts are what is known of hosts beside the rosters.
type Facts struct {
	// Nodegroups are those of the configuration; nil for none.
	Nodegroups *value.Dict
	// Pillar is that of a host, in the place of what the roster gives; nil where nobody knows.
	Pillar func(*Host) *value.Dict
}

// Match gives the hosts that a target of the kind means: "glob", "compound", "grain" and the others of Salt's.
func Match(all []*Host, kind, target string, f Facts) (out []*Host, err error) {
	groups := nodegroups(all, f.Nodegroups)
	for _, h := range all {
		ok, err := h.matcher(groups, f).Match(kind, target, "")
		if err != nil {
			return nil, diag.Errorf(diag.Pos{}, "target %q: %v", target, err)
		}
		if ok {
			out = append(out, h)
		}
	}
	return out, nil
}

// nodegroups are the groups of the rosters, and those of the configuration.
func nodegroups(all []*Host, more *value.Dict) *value.Dict {
	groups := value.NewDict(8)
	for _, h := range all {
		for _, g := range h.Groups {
			list, _ := groups.GetStr(g)
			l, ok := list.(*value.List)
			if !ok {
				l = value.NewList()
				groups.SetStr(g, l)
			}
			l.Items = append(l.Items, value.Str(h.ID))
		}
	}
	if more != nil {
		for k, v := range more.All() {
			if !groups.Has(k) {
				_ = groups.Set(k, v)
			}
		}
	}
	return groups
}

// matcher asks about one host.
func (h *Host) matcher(groups *value.Dict, f Facts) *top.Matcher {
	data := func(d *value.Dict) func() *value.Dict {
		if d == nil {
			return nil
		}
		return func() *value.Dict { return d }
	}
	m := top.Minion{ID: h.ID, Grains: data(h.Grains), Pillar: data(h.Pillar), Nodegroups: groups}
	if f.Pillar != nil {
		m.Pillar = func() *value.Dict { return f.Pillar(h) }
	}
	return top.NewMatcher(m)
}

// unknown is the error of a target that means nobody.
func unknown(all []*Host, target string) error {
	if len(all) == 0 {
		return diag.Errorf(diag.Pos{}, "target %q means nobody: there is no roster", target).
			WithHint("--roster FILE names one; the name of a host that ssh reaches needs none")
	}
	var names []string
	for _, h := range all {
		names = append(append(names, h.ID), h.Groups...)
	}
	d := diag.Errorf(diag.Pos{}, "target %q means none of %s", target, diag.Count(len(all), "host"))
	if near := diag.Nearest(target, names); near != "" {
		return d.WithHint("did you mean %q?", near)
	}
	return d.WithHint("the first of them is %q", all[0].ID)
}
