package state

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// CompileOptions say how high data becomes low states.
type CompileOptions struct {
	// Strict makes errors of what Salt ignores without a word: a scalar require_in, use, listen_in or a bare require_in of
	// a state that is not there. Without it they are warnings.
	Strict bool
	// Takes tells metaparameters from arguments of functions; nil: there are no metaparameters.
	Takes Takes
	// Variable says whether the template that a state renders has a variable of the name; nil: none has.
	Variable func(l *Low, name string) bool
	// Stages are the run stages, nil where none are configured.
	Stages []string
}

// Compiled is what high data come to.
type Compiled struct {
	// Low are the states to run, sorted as Salt sorts them.
	Low []*Low
	// Virtual are the virtual states that nothing realizes: they are checked, and never run.
	Virtual []*Low
	// Unused are the defaults that no state took.
	Unused []Default
}

// Compile turns high data into the states to run.
func Compile(high *High, opts CompileOptions) ([]*Low, *diag.List) {
	out, diags := CompileAll(high, opts)
	return out.Low, diags
}

// CompileAll turns high data into low states: extend, check, virtual states aside, requisite_in, extend again, exclude,
// names, order. All faults are reported; with errors the low states are those that could be made. high is left as it
// was.
func CompileAll(high *High, opts CompileOptions) (*Compiled, *diag.List) {
	c := &compiler{opts: opts, diags: &diag.List{}, excludes: high.Excludes, incomplete: high.Incomplete}
	c.decls = append(make([]*Decl, 0, len(high.Decls)), high.Decls...)
	c.byID = make(map[string]int, len(c.decls))
	for i, d := range c.decls {
		c.byID[d.ID] = i
	}
	c.extendAll(high.Extends)
	c.checkFunctions()
	c.setAside(high.Realize)
	for _, e := range c.requisiteIn() {
		c.extend(e, true)
	}
	c.exclude()
	out := &Compiled{Low: c.chunks(c.decls), Virtual: c.chunks(c.virtual)}
	out.Unused = c.unused(high.Defaults, slices.Concat(out.Low, out.Virtual))
	c.checkAliases(out.Low)
	c.tellVirtual(out.Virtual)
	c.sort(out.Low)
	c.diags.Sort()
	return out, c.diags
}

type compiler struct {
	opts  CompileOptions
	diags *diag.List
	// incomplete: what is not found may be in a file that could not be read.
	incomplete bool
	decls      []*Decl
	byID       map[string]int
	excludes   []Exclude
	// own holds the bodies that this compile changed, by the body of the high data.
	own map[*Body]*Body
	// cloned are the declarations that were copied to be changed.
	cloned map[int]bool
	// values finds states by the text of any argument, made when first needed.
	values map[modText][]int
	nSLS   map[string][]int
	names  map[string]place
	// aliases and sketched are made when first asked for.
	aliases  map[modText]place
	sketched *sketch
	// virtual are the declarations of virtual states that nothing realizes; aside tells them.
	virtual []*Decl
	aside   map[modText]bool
}

type modText struct{ module, text string }

// body is the body of the declaration as it stands.
func (c *compiler) body(s *StateDecl) *Body {
	if c.own != nil {
		if b := c.own[s.Body]; b != nil {
			return b
		}
	}
	return s.Body
}

// write is the body of the declaration, copied when it is still that of the high data.
func (c *compiler) write(s *StateDecl) *Body {
	if c.own == nil {
		c.own = map[*Body]*Body{}
	}
	b := c.own[s.Body]
	if b == nil {
		b = &Body{Args: append(make([]Arg, 0, len(s.Args)+2), s.Args...)}
		for i := range b.Args {
			b.Args[i].owned = false
		}
		c.own[s.Body] = b
	}
	return b
}

// addState adds a module to a declaration.
func (c *compiler) addState(i int, s StateDecl) {
	d := c.writeDecl(i)
	d.States = append(d.States, s)
	c.values = nil
}

