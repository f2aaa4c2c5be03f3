package compile

import (
	"slices"

	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/state/value"
)

// FromValue turns data as the rest of gostate reads it into values of the language.
func FromValue(v value.Value) any {
	switch v := v.(type) {
	case value.Str:
		return string(v)
	case value.Int:
		return int64(v)
	case value.Float:
		return float64(v)
	case value.Bool:
		return bool(v)
	case *value.List:
		out := make([]any, len(v.Items))
		for i, x := range v.Items {
			out[i] = FromValue(x)
		}
		return out
	case *value.Dict:
		h := types.NewHash()
		for k, x := range v.All() {
			h.Set(FromValue(k), FromValue(x))
		}
		return h
	case value.NoneType, nil:
		return nil
	}
	return value.String(v)
}

// Data is a value as a catalog's JSON holds it: what JSON has no word for is a map with __ptype.
func Data(v any) value.Value {
	switch v := v.(type) {
	case nil:
		return value.None
	case string:
		return value.Str(v)
	case bool:
		return value.Bool(v)
	case int64:
		return value.Int(v)
	case float64:
		return value.Float(v)
	case []any:
		l := value.NewList()
		for _, x := range v {
			l.Items = append(l.Items, Data(x))
		}
		return l
	case *types.Hash:
		return hashData(v)
	case *types.Type:
		if v.Kind == "Resource" && v.Title != "" || v.Kind == "Class" && v.Text != "" {
			return value.Str(v.Ref())
		}
		return typeData(v)
	case *types.Regexp:
		return ptype("Regexp", value.Str(v.Source))
	case *types.Sensitive:
		return ptype("Sensitive", Data(v.Of))
	case types.Default:
		return value.DictOf("__ptype", value.Str("Default"))
	case *types.Object:
		return objectData(v)
	}
	return value.Str(types.Text(v))
}

// typeData is a type as data: a range by its ends, others as they are written.
func typeData(t *types.Type) value.Value {
	if t.Kind != "Integer" || t.Min == types.Least && t.Max == types.Most {
		return ptype("Type", value.Str(t.String()))
	}
	d := value.DictOf("__ptype", value.Str("Pcore::IntegerType"))
	if t.Min != types.Least {
		d.SetStr("from", value.Int(t.Min))
	}
	if t.Max != types.Most {
		d.SetStr("to", value.Int(t.Max))
	}
	return d
}

func hashData(h *types.Hash) value.Value {
	for k := range h.All() {
		if _, ok := k.(string); !ok {
			l := value.NewList()
			for k, x := range h.All() {
				l.Items = append(l.Items, Data(k), Data(x))
			}
			return ptype("Hash", l)
		}
	}
	d := value.NewDict(h.Len())
	for k, x := range h.All() {
		d.SetStr(k.(string), Data(x))
	}
	return d
}

func ptype(name string, v value.Value) value.Value {
	return value.DictOf("__ptype", value.Str(name), "__pvalue", v)
}

func objectData(o *types.Object) value.Value {
	name := o.Type.Kind
	if o.Type.Text != "" {
		name = o.Type.Text
	}
	if o.Fields == nil {
		return ptype(name, value.Str(o.Text))
	}
	d := value.NewDict(o.Fields.Len() + 1)
	d.SetStr("__ptype", value.Str(name))
	for k, x := range o.Fields.All() {
		d.SetStr(types.Text(k), Data(x))
	}
	return d
}

// Dict is the catalog as data: what `puppet compile --out json` prints.
func (cat *Catalog) Dict(logs []Log) *value.Dict {
	res := value.NewList()
	for _, r := range cat.Resources {
		params := value.NewDict(r.Params.Len())
		for k, v := range r.Params.All() {
			if x, ok := v.(*types.Sensitive); ok {
				v = x.Of
				if !slices.Contains(r.Sensitive, k.(string)) {
					r.Sensitive = append(r.Sensitive, k.(string))
				}
			}
			params.SetStr(k.(string), Data(v))
		}
		d := value.DictOf("ref", value.Str(r.Ref()), "type", value.Str(r.Type), "title", value.Str(r.Title), "parameters",
			params,
			"tags", strs(r.AllTags()))
		if r.Kind != "" {
			d.SetStr("kind", value.Str(r.Kind))
		}
		if r.Line > 0 {
			d.SetStr("file", value.Str(r.File))
			d.SetStr("line", value.Int(int64(r.Line)))
		}
		if r.SLS != "" {
			d.SetStr("sls", value.Str(r.SLS))
		}
		if r.Exported {
			d.SetStr("exported", value.Bool(true))
		}
		if len(r.Sensitive) > 0 {
			d.SetStr("sensitive_parameters", strs(r.Sensitive))
		}
		res.Items = append(res.Items, d)
	}
	con, rel, said := value.NewList(), value.NewList(), value.NewList()
	for _, e := range cat.Containment() {
		con.Items = append(con.Items, strs(e[:]))
	}
	for _, e := range cat.Edges {
		rel.Items = append(rel.Items, value.DictOf("from", value.Str(e.From), "to", value.Str(e.To), "refresh",
			value.Bool(e.Refresh)))
	}
	for _, l := range logs {
		said.Items = append(said.Items, value.DictOf("level", value.Str(l.Level), "message", value.Str(l.Message)))
	}
	return value.DictOf("resources", res, "classes", strs(cat.Classes), "containment", con, "relationships", rel, "logs",
		said)
}

func strs(list []string) value.Value {
	l := value.NewList()
	for _, s := range list {
		l.Items = append(l.Items, value.Str(s))
	}
	return l
}
