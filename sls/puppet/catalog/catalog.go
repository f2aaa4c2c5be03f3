// Package catalog turns a compiled Puppet catalog into high data: what a Puppet server or our own compiler says a
// machine is to be becomes states, so that the one engine checks, previews and runs it.
//
// It knows no state function. One table (table.go and the files types_*.go) says which function keeps a resource
// type, and what becomes of its attributes; what the table has no word for is an error that names the type, the
// attribute and the place in the manifest, and nothing is run then.
package catalog

import (
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Catalog is what a machine is to be, as its JSON tells it.
type Catalog struct {
	Resources []*Resource
	// Contains are pairs of references: what contains, and what is contained.
	Contains [][2]string
	Edges    []Edge
	byRef    map[string]*Resource
	outside  []*Resource // states that are not of the catalog
}

// A Resource is one of a catalog.
type Resource struct {
	Type, Title string // "File", "Apache::Vhost", "Class"
	Params      *value.Dict
	Tags        []string
	Exported    bool
	// Defined says that it is of a defined type, where the catalog tells.
	Defined   bool
	Sensitive []string
	// SLS is the file of states that it comes of, "" for none.
	SLS string
	Pos diag.Pos
	// place is where it stands in the catalog.
	place int
	// in are what contains it.
	in []*Resource
	// outside says that it is a state that is not of the catalog.
	outside bool
}

// An Edge is a relationship: To waits for From, and with Refresh is told of its changes.
type Edge struct {
	From, To string
	Refresh  bool
	pos      diag.Pos
}

// StateType is the type of references to states that are not of the catalog, by what a requisite says of them:
// State[service: web].
const StateType = "State"

// Ref is File[/x].
func (r *Resource) Ref() string { return r.Type + "[" + r.Title + "]" }

// Find is the resource of a reference, nil for none: by its title, its path or name, or an alias.
func (c *Catalog) Find(ref string) *Resource {
	typeName, title, ok := splitRef(ref)
	if !ok {
		return nil
	}
	return c.byRef[key(typeName, title)]
}

// index lists the resources by all that they are called. It gives pairs of those that are called the same.
func (c *Catalog) index() (twice [][2]*Resource) {
	c.byRef = make(map[string]*Resource, len(c.Resources))
	for i, r := range c.Resources {
		r.place = i
		if k := key(r.Type, r.Title); c.byRef[k] == nil {
			c.byRef[k] = r
		} else {
			twice = append(twice, [2]*Resource{c.byRef[k], r})
		}
	}
	for _, r := range c.Resources {
		for _, name := range r.names() {
			k := key(r.Type, name)
			switch other := c.byRef[k]; {
			case other == nil:
				c.byRef[k] = r
			case other != r && !strings.EqualFold(r.Type, "package"): // one name may be of two managers
				twice = append(twice, [2]*Resource{other, r})
			}
		}
	}
	return twice
}

// names are what a resource is called besides its title. Classes and defined types may have attributes of these names.
func (r *Resource) names() (out []string) {
	if r.isContainer() {
		return nil
	}
	for _, attr := range []string{"path", "name", "alias"} {
		v, _ := r.Params.GetStr(attr)
		for _, x := range items(v) {
			if s, ok := x.(value.Str); ok {
				out = append(out, string(s))
			}
		}
	}
	return out
}

// key is what a resource is found by: types are the same in any case, and classes too.
func key(typeName, title string) string {
	typeName = strings.ToLower(strings.TrimPrefix(typeName, "::"))
	switch typeName {
	case "class":
		title = strings.ToLower(strings.TrimPrefix(title, "::"))
	case "file":
		if len(title) > 1 {
			title = strings.TrimRight(title, "/")
		}
	}
	return typeName + "[" + title + "]"
}

// splitRef takes File[/x] apart.
func splitRef(ref string) (typeName, title string, ok bool) {
	typeName, title, ok = strings.Cut(ref, "[")
	title, closed := strings.CutSuffix(title, "]")
	if n := len(title); n > 1 && title[0] == '\'' && title[n-1] == '\'' {
		title = title[1 : n-1]
	}
	return typeName, title, ok && closed && typeName != ""
}

// items are the parts of a list of any depth, and a value that is none by itself.
func items(v value.Value) (out []value.Value) {
	switch v := v.(type) {
	case nil, value.NoneType:
		return nil
	case *value.List:
		for _, x := range v.Items {
			out = append(out, items(x)...)
		}
		return out
	}
	return []value.Value{v}
}
