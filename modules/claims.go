package modules

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"reflect"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Claimer is a state function that tells which things of the machine it keeps, and how, so that two states that keep
// the same thing are found before the run. It reads no machine.
type Claimer interface{ Claim(c *Claims) }

// Claims gathers what states keep. All are asked twice, the second time only about what two of them keep: a run in
// which each thing is declared once costs a set of numbers.
type Claims struct {
	seed  maphash.Seed
	seen  map[uint64]bool // things by their sums; true for those that come again
	again bool            // the second time
	at    int             // the state that is asked
	all   []claim
}

// A claim is how one state keeps one thing.
type claim struct {
	at         int
	kind, name string
	wishes     []wish
}

type wish struct {
	what string
	how  []any
}

// Thing tells that the state keeps a thing: its kind in plain words and its name, the same for all that mean it. It
// says whether to tell how, with Is and Wants: it is asked of no other.
func (c *Claims) Thing(kind, name string) bool {
	sum := maphash.Comparable(c.seed, [2]string{kind, name})
	again, known := c.seen[sum]
	if !c.again {
		c.seen[sum] = known
		return false
	}
	if again {
		c.all = append(c.all, claim{at: c.at, kind: kind, name: name})
	}
	return again
}

// Is tells how the state keeps the thing that it told last, or one property of it.
func (c *Claims) Is(what string, how ...any) {
	k := &c.all[len(c.all)-1]
	k.wishes = append(k.wishes, wish{what, how})
}

// Wants is Is for arguments, of which nothing is said where none is given.
func (c *Claims) Wants(what string, how ...any) {
	if slices.ContainsFunc(how, func(v any) bool { return !unsaidValue(v) }) {
		c.Is(what, how...)
	}
}

func unsaidValue(v any) bool {
	return v == nil || v == value.Value(value.None) || reflect.ValueOf(v).IsZero()
}

// Conflicts finds the states that keep one thing and differ in how: each run, one undoes what the other did. These are
// warnings, errors with strict; notes are those that agree. States that may be skipped (onlyif, unless, creates,
// onchanges, onfail, prereq) are left out: they may well exclude each other.
func Conflicts(low []*state.Low, bound []StateFunc, strict bool) []*diag.Diagnostic {
	c := &Claims{seed: maphash.MakeSeed(), seen: make(map[uint64]bool, len(bound))}
	c.ask(low, bound)
	if !c.doubt() {
		return nil
	}
	c.again = true
	c.ask(low, bound)
	slices.SortStableFunc(c.all, func(a, b claim) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.kind, b.kind))
	})
	var out []*diag.Diagnostic
	agreed := map[[2]diag.Pos]bool{} // pairs that were told of: one note is enough for many packages
	first := 0                       // of those that keep the same thing
	for i := range c.all {
		if c.all[i].name != c.all[first].name || c.all[i].kind != c.all[first].kind {
			first = i
		}
		d := judge(low, &c.all[i], c.all[first:min(i, first+maxClaims)], strict)
		if d == nil || d.Severity == diag.Note && agreed[[2]diag.Pos{d.Pos, d.Related[0].Pos}] {
			continue
		}
		agreed[[2]diag.Pos{d.Pos, d.Related[0].Pos}] = true
		out = append(out, d)
	}
	return out
}

// maxClaims bounds how many states that keep one thing are compared.
const maxClaims = 8

// doubt says whether anything is kept twice.
func (c *Claims) doubt() bool {
	for _, again := range c.seen {
		if again {
			return true
		}
	}
	return false
}

func (c *Claims) ask(low []*state.Low, bound []StateFunc) {
	for i, f := range bound {
		if k, ok := f.(Claimer); ok && low[i].Always() {
			c.at = i
			k.Claim(c)
		}
	}
}

// judge compares how a state keeps a thing with those that came before: the first that differs, or else agrees.
func judge(low []*state.Low, k *claim, others []claim, strict bool) *diag.Diagnostic {
	var same *claim
	for i := range others {
		o := &others[i]
		if o.at == k.at {
			continue
		}
		if apart := k.apart(o); len(apart) > 0 {
			return fight(low[k.at], low[o.at], k, apart, strict)
		}
		if same == nil {
			same = o
		}
	}
	if same == nil {
		return nil
	}
	l, other := low[k.at], low[same.at]
	d := diag.Warnf(l.Pos, "%s of ID '%s' keeps %s '%s', as %s of ID '%s' does", l.Fun(), l.ID, k.kind, k.name,
		other.Fun(),
		other.ID).WithHint("keep one of them; others can name it in a requisite, and add to it with extend")
	d.Severity = diag.Note
	d.Related = []diag.Related{{Pos: other.Pos, Msg: "the other state"}}
	return d
}

// fight is the fault of two states that differ.
func fight(l, other *state.Low, k *claim, apart []string, strict bool) *diag.Diagnostic {
	why := ""
	if apart[0] != "" {
		why = ": they differ in " + strings.Join(apart, ", ")
	}
	d := diag.Warnf(l.Pos, "%s of ID '%s' fights with %s of ID '%s' over %s '%s'%s", l.Fun(), l.ID, other.Fun(), other.ID,
		k.kind, k.name, why).WithHint("keep one of them, or tell with onlyif, unless or onchanges when each applies")
	if strict {
		d.Severity = diag.Error
	}
	d.Related = []diag.Related{{Pos: other.Pos, Msg: "the other state"}}
	return d
}

// apart are the properties in which both say something else. That of what a thing is, "", comes alone.
func (k *claim) apart(o *claim) (out []string) {
	for _, w := range k.wishes {
		for _, v := range o.wishes {
			if w.what != v.what || slices.EqualFunc(w.how, v.how, alike(w.what)) {
				continue
			}
			if w.what == "" {
				return []string{""}
			}
			if !slices.Contains(out, w.what) {
				out = append(out, w.what)
			}
		}
	}
	return out
}

// alike says whether two values of a property are the same. Nobody knows which number an owner has that is given by
// name.
func alike(what string) func(a, b any) bool {
	return func(a, b any) bool {
		x, y := valueText(a), valueText(b)
		return x == y || (what == "user" || what == "group") && isNumber(x) != isNumber(y)
	}
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

// valueText is a value as a text, which equal ones share: values of SLS files, what pointers lead to.
func valueText(v any) string {
	if unsaidValue(v) {
		return ""
	}
	if val, ok := v.(value.Value); ok {
		return value.Repr(val)
	}
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer {
		return valueText(p.Elem().Interface())
	}
	return fmt.Sprint(v)
}
