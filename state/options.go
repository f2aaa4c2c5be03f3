package state

import (
	"time"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// option reads an argument that every state takes. It says whether the argument is none of the function's.
func (c *compiler) option(l *Low, a *Arg) bool {
	switch a.Name {
	case "onlyif":
		o := l.SetOpts()
		o.Onlyif = c.conditions(l, a)
		o.HasOnlyif = len(o.Onlyif) > 0 || emptyList(a.Val)
	case "unless":
		o := l.SetOpts()
		o.Unless = c.conditions(l, a)
		o.HasUnless = len(o.Unless) > 0 || emptyList(a.Val)
	case "check_cmd":
		l.SetOpts().CheckCmd = c.conditions(l, a)
	case "retry":
		l.SetOpts().Retry = c.retry(l, a)
	case "failhard":
		b := c.truth(l, a)
		l.SetOpts().Failhard = &b
	case "onfail_stop":
		l.SetOpts().Handles = a.Val == value.Value(value.Bool(false))
	case "parallel":
		l.SetOpts().Parallel = c.truth(l, a)
	case "reload_modules":
		l.SetOpts().ReloadModules = value.Truth(a.Val)
	case "reload_grains":
		l.SetOpts().ReloadGrains = value.Truth(a.Val)
	case "reload_pillar":
		l.SetOpts().ReloadPillar = value.Truth(a.Val)
	case "aggregate":
		l.SetOpts().Aggregate = value.Truth(a.Val)
	case "__env__":
		l.SetOpts().SaltEnv = text(a.Val)
	case "fire_event", "cmd_opts_exclude":
		// Accepted: there is no event bus, and conditions run with the options of the state.
	case "alias", "audit", "noop", "schedule", "stage", "tags", SLSTags, "virtual":
		return c.meta(l, a)
	default:
		if a.Default && !c.takes(l, a.Name) {
			return true
		}
		sharedOption(l, a)
		return false
	}
	return true
}

// truth is Python's truth of a switch; what is no boolean is reported.
func (c *compiler) truth(l *Low, a *Arg) bool {
	t := value.Truth(a.Val)
	if _, ok := a.Val.(value.Bool); !ok && a.Val != value.None {
		c.diags.Add(diag.Warnf(a.ValuePos(), "'%s' of ID '%s' is %s, which counts as %t", a.Name, l.ID, value.Repr(a.Val),
			t).WithHint("write true or false"))
	}
	return t
}

// emptyList tells an empty list of conditions from one whose entries were all ignored: that is no condition at all.
func emptyList(v value.Value) bool {
	l, ok := v.(*value.List)
	return ok && len(l.Items) == 0
}

// sharedOption notes what conditions need of the arguments that the function gets as well.
func sharedOption(l *Low, a *Arg) {
	switch a.Name {
	case "creates":
		l.SetOpts().Creates = texts(a.Val)
	case "runas":
		l.SetOpts().RunAs = text(a.Val)
	case "cwd":
		l.SetOpts().Cwd = text(a.Val)
	case "shell":
		l.SetOpts().Shell = text(a.Val)
	case "umask":
		l.SetOpts().Umask = text(a.Val)
	case "saltenv":
		l.SetOpts().SaltEnv = text(a.Val)
	case "timeout":
		if n, _, ok := number(a.Val); ok && n > 0 {
			l.SetOpts().Timeout = time.Duration(n * float64(time.Second))
		}
	case "env":
		l.SetOpts().Env = environment(a.Val)
	}
}

func text(v value.Value) string {
	switch v.(type) {
	case value.Str, value.Int:
		return value.String(v)
	}
	return ""
}

// texts are the texts of a text or a list of them.
func texts(v value.Value) []string {
	switch v := v.(type) {
	case value.Str:
		return []string{string(v)}
	case *value.List:
		out := make([]string, 0, len(v.Items))
		for _, it := range v.Items {
			if s, ok := it.(value.Str); ok {
				out = append(out, string(s))
			}
		}
		return out
	}
	return nil
}

// environment reads env: a map, a list of maps, or KEY=VALUE texts.
func environment(v value.Value) []string {
	var out []string
	switch v := v.(type) {
	case value.Str:
		out = append(out, string(v))
	case *value.Dict:
		for k, val := range v.All() {
			out = append(out, value.String(k)+"="+value.String(val))
		}
	case *value.List:
		for _, it := range v.Items {
			out = append(out, environment(it)...)
		}
	}
	return out
}

// conditions reads onlyif, unless or check_cmd: a command, a map with fun, or a list of them. Salt stops at an entry of
// another shape without a word; so does this, with a warning.
func (c *compiler) conditions(l *Low, a *Arg) []Condition {
	list, ok := a.Val.(*value.List)
	if !ok {
		list = value.NewList(a.Val)
	}
	var out []Condition
	for i, it := range list.Items {
		pos := a.pos(list.MarkAt(i))
		if pos == a.Pos {
			pos = a.ValuePos()
		}
		switch it := it.(type) {
		case value.Str:
			out = append(out, Condition{Command: string(it), Pos: pos})
			continue
		case *value.Dict:
			if cond, ok := callCondition(it, pos); ok && a.Name != "check_cmd" {
				out = append(out, cond)
				continue
			}
		}
		c.diags.Add(diag.Warnf(pos, "%s in '%s' of ID '%s' is neither a command nor a map with 'fun'; it is ignored, with "+
			"what follows", value.Repr(it),
			a.Name, l.ID).WithHint("quote a command"))
		if a.Name != "unless" {
			return out
		}
	}
	return out
}

// callCondition reads a map with fun: positional arguments under args, get_return, and keyword arguments.
func callCondition(d *value.Dict, pos diag.Pos) (Condition, bool) {
	fun, ok := d.GetStr("fun")
	name, isText := fun.(value.Str)
	if !ok || !isText {
		return Condition{}, false
	}
	cond := Condition{Fun: string(name), Args: value.NewList(), Kwargs: value.NewDict(d.Len()), Pos: pos}
	for i := range d.Len() {
		e := d.At(i)
		switch value.String(e.Key) {
		case "fun":
		case "args":
			if args, ok := e.Val.(*value.List); ok {
				cond.Args = args
			} else {
				cond.Args = value.NewList(e.Val)
			}
		case "get_return":
			cond.GetReturn = value.String(e.Val)
		default:
			_ = cond.Kwargs.SetAt(e.Key, e.Val, e.KeyAt, e.ValueAt)
		}
	}
	return cond, true
}

// retry reads the retry map; what is no map, or of a wrong type, is Salt's default.
func (c *compiler) retry(l *Low, a *Arg) *Retry {
	r := &Retry{Attempts: 2, Interval: 30 * time.Second, Until: true}
	d, ok := a.Val.(*value.Dict)
	if !ok {
		c.diags.Add(diag.Warnf(a.ValuePos(), "'retry' of ID '%s' is no map: 2 attempts, 30 seconds apart", l.ID).
			WithHint("write 'attempts', 'interval', 'splay' and 'until' as a map below it"))
		return r
	}
	for i := range d.Len() {
		e := d.At(i)
		n, isInt, num := number(e.Val)
		secs := time.Duration(n) * time.Second
		_, isBool := e.Val.(value.Bool)
		good := num && isInt
		switch value.String(e.Key) {
		case "attempts":
			if good {
				r.Attempts = int(n)
			}
		case "interval":
			if good {
				r.Interval = secs
			}
		case "splay":
			if good {
				r.Splay = secs
			}
		case "until":
			if good = isBool; good {
				r.Until = value.Truth(e.Val)
			}
		default:
			c.diags.Add(diag.Warnf(a.pos(e.KeyAt), "unknown key '%s' in 'retry' of ID '%s'", value.String(e.Key), l.ID).
				WithHint("it has attempts, interval, splay and until"))
			continue
		}
		if !good {
			c.diags.Add(diag.Warnf(a.pos(e.ValueAt), "'%s' in 'retry' of ID '%s' is %s; the default is used",
				value.String(e.Key), l.ID, value.Repr(e.Val)).
				WithHint("give a whole number, or true or false for until"))
		}
	}
	return r
}
