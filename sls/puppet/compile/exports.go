package compile

import (
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/state/value"
)

// An Exported resource is one that a machine declares for others to collect: @@host { 'web1': }.
type Exported struct {
	Node, Type, Title string
	Params            *value.Dict // as a catalog's JSON holds them
	Tags              []string
}

// export notes what the catalog exports.
func (cat *Catalog) export(node string) {
	for _, r := range cat.Resources {
		if !r.exports {
			continue
		}
		e := Exported{Node: node, Type: r.Type, Title: r.Title, Params: value.NewDict(r.Params.Len()), Tags: r.AllTags()}
		for k, v := range r.Params.All() {
			e.Params.SetStr(types.Text(k), Data(v))
		}
		cat.Exported = append(cat.Exported, e)
	}
}

// importFor adds the resources of other machines that a collector of exported ones picks.
func (c *Compiler) importFor(col *collector) {
	if !col.exported || col.imported || c.opts.Exports == nil {
		return
	}
	col.imported = true
	defer c.catalog.from(col.sls)()
	found, err := c.opts.Exports(col.typeName)
	if err != nil {
		c.plainly("Could not read exported resources: %v", err)
	}
	for _, e := range found {
		r := &Resource{Type: types.Capital(strings.ToLower(e.Type)), Title: e.Title, Params: types.NewHash(), Tags: e.Tags,
			Virtual: true, Exported: true, File: col.file, Line: col.pos.Line, scope: col.scope,
			set: map[string]paramSource{}, from: e.Node}
		for k, v := range e.Params.All() {
			r.Params.Set(value.String(k), FromValue(v))
		}
		if d := c.findClass(col.typeName); d != nil && d.class.Define {
			r.Kind, r.def = "define", d
		}
		if e.Node == c.opts.Node || !col.query(r) {
			continue
		}
		if other := c.catalog.Find(r.Type, r.Title); other != nil {
			if other.from != e.Node {
				c.raise(col.file, col.pos, "Another local or imported resource exists with the type and title "+r.Ref())
			}
			continue
		}
		c.addResource(col.scope, r)
	}
}
