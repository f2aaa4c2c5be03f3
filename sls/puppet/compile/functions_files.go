package compile

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

var semver = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)
})

// files are the functions that read files of modules, and templates.
func files(name string) *builtin {
	switch name {
	case "file", "find_file", "binary_file":
		return &builtin{fn: (*call).fileCall}
	case "find_template":
		return &builtin{fn: func(k *call) any {
			for _, a := range flatten(any(k.args)) {
				if p := k.inModule(types.Text(a), "templates"); p != "" {
					return p
				}
			}
			return nil
		}}
	case "module_directory":
		return &builtin{fn: func(k *call) any {
			for _, a := range flatten(any(k.args)) {
				if d := k.moduleDir(types.Text(a)); d != "" {
					return d
				}
			}
			return nil
		}}
	case "epp", "inline_epp":
		return &builtin{fn: (*call).epp}
	case "template", "inline_template":
		return &builtin{fn: (*call).erb}
	}
	return nil
}

// inModule is the path of `module/file` in a folder of that module, "" when it is not there.
func (k *call) inModule(name, folder string) string {
	if path.IsAbs(name) {
		if _, err := k.opts.Read(name); err == nil {
			return name
		}
		return ""
	}
	module, rest, _ := strings.Cut(name, "/")
	dir := k.moduleDir(module)
	if dir == "" {
		return ""
	}
	p := path.Join(dir, folder, rest)
	if _, err := k.opts.Read(p); err != nil {
		return ""
	}
	return p
}

func (k *call) fileCall() any {
	for _, a := range flatten(any(k.args)) {
		p := k.inModule(types.Text(a), "files")
		if p == "" {
			continue
		}
		if k.name == "find_file" {
			return p
		}
		text, err := k.opts.Read(p)
		if err != nil {
			k.refuse("Could not read %s: %v", p, err)
		}
		if k.name == "binary_file" {
			return &types.Object{Type: types.New("Binary"), Text: string(text)}
		}
		return string(text)
	}
	switch k.name {
	case "find_file":
		return nil
	case "binary_file":
		k.refuse("binary_file(): The given file '%s' does not exist", types.Text(k.arg(0)))
	}
	var names []string
	for _, a := range flatten(any(k.args)) {
		names = append(names, types.Text(a))
	}
	k.refuse("Could not find any files from %s", strings.Join(names, ", "))
	return nil
}

// epp renders a template with the parameters of a hash.
func (k *call) epp() any {
	defer k.deeper(k.at)()
	name, _ := k.arg(0).(string)
	text, file := name, "inlined-epp-text"
	if k.name == "epp" {
		if file = k.inModule(name, "templates"); file == "" {
			k.refuse("Could not find template '%s'", name)
		}
		raw, _ := k.opts.Read(file)
		text = string(raw)
	}
	params, _ := k.arg(1).(*types.Hash)
	if params == nil {
		params = types.NewHash()
	}
	tmpl := k.templates["epp:"+file+text]
	if tmpl == nil {
		f, err := syntax.ParseEPP(file, text)
		if err != nil {
			panic(fault{&Error{Err: err, Parse: true}})
		}
		tmpl = f
		k.templates["epp:"+file+text] = f
	}
	return k.render(tmpl, params)
}

func (k *call) render(f *syntax.File, params *types.Hash) string {
	s := newScope(k.top)
	if k.name == "inline_epp" || !f.HasParams && params.Len() == 0 {
		s = newScope(k.scope)
	}
	if k.node != nil && k.name == "epp" && f.HasParams {
		s.parent = k.node
	}
	s.resource, s.module, s.class = k.scope.resource, k.scope.module, k.scope.class
	s.out = &strings.Builder{}
	defer k.inFile(f.Path)()
	var check []types.Param
	given := params.Clone()
	if f.HasParams {
		for _, p := range f.Params {
			t := types.Any()
			if p.Type != nil {
				t = k.typeOf(s, p.Type)
			}
			v, ok := given.Get(p.Name)
			if !ok && p.Default != nil {
				v = k.eval(s, p.Default)
			}
			check = append(check, types.Param{Name: p.Name, Type: t, Optional: p.Default != nil})
			s.vars[p.Name] = v
		}
		if msg := types.CheckParams("lambda", check, given, false); msg != "" {
			k.refuse("%s", msg)
		}
	} else {
		for name, v := range params.All() {
			s.vars[types.Text(name)] = v
		}
	}
	func() {
		defer func() {
			switch r := recover().(type) {
			case nil:
			case jump:
				if r.kind != "return" {
					panic(r)
				}
			default:
				panic(r)
			}
		}()
		k.statements(s, f.Body)
	}()
	return s.out.String()
}
