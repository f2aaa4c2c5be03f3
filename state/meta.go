package state

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Meta holds the arguments of a state that are Puppet's metaparameters and not Salt's. They are read by name from any
// state, unless its function has an argument of that name itself.
type Meta struct {
	// Stage is the run stage, "" for that of its SLS or the default one.
	Stage string
	// Noop says whether the state is only previewed; nil leaves it to the run.
	Noop *bool
	// Audit says that the state only compares with what was last recorded: all of it, or the named arguments.
	Audit     bool
	AuditOnly []string
	// Tags are in lower case, each once.
	Tags []string
	// Schedule names a schedule of the configuration.
	Schedule string
	// Aliases are other IDs that requisites may use.
	Aliases []string
	// Virtual says that the state is only run when something realizes it.
	Virtual bool
	// Loose says that the function takes any argument, so that these may be meant for it as well.
	Loose bool
	// Within are the references of a Puppet catalog that stand for the state: that of its resource, and those of what
	// contains it. Requisites name them with the module "puppet".
	Within []string
}

// PuppetKey is what references to one resource of a Puppet catalog have in common: the case of types and of classes
// does not count, nor do quotes around the title.
func PuppetKey(ref string) string {
	kind, title, ok := strings.Cut(ref, "[")
	title, closed := strings.CutSuffix(title, "]")
	if !ok || !closed {
		return ref
	}
	if n := len(title); n > 1 && title[0] == title[n-1] && (title[0] == '\'' || title[0] == '"') {
		title = title[1 : n-1]
	}
	if kind = strings.ToLower(kind); kind == "class" {
		title = strings.ToLower(strings.TrimPrefix(title, "::"))
	}
	return kind + "[" + title + "]"
}

// MainStage is the run stage of states that name none.
const MainStage = "main"

// SLSTags is the argument with the tags that an SLS gives to its states, beside `tags`.
const SLSTags = "__tags__"

// metaKeys are the names of the arguments that Meta holds.
func metaKeys() []string {
	return []string{"alias", "audit", "noop", "schedule", "stage", "tags", "virtual"}
}

// IsMeta says whether the name is that of a metaparameter.
func IsMeta(name string) bool { return IsFree(name) || slices.Contains(metaKeys(), name) }

// Takes tells whose an argument is: whether the function declares it, and whether it takes any argument at all.
type Takes func(module, function, arg string) (declared, any bool)

// meta reads a metaparameter. It says whether the argument is none of the function's.
func (c *compiler) meta(l *Low, a *Arg) bool {
	if c.opts.Takes == nil {
		return false
	}
	declared, loose := c.opts.Takes(l.Module, l.Func, a.Name)
	if declared {
		return a.Default // what is said for a whole SLS is not meant for the function
	}
	if loose && !a.Default && (!metaShape(a) || c.variable(l, a)) {
		return false // a variable of its template
	}
	m := l.SetMeta()
	m.Loose = loose
	switch a.Name {
	case "stage":
		m.Stage = c.stage(l, a, loose)
	case "schedule":
		m.Schedule = c.word(l, a)
	case "noop":
		b := c.truth(l, a)
		m.Noop = &b
	case "virtual":
		m.Virtual = c.truth(l, a)
	case "tags", SLSTags:
		m.Tags = append(m.Tags, c.words(l, a, true)...)
	case "alias":
		m.Aliases = c.words(l, a, false)
	case "audit":
		c.audit(l, a, m)
	}
	return !loose || a.Default
}

// variable says of an argument that would keep a state from running whether the template of the state has a variable of
// its name. Then it is that variable and nothing else, as in Salt.
func (c *compiler) variable(l *Low, a *Arg) bool {
	if a.Name == "tags" || a.Name == "alias" || c.opts.Variable == nil || !c.opts.Variable(l, a.Name) {
		return false
	}
	c.diags.Add(diag.Warnf(a.Pos, "'%s' of ID '%s' is a variable of its template, and has no other meaning here", a.Name,
		l.ID).WithHint("say it at the top of the SLS, or where that is included, if every run is to heed it"))
	return true
}

