package value

import (
	"context"
	"testing"
)

// TestLazyDict: a lazy dict is the dict that it makes, whatever is done with it, and what looks up text keys makes
// nothing.
func TestLazyDict(t *testing.T) {
	other := DictOf("c", Int(7), "a", Int(8))
	method := func(name string, args ...Value) func(d *Dict) (Value, error) {
		return func(d *Dict) (Value, error) {
			v, _, err := CallMethod(context.Background(), d, name, args, nil)
			return v, err
		}
	}
	looks := map[string]func(d *Dict) (Value, error){
		"get": method("get", Str("a")), "get of none": method("get", Str("x"), Int(5)),
		"in":     func(d *Dict) (Value, error) { ok, err := Contains(d, Str("b")); return Bool(ok), err },
		"has":    func(d *Dict) (Value, error) { return Bool(d.Has(Str("b"))), nil },
		"lookup": func(d *Dict) (Value, error) { v, ok := Lookup(d, "m:k", ":"); return NewTuple(v, Bool(ok)), nil },
		"item":   func(d *Dict) (Value, error) { return GetItem(d, Str("b")) },
	}
	wholes := map[string]func(d *Dict) (Value, error){
		"len":   func(d *Dict) (Value, error) { return Int(d.Len()), nil },
		"truth": func(d *Dict) (Value, error) { return Bool(Truth(d)), nil },
		"repr":  func(d *Dict) (Value, error) { return Str(Repr(d)), nil },
		"json": func(d *Dict) (Value, error) {
			s, err := DumpsJSON(d, JSONOptions{SortKeys: true})
			return Str(s), err
		},
		"entry":   func(d *Dict) (Value, error) { e, _ := d.Entry("b"); return e.Val, nil },
		"list":    func(d *Dict) (Value, error) { l, err := ToList(d); return NewList(l...), err },
		"number":  func(d *Dict) (Value, error) { v, _ := d.Get(Int(1)); return v, nil },
		"is it":   func(d *Dict) (Value, error) { return Bool(Equal(d, mixed())), nil },
		"it is":   func(d *Dict) (Value, error) { return Bool(Equal(mixed(), d)), nil },
		"deep":    func(d *Dict) (Value, error) { return DeepCopy(d), nil },
		"beneath": func(d *Dict) (Value, error) { o := other.Copy(); o.Update(d); return o, nil },
		"items":   method("items"), "keys": method("keys"), "values": method("values"), "copy": method("copy"),
		"pop": method("pop", Str("a")), "popitem": method("popitem"), "clear": method("clear"),
		"update": method("update", other), "setdefault": method("setdefault", Str("new"), Int(3)),
		"set": func(d *Dict) (Value, error) { d.SetStr("b", Int(9)); return None, nil },
	}
	for _, tt := range []struct {
		makes bool
		ways  map[string]func(d *Dict) (Value, error)
	}{{false, looks}, {true, wholes}} {
		for name, way := range tt.ways {
			eager, made := mixed(), 0
			lazy := NewLazyDict(mixed().GetStr, func() *Dict { made++; return mixed() })
			want, wantErr := way(eager)
			got, err := way(lazy)
			if Repr(orNone(got)) != Repr(orNone(want)) || (err == nil) != (wantErr == nil) {
				t.Errorf("%s is %s %v, want %s %v", name, Repr(orNone(got)), err, Repr(orNone(want)), wantErr)
			}
			if (made > 0) != tt.makes || made > 1 {
				t.Errorf("%s made it %d times", name, made)
			}
			if Repr(lazy) != Repr(eager) {
				t.Errorf("%s left %s, want %s", name, Repr(lazy), Repr(eager))
			}
		}
	}
}

func mixed() *Dict {
	d := DictOf("a", Int(1), "b", NewList(Int(2)), "m", DictOf("k", Str("v")))
	_ = d.Set(Int(1), Str("one"))
	return d
}
