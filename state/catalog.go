package state

import (
	"slices"

	"github.com/gostate/gostate/state/diag"
)

// A Catalog finds states by queries. Its tables are made when they are first asked for.
type Catalog struct {
	low     []*Low
	modules map[string][]int32             // their states
	said    map[modText]map[string][]int32 // module and key: the states that say a text
	found   map[Ref][]int32
}

// NewCatalog is the catalog of the states.
func NewCatalog(low []*Low) *Catalog {
	return &Catalog{low: low, said: map[modText]map[string][]int32{}, found: map[Ref][]int32{}}
}

// IsQuery says whether a reference can be a query: `MODULE: ARGUMENT=TEXT`, or `tag: TAG`. One that is also the ID or
// the name of a state is that.
func (r Ref) IsQuery() bool { _, ok := r.query(); return ok }

func (r Ref) query() (Query, bool) {
	if r.Module == "tag" {
		t, _ := parseTerm("tag=" + r.Target)
		return Query{[][]term{{t}}}, true
	}
	return ParseQuery(r.Target)
}

// Find are the places of the states that a reference picks as a query, in order.
func (c *Catalog) Find(ref Ref) []int32 {
	if out, ok := c.found[ref]; ok {
		return out
	}
	q, ok := ref.query()
	if !ok {
		return nil
	}
	module := ref.Module
	if module == "tag" || module == "id" {
		module = ""
	}
	var out []int32
	for _, way := range q.ways {
		for _, i := range c.among(module, way) {
			if matchAll(way, c.low[i]) {
				out = append(out, i)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	c.found[ref] = out
	return out
}

// among are the states of the module ("" for any) that may match: those that say what a term asks for, or all.
func (c *Catalog) among(module string, way []term) []int32 {
	for _, t := range way {
		if t.glob == nil && !t.not {
			return c.saying(module, t.key)[t.want]
		}
	}
	return c.ofModule(module)
}

func (c *Catalog) saying(module, key string) map[string][]int32 {
	at := modText{module, key}
	if m, ok := c.said[at]; ok {
		return m
	}
	m := map[string][]int32{}
	for _, i := range c.ofModule(module) {
		for _, text := range c.low[i].said(key) {
			if l := m[text]; len(l) == 0 || l[len(l)-1] != i {
				m[text] = append(l, i)
			}
		}
	}
	c.said[at] = m
	return m
}

func (c *Catalog) ofModule(module string) []int32 {
	if c.modules == nil {
		c.modules = map[string][]int32{}
		for i, l := range c.low {
			c.modules[""] = append(c.modules[""], int32(i))
			c.modules[l.Module] = append(c.modules[l.Module], int32(i))
		}
	}
	return c.modules[module]
}

// Hint says what may be wrong with a query that picks nothing.
func (c *Catalog) Hint(ref Ref) string {
	q, _ := ref.query()
	if ref.Module == "tag" {
		return "give a state 'tags: " + ref.Target + "', or include the SLS that has it"
	}
	module := ref.Module
	if module == "id" {
		module = ""
	}
	keys := c.keys(module)
	for _, way := range q.ways {
		for _, t := range way {
			if slices.Contains(keys, t.key) {
				continue
			}
			if near := diag.Nearest(t.key, keys); near != "" {
				return "no state says '" + t.key + "'; did you mean '" + near + "'?"
			}
			return "no state says '" + t.key + "'"
		}
	}
	if len(c.Find(ref)) > 0 {
		return "only the state itself is like that"
	}
	return "a query sees arguments as the SLS writes them, and id, name, path, sls, fun and tag"
}

// keys are what the states of a module say.
func (c *Catalog) keys(module string) []string {
	out := []string{"id", "title", "name", "path", "sls", "fun", "tag"}
	seen := map[string]bool{}
	for _, i := range c.ofModule(module) {
		for k := range c.low[i].chunk {
			if name := c.low[i].chunk[k].Name; name != "" && !seen[name] && !IsRequisite(name) {
				seen[name] = true
				out = append(out, name)
			}
		}
	}
	return out
}
