package compile

import (
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

func (k *call) ensurePackages() any {
	dflt := types.NewHash("ensure", "installed")
	if h, ok := k.arg(1).(*types.Hash); ok {
		dflt = dflt.Merge(h)
		if h.Value("ensure") == "present" {
			dflt.Set("ensure", "installed")
		}
	}
	one := func(title any, attrs *types.Hash) { k.ensure("package", title, attrs) }
	if h, ok := k.arg(0).(*types.Hash); ok {
		for title, v := range h.All() {
			attrs := dflt
			if given, ok := v.(*types.Hash); ok {
				attrs = dflt.Merge(given)
			}
			one(title, attrs)
		}
		return nil
	}
	for _, t := range flatten(k.arg(0)) {
		one(t, dflt)
	}
	return nil
}

// ensure declares a resource unless one with these parameters is there.
func (k *call) ensure(typeName string, title any, attrs *types.Hash) {
	if r := k.catalog.Find(typeName, types.Text(title)); r != nil && hasParams(r, attrs) {
		return
	}
	k.declareNamed(typeName, title, attrs.Clone(), 0)
}

func hasParams(r *Resource, attrs *types.Hash) bool {
	for key, v := range attrs.All() {
		have := r.Params.Value(key)
		same := types.Text(have) == types.Text(v)
		if key == "ensure" {
			norm := func(x any) string {
				if s := types.Text(x); s != "installed" {
					return s
				}
				return "present"
			}
			same = norm(have) == norm(v)
		}
		if !same {
			return false
		}
	}
	return true
}

func (k *call) ensureResource() any {
	typeName := types.Text(k.arg(0))
	attrs, _ := k.arg(2).(*types.Hash)
	if attrs == nil {
		attrs = types.NewHash()
	}
	if h, ok := k.arg(1).(*types.Hash); ok {
		for title, v := range h.All() {
			one := attrs
			if given, ok := v.(*types.Hash); ok {
				one = attrs.Merge(given)
			}
			k.ensure(typeName, title, one)
		}
		return nil
	}
	for _, t := range flatten(k.arg(1)) {
		k.ensure(typeName, t, attrs)
	}
	return nil
}

func (k *call) refArg(i int) *Resource {
	switch a := k.arg(i).(type) {
	case *types.Type:
		return k.catalog.Lookup(a)
	case string:
		if t := k.refOf(a); t != nil {
			return k.catalog.Lookup(t)
		}
	}
	return nil
}

func (k *call) definedWith() any {
	r := k.refArg(0)
	attrs, _ := k.arg(1).(*types.Hash)
	return r != nil && hasParams(r, attrs)
}

func (k *call) getparam() any {
	r := k.refArg(0)
	if r == nil {
		return ""
	}
	if v := r.Params.Value(types.Text(k.arg(1))); v != nil {
		return v
	}
	return ""
}

func (k *call) assertPrivate() any {
	caller := k.scope.owner().caller()
	own := k.scope.module
	if caller != own || own == "" {
		what, name := "Class", k.scope.class
		if r := k.scope.resource; r != nil && r.Kind == "define" {
			what, name = "Defined type", strings.ToLower(r.Type)
		}
		if len(k.args) > 0 {
			k.refuse("%s", types.Text(k.arg(0)))
		}
		k.refuse("%s %s is private", what, name)
	}
	return nil
}
