package modules

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// slipOf is what every state takes and a name that its function does not know looks like, "" for none: a state whose
// `unless` is misspelt runs unguarded. The distance is one slip, two in longer names; capitals are none. A short name
// is taken for that of a requisite where its value has the shape of one.
func slipOf(name string, v value.Value) string {
	if lower := strings.ToLower(name); lower != name {
		if isGlobalArg(lower) && len(lower) >= 5 {
			return lower
		}
		name = lower
	}
	refers := meansRequisite(v)
	if len(name) < 4 || len(name) < 5 && !refers || slices.Contains(nearWords(), name) {
		return ""
	}
	limit := 1
	if len(name) >= 8 {
		limit = 2
	}
	known := slices.DeleteFunc(state.GlobalArgs(), func(a string) bool {
		return len(a) < 5 || a == "names" || a == "state" || a == "alias" || a == "stage" || a == "order" || a == "umask"
	})
	near := diag.NearestWithin(name, known, limit)
	short := len(name) < 5 || len(near) == len(name) && len(name) == 5 && !transposed(name, near)
	if short && !(refers && state.IsRequisite(near)) {
		return "" // another letter makes another word of a short one
	}
	return near
}

// nearWords are words that may well be the names of variables or arguments, and are near to those that every state
// takes.
func nearWords() []string {
	return []string{"batch", "catch", "create", "created", "creator", "hatch", "latch", "match", "patch", "listed",
		"lists", "user_in", "users_in", "timeouts", "usernames", "audits", "scheduled", "schedules", "scheduler", "virtuals",
		"retries", "listener", "listeners"}
}

// transposed says whether two words of one length hold the same letters.
func transposed(a, b string) bool {
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return string(x) == string(y)
}

// meansRequisite says whether a value has the shape of what a requisite refers to: a list with maps of one entry.
func meansRequisite(v value.Value) bool {
	l, ok := v.(*value.List)
	return ok && slices.ContainsFunc(l.Items, func(it value.Value) bool {
		d, ok := it.(*value.Dict)
		return ok && d.Len() == 1
	})
}

// maybeVariable says whether an argument that looks like one that every state takes may be meant as it is: a variable
// of a template, or an argument of what the function calls. What guards a state never is, nor what refers to others.
func maybeVariable(near string, v value.Value) bool {
	if !state.IsRequisite(near) {
		return near != "onlyif" && near != "unless" && near != "check_cmd"
	}
	return !meansRequisite(v)
}
