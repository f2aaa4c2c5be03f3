package compile

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/gostate/gostate/sls/puppet/types"
)

// builtin finds one of the language's functions.
func (c *Compiler) builtin(name string) *builtin {
	for _, table := range []func(string) *builtin{flow, collections, iteration, texts, numbers, files, values} {
		if b := table(name); b != nil {
			b.sigs = coreSignatures(name)
			return b
		}
	}
	return nil
}

// flow are the functions about classes, resources, messages and the end of things.
func flow(name string) *builtin {
	switch name {
	case "include", "contain", "require":
		return &builtin{fn: (*call).include}
	case "realize":
		return &builtin{fn: (*call).realizeCall}
	case "create_resources":
		return &builtin{fn: (*call).createResources}
	case "tag":
		return &builtin{fn: func(k *call) any {
			k.scope.resource.addTags(k.args)
			return nil
		}}
	case "tagged":
		return &builtin{fn: func(k *call) any {
			tags := k.scope.resource.AllTags()
			for _, a := range flatten(any(k.args)) {
				if !slices.Contains(tags, strings.ToLower(types.Text(a))) {
					return false
				}
			}
			return true
		}}
	case "defined":
		return &builtin{fn: (*call).defined}
	case "debug", "info", "notice", "warning", "err", "alert", "emerg", "crit":
		return &builtin{fn: func(k *call) any {
			words := make([]string, len(k.args))
			for i, a := range k.args {
				words[i] = types.Text(a)
			}
			k.log(name, strings.Join(words, " "))
			return nil
		}}
	case "fail":
		return &builtin{fn: func(k *call) any {
			words := make([]string, len(k.args))
			for i, a := range k.args {
				words[i] = rubyText(a)
			}
			k.refuse("%s", strings.Join(words, " "))
			return nil
		}}
	case "next", "return", "break":
		return &builtin{fn: func(k *call) any {
			panic(jump{kind: name, val: k.arg(0), file: k.file, at: k.at})
		}}
	case "lookup", "hiera", "hiera_array", "hiera_hash", "hiera_include":
		return &builtin{fn: (*call).lookup}
	}
	return nil
}

// include declares classes; contain and require add what they say besides.
func (k *call) include() any {
	out := []any{}
	for _, a := range flatten(any(k.args)) {
		name := ""
		switch a := a.(type) {
		case string:
			name = a
		case *types.Type:
			switch {
			case a.Kind == "Class" && a.Text != "":
				name = a.Text
			case a.Kind == "Resource" && a.Text != "" && a.Title == "":
				name = a.Text
			case a.Kind == "Resource" && strings.EqualFold(a.Text, "class"):
				name = a.Title
			default:
				k.refuse("Cannot use %s where a Class is expected", a.String())
			}
		case nil:
			k.refuse("Cannot use undef where a class name is expected")
		default:
			k.refuse("Cannot use %s where a class name is expected", types.Infer(a).Kind)
		}
		r := k.includeClass(k.scope, name, k.at)
		ref := types.ClassRef(r.Title)
		out = append(out, ref)
		switch k.name {
		case "contain":
			k.contain(r)
		case "require":
			k.scope.resource.appendRef("require", ref)
		}
	}
	return out
}

func (k *call) contain(r *Resource) {
	in := k.scope.resource
	for _, e := range k.catalog.Contained {
		if e[0] == in && e[1] == r {
			return
		}
	}
	if in != r {
		k.catalog.Contained = append(k.catalog.Contained, [2]*Resource{in, r})
	}
}

func (k *call) realizeCall() any {
	col := &collector{scope: k.scope, done: map[*Resource]bool{}}
	for _, a := range flatten(any(k.args)) {
		t, ok := a.(*types.Type)
		if text, isText := a.(string); isText {
			t, ok = k.refOf(text), true
		}
		if !ok || t == nil {
			k.refuse("Illegal argument to realize: %s", types.Inspect(a))
		}
		col.refs = append(col.refs, t)
	}
	k.collectors = append(k.collectors, col)
	return nil
}

