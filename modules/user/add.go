package user

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// add makes the user, then gives it what useradd does not: password, ages, marks.
func (p *Present) add(ctx context.Context, h host.Host) (state.Applied, error) {
	args, err := p.useradd(h)
	if err != nil {
		return state.Applied{}, err
	}
	if err := run(ctx, h, "", args...); err != nil {
		return state.Applied{}, err
	}
	a, ok, err := find(h, p.Name)
	if err != nil || !ok {
		return state.Applied{Changes: value.DictOf(p.Name, value.Str("added"))}, fmt.Errorf("the user %s is not there after useradd: %w", p.Name, err)
	}
	done := state.Applied{Changes: a.info(), Comment: fmt.Sprintf("New user %s created", p.Name)}
	d, err := p.differs(h, a)
	if err != nil {
		return done, err
	}
	if err := d.apply(ctx, h, p, a); err != nil {
		return done, fmt.Errorf("New user %s created, but: %w", p.Name, err)
	}
	if a, _, err = find(h, p.Name); err != nil {
		return done, err
	}
	done.Changes = a.info()
	if p.Password != "" || p.Empty {
		done.Changes.SetStr("passwd", value.Str(redacted))
	}
	return done, nil
}

// useradd is the command that makes the user.
func (p *Present) useradd(h host.Reader) ([]string, error) {
	args := []string{"useradd"}
	add := func(on bool, words ...string) {
		if on {
			args = append(args, words...)
		}
	}
	groups, err := p.wantedGroups(h)
	if err != nil {
		return nil, err
	}
	gid, _, given, err := p.gid(h)
	if err != nil {
		return nil, err
	}
	_, sameName := h.Group(p.Name)
	add(p.Shell != "", "-s", p.Shell)
	if p.UID != nil {
		add(true, "-u", strconv.Itoa(*p.UID))
	}
	switch {
	case given:
		add(true, "-g", strconv.Itoa(gid))
		add(p.UserGroup == nil || !*p.UserGroup, "-N")
	case p.UserGroup != nil && !*p.UserGroup:
		add(true, "-N")
	case sameName == nil: // useradd would refuse to make the group that is there
		add(true, "-g", p.Name)
	case p.UserGroup != nil:
		add(true, "-U")
	}
	add(len(groups) > 0, "-G", strings.Join(groups, ","))
	add(p.CreateHome, "-m")
	add(!p.CreateHome, "-M")
	add(p.NoLoginIt, "-l")
	add(p.Home != "", "-d", p.Home)
	add(!p.Unique || p.NonUnique, "-o")
	add(p.System, "-r")
	var gecos [5]string
	for i, g := range p.gecos() {
		if g != nil {
			gecos[i] = *g
		}
	}
	text := joinGecos(gecos)
	add(text != "", "-c", text)
	return append(args, p.Name), nil
}
