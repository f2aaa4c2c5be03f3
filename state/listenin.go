package state

import "github.com/gostate/gostate/state/diag"

// listenIn turns listen_in round: the states that it names get a listen. It does not show in the low state, as in Salt.
func (c *compiler) listenIn(low []*Low) {
	var t *listenTargets
	for _, l := range low {
		for i := range l.chunk {
			if l.chunk[i].Name != "listen_in" {
				continue
			}
			if t == nil {
				t = &listenTargets{index: byModule(low), more: map[*Low][]Requisite{}, seen: map[listening]bool{}}
			}
			for _, r := range l.chunk[i].Reqs {
				c.listenOne(t, l, r)
			}
		}
	}
	if t == nil {
		return
	}
	for _, l := range low {
		if more := t.more[l]; more != nil {
			// Requisites of a kind stand together, and use, the only kind after listen, has no order.
			l.Reqs = append(l.Reqs[:len(l.Reqs):len(l.Reqs)], more...)
		}
	}
}

type listenTargets struct {
	index map[modText][]*Low
	more  map[*Low][]Requisite
	seen  map[listening]bool
}

type listening struct {
	low *Low
	to  Ref
}

// byModule finds states by module and ID or name; the module is "" for any.
func byModule(low []*Low) map[modText][]*Low {
	index := make(map[modText][]*Low, 2*len(low))
	for _, l := range low {
		for _, m := range []string{"", l.Module} {
			index[modText{m, l.ID}] = append(index[modText{m, l.ID}], l)
			if l.Name != l.ID {
				index[modText{m, l.Name}] = append(index[modText{m, l.Name}], l)
			}
		}
	}
	for _, l := range low {
		index[modText{"sls", l.SLS}] = append(index[modText{"sls", l.SLS}], l)
	}
	return index
}

func (c *compiler) listenOne(t *listenTargets, from *Low, r ReqItem) {
	mod := r.Module
	if mod == "id" {
		mod = ""
	}
	to := t.index[modText{mod, r.Target}]
	if len(to) == 0 {
		c.ignored(diag.Errorf(r.Pos, "target '%s' of listen_in in ID '%s' does not exist and is ignored, as Salt does", r.Target, from.ID).
			WithHint("%s", hintID(c.nearestID(r.Target))))
		return
	}
	req := Requisite{Kind: Listen, To: Ref{Module: from.Module, Target: from.ID}, Pos: r.Pos}
	for _, l := range to {
		if k := (listening{l, req.To}); l != from && !t.seen[k] {
			t.seen[k] = true
			t.more[l] = append(t.more[l], req)
		}
	}
}