// writeDecl is a declaration, copied when it is still that of the high data.
func (c *compiler) writeDecl(i int) *Decl {
	if !c.cloned[i] {
		if c.cloned == nil {
			c.cloned = map[int]bool{}
		}
		d := *c.decls[i]
		d.States = append([]StateDecl(nil), d.States...)
		c.decls[i], c.cloned[i] = &d, true
	}
	return c.decls[i]
}

// ignored reports what Salt ignores without a word.
func (c *compiler) ignored(d *diag.Diagnostic) {
	if c.opts.Strict {
		d.Severity = diag.Error
	} else {
		d.Severity = diag.Warning
	}
	c.diags.Add(d)
}

// checkFunctions reports declarations without a function, or with several.
func (c *compiler) checkFunctions() {
	for _, d := range c.decls {
		for i := range d.States {
			c.checkFunction(d, &d.States[i])
		}
	}
}

func (c *compiler) checkFunction(d *Decl, s *StateDecl) {
	var first *Arg
	b, free := c.body(s), false
	for i := range b.Args {
		a := &b.Args[i]
		switch {
		case !a.IsFunc():
			free = free || IsFree(a.Name)
		case c.joined(d, s, a):
			return
		case first == nil:
			first = a
		default:
			diagnostic := diag.Errorf(a.Pos, "too many functions for '%s' in ID '%s' in SLS '%s': '%s' and '%s'", s.Module, d.ID,
				d.SLS,
				first.Func(), a.Func()).WithHint("keep one of them, or give the other an ID of its own; is a list shared by a " +
				"YAML anchor?")
			diagnostic.Related = []diag.Related{{Pos: first.Pos, Msg: "the other function"}}
			c.diags.Add(diagnostic)
			return
		}
	}
	if free {
		c.claim(d, s)
	}
	if first == nil {
		c.diags.Add(diag.Errorf(s.Pos, "no function for '%s' in ID '%s' in SLS '%s'", s.Module, d.ID, d.SLS).
			WithHint("write '%s.FUNCTION:', or '- FUNCTION' among its arguments", s.Module))
	}
}

// joined reports an argument whose colon has no space behind it, which makes it a text.
func (c *compiler) joined(d *Decl, s *StateDecl, a *Arg) bool {
	name, text, ok := strings.Cut(a.Func(), ":")
	if !ok || name == "" || strings.ContainsAny(name, " /.") {
		return false
	}
	c.diags.Add(diag.Errorf(a.Pos, "'%s' of '%s' in ID '%s' in SLS '%s' is a text, neither an argument nor a function",
		a.Func(),
		s.Module, d.ID, d.SLS).WithHint("put a space behind the colon: '- %s: %s'", name, strings.TrimSpace(text)))
	return true
}

// exclude removes what the SLS files exclude.
func (c *compiler) exclude() {
	if len(c.excludes) == 0 {
		return
	}
	gone := make(map[int]bool)
	for _, e := range c.excludes {
		if e.ID != "" {
			if i, ok := c.byID[e.ID]; ok {
				gone[i] = true
			}
			continue
		}
		for i, d := range c.decls {
			if matchSLS(e.SLS, d.SLS) {
				gone[i] = true
			}
		}
	}
	kept := c.decls[:0:0]
	for i, d := range c.decls {
		if !gone[i] {
			kept = append(kept, d)
		}
	}
	c.virtual = slices.DeleteFunc(c.virtual, func(d *Decl) bool { return gone[c.byID[d.ID]] })
	c.decls = kept
}

// excludedSLS says whether extends of the SLS are dropped because it is excluded by its very name.
func (c *compiler) excludedSLS(sls string) bool {
	for _, e := range c.excludes {
		if e.ID == "" && e.SLS == sls {
			return true
		}
	}
	return false
}

func strVal(v value.Value) (string, bool) {
	s, ok := v.(value.Str)
	return string(s), ok
}
