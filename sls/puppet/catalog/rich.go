package catalog

import (
	"encoding/base64"

	"github.com/gostate/gostate/state/value"
)

// sensitive says whether a value is one of rich data that is secret.
func sensitive(v value.Value) bool {
	d, ok := v.(*value.Dict)
	if !ok {
		return false
	}
	t, _ := d.GetStr("__ptype")
	return t == value.Value(value.Str("Sensitive"))
}

// plain is a value without the marks of rich data: a text for what JSON has no word for. ok is false for what cannot be
// an attribute.
func plain(v value.Value) (out value.Value, ok bool) {
	switch v := v.(type) {
	case nil:
		return value.None, true
	case *value.List:
		l := value.NewList()
		for _, x := range v.Items {
			x, good := plain(x)
			if !good {
				return nil, false
			}
			l.Items = append(l.Items, x)
		}
		return l, true
	case *value.Dict:
		return plainDict(v)
	}
	return v, true
}

func plainDict(d *value.Dict) (value.Value, bool) {
	t, rich := d.GetStr("__ptype")
	in, _ := d.GetStr("__pvalue")
	if !rich {
		out := value.NewDict(d.Len())
		for k, x := range d.All() {
			x, good := plain(x)
			if !good || out.Set(k, x) != nil {
				return nil, false
			}
		}
		return out, true
	}
	word, _ := t.(value.Str)
	switch word {
	case "Sensitive":
		return plain(in)
	case "Hash":
		return plainHash(in)
	case "Binary":
		s, _ := in.(value.Str)
		raw, err := base64.StdEncoding.DecodeString(string(s))
		return value.Str(raw), err == nil
	case "Default":
		return value.Str("default"), true
	case "Symbol", "SemVer", "SemVerRange", "Timestamp", "Timespan", "URI", "Regexp", "Type":
		s, isText := in.(value.Str)
		return s, isText
	}
	return nil, false
}

// plainHash is a map whose keys are not all texts: a list of keys and values in turn.
func plainHash(v value.Value) (value.Value, bool) {
	l, ok := v.(*value.List)
	if !ok || len(l.Items)%2 != 0 {
		return nil, false
	}
	out := value.NewDict(len(l.Items) / 2)
	for i := 0; i < len(l.Items); i += 2 {
		k, good := plain(l.Items[i])
		x, also := plain(l.Items[i+1])
		if !good || !also || out.Set(k, x) != nil {
			return nil, false
		}
	}
	return out, true
}
