package compile

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// A Resource is one of the catalog: a native one, a class, a defined one, a stage or a node.
type Resource struct {
	Type, Title string // as in references: "File", "Apache::Vhost", "Class"
	// Kind is "class", "define", "node", or "" for native types.
	Kind   string
	Params *types.Hash
	// Tags are those that the manifest gave; see AllTags.
	Tags              []string
	Virtual, Exported bool
	File              string
	Line              int
	SLS               string // of the manifest that it comes of, see Manifest
	// numbered says that its title was given as something other than a text: its name is a parameter then.
	numbered bool
	// Container is what it is part of.
	Container *Resource
	// Sensitive are the parameters whose values are.
	Sensitive []string

	scope     *scope // that declared it
	def       *definition
	evaluated bool
	exports   bool   // it was declared with @@
	from      string // the machine that exports it, "" for this one
	included  bool   // a class without a place of its own
	// set notes which class set a parameter, and where.
	set map[string]paramSource
}

type paramSource struct {
	class string
	at    place
}

// Ref is File[/x].
func (r *Resource) Ref() string { return r.Type + "[" + r.Title + "]" }

// A Catalog is what a machine is to be: resources, what contains them, and what comes before what.
type Catalog struct {
	// Resources are in the order in which they were declared.
	Resources []*Resource
	Classes   []string
	// Exported are the resources that it exports, whether they are collected here or not.
	Exported []Exported
	// Contained are further edges of containment, those of `contain`.
	Contained [][2]*Resource
	Edges     []Edge
	byRef     map[string]*Resource
	byName    map[string]*Resource // see Called
	sls       string               // of the manifest that is being evaluated
}

// An Edge is a relationship: To waits for From, and with Refresh is told of its changes.
type Edge struct {
	From, To string
	Refresh  bool
}

func newCatalog() *Catalog { return &Catalog{byRef: map[string]*Resource{}} }

// from notes whose resources are added until the function that it gives is called.
func (cat *Catalog) from(sls string) func() {
	was := cat.sls
	cat.sls = sls
	return func() { cat.sls = was }
}

func (cat *Catalog) add(r, in *Resource) {
	r.SLS = cat.sls
	r.Container = in
	cat.Resources = append(cat.Resources, r)
	cat.byRef[r.key()] = r
}

// key is what a resource is found by.
func (r *Resource) key() string { return refKey(r.Type, r.Title) }

func refKey(typeName, title string) string {
	typeName = strings.ToLower(typeName)
	if typeName == "class" {
		title = strings.ToLower(strings.TrimPrefix(title, "::"))
	}
	return typeName + "[" + title + "]"
}

// Find is the resource of a reference, nil for none. The path or name of a resource counts as its title does.
func (cat *Catalog) Find(typeName, title string) *Resource {
	if strings.EqualFold(typeName, "file") && len(title) > 1 && cat.byRef[refKey(typeName, title)] == nil {
		title = strings.TrimRight(title, "/")
	}
	return cat.byRef[refKey(typeName, title)]
}

// Lookup is Find for a type.
func (cat *Catalog) Lookup(t *types.Type) *Resource {
	if t.Kind == "Class" {
		return cat.Find("Class", t.Text)
	}
	return cat.Find(t.Text, t.Title)
}

// declarer is what hands its tags down to a resource: for a class that is what declared it first, not its stage.
func (r *Resource) declarer() *Resource {
	if r.scope != nil {
		return r.scope.resource
	}
	return r.Container
}

// Called is Lookup once the catalog is whole: a resource is also known by its path, its name and its aliases.
func (cat *Catalog) Called(t *types.Type) *Resource {
	if r := cat.Lookup(t); r != nil || t.Kind == "Class" {
		return r
	}
	if cat.byName == nil {
		cat.byName = map[string]*Resource{}
		for _, r := range cat.Resources {
			for _, attr := range []string{"path", "name", "alias"} {
				for _, v := range flatten(r.Params.Value(attr)) {
					if text, ok := v.(string); ok && r.Kind == "" {
						cat.byName[refKey(r.Type, text)] = r
					}
				}
			}
		}
	}
	return cat.byName[refKey(t.Text, t.Title)]
}

// AllTags are the tags of a resource: its type, its title where that is a tag, those of what declared it, and its own.
func (r *Resource) AllTags() []string {
	var out []string
	add := func(t string) {
		t = strings.ToLower(t)
		if !isTag(t) {
			return
		}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
		if strings.Contains(t, "::") {
			for part := range strings.SplitSeq(t, "::") {
				if part != "" && !slices.Contains(out, part) {
					out = append(out, part)
				}
			}
		}
	}
	for x, depth := r, 0; x != nil && depth < 200; x, depth = x.declarer(), depth+1 {
		if x.Type == "Stage" && x != r {
			break
		}
		add(x.Type)
		if x.Title != "main" || x.Type != "Class" && x.Type != "Stage" {
			add(x.Title)
		}
		for _, t := range x.Tags {
			add(t)
		}
	}
	slices.Sort(out)
	return out
}

// isTag says whether a text can be a tag.
func isTag(s string) bool {
	for i, r := range s {
		ok := r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || i > 0 && (r == ':' || r == '.' || r == '-') ||
			r > 127
		if !ok {
			return false
		}
	}
	return s != ""
}

// Containment is all edges from what contains to what is contained.
func (cat *Catalog) Containment() (out [][2]string) {
	for _, r := range cat.Resources {
		if r.Container != nil && !r.Virtual {
			out = append(out, [2]string{r.Container.Ref(), r.Ref()})
		}
	}
	for _, e := range cat.Contained {
		out = append(out, [2]string{e[0].Ref(), e[1].Ref()})
	}
	return out
}
