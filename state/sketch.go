package state

import (
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
)

// A sketch is the low states as they stand before the requisites are turned round: for what finds states by more than
// their IDs. It is made when it is first asked for.
type sketch struct {
	*Catalog
	places []place
	called map[modText][]int32 // by ID, name and alias, of each module and of any, ""
}

func (c *compiler) sketch() *sketch {
	if c.sketched != nil {
		return c.sketched
	}
	k := &sketch{called: map[modText][]int32{}}
	told := c.diags
	c.diags = &diag.List{} // all is told when the states are made for good
	var low []*Low
	for i, d := range c.decls {
		for n := range d.States {
			low = c.expand(low, d, &d.States[n])
			for len(k.places) < len(low) {
				k.places = append(k.places, place{i, d.States[n].Module})
			}
		}
	}
	c.diags = told
	k.Catalog = NewCatalog(low)
	for i, l := range low {
		for _, text := range append([]string{l.ID, l.Name}, l.Meta().Aliases...) {
			k.call(modText{l.Module, text}, int32(i))
			k.call(modText{"", text}, int32(i))
		}
	}
	c.sketched = k
	return k
}

func (k *sketch) call(by modText, i int32) {
	if l := k.called[by]; len(l) == 0 || l[len(l)-1] != i {
		k.called[by] = append(l, i)
	}
}

// pick are the states that an entry names: by SLS, by ID, name or alias, by a pattern of these, or by a query.
func (k *sketch) pick(r ReqItem) []place {
	module := r.Module
	if module == "id" {
		module = ""
	}
	p := fnmatch.Compile(r.Target)
	if module == "sls" {
		return k.at(k.filter("", func(l *Low) bool { return p.Match(l.SLS) }))
	}
	found := k.called[modText{module, r.Target}]
	if len(found) == 0 && fnmatch.HasMeta(r.Target) {
		found = k.filter(module, func(l *Low) bool { return p.Match(l.ID) || p.Match(l.Name) })
	}
	if len(found) == 0 {
		found = k.Find(Ref{Module: r.Module, Target: r.Target})
	}
	return k.at(found)
}

// at are the places of the states, each once.
func (k *sketch) at(states []int32) (out []place) {
	seen := map[place]bool{}
	for _, i := range states {
		if p := k.places[i]; !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

func (k *sketch) filter(module string, is func(*Low) bool) (out []int32) {
	for _, i := range k.ofModule(module) {
		if is(k.low[i]) {
			out = append(out, i)
		}
	}
	return out
}