// createResources is create_resources(type, {title => attributes}, defaults).
func (k *call) createResources() any {
	if len(k.args) < 2 || len(k.args) > 3 {
		least := "for minimum 2"
		if len(k.args) > 3 {
			least = "for maximum 3"
		}
		k.refuse("create_resources(): Wrong number of arguments given (%d %s)", len(k.args), least)
	}
	name := types.Text(k.arg(0))
	if t, ok := k.args[0].(*types.Type); ok {
		if name = t.Text; t.Kind == "Class" {
			name = "class"
		}
	}
	plain := strings.TrimLeft(name, "@")
	form := len(name) - len(plain)
	hash, ok := k.args[1].(*types.Hash)
	if !ok {
		k.refuse("create_resources(): second argument must be a hash")
	}
	dflt, _ := k.arg(2).(*types.Hash)
	for title, v := range hash.All() {
		attrs := types.NewHash()
		if dflt != nil {
			attrs = dflt.Clone()
		}
		if given, ok := v.(*types.Hash); ok {
			attrs = attrs.Merge(given)
		}
		for key, x := range attrs.Clone().All() {
			if x == nil {
				attrs.Delete(key)
			}
		}
		k.declareNamed(plain, title, attrs, form)
	}
	return nil
}

// declareNamed declares what a function was told to; the title may be a number.
func (k *call) declareNamed(typeName string, title any, attrs *types.Hash, form int) {
	was := k.inCall
	k.inCall = true
	defer func() { k.inCall = was }()
	ref := k.declare(k.scope, typeName, types.Text(title), attrs, form > 0, form > 1, k.at, k.at)
	if _, isText := title.(string); !isText {
		if r := k.catalog.Lookup(ref); r != nil {
			r.numbered = true
		}
	}
}

// defined says whether classes, types, resources or variables are there.
func (k *call) defined() any {
	for _, a := range k.args {
		if k.isDefined(a) {
			return true
		}
	}
	return false
}

func (k *call) isDefined(a any) bool {
	switch a := a.(type) {
	case string:
		if v, ok := strings.CutPrefix(a, "$"); ok {
			_, there := k.variable(k.scope, v)
			return there
		}
		if t := k.refOf(a); t != nil {
			return k.catalog.Lookup(t) != nil
		}
		if a == "main" || a == "" {
			return a == "main"
		}
		return k.native_(strings.ToLower(a)) || k.findClass(a) != nil
	case *types.Type:
		if a.Kind == "Type" && len(a.Elems) == 1 {
			e := a.Elems[0]
			return e.Kind == "Class" && k.findClass(e.Text) != nil || e.Kind == "Resource" && k.resourceTypeExists(e.Text)
		}
		switch {
		case a.Kind == "Class" && a.Text != "", a.Kind == "Resource" && a.Title != "":
			return k.catalog.Lookup(a) != nil
		case a.Kind == "Resource" && a.Text != "":
			return k.resourceTypeExists(a.Text)
		}
		return true
	}
	return false
}

// numbers are the functions on numbers.
func numbers(name string) *builtin {
	switch name {
	case "abs":
		return &builtin{fn: func(k *call) any {
			switch x := k.number(0).(type) {
			case int64:
				return max(x, -x)
			case float64:
				return math.Abs(x)
			}
			return nil
		}}
	case "ceiling":
		return &builtin{fn: func(k *call) any { return int64(math.Ceil(asFloat(k.number(0)))) }}
	case "floor":
		return &builtin{fn: func(k *call) any { return int64(math.Floor(asFloat(k.number(0)))) }}
	case "round":
		return &builtin{fn: func(k *call) any { return int64(math.Round(asFloat(k.number(0)))) }}
	case "max", "min":
		return &builtin{fn: (*call).extreme}
	case "compare":
		return &builtin{fn: func(k *call) any {
			a, b := k.arg(0), k.arg(1)
			if x, ok := a.(string); ok && k.arg(2) == false {
				if y, ok := b.(string); ok {
					return int64(strings.Compare(x, y))
				}
			}
			o, ok := order(a, b)
			if !ok {
				k.refuse("compare(): arguments of different or non comparable types: %s, %s", types.Infer(a).Kind,
					types.Infer(b).Kind)
			}
			return int64(o)
		}}
	}
	return nil
}

func (k *call) number(i int) any {
	if s, ok := k.args[i].(string); ok {
		n, good := toNumber(s)
		if !good {
			what := "given non numeric string value"
			if k.name != "abs" {
				what = "given value to a floating point value."
			}
			k.refuse("%s(): cannot convert %s", k.name, what)
		}
		return n
	}
	return k.args[i]
}

