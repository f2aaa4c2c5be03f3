package state

import (
	"slices"

	"github.com/gostate/gostate/state/diag"
)

// IsCalled says whether the word is the state's ID or an alias of it.
func (l *Low) IsCalled(word string) bool {
	return l.ID == word || slices.Contains(l.Meta().Aliases, word)
}

// gives says whether some declaration has the argument.
func (c *compiler) gives(arg string) bool {
	return c.opts.Takes != nil && slices.ContainsFunc(c.decls, func(d *Decl) bool {
		return slices.ContainsFunc(d.States, func(s StateDecl) bool { return c.body(&s).Has(arg) })
	})
}

// byAlias is the state of the module ("" for any) that the alias names.
func (c *compiler) byAlias(module, alias string) (place, bool) {
	if c.aliases == nil {
		c.aliases = map[modText]place{}
		if c.gives("alias") {
			c.noteAliases()
		}
	}
	p, ok := c.aliases[modText{module, alias}]
	return p, ok
}

func (c *compiler) noteAliases() {
	k := c.sketch()
	for i, l := range k.low {
		for _, a := range l.Meta().Aliases {
			p := k.places[i]
			if j, ok := c.byID[a]; ok && c.decls[j].State(l.Module) != nil {
				continue // it clashes, see checkAliases
			}
			for _, at := range []modText{{l.Module, a}, {"", a}} {
				if _, taken := c.aliases[at]; !taken {
					c.aliases[at] = p
				}
			}
		}
	}
}

// checkAliases reports aliases that are the ID or an alias of another state of the module. That of a function which
// takes any argument may be meant for the function: then it is no alias, which is told where something refers to it.
func (c *compiler) checkAliases(low []*Low) {
	if !slices.ContainsFunc(low, func(l *Low) bool { return len(l.Meta().Aliases) > 0 }) {
		return
	}
	owner := map[modText]*Low{}
	dropped := map[Ref]*Low{}
	for _, l := range low {
		for _, a := range slices.Clone(l.Meta().Aliases) {
			at := modText{l.Module, a}
			other := owner[at]
			if i, ok := c.byID[a]; ok && a != l.ID && c.decls[i].State(l.Module) != nil {
				other = &Low{ID: a, Pos: c.decls[i].State(l.Module).Pos}
			}
			switch {
			case other == nil || other.ID == l.ID:
				owner[at] = l
				continue
			case !l.Meta().Loose:
				c.diags.Add(clash(l, other, a))
			default:
				dropped[Ref{Module: l.Module, Target: a}], dropped[Ref{Module: "id", Target: a}] = l, l
			}
			l.SetMeta().Aliases = slices.DeleteFunc(l.Meta().Aliases, func(s string) bool { return s == a })
		}
	}
	if len(dropped) > 0 {
		c.tellDropped(low, dropped)
	}
}

func clash(l, other *Low, alias string) *diag.Diagnostic {
	d := diag.Errorf(l.ArgPos("alias"), "alias '%s' of ID '%s' is that of another %s state, ID '%s'", alias, l.ID,
		l.Module, other.ID).WithHint("give it another name")
	if alias == other.ID {
		d.Msg = "alias '" + alias + "' of ID '" + l.ID + "' is the ID of another " + l.Module + " state"
	}
	d.Related = []diag.Related{{Pos: other.Pos, Msg: "the other state"}}
	return d
}

// tellDropped warns of the first requisite that names an alias which is none.
func (c *compiler) tellDropped(low []*Low, dropped map[Ref]*Low) {
	told := map[*Low]bool{}
	for _, from := range low {
		for i := range from.Reqs {
			q := &from.Reqs[i]
			l := dropped[q.To]
			if l == nil || told[l] {
				continue
			}
			told[l] = true
			d := diag.Warnf(q.Pos, "'%s' in '%s' of ID '%s' is not ID '%s', which has it as alias: another state has that "+
				"ID or alias", q.To.Target, q.Kind.Key(q.Mode), from.ID, l.ID).WithHint("give the alias another name")
			d.Related = []diag.Related{{Pos: l.ArgPos("alias"), Msg: "the alias"}}
			c.diags.Add(d)
		}
	}
}
