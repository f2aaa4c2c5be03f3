package group

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps a group there.
type Present struct {
	Name      string   `arg:"name,required,file" not:":,#" doc:"The group."`
	GID       *int     `arg:"gid" doc:"Its number; the next free one when not given."`
	System    bool     `arg:"system" doc:"Take the number from those of the system when the group is made."`
	AddUsers  []string `arg:"addusers,word" not:":," doc:"Users that have to be members; others stay."`
	DelUsers  []string `arg:"delusers,word" not:":," doc:"Users that must not be members."`
	Members   []string `arg:"members,word" not:":," doc:"Exactly the members."`
	NonUnique bool     `arg:"non_unique" doc:"Another group may have the number too."`
	Local     bool     `arg:"local" doc:"Look only at the local files; no effect, they are what is changed anyway."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "group.present",
		Doc:     "Keeps a group there, with its number and members.",
		Example: "www:\n  group.present:\n    - gid: 3000\n    - addusers:\n      - alice",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// NeedsRoot is true: only root may change accounts.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

// Validate refuses contradictions. Salt differs: it gives them the result null.
func (p *Present) Validate() []modules.Fault {
	if p.Members != nil && (p.AddUsers != nil || p.DelUsers != nil) {
		return []modules.Fault{{Arg: "members", Msg: "members and addusers or delusers exclude each other"}}
	}
	for _, u := range p.AddUsers {
		if slices.Contains(p.DelUsers, u) {
			return []modules.Fault{{Arg: "delusers", Msg: fmt.Sprintf("the user %s is in addusers and in delusers", u)}}
		}
	}
	return nil
}

// A difference is what has to change of a group, in Salt's words: gid, members, addusers, delusers. Failed is what of
// it cannot.
type difference struct {
	attrs, failed *value.Dict
	members       []string // as they will be
	regroup       bool
	renumber      bool
}

func users(names []string) *value.List { return modules.TextList(names) }

// differs compares the group with what is wanted.
func (p *Present) differs(h host.Reader, g host.Group) difference {
	d := difference{attrs: value.NewDict(0), failed: value.NewDict(0), members: slices.Clone(g.Members)}
	note := func(key string, v value.Value, fails bool) {
		d.attrs.SetStr(key, v)
		if fails {
			d.failed.SetStr(key, v)
		}
	}
	if p.GID != nil && *p.GID != g.GID {
		d.renumber = p.taken(h) == nil
		note("gid", value.Int(*p.GID), !d.renumber)
	}
	switch {
	case p.Members != nil && len(p.Members) == 0 && len(g.Members) > 0:
		note("delusers", users(g.Members), false)
		d.members, d.regroup = nil, true
	case p.Members != nil && !alike(p.Members, g.Members):
		d.regroup = len(strangers(h, p.Members)) == 0
		note("members", users(p.Members), !d.regroup)
		if d.regroup {
			d.members = p.Members
		}
	}
	p.join(h, g, &d)
	return d
}

// join adds and takes away members one by one.
func (p *Present) join(h host.Reader, g host.Group, d *difference) {
	in := func(u string) bool { return slices.Contains(g.Members, u) }
	come := slices.DeleteFunc(slices.Clone(p.AddUsers), in)
	if len(come) > 0 {
		d.attrs.SetStr("addusers", users(come))
	}
	unknown := strangers(h, come)
	if len(unknown) > 0 {
		d.failed.SetStr("addusers", users(unknown))
	}
	for _, u := range come {
		if !slices.Contains(unknown, u) {
			d.members, d.regroup = append(d.members, u), true
		}
	}
	gone := slices.DeleteFunc(slices.Clone(p.DelUsers), func(u string) bool { return !in(u) })
	if len(gone) > 0 {
		d.attrs.SetStr("delusers", users(gone))
		d.members, d.regroup = slices.DeleteFunc(d.members, func(u string) bool { return slices.Contains(gone, u) }), true
	}
}

func alike(a, b []string) bool {
	sorted := func(l []string) []string { return slices.Compact(slices.Sorted(slices.Values(l))) }
	return slices.Equal(sorted(a), sorted(b))
}

// taken is the error for a number that another group has.
func (p *Present) taken(h host.Reader) error {
	if p.GID == nil || p.NonUnique {
		return nil
	}
	if other, err := h.GroupByID(*p.GID); err == nil && other.Name != p.Name {
		return fmt.Errorf("Group %s is not present but gid %d is already taken by group %s", p.Name, *p.GID, other.Name) //nolint:staticcheck // Salt's words
	}
	return nil
}

// strangers are the names of no users.
func strangers(h host.Reader, names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(u string) bool { _, err := h.User(u); return err == nil })
}

// Act makes the group, or changes it.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	g, ok, err := find(h, p.Name)
	if err != nil {
		return state.Effect{}, err
	}
	if !ok {
		return p.add(ctx, h)
	}
	d := p.differs(h, g)
	if d.attrs.Len() == 0 {
		return state.Settled(fmt.Sprintf("Group %s is present and up to date", p.Name)), nil
	}
	words := "The following group attributes are set to be changed:\n" + list(d.attrs)
	if err := d.apply(ctx, h, p, g); err != nil {
		return state.Effect{}, err
	}
	if d.failed.Len() > 0 {
		return d.refused(words + "Some changes could not be applied")
	}
	return state.Effect{Changes: value.DictOf("Final", value.Str("All changes applied successfully")), Comment: words}, nil
}

// refused is what becomes of a group of which something could not be changed; the rest was.
func (d *difference) refused(words string) (state.Effect, error) {
	err := host.Missing("%s", words)
	return state.Effect{Changes: value.DictOf("Failed", d.failed), Once: true}, err
}

func (d *difference) apply(ctx context.Context, h host.Host, p *Present, g host.Group) error {
	if d.renumber {
		if err := p.renumber(ctx, h, g); err != nil {
			return err
		}
		g.GID = *p.GID
	}
	if !d.regroup {
		return nil
	}
	g.Members = d.members
	return run(ctx, h, promise(g.Fact()), "gpasswd", "-M", strings.Join(d.members, ","), p.Name)
}

func list(d *value.Dict) string {
	var b strings.Builder
	for k, v := range d.All() {
		fmt.Fprintf(&b, "%s: %s\n", value.String(k), value.String(v))
	}
	return b.String()
}

func (p *Present) add(ctx context.Context, h host.Host) (state.Effect, error) {
	if !host.AccountName(h, p.Name) {
		return state.Effect{}, fmt.Errorf("groupadd: '%s' is not a valid group name", p.Name)
	}
	if err := p.taken(h); err != nil {
		return state.Effect{}, err
	}
	g := host.Group{Name: p.Name}
	args := []string{"groupadd"}
	if p.GID != nil {
		g.GID, args = *p.GID, append(args, "-g", strconv.Itoa(*p.GID))
	} else if g.GID = host.NextID(h, host.FactGroup, p.System, -1); g.GID < 0 {
		return state.Effect{}, fmt.Errorf("groupadd: no number is left for the group %s", p.Name)
	}
	if p.NonUnique {
		args = append(args, "-o")
	}
	if p.System {
		args = append(args, "-r")
	}
	if err := run(ctx, h, promise(g.Fact()), append(args, p.Name)...); err != nil {
		return state.Effect{}, err
	}
	if now, ok, _ := find(h, p.Name); ok {
		g = now
	}
	d := p.differs(h, g)
	if err := d.apply(ctx, h, p, g); err != nil {
		return state.Effect{}, err
	}
	if d.failed.Len() > 0 {
		return d.refused(fmt.Sprintf("Group %s has been created but, some changes could not be applied", p.Name))
	}
	g.Members = d.members
	if now, ok, _ := find(h, p.Name); ok {
		g = now
	}
	return state.Effect{Changes: info(g), Comment: fmt.Sprintf("New group %s created", p.Name),
		Preview: fmt.Sprintf("Group %s set to be added", p.Name)}, nil
}

// renumber gives the group its number; users whose primary group it is go with it.
func (p *Present) renumber(ctx context.Context, h host.Host, g host.Group) error {
	args := []string{"groupmod", "-g", strconv.Itoa(*p.GID)}
	if p.NonUnique {
		args = append(args, "-o")
	}
	return run(ctx, h, func(o host.Host) error {
		users, err := o.Users()
		for _, u := range users {
			if u.GID == g.GID {
				u.GID = *p.GID
				o.Promise(u.Fact())
			}
		}
		g.GID = *p.GID
		o.Promise(g.Fact())
		return err
	}, append(args, p.Name)...)
}
