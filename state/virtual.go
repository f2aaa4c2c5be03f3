package state

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
)

// setAside takes the virtual states that nothing realizes out of the declarations, before anything of theirs counts.
func (c *compiler) setAside(realize []ReqItem) {
	if len(realize) == 0 && !c.gives("virtual") {
		return
	}
	k := c.sketch()
	virtual, first := map[place]bool{}, map[place]*Low{}
	for i, l := range k.low {
		p := k.places[i]
		if first[p] == nil {
			first[p], virtual[p] = l, l.Meta().Virtual
		} else if l.Meta().Virtual != virtual[p] {
			c.diags.Add(diag.Errorf(l.ArgPos("virtual"), "'virtual' is said for one of the names of ID '%s'", l.ID).
				WithHint("write it beside 'names', or give the name an ID of its own"))
		}
	}
	for _, r := range realize {
		found := k.pick(r)
		if len(found) == 0 && !c.incomplete {
			c.diags.Add(c.realizesNothing(r))
		}
		for _, p := range found {
			delete(virtual, p)
		}
	}
	c.aside = map[modText]bool{}
	for i := range k.low {
		if p := k.places[i]; virtual[p] {
			c.putAside(p, k.low[i])
		}
	}
	c.sketched, c.aliases, c.values, c.names, c.nSLS = nil, nil, nil, nil, nil
}

// putAside moves one state, and notes by what it is called.
func (c *compiler) putAside(p place, l *Low) {
	for _, text := range append([]string{l.ID, l.Name}, l.Meta().Aliases...) {
		c.aside[modText{l.Module, text}], c.aside[modText{"", text}] = true, true
	}
	s := c.decls[p.decl].State(p.module)
	if s == nil {
		return // that of another of its names
	}
	d := *c.decls[p.decl]
	d.States = []StateDecl{*s}
	c.virtual = append(c.virtual, &d)
	left := c.writeDecl(p.decl)
	left.States = slices.DeleteFunc(left.States, func(s StateDecl) bool { return s.Module == p.module })
}

func (c *compiler) realizesNothing(r ReqItem) *diag.Diagnostic {
	d := diag.Errorf(r.Pos, "'realize' names '%s', which does not exist", shownItem(r))
	ref := Ref{Module: r.Module, Target: r.Target}
	switch {
	case ref.IsQuery():
		d.Msg = fmt.Sprintf("'%s' in 'realize' picks no state", shownItem(r))
		return d.WithHint("%s", c.sketch().Hint(ref))
	case r.Module == "sls":
		return d.WithHint("include it")
	}
	return d.WithHint("%s", hintID(c.nearestID(r.Target)))
}

// HintRealize says how a virtual state gets into the run.
func HintRealize(module, name string) string {
	return "write 'realize: [" + shownEntry(module, name) + "]' at the top of an SLS"
}

func shownEntry(module, name string) string {
	if strings.ContainsAny(name, ",[]{}#&*!|>'\"%@` :") {
		name = "'" + strings.ReplaceAll(name, "'", "''") + "'"
	}
	if module == "" {
		return name
	}
	return "{" + module + ": " + name + "}"
}

// fewNames is how many virtual states a note names.
const fewNames = 5

// tellVirtual notes, for each SLS, the virtual states that nobody realizes.
func (c *compiler) tellVirtual(virtual []*Low) {
	bySLS := map[string][]*Low{}
	var names []string
	for _, l := range virtual {
		if bySLS[l.SLS] == nil {
			names = append(names, l.SLS)
		}
		bySLS[l.SLS] = append(bySLS[l.SLS], l)
	}
	for _, sls := range names {
		all := bySLS[sls]
		var ids []string
		for _, l := range all[:min(fewNames, len(all))] {
			ids = append(ids, l.Module+": "+l.ID)
		}
		if more := len(all) - len(ids); more > 0 {
			ids = append(ids, fmt.Sprintf("%d more", more))
		}
		d := diag.Warnf(all[0].Pos, "nothing realizes what is virtual in SLS '%s': %s", sls, strings.Join(ids, ", "))
		d.Severity = diag.Note
		c.diags.Add(d.WithHint("%s, or leave it: it is checked and not run", HintRealize(all[0].Module, all[0].ID)))
	}
}