func (k *call) extreme() any {
	args := k.args
	if l, ok := k.arg(0).([]any); ok && len(args) == 1 {
		args = l
	}
	if len(args) == 0 {
		k.refuse("'%s' expects at least 1 argument, got none", k.name)
	}
	best := args[0]
	for _, a := range args[1:] {
		var o int
		if k.block != nil {
			n, _ := k.yield(best, a).(int64)
			o = int(n)
		} else {
			var ok bool
			if o, ok = order(best, a); !ok {
				o = strings.Compare(types.Text(best), types.Text(a))
			}
		}
		if k.name == "max" && o < 0 || k.name == "min" && o > 0 {
			best = a
		}
	}
	return best
}

// texts are the functions on texts; most take a list of texts as well.
func texts(name string) *builtin {
	switch name {
	case "upcase", "downcase", "capitalize", "camelcase", "strip", "lstrip", "rstrip", "chomp", "chop":
		return &builtin{fn: func(k *call) any { return k.eachText(k.arg(0)) }}
	case "sprintf":
		return &builtin{fn: (*call).sprintf}
	case "split":
		return &builtin{fn: (*call).split}
	case "join":
		return &builtin{fn: func(k *call) any {
			sep, _ := k.arg(1).(string)
			var words []string
			for _, x := range flatten(k.arg(0)) {
				words = append(words, types.Text(x))
			}
			return strings.Join(words, sep)
		}}
	case "regsubst":
		return &builtin{fn: (*call).regsubst}
	case "match":
		return &builtin{fn: (*call).matchCall}
	case "shellquote":
		return &builtin{fn: func(k *call) any {
			var words []string
			for _, a := range flatten(any(k.args)) {
				words = append(words, shellQuote(types.Text(a)))
			}
			return strings.Join(words, " ")
		}}
	case "versioncmp":
		return &builtin{fn: func(k *call) any {
			a, b := k.args[0].(string), k.args[1].(string)
			if k.arg(2) == true {
				a, b = withoutZeroes(a), withoutZeroes(b)
			}
			return int64(types.VersionCmp(a, b))
		}}
	case "strftime":
		return &builtin{fn: (*call).strftime}
	}
	return nil
}

func (k *call) eachText(v any) any {
	switch x := v.(type) {
	case string:
		return oneText(k.name, x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = k.eachText(x[i])
		}
		return out
	case *types.Hash:
		if k.name == "upcase" || k.name == "downcase" {
			out := types.NewHash()
			for a, b := range x.All() {
				out.Set(k.eachText(a), k.eachText(b))
			}
			return out
		}
	}
	return v
}

func oneText(name, s string) string {
	switch name {
	case "upcase":
		return strings.ToUpper(s)
	case "downcase":
		return strings.ToLower(s)
	case "capitalize":
		if s == "" {
			return s
		}
		r := []rune(s)
		return string(unicode.ToUpper(r[0])) + strings.ToLower(string(r[1:]))
	case "camelcase":
		var b strings.Builder
		for part := range strings.SplitSeq(s, "_") {
			b.WriteString(oneText("capitalize", part))
		}
		return b.String()
	case "strip":
		return strings.Trim(s, " \t\n\v\f\r\x00")
	case "lstrip":
		return strings.TrimLeft(s, " \t\n\v\f\r\x00")
	case "rstrip":
		return strings.TrimRight(s, " \t\n\v\f\r\x00")
	case "chomp":
		return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
	case "chop":
		if strings.HasSuffix(s, "\r\n") {
			return s[:len(s)-2]
		}
		r := []rune(s)
		return string(r[:max(len(r)-1, 0)])
	}
	return s
}

func shellQuote(s string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("@%_+=:,./-", r)
	}
	switch {
	case s != "" && !slices.ContainsFunc([]rune(s), func(r rune) bool { return !safe(r) }):
		return s
	case !strings.ContainsAny(s, "\"`$\\!"):
		return `"` + s + `"`
	case !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	return `"` + strings.NewReplacer(`"`, `\"`, "`", "\\`", "$", `\$`, `\`, `\\`, "!", `"'!'"`).Replace(s) + `"`
}
