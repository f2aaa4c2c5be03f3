package modules

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/gostate/gostate/state/value"
)

// An Argument is one declared argument of a state function, as documentation and binding see it.
type Argument struct {
	Name     string
	Aliases  []string
	Required bool
	Type     string // "text", "boolean", "mode", ...
	Default  string // as written in the tag, "" for none
	Choices  []string
	fold     bool // a choice may be written in capitals, or not
	Doc      string
	// Secret says that its value is not shown.
	Secret bool

	num   int // place in the plan
	index []int
	shape shape
	set   setter
	def   reflect.Value // of the field's type; invalid when there is no default
}

// A plan is what reflection found out about a state function's struct, once per type.
type plan struct {
	args   []*Argument
	byName map[string]*Argument
	low    []int // where Base is embedded, nil when it is not
	rest   []int // the field tagged `arg:"**"`, a *value.Dict that takes all other arguments; nil when there is none
	others shape // of what is kept there
	names  []string
	// secrets says that one of the arguments is declared secret.
	secrets bool
}

// planCell computes a plan once. Specs share it by pointer, since they are copied.
type planCell struct {
	once sync.Once
	plan *plan
}

func (s *StateSpec) planOf() *plan {
	if s.cell == nil {
		return newPlan(reflect.TypeOf(s.New()).Elem())
	}
	s.cell.once.Do(func() { s.cell.plan = newPlan(reflect.TypeOf(s.New()).Elem()) })
	return s.cell.plan
}

// Arguments are the declared arguments in the order of the struct.
func (s *StateSpec) Arguments() []*Argument { return s.planOf().args }

func newPlan(t reflect.Type) *plan {
	p := &plan{byName: map[string]*Argument{}}
	p.addFields(t, nil)
	if len(p.args) > 256 {
		panic("modules: a state function of more than 256 arguments")
	}
	for i, a := range p.args {
		a.num = i
		p.add(a.Name, a)
		p.names = append(p.names, a.Name)
		p.secrets = p.secrets || a.Secret
	}
	for _, a := range p.args {
		for _, alias := range a.Aliases {
			p.add(alias, a)
		}
	}
	return p
}

func (p *plan) add(name string, a *Argument) {
	if p.byName[name] != nil {
		panic(fmt.Sprintf("modules: two arguments called %q", name))
	}
	p.byName[name] = a
}

func (p *plan) addFields(t reflect.Type, prefix []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, prefix...), i)
		tag, ok := f.Tag.Lookup("arg")
		switch {
		case ok && strings.HasPrefix(tag, "**"):
			p.rest, p.others = index, newArgument(f, tag, index).shape
		case ok:
			p.args = append(p.args, newArgument(f, tag, index))
		case f.Anonymous && f.Type == reflect.TypeFor[Base]():
			p.low = append(index, 0)
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			p.addFields(f.Type, index)
		}
	}
}

func newArgument(f reflect.StructField, tag string, index []int) *Argument {
	if !f.IsExported() {
		panic("modules: the argument field " + f.Name + " is not exported")
	}
	name, flags, _ := strings.Cut(tag, ",")
	a := &Argument{Name: name, Doc: f.Tag.Get("doc"), index: index}
	a.addFlags(flags)
	a.shape.not, a.shape.must = parts(f.Tag.Get("not")), a.Required
	a.set, a.Type = setterFor(f.Type)
	for _, alias := range strings.Split(f.Tag.Get("alias"), ",") {
		if alias = strings.Trim(alias, "? "); alias != "" {
			a.Aliases = append(a.Aliases, alias)
		}
	}
	if c := f.Tag.Get("choices"); c != "" {
		a.Choices = strings.Split(c, "|")
	}
	if text, ok := f.Tag.Lookup("default"); ok {
		a.Default = text
		a.def = defaultOf(f, a, text)
	}
	return a
}

// addFlags reads what follows the name in a tag.
func (a *Argument) addFlags(flags string) {
	for _, flag := range strings.Split(flags, ",") {
		k, isKind := kinds(flag)
		switch {
		case flag == "required":
			a.Required = true
		case flag == "secret":
			a.Secret = true
		case flag == "fold":
			a.fold = true
		case isKind:
			a.shape.kind = k
		case flag != "":
			panic(fmt.Sprintf("modules: the argument %q has the flag %q, which means nothing", a.Name, flag))
		}
	}
}

func defaultOf(f reflect.StructField, a *Argument, text string) reflect.Value {
	v := parseDefault(text)
	if v == value.Value(value.None) {
		return reflect.Value{}
	}
	dst := reflect.New(f.Type).Elem()
	if err := a.set(dst, v); err != nil {
		panic(fmt.Sprintf("modules: default %q of argument %q %v", text, a.Name, err))
	}
	return dst
}

// parseDefault reads the text of a default tag: a YAML scalar, or a flow list of scalars.
func parseDefault(text string) value.Value {
	switch text {
	case "true", "True":
		return value.Bool(true)
	case "false", "False":
		return value.Bool(false)
	case "", "null", "~", "None":
		return value.None
	case "{}":
		return value.NewDict(0)
	case "[]":
		return value.NewList()
	}
	if inner, ok := strings.CutPrefix(text, "["); ok && strings.HasSuffix(inner, "]") {
		l := value.NewList()
		for _, it := range strings.Split(strings.TrimSuffix(inner, "]"), ",") {
			l.Items = append(l.Items, parseDefault(strings.TrimSpace(it)))
		}
		return l
	}
	if n := len(text); n > 1 && (text[0] == '\'' || text[0] == '"') && text[n-1] == text[0] {
		return value.Str(text[1 : n-1])
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(i)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return value.Float(f)
	}
	return value.Str(text)
}
