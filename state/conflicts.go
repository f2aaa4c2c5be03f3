package state

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// conflicts warns of states that fight over one thing: each run, one undoes what the other did. States that may be
// skipped (onlyif, unless, creates, onchanges, onfail, prereq) are left out: they may well exclude each other.
func conflicts(low []*Low) []*diag.Diagnostic {
	var all []claim
	for _, l := range low {
		if l.always() {
			all = appendClaims(all, l)
		}
	}
	slices.SortStableFunc(all, func(a, b claim) int {
		return cmp.Or(strings.Compare(a.on.text, b.on.text), strings.Compare(a.on.module, b.on.module))
	})
	var out []*diag.Diagnostic
	first := 0 // of the claims to the same thing
	for i, c := range all {
		if c.on != all[first].on {
			first = i
		}
		for _, other := range all[first:min(i, first+maxClaims)] {
			if other.low != c.low && c.fights(other) {
				out = append(out, c.fight(other))
				break
			}
		}
	}
	return out
}

// fight is the warning of two claims.
func (c claim) fight(other claim) *diag.Diagnostic {
	d := diag.Warnf(c.low.Pos, "%s of ID '%s' fights with %s of ID '%s' over %s '%s'%s", c.low.Fun(), c.low.ID,
		other.low.Fun(), other.low.ID, thing(c.on.module), c.on.text, c.why(other)).
		WithHint("keep one of them, or tell with onlyif, unless or onchanges when each applies")
	d.Related = []diag.Related{{Pos: other.low.Pos, Msg: "the other state"}}
	return d
}

// maxClaims bounds how many claims to one thing are compared.
const maxClaims = 8

// A claim is what a state wants of a thing.
type claim struct {
	low  *Low
	on   modText
	want string
}

func (c claim) fights(other claim) bool {
	if c.want != other.want {
		return true
	}
	return c.want == "content" && !sameContent(c.low, other.low)
}

func (c claim) why(other claim) string {
	if c.want == "content" && other.want == "content" {
		return ": their contents differ"
	}
	return ""
}

func thing(module string) string {
	switch module {
	case "file":
		return "path"
	case "pkg":
		return "package"
	}
	return module
}

// wants says what a function wants, "" when it fights with nothing.
func wants(fun string) string {
	switch fun {
	case "file.managed", "file.serialize", "file.decode":
		return "content"
	case "file.directory", "file.recurse":
		return "directory"
	case "file.symlink":
		return "link"
	case "file.absent", "pkg.removed", "pkg.purged", "user.absent", "group.absent":
		return "absent"
	case "pkg.installed", "pkg.latest", "user.present", "group.present":
		return "present"
	case "service.running":
		return "running"
	case "service.dead":
		return "dead"
	}
	return ""
}

// appendClaims adds the things that a state works on.
func appendClaims(out []claim, l *Low) []claim {
	want := wants(l.Fun())
	if want == "" {
		return out
	}
	if l.Module == "file" {
		return append(out, claim{l, modText{"file", path.Clean(l.Name)}, want})
	}
	pkgs, ok := l.Args.GetStr("pkgs")
	list, isList := pkgs.(*value.List)
	if l.Module != "pkg" || !ok || !isList {
		return append(out, claim{l, modText{l.Module, l.Name}, want})
	}
	for _, it := range list.Items {
		if d, isMap := it.(*value.Dict); isMap && d.Len() > 0 {
			it = d.At(0).Key
		}
		out = append(out, claim{l, modText{"pkg", value.String(it)}, want})
	}
	return out
}

// always says whether the state runs whatever happens.
func (l *Low) always() bool {
	o := l.Opts()
	if o.HasOnlyif || o.HasUnless || len(o.Creates) > 0 {
		return false
	}
	for i := range l.Reqs {
		switch l.Reqs[i].Kind {
		case Onchanges, Onfail, Prereq:
			return false
		}
	}
	replace, ok := l.Args.GetStr("replace")
	return !ok || value.Truth(replace)
}

// sameContent says whether two states give a file the same content.
func sameContent(a, b *Low) bool {
	if a.Func != b.Func {
		return false
	}
	for _, key := range []string{"source", "contents", "contents_pillar", "contents_grains", "dataset", "dataset_pillar",
		"formatter", "template", "context", "defaults"} {
		x, inA := a.Args.GetStr(key)
		y, inB := b.Args.GetStr(key)
		if inA != inB || inA && !value.Equal(x, y) {
			return false
		}
	}
	return true
}
