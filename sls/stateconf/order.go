package stateconf

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// start and goal are the IDs of the states that are made.
const start, goal = ".start", ".goal"

// order lets each state require the one before it. A requisite against the order is refused.
func (f *file) order() error {
	all := decls(f.high, "include", "exclude", "extend")
	for _, d := range all {
		if slices.ContainsFunc(d.args.Items, isNames) {
			return f.errorf(d.id.KeyAt, "'names' declaration(found in state id: %s) is not supported with implicitly ordered "+
				"states! You should generate the states in a template for-loop instead.", d.key())
		}
	}
	place := map[string]int{}
	for i, d := range all {
		place[d.tag()] = i
	}
	for i, d := range all {
		if err := f.against(d, i, place); err != nil {
			return err
		}
	}
	for i, d := range all[min(1, len(all)):] {
		before := all[i]
		d.require(value.DictOf(before.module(), value.Str(before.key())))
	}
	return nil
}

func isNames(it value.Value) bool {
	arg, _ := it.(*value.Dict)
	return arg != nil && arg.Len() > 0 && value.String(arg.At(0).Key) == "names"
}

// against refuses a requisite that fights the order, those of extend included.
func (f *file) against(d decl, i int, place map[string]int) error {
	mine := []decl{d}
	if v, ok := f.high.GetStr("extend"); ok {
		if ext, ok := v.(*value.Dict); ok {
			mine = append(mine, slices.DeleteFunc(decls(ext), func(o decl) bool { return o.tag() != d.tag() })...)
		}
	}
	for _, m := range mine {
		for _, t := range m.targets(func(name string) bool { return orders(name) && !strings.HasSuffix(name, "_in") }) {
			if at, ok := place[t.tag()]; ok && at > i {
				return f.errorf(t.at.KeyAt, "State(%s) can't require/watch/listen/onchanges/onfail a state(%s) defined after it!",
					d.tag(), t.tag())
			}
		}
		for _, t := range m.targets(func(name string) bool { return orders(name) && strings.HasSuffix(name, "_in") }) {
			if at, ok := place[t.tag()]; ok && at < i {
				return f.errorf(t.at.KeyAt, "State(%s) can't require_in/watch_in/listen_in/onchanges_in/onfail_in a state(%s) "+
					"defined before it!", d.tag(), t.tag())
			}
		}
	}
	return nil
}

// orders says whether a requisite lets one state come after another.
func orders(name string) bool { return state.IsRequisite(name) && !strings.HasPrefix(name, "use") }

// require adds a requisite of the state, before those that it has.
func (d decl) require(what value.Value) {
	for _, it := range d.args.Items {
		if arg, ok := it.(*value.Dict); ok && arg.Len() > 0 && value.String(arg.At(0).Key) == "require" {
			if list, ok := arg.At(0).Val.(*value.List); ok {
				list.Items, list.Marks = slices.Insert(list.Items, 0, what), nil
				return
			}
		}
	}
	d.args.Items, d.args.Marks = append(d.args.Items, value.DictOf("require", value.NewList(what))), nil
}

// start makes the state that the first one requires.
func (f *file) start() error {
	if f.high.Has(value.Str(start)) {
		return f.errorf(value.Mark{}, "Can't generate start state(%s)! The same state id already exists!", start)
	}
	all := decls(f.high, "include", "exclude", "extend")
	if len(all) == 0 {
		return nil
	}
	first := value.DictOf(all[0].module(), value.Str(all[0].key()))
	f.high.SetStr(start, value.DictOf(setFunc, value.NewList(value.DictOf("require_in", value.NewList(first)))))
	return nil
}

// goal makes the state that requires all others.
func (f *file) goal() error {
	if f.high.Has(value.Str(goal)) {
		return f.errorf(value.Mark{}, "Can't generate goal state(%s)! The same state id already exists!", goal)
	}
	all := value.NewList()
	for _, d := range decls(f.high, "include", "exclude", "extend") {
		all.Items = append(all.Items, value.DictOf(d.module(), value.Str(d.key())))
	}
	f.high.SetStr(goal, value.DictOf(setFunc, value.NewList(value.DictOf("require", all))))
	return nil
}
