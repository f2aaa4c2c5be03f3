package group

import (
	"context"
	"errors"
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
	Name      string   `arg:"name,required" doc:"The group."`
	GID       *int     `arg:"gid" doc:"Its number; the next free one when not given."`
	System    bool     `arg:"system" doc:"Take the number from those of the system when the group is made."`
	AddUsers  []string `arg:"addusers" doc:"Users that have to be members; others stay."`
	DelUsers  []string `arg:"delusers" doc:"Users that must not be members."`
	Members   []string `arg:"members" doc:"Exactly the members."`
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

// Validate refuses contradictions.
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

// members are the members that the group has to have, sorted; same says that they are those it has.
func (p *Present) members(now []string) (want []string, same bool) {
	want = slices.Clone(now)
	if p.Members != nil {
		want = slices.Clone(p.Members)
	}
	for _, u := range p.AddUsers {
		if !slices.Contains(want, u) {
			want = append(want, u)
		}
	}
	want = slices.DeleteFunc(want, func(u string) bool { return slices.Contains(p.DelUsers, u) })
	slices.Sort(want)
	want = slices.Compact(want)
	have := slices.Sorted(slices.Values(now))
	return want, slices.Equal(want, have)
}

// differs are the attributes that have to change. Salt differs: after a change, Salt says {'Final': 'All changes applied
// successfully'} in their place.
func (p *Present) differs(g host.Group) *value.Dict {
	out := value.NewDict(0)
	if p.GID != nil && g.GID != *p.GID {
		out.SetStr("gid", value.Int(*p.GID))
	}
	if want, same := p.members(g.Members); !same {
		l := value.NewList()
		for _, m := range want {
			l.Items = append(l.Items, value.Str(m))
		}
		out.SetStr("members", l)
	}
	return out
}

// taken is the error for a number that another group has.
func (p *Present) taken(h host.Reader) error {
	if p.GID == nil || p.NonUnique {
		return nil
	}
	if other, err := h.GroupByID(*p.GID); err == nil && other.Name != p.Name {
		return fmt.Errorf("Group %s cannot have the gid %d: group %s has it", p.Name, *p.GID, other.Name)
	}
	return nil
}

// strangers is the error for members that are no users.
func (p *Present) strangers(h host.Reader) error {
	for _, u := range append(slices.Clone(p.Members), p.AddUsers...) {
		if _, err := h.User(u); err != nil {
			return host.Missing("the user %s, who is to be a member of %s, does not exist", u, p.Name)
		}
	}
	return nil
}

// Act makes the group, or changes it.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	g, ok, err := find(h, p.Name)
	if err != nil {
		return state.Effect{}, err
	}
	d := p.differs(g)
	if ok && d.Len() == 0 {
		return state.Settled(fmt.Sprintf("Group %s is present and up to date", p.Name)), nil
	}
	if err := errors.Join(p.taken(h), p.strangers(h)); err != nil {
		return state.Effect{}, err
	}
	if !ok {
		return p.add(ctx, h)
	}
	e := state.Effect{Changes: d, Comment: fmt.Sprintf("Updated group %s", p.Name), Preview: "The following group attributes are set to be changed:\n" + list(d)}
	if _, change := d.GetStr("gid"); change {
		if err := p.renumber(ctx, h, g); err != nil {
			return state.Effect{}, err
		}
		g.GID = *p.GID
	}
	return e, p.join(ctx, h, g)
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
	err := p.join(ctx, h, g)
	if g, _, ferr := find(h, p.Name); ferr == nil {
		return state.Effect{Changes: info(g), Comment: fmt.Sprintf("New group %s created", p.Name), Preview: fmt.Sprintf("Group %s set to be added", p.Name)}, err
	}
	return state.Effect{}, err
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

// join gives the group its members.
func (p *Present) join(ctx context.Context, h host.Host, g host.Group) error {
	want, same := p.members(g.Members)
	if same {
		return nil
	}
	g.Members = want
	return run(ctx, h, promise(g.Fact()), "gpasswd", "-M", strings.Join(want, ","), p.Name)
}
