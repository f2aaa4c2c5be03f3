package catalog

import (
	"slices"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Read reads a catalog as `puppet catalog compile`, PuppetDB and `gostate puppet compile` write it. The faults
// are all that is wrong with its form; the error among them ends what can be done with it.
func Read(file string, v value.Value) (*Catalog, *diag.List) {
	r := &reader{file: file, cat: &Catalog{}, faults: &diag.List{}}
	d, ok := v.(*value.Dict)
	for ok && d != nil {
		inner, wraps := d.GetStr("data") // of an older server, and of PuppetDB's queries
		data, isDict := inner.(*value.Dict)
		if _, has := d.GetStr("resources"); has || !wraps || !isDict {
			break
		}
		d = data
	}
	if !ok {
		r.fault("the catalog is no map but %s", v.TypeName())
		return r.cat, r.faults
	}
	_, r.all = d.GetStr("certname") // PuppetDB's
	r.resources(d)
	for _, t := range r.cat.index() {
		d := diag.Errorf(t[1].Pos, "%s is the same as %s", t[1].Ref(), t[0].Ref())
		d.Related = []diag.Related{{Pos: t[0].Pos, Msg: "the other one"}}
		r.faults.Add(d)
	}
	r.edges(d)
	r.arrows()
	return r.cat, r.faults
}

type reader struct {
	file   string
	cat    *Catalog
	faults *diag.List
	// all says that the catalog holds what others are to collect, too.
	all bool
}

// maxFaults bounds what is told of a catalog that is wrong all over.
const maxFaults = 100

func (r *reader) fault(format string, args ...any) {
	if len(r.faults.All) < maxFaults {
		r.faults.Add(diag.Errorf(diag.Pos{File: r.file}, format, args...))
	}
}

// list is a list at a key, which PuppetDB has in a map with the key data; nil where there is none.
func (r *reader) list(d *value.Dict, name string) []value.Value {
	v, _ := d.GetStr(name)
	if in, ok := v.(*value.Dict); ok {
		v, _ = in.GetStr("data")
	}
	switch v := v.(type) {
	case nil, value.NoneType:
	case *value.List:
		return v.Items
	default:
		r.fault("%q of the catalog is no list but %s", name, v.TypeName())
	}
	return nil
}

func (r *reader) resources(d *value.Dict) {
	if _, ok := d.GetStr("resources"); !ok {
		r.fault("the catalog has no resources")
	}
	for i, v := range r.list(d, "resources") {
		d, ok := v.(*value.Dict)
		if !ok {
			r.fault("resource %d of the catalog is no map but %s", i+1, v.TypeName())
			continue
		}
		if res := r.resource(i, d); res != nil && !(res.Exported && r.all) {
			r.cat.Resources = append(r.cat.Resources, res)
		}
	}
}

func (r *reader) resource(i int, d *value.Dict) *Resource {
	f := fields{r, d, i}
	kind := f.text("kind")
	res := &Resource{Defined: kind == "define" || kind == "defined_type", Type: f.text("type"), Title: f.text("title"),
		Params: f.dict("parameters"), Tags: f.texts("tags"),
		Sensitive: f.texts("sensitive_parameters"), Exported: f.truth("exported"), SLS: f.text("sls"),
		Pos: diag.Pos{File: f.text("file"), Line: f.number("line")}}
	if res.Type == "" || !isType(res.Type) {
		r.fault("resource %d of the catalog has no type", i+1)
		return nil
	}
	if _, has := d.GetStr("title"); !has {
		r.fault("resource %d of the catalog, of type %s, has no title", i+1, res.Type)
		return nil
	}
	if res.Pos.File == "" {
		res.Pos = diag.Pos{File: r.file}
	}
	for k, v := range res.Params.All() {
		if name, ok := k.(value.Str); ok && sensitive(v) && !slices.Contains(res.Sensitive, string(name)) {
			res.Sensitive = append(res.Sensitive, string(name))
		}
	}
	return res
}

// isType says whether a text can name a resource type.
func isType(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && c != '_' && c != ':' && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// fields reads the fields of one resource.
type fields struct {
	*reader
	d *value.Dict
	i int
}

func (f fields) get(name string) value.Value {
	v, _ := f.d.GetStr(name)
	if v == nil {
		return value.None
	}
	return v
}

func (f fields) wrong(name, want string, v value.Value) {
	f.fault("%q of resource %d of the catalog is not %s but %s", name, f.i+1, want, v.TypeName())
}

func (f fields) text(name string) string {
	switch v := f.get(name).(type) {
	case value.Str:
		return string(v)
	case value.NoneType:
	case value.Int, value.Float, value.Bool:
		if name == "title" {
			return value.String(v)
		}
		f.wrong(name, "a text", v)
	default:
		f.wrong(name, "a text", v)
	}
	return ""
}

func (f fields) number(name string) int {
	switch v := f.get(name).(type) {
	case value.Int:
		return int(v)
	case value.NoneType:
	default:
		f.wrong(name, "a number", v)
	}
	return 0
}

func (f fields) truth(name string) bool {
	switch v := f.get(name).(type) {
	case value.Bool:
		return bool(v)
	case value.NoneType:
	default:
		f.wrong(name, "true or false", v)
	}
	return false
}

func (f fields) texts(name string) (out []string) {
	v := f.get(name)
	if _, isDict := v.(*value.Dict); isDict {
		f.wrong(name, "a list of texts", v)
		return nil
	}
	for _, x := range items(v) {
		s, ok := x.(value.Str)
		if !ok {
			f.wrong(name, "a list of texts", v)
			return nil
		}
		out = append(out, string(s))
	}
	return out
}

func (f fields) dict(name string) *value.Dict {
	switch v := f.get(name).(type) {
	case *value.Dict:
		return v
	case value.NoneType:
	default:
		f.wrong(name, "a map", v)
	}
	return value.NewDict(0)
}