// metaShape says whether the value is one that the metaparameter can have.
func metaShape(a *Arg) bool {
	_, isBool := a.Val.(value.Bool)
	isNames := func(v value.Value) bool { s, ok := v.(value.Str); return ok && (a.Name != "tags" || IsTag(string(s))) }
	switch a.Name {
	case "noop", "virtual":
		return isBool
	case "stage", "schedule":
		return isNames(a.Val)
	}
	list, isList := a.Val.(*value.List)
	if !isList {
		return isNames(a.Val) || a.Name == "audit" && isBool
	}
	return !slices.ContainsFunc(list.Items, func(v value.Value) bool { return !isNames(v) })
}

// takes says whether the function declares the argument, or every function takes it.
func (c *compiler) takes(l *Low, arg string) bool {
	if c.opts.Takes == nil || slices.Contains(runtimeArgs(), arg) {
		return true
	}
	declared, _ := c.opts.Takes(l.Module, l.Func, arg)
	return declared
}

// unused are the defaults that no state has from them and takes.
func (c *compiler) unused(defaults []Default, low []*Low) (out []Default) {
	if len(defaults) == 0 {
		return nil
	}
	used := map[diag.Pos]bool{}
	for _, l := range low {
		for i := range l.chunk {
			a := &l.chunk[i]
			if a.Default && (a.Reqs != nil || IsMeta(a.Name) || c.takes(l, a.Name)) {
				used[a.Pos] = true
			}
		}
	}
	for _, d := range defaults {
		if !used[d.Pos] {
			out = append(out, d)
		}
	}
	return out
}

// word is a name; what is none is reported.
func (c *compiler) word(l *Low, a *Arg) string {
	if s, ok := a.Val.(value.Str); ok && s != "" {
		return string(s)
	}
	c.notWords(l, a, "a name")
	return ""
}

func (c *compiler) notWords(l *Low, a *Arg, want string) {
	c.diags.Add(diag.Errorf(a.ValuePos(), "'%s' of ID '%s' is not %s but %s", a.Name, l.ID, want, value.Repr(a.Val)).
		WithHint("write '- %s: NAME'", a.Name))
}

// words are names: one, or a list of them. Each is there once.
func (c *compiler) words(l *Low, a *Arg, lower bool) []string {
	list, ok := a.Val.(*value.List)
	if !ok {
		list = value.NewList(a.Val)
	}
	out := make([]string, 0, len(list.Items))
	for _, it := range list.Items {
		s, isText := it.(value.Str)
		if !isText || s == "" {
			c.notWords(l, a, "a name or a list of names")
			return nil
		}
		if lower && !IsTag(string(s)) {
			c.diags.Add(diag.Errorf(a.ValuePos(), "%q of ID '%s' is no tag", string(s), l.ID).
				WithHint("a tag is a word of letters, digits and _, with : . - between them"))
			continue
		}
		if lower {
			s = value.Str(strings.ToLower(string(s)))
		}
		if !slices.Contains(out, string(s)) {
			out = append(out, string(s))
		}
	}
	return out
}

func (c *compiler) audit(l *Low, a *Arg, m *Meta) {
	switch a.Val.(type) {
	case value.Bool:
		m.Audit = value.Truth(a.Val)
	default:
		m.AuditOnly = c.words(l, a, false)
		if m.Audit = len(m.AuditOnly) > 0; slices.Contains(m.AuditOnly, "all") {
			m.AuditOnly = nil
		}
	}
}

// Meta are the metaparameters. Nobody changes them: see SetMeta.
func (l *Low) Meta() *Meta {
	if l.meta == nil {
		return noMeta
	}
	return l.meta
}

// noMeta are those of all states that give none; nobody writes them.
var noMeta = &Meta{}

// SetMeta changes the metaparameters of a state that is being made.
func (l *Low) SetMeta() *Meta {
	if l.meta == nil {
		l.meta = &Meta{}
	}
	return l.meta
}

// Fun is the function of the declaration as its SLS writes it, "file.managed"; only the module where it names none.
func (s *StateDecl) Fun() string {
	for i := range s.Args {
		if s.Args[i].IsFunc() {
			return s.Module + "." + s.Args[i].Func()
		}
	}
	return s.Module
}

// AddMissing appends those of the arguments that the body does not have.
func (b *Body) AddMissing(args []Arg) {
	for _, a := range args {
		if !b.Has(a.Name) {
			b.Args = append(b.Args, a)
		}
	}
}
