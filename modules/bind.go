package modules

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Bind makes a state function of the spec and sets its arguments from the low state. All faults are reported at once,
// each at the place of its argument; the function is nil when one of them is an error.
func Bind(spec *StateSpec, low *state.Low) (StateFunc, []*diag.Diagnostic) {
	b := binding{spec: spec, low: low, plan: spec.planOf(), fn: spec.New()}
	b.dst = reflect.ValueOf(b.fn).Elem()
	b.applyDefaults()
	b.bindGiven()
	b.checkRequired()
	if !b.failed {
		b.validate()
	}
	if b.failed {
		return nil, b.diags
	}
	return b.fn, b.diags
}

// A binding is the work of one Bind.
type binding struct {
	spec   *StateSpec
	low    *state.Low
	plan   *plan
	fn     StateFunc
	dst    reflect.Value
	given  [4]uint64 // the arguments of the plan that were given, by index
	diags  []*diag.Diagnostic
	failed bool
}

func (b *binding) applyDefaults() {
	if b.plan.low != nil {
		b.dst.FieldByIndex(b.plan.low).Set(reflect.ValueOf(b.low))
	}
	for _, a := range b.plan.args {
		if a.def.IsValid() {
			b.dst.FieldByIndex(a.index).Set(a.def)
		}
	}
}

func (b *binding) bindGiven() {
	if a := b.plan.byName["name"]; b.low.Misnamed {
		b.failed = true // and what depends on the name is not judged
		if a != nil {
			b.mark(a)
		}
	} else if a != nil && b.low.Name != "" {
		b.set(a, "name", value.Str(b.low.Name))
	}
	if b.low.Args != nil {
		for i := range b.low.Args.Len() {
			e := b.low.Args.At(i)
			b.bindOne(e.Key, e.Val)
		}
	}
	bindOptions(b.low.Opts(), b.bindOption)
}

func (b *binding) bindOne(key, v value.Value) {
	name, ok := key.(value.Str)
	if !ok {
		b.fail(b.pos(""), "an argument of %s has the name %s, which is no text", b.spec.Name, value.Repr(key))
		return
	}
	a := b.plan.byName[string(name)]
	switch {
	case a == nil && b.plan.rest != nil && b.takesRest() && (!isGlobalArg(string(name)) || state.IsMeta(string(name))) &&
		!strings.HasPrefix(string(name), "__"):
		b.collect(name, v)
	case a == nil:
		b.unknown(string(name))
	case v == value.Value(value.None) || v == nil:
	default:
		b.set(a, string(name), v)
	}
}

// takesRest says whether what the function does not know is kept for it. Where it also lets unknown arguments through
// they are variables of a template, so that without one they are slips.
func (b *binding) takesRest() bool {
	if !b.spec.AnyArgs {
		return true
	}
	t, ok := b.low.Args.GetStr("template")
	return ok && value.Truth(t)
}

// collect keeps an argument of a function that takes any.
func (b *binding) collect(name value.Str, v value.Value) {
	if err := b.plan.others.check(value.DictOf(string(name), v)); err != nil {
		b.misfit(string(name), err)
		return
	}
	dst := b.dst.FieldByIndex(b.plan.rest)
	if dst.IsNil() {
		dst.Set(reflect.ValueOf(value.NewDict(1)))
	}
	dst.Interface().(*value.Dict).SetStr(string(name), v)
	switch near := slipOf(string(name), v); {
	case near == "":
	case maybeVariable(near, v):
		d := diag.Warnf(b.pos(string(name)), "%q in %s is taken for an argument, not for %q", string(name), b.spec.Name,
			near)
		b.diags = append(b.diags, d.WithHint("did you mean %q?", near))
	default:
		b.fail(b.pos(string(name)), "%s has no argument %q", b.spec.Name, string(name)).WithHint("did you mean %q?", near)
	}
}

// bindOption gives an argument that the compiler took for a global option to the function that declares it itself:
// cmd.run has its own runas, file.managed its own check_cmd.
func (b *binding) bindOption(name string, v value.Value) {
	if a := b.plan.byName[name]; a != nil && !b.has(a) {
		b.set(a, name, v)
	}
}

