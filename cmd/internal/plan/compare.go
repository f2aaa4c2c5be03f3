package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxNamed is how many differences a message names.
const maxNamed = 8

// TreeChanged says how what the tree declares differs from what it declared when the plan was made, "" when it does
// not. now is the same request previewed again, under the plan's key.
func (p *Plan) TreeChanged(now *Plan) string {
	var diffs []string
	was := map[string]*State{}
	for i := range p.States {
		was[p.States[i].Tag] = &p.States[i]
	}
	for i := range now.States {
		n := &now.States[i]
		old := was[n.Tag]
		delete(was, n.Tag)
		switch {
		case old == nil:
			diffs = append(diffs, "new: "+n.named())
		case old.Declared != n.Declared:
			diffs = append(diffs, "declared otherwise: "+n.named())
		}
	}
	for i := range p.States {
		if s := &p.States[i]; was[s.Tag] != nil {
			diffs = append(diffs, "gone: "+s.named())
		}
	}
	if len(diffs) == 0 && !slices.EqualFunc(p.States, now.States, func(a, b State) bool { return a.Tag == b.Tag }) {
		diffs = append(diffs, "the order of the states")
	}
	if len(diffs) == 0 && p.effectsDiffer(now) {
		diffs = p.files(now)
	}
	return joined(diffs)
}

// effectsDiffer says whether a state would do something else although it reads the same: then the tree is asked.
func (p *Plan) effectsDiffer(now *Plan) bool {
	for i := range now.States {
		for j := range now.States[i].Looks {
			l := &now.States[i].Looks[j]
			old := p.States[i].Look(l.How)
			if old != nil && old.Effect != l.Effect && p.moved(old, now) == "" {
				return true
			}
		}
	}
	return false
}

// files are the files of the tree that are not as they were.
func (p *Plan) files(now *Plan) (out []string) {
	for _, path := range slices.Sorted(maps.Keys(p.Tree)) {
		if sum, ok := now.Tree[path]; ok && sum != p.Tree[path] {
			out = append(out, "changed: "+path)
		}
	}
	return out
}

func (s *State) named() string {
	text := s.State + " " + s.ID
	if s.Place != "" {
		text += " (" + s.Place + ")"
	}
	return text
}

func joined(diffs []string) string {
	if len(diffs) > maxNamed {
		diffs = append(diffs[:maxNamed:maxNamed], fmt.Sprintf("and %d more", len(diffs)-maxNamed))
	}
	return strings.Join(diffs, "; ")
}

// Stale says for each state, by its tag, why it is not to be carried out although the tree is the same: what it stands
// on has changed. now is as in TreeChanged.
func (p *Plan) Stale(now *Plan) map[string]string {
	out := map[string]string{}
	for i := range now.States {
		n := &now.States[i]
		old := p.Find(n.Tag)
		if old == nil {
			continue
		}
		if why := p.stale(old, n, now); why != "" {
			out[n.Tag] = why
		}
	}
	return out
}

func (p *Plan) stale(old, n *State, now *Plan) string {
	if old.Result != Change && old.Result != Unknown {
		return "" // nothing is planned; if it comes to something, that is refused at its turn
	}
	for i := range old.Looks {
		l := &old.Looks[i]
		if path := p.moved(l, now); path != "" {
			return path + " has changed since the plan was made"
		}
		again := n.Look(l.How)
		if again != nil && again.Todo && again.Effect != l.Effect && old.Result == Change {
			return "what it would do is no longer what was planned"
		}
	}
	return ""
}

// moved is the first path that a look read and that is not as it was.
func (p *Plan) moved(l *Look, now *Plan) string {
	for _, seen := range l.Reads {
		if sum, ok := now.Files[seen]; ok && sum != p.Files[seen] {
			return Path(seen)
		}
	}
	return ""
}
