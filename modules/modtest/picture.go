package modtest

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
)

// A picture is a machine after a deed, or an overlay as it foretells it: what other deeds would do there, its files,
// and what was promised of it.
type picture struct {
	next         []story
	files, facts []string
}

// picture looks at all. Deeds come first: to read a file sets its time.
func (p *play) picture(h host.Reader, promised []host.Fact) picture {
	out := picture{}
	for _, d := range p.followers() {
		out.next = append(out.next, p.foretell(host.Forecast(h), d))
	}
	for _, f := range promised {
		if f.Kind == host.FactPath {
			p.blind(h, f.Name)
		}
		out.facts = append(out.facts, fmt.Sprintf("%s: %s", f.Name, kept(h, f)))
	}
	for _, l := range tree(p.t, h, "/", false) {
		name, _, _ := strings.Cut(l, " ")
		if !slices.ContainsFunc(p.beyond, func(b string) bool { return name == b || strings.HasPrefix(name, b+"/") }) {
			out.files = append(out.files, p.s.still(l))
		}
	}
	slices.Sort(out.files)
	return out
}

// blind notes a path of which nothing is known, and the directories that cannot be listed because of it.
func (p *play) blind(h host.Reader, file string) {
	p.beyond = append(p.beyond, file)
	for dir := file; dir != "/"; {
		dir = path.Dir(dir)
		if _, err := h.ReadDir(dir); host.IsUnknown(err) {
			p.beyond = append(p.beyond, strings.TrimSuffix(dir, "/"))
		}
	}
}

// followers are the deed itself and others: all of a small family, some of a large one.
func (p *play) followers() (out []Deed) {
	n, count := len(p.s.Deeds), 4
	if n <= 12 {
		count = n
	}
	for k := range min(n, count) {
		if d := p.s.Deeds[(p.index+k*max(1, n/count))%n]; d.in(p.situation) {
			out = append(out, d)
		}
	}
	return out
}

// kept is what is there of a promise, as far as a machine can be asked for it and the promise tells.
func kept(h host.Reader, f host.Fact) string {
	known := func(attr string, id int) string {
		if f.Attrs[attr] == "" {
			return "?"
		}
		return fmt.Sprint(id)
	}
	switch f.Kind {
	case host.FactUser:
		u, err := h.User(f.Name)
		return fmt.Sprintf("%v %q %s %s %s %s", err == nil, u.Gecos, u.Home, u.Shell, known("uid", u.UID),
			known("gid", u.GID))
	case host.FactGroup:
		g, err := h.Group(f.Name)
		return fmt.Sprintf("%v %s", err == nil, known("gid", g.GID))
	case host.FactCommand:
		if f.Value != "unknown" && f.Name != "*" {
			_, err := h.LookPath(f.Name)
			return fmt.Sprint(err == nil)
		}
	}
	return ""
}

// foresaw compares what the preview's overlay holds with what the machine holds after the run.
func (p *play) foresaw(foreseen, after picture) {
	p.t.Helper()
	if diff := cmp.Diff(foreseen.facts, after.facts); diff != "" {
		p.t.Errorf("%v: facts (-foretold +done):\n%s", p.d, diff)
	}
	if diff := cmp.Diff(foreseen.files, after.files); diff != "" {
		p.t.Errorf("%v: files (-foretold +done):\n%s", p.d, diff)
	}
	for i, d := range p.followers() {
		said, found := foreseen.next[i], after.next[i]
		if said.verdict != found.verdict && said.verdict != unknown {
			p.t.Errorf("%v\nthen %v:\nafter the preview: %s (%v, %s), after the run: %s (%v, %s)", p.d, d, said.verdict,
				said.err,
				repr(said.effect.Changes), found.verdict, found.err, repr(found.effect.Changes))
		}
	}
}

// leavesNothing finds what should have been cleared away.
func (p *play) leavesNothing(after picture) {
	p.t.Helper()
	for _, l := range after.files {
		if name, _, _ := strings.Cut(l, " "); strings.Contains(name, "/.gostate-") {
			p.t.Errorf("%v: left %s", p.d, l)
		}
	}
}