func (b *binding) set(a *Argument, name string, v value.Value) {
	b.mark(a)
	b.checkVersion(a.Name, v)
	if err := cmp.Or(a.shape.check(v), a.set(b.dst.FieldByIndex(a.index), v)); err != nil {
		b.misfit(name, err)
		return
	}
	if text, ok := v.(value.Str); ok && text != "" && len(a.Choices) > 0 && !a.chooses(string(text)) {
		d := b.fail(b.pos(name), "argument %q of %s is %q, which is none of %s", name, b.spec.Name, string(text),
			strings.Join(a.Choices, ", "))
		if near := diag.Nearest(string(text), a.Choices); near != "" {
			d.WithHint("did you mean %q?", near)
		}
	}
}

// chooses says whether a word is one of the choices.
func (a *Argument) chooses(word string) bool {
	return slices.ContainsFunc(a.Choices, func(c string) bool { return c == word || a.fold && strings.EqualFold(c, word) })
}

// misfit reports a value that the argument cannot have.
func (b *binding) misfit(name string, err error) {
	if b.spec.IsSecret(name) {
		err = unsaid(err)
	}
	d := b.fail(b.pos(name), "argument %q of %s %v", name, b.spec.Name, err)
	if m := (*misfit)(nil); errors.As(err, &m) {
		d.Hint = m.hint
	}
}

// checkVersion warns of a version that YAML has read as a number: 1.10 is 1.1. Those of pkgs stand in maps.
func (b *binding) checkVersion(name string, v value.Value) {
	if l, ok := v.(*value.List); ok && name == "pkgs" {
		for _, it := range l.Items {
			if d, ok := it.(*value.Dict); ok && d.Len() == 1 {
				b.warnOfNumber(name, d.At(0).Val)
			}
		}
	}
	if name == "version" {
		b.warnOfNumber(name, v)
	}
}

func (b *binding) warnOfNumber(name string, v value.Value) {
	if f, ok := v.(value.Float); ok {
		text := value.String(f)
		d := diag.Warnf(b.pos(name), "a version of %s is the number %s: YAML drops zeros at its end", b.spec.Name, text)
		b.diags = append(b.diags, d.WithHint("write it as text: '%s', or '%s0'", text, text))
	}
}

func (b *binding) checkRequired() {
	for _, a := range b.plan.args {
		if a.Required && !b.has(a) {
			b.fail(b.pos(a.Name), "%s needs the argument %q", b.spec.Name, a.Name)
		}
	}
}

func (b *binding) validate() {
	v, ok := b.fn.(Validator)
	if !ok {
		return
	}
	for _, f := range v.Validate() {
		d := b.fail(b.pos(f.Arg), "%s: %s", b.spec.Name, f.Msg)
		d.Hint = f.Hint
	}
}

// unknown reports an argument that the function has not. Salt differs: where a Salt function takes any keyword, Salt
// says nothing; here that is a warning, and an error where the name is a slip of one that every state takes.
func (b *binding) unknown(name string) {
	if state.IsFree(name) { // else it would be a requisite
		b.fail(b.pos(name), "%s has no argument %q, and a relationship is a list", b.spec.Name, name).
			WithHint("write '- %s: [{MODULE: NAME}]'", name)
		return
	}
	if strings.HasPrefix(name, "__") || isGlobalArg(name) {
		return
	}
	d := diag.Errorf(b.pos(name), "%s has no argument %q", b.spec.Name, name)
	near := diag.Nearest(name, append(slices.Clone(b.plan.names), state.GlobalArgs()...))
	if near != "" {
		d.WithHint("did you mean %q?", near)
	} else {
		d.WithHint("its arguments are %s", strings.Join(b.plan.names, ", "))
	}
	v, _ := b.low.Args.GetStr(name)
	slip := slipOf(name, v)
	if b.spec.AnyArgs && (slip == "" || near != slip && slices.Contains(b.plan.names, near)) {
		d.Severity = diag.Warning
	} else {
		b.failed = true
	}
	b.diags = append(b.diags, d)
}

func (b *binding) fail(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(pos, "%s", fmt.Sprintf(format, args...))
	b.failed = true
	b.diags = append(b.diags, d)
	return d
}

func (b *binding) pos(arg string) diag.Pos {
	if p := b.low.ArgPos(arg); !p.IsZero() {
		return p
	}
	return b.low.Pos
}

func (b *binding) mark(a *Argument) { b.given[a.num/64] |= 1 << (a.num % 64) }

func (b *binding) has(a *Argument) bool { return b.given[a.num/64]&(1<<(a.num%64)) != 0 }
