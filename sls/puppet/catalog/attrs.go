package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// attrs reads the attributes of one resource, and notes which were read: the others are faults.
type attrs struct {
	m    *maker
	r    *Resource
	used map[string]bool
	lost bool // that there is no source was told
}

// meta are the attributes of every type.
func isMeta(name string) bool {
	return slices.Contains([]string{"alias", "audit", "before", "loglevel", "noop", "notify", "require", "schedule",
		"stage",
		"subscribe", "tag"}, name)
}

// get is an attribute, nil where there is none or undef.
func (a *attrs) get(name string) value.Value {
	a.used[name] = true
	v, _ := a.r.Params.GetStr(name)
	p, ok := plain(v)
	if !ok {
		a.wrong(name, "a value that can be kept", v)
		return nil
	}
	if p == value.Value(value.None) {
		return nil
	}
	return p
}

func (a *attrs) has(name string) bool { return a.get(name) != nil }

func (a *attrs) wrong(name, want string, v value.Value) *diag.Diagnostic {
	shown := value.Repr(v)
	if slices.Contains(a.r.Sensitive, name) {
		shown = "a secret"
	}
	return a.m.fault(a.r, "%s is not %s but %s", name, want, shown)
}

// text is an attribute that is one word or number; "" where there is none.
func (a *attrs) text(name string) string {
	switch v := a.get(name).(type) {
	case nil:
	case value.Str:
		return string(v)
	case value.Int, value.Float, value.Bool:
		return strings.ToLower(value.String(v))
	default:
		a.wrong(name, "a text", v)
	}
	return ""
}

// word is a text of a few; another is a fault.
func (a *attrs) word(name string, words ...string) string {
	s := a.text(name)
	if s != "" && !slices.Contains(words, s) {
		d := a.m.fault(a.r, "%s => %s is not supported", name, s)
		d.WithHint("gostate knows %s", strings.Join(words, ", "))
		return ""
	}
	return s
}

// truth is an attribute that is true or false, as a text too.
func (a *attrs) truth(name string) (v, given bool) {
	x := a.get(name)
	switch s := a.text(name); s {
	case "true", "yes":
		return true, true
	case "false", "no":
		return false, true
	case "":
		if x == nil {
			return false, false
		}
	}
	a.wrong(name, "true or false", x)
	return false, false
}

// isTrue is truth for attributes that are false where they are not given.
func (a *attrs) isTrue(name string) bool { v, _ := a.truth(name); return v }

// number is an attribute that is a number.
func (a *attrs) number(name string) (n int, given bool) {
	s := a.text(name)
	if s == "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		a.wrong(name, "a number", value.Str(s))
		return 0, false
	}
	return n, true
}

// texts are the parts of an attribute that may be a list.
func (a *attrs) texts(name string) (out []string) {
	for _, x := range items(a.get(name)) {
		switch x := x.(type) {
		case value.Str:
			out = append(out, string(x))
		case value.Int, value.Float, value.Bool:
			out = append(out, value.String(x))
		default:
			a.wrong(name, "a list of texts", x)
			return nil
		}
	}
	return out
}

// title is the attribute that names the thing, or the title.
func (a *attrs) title(name string) string {
	if s := a.text(name); s != "" {
		return s
	}
	return a.r.Title
}

// ignore takes attributes that make no difference here.
func (a *attrs) ignore(names ...string) {
	for _, n := range names {
		a.used[n] = true
	}
}

// secret says whether an attribute is not to be shown.
func (a *attrs) secret(name string) bool { return slices.Contains(a.r.Sensitive, name) }

// rest reports the attributes that nobody read.
func (a *attrs) rest() {
	for k, v := range a.r.Params.All() {
		name, _ := k.(value.Str)
		if a.used[string(name)] || isMeta(string(name)) || v == value.Value(value.None) {
			continue
		}
		a.m.fault(a.r, "attribute '%s' is not supported", string(name)).
			WithHint("leave it out, or keep this with a state of an SLS: docs/puppet-language.md lists what is there")
	}
}

// to passes an attribute on as an argument, where it is given.
func (a *attrs) to(c *call, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if v := a.get(pairs[i]); v != nil {
			c.set(pairs[i+1], v)
		}
	}
}

func list(texts []string) *value.List {
	l := value.NewList()
	for _, s := range texts {
		l.Items = append(l.Items, value.Str(s))
	}
	return l
}
