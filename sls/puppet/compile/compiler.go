package compile

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/pkcs7"
	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// Options say what is compiled, and for whom.
type Options struct {
	// Manifests are the site's, which share their variables as the files of one folder do.
	Manifests []Manifest
	// ModulePath are folders of modules, the first wins.
	ModulePath []string
	// EnvDir is the folder of the environment, with hiera.yaml, functions and types of its own.
	EnvDir string
	// Node is the name of the machine, Facts what is known of it.
	Node  string
	Facts *types.Hash
	// Strict makes an error of a variable that is not there, as Puppet 8 does.
	Strict bool
	// Vars are further variables at the top, each made when it is first asked for.
	Vars map[string]func() any
	// Pillar gives values of the pillar: those of a level `data_hash: pillar`, and all data of an environment without
	// a hiera.yaml. Nil where there is none.
	Pillar func(key string) (any, bool)
	// Exports gives the resources of a type (in lower case) that machines export; nil where nobody keeps any.
	Exports func(typeName string) ([]Exported, error)
	// Beside says that states of other files are there, which State['service: web'] refers to.
	Beside bool
	// Secret is told each text that was encrypted in data; nil for nobody.
	Secret func(text string)
	// Read reads a file; it is how the compiler reaches the disk. List gives the names in a folder.
	Read func(path string) ([]byte, error)
	List func(path string) ([]string, error)
}

// A Manifest is a text, and what messages call it.
type Manifest struct {
	Path, Text string
	// SLS is the file of states that it stands in, "" for none: what it declares is that file's.
	SLS string
}

// A Log is a line that a manifest said: notice('x').
type Log struct{ Level, Message string }

// A Compiler compiles for one machine, once.
type Compiler struct {
	opts    Options
	catalog *Catalog
	top     *scope
	node    *scope
	scopes  map[string]*scope // of classes that were evaluated
	types   map[string]*types.Type
	funcs   map[string]*syntax.Function
	ruby    map[string]string // files of functions in Ruby, by name
	classes map[string]*definition
	nodes   []*definition
	loaded  map[string]bool
	file    string // of what is being evaluated
	logs    []Log
	// later is what is evaluated when the statements of the manifest have been: defines, collectors, overrides.
	defines     []*Resource
	collectors  []*collector
	overrides   map[string][]*override
	relations   []relation
	depth       int
	inCall      bool // a function declares resources
	hiera       *hiera
	parsedTypes map[string]*types.Type
	templates   map[string]*syntax.File
	native      map[string]bool
	lookups     map[string]bool
	hieras      map[string]*hiera
	rubies      map[string]*builtin // functions in Ruby that were read
	trace       *trace
	modules     []string // folders of all modules, once they were listed
	keys        map[string]*pkcs7.Key
	facts       map[string]map[string]string // in Ruby, by the folder of their module, until they were told
}

// A definition is a class, a define or a node with the file that it stands in.
type definition struct {
	class  *syntax.Class
	node   *syntax.NodeDef
	name   string
	file   string
	module string
}

// Compile makes the catalog. With an error the logs are still those until then.
func Compile(o Options) (cat *Catalog, logs []Log, err error) {
	c := newCompiler(o)
	defer func() { logs = c.logs }()
	defer c.caught(&err)
	c.compile()
	return c.catalog, c.logs, nil
}

func newCompiler(o Options) *Compiler {
	return &Compiler{opts: o, catalog: newCatalog(), scopes: map[string]*scope{}, types: map[string]*types.Type{},
		funcs: map[string]*syntax.Function{}, classes: map[string]*definition{}, loaded: map[string]bool{},
		overrides: map[string][]*override{}, parsedTypes: map[string]*types.Type{}, templates: map[string]*syntax.File{},
		native: map[string]bool{}, ruby: map[string]string{}, lookups: map[string]bool{},
		rubies: map[string]*builtin{}, keys: map[string]*pkcs7.Key{}}
}

// caught makes an error of what ended the work.
func (c *Compiler) caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case fault:
		*err = r.err
	case jump:
		*err = &Error{Err: &syntax.Error{File: r.file, Pos: syntax.Pos{Line: r.at.Line},
			Msg: r.kind + "() from context where this is illegal"}}
	default:
		panic(r)
	}
}

// An Error is what Puppet refuses; Parse says that it was found before anything was evaluated.
type Error struct {
	Err   error
	Parse bool
}

func (e *Error) Error() string {
	if e.Parse {
		return "Could not parse for environment production: " + e.Err.Error()
	}
	return e.Err.Error()
}

func (e *Error) Unwrap() error { return e.Err }

// fault carries an *Error out of the depth of an evaluation.
type fault struct{ err *Error }

// fail ends the compilation with an error at a place of the file that is being evaluated.
func (c *Compiler) fail(at syntax.Pos, format string, args ...any) {
	c.raise(c.file, at, "Evaluation Error: "+fmt.Sprintf(format, args...))
}

// raise ends the compilation with a message as it is.
func (c *Compiler) raise(file string, at syntax.Pos, msg string) {
	panic(fault{&Error{Err: &syntax.Error{File: file, Pos: at, Msg: msg}}})
}

// plainly ends the compilation with a message without a place.
func (c *Compiler) plainly(format string, args ...any) {
	panic(fault{&Error{Err: fmt.Errorf(format, args...)}})
}

func (c *Compiler) compile() {
	c.top = newScope(nil)
	main := &Resource{Type: "Class", Title: "main", Kind: "class", Params: types.NewHash("name", "main")}
	stage := &Resource{Type: "Stage", Title: "main", Params: types.NewHash("name", "main")}
	c.catalog.add(stage, nil)
	c.catalog.add(main, stage)
	c.top.resource = main
	c.scopes[""] = c.top
	c.scopes["main"] = c.top
	c.topVariables()
	c.manifests()
	c.evaluateNode()
	c.generators()
	c.finish()
}

// manifests reads all manifests, and evaluates them then in their order.
func (c *Compiler) manifests() {
	files := make([]*syntax.File, len(c.opts.Manifests))
	for i, m := range c.opts.Manifests {
		files[i] = c.parse(m.Path, m.Text)
		c.define(files[i], "", "", m.Path)
	}
	for i, m := range c.opts.Manifests {
		c.file, c.catalog.sls = m.Path, m.SLS
		c.statements(c.top, files[i].Body)
	}
	c.catalog.sls = ""
}

func (c *Compiler) topVariables() {

	for k, v := range c.opts.Facts.All() {
		if s, ok := k.(string); ok {
			c.top.vars[s] = v
		}
	}
	host, domain, _ := strings.Cut(c.opts.Node, ".")
	c.top.vars["title"], c.top.vars["name"] = "main", "main"
	c.top.vars["facts"] = c.opts.Facts
	c.top.vars["trusted"] = types.NewHash("authenticated", "local", "certname", c.opts.Node, "extensions", types.NewHash(),
		"hostname", host, "domain", domain, "external", types.NewHash())
	c.top.vars["server_facts"] = types.NewHash("serverversion", "7.23.0", "servername", c.opts.Node,
		"environment", "production")
	for name, v := range map[string]string{"environment": "production", "serverversion": "7.23.0",
		"clientcert":    c.opts.Node,
		"clientversion": "7.23.0", "servername": c.opts.Node} {
		if _, there := c.top.vars[name]; !there {
			c.top.vars[name] = v
		}
	}
	c.scopes["settings"] = &scope{parent: c.top, vars: map[string]any{"environment": "production", "strict": "warning",
		"strict_variables": c.opts.Strict, "confdir": "/etc/puppet", "vardir": "/var/lib/puppet", "certname": c.opts.Node}}
}

// parse reads a manifest; what is wrong with it ends the compilation.
func (c *Compiler) parse(path, text string) *syntax.File {
	f, err := syntax.Parse(path, text)
	if err != nil {
		panic(fault{&Error{Err: err, Parse: true}})
	}
	return f
}

// define notes what a file defines: classes, defines, nodes, functions and types, also those inside of classes.
func (c *Compiler) define(f *syntax.File, prefix, module, path string) {
	c.defineAll(f.Body, prefix, module, path)
}

func (c *Compiler) defineAll(body []syntax.Node, prefix, module, path string) {
	for _, n := range body {
		switch n := n.(type) {
		case *syntax.Class:
			name := strings.ToLower(join(prefix, n.Name))
			if d := c.classes[name]; d != nil && (d.class.Define || n.Define) {
				what := "Class"
				if d.class.Define {
					what = "Definition"
				}
				c.raise(path, syntax.Pos{Line: n.Line}, fmt.Sprintf("%s '%s' is already defined (file: %s, line: %d); cannot be "+
					"redefined as a %s", what, name, d.file, d.class.Line, kindOf(n)))
			}
			if c.classes[name] == nil {
				c.classes[name] = &definition{class: n, name: name, file: path, module: module}
			}
			c.defineAll(n.Body, name, module, path)
		case *syntax.NodeDef:
			c.defineNode(n, path)
		case *syntax.Function:
			c.funcs[strings.ToLower(n.Name)] = n
			c.loaded["function file "+strings.ToLower(n.Name)] = true
			c.functionFile(n, path)
		case *syntax.TypeAlias:
			c.alias(n, path)
		}
	}
}

func kindOf(n *syntax.Class) string {
	if n.Define {
		return "definition"
	}
	return "class"
}

func join(prefix, name string) string {
	if prefix == "" {
		return name
	}
	return prefix + "::" + name
}

func (c *Compiler) defineNode(n *syntax.NodeDef, path string) {
	d := &definition{node: n, file: path}
	for _, m := range n.Matches {
		for _, other := range c.nodes {
			for _, om := range other.node.Matches {
				if name := matchName(m); name == matchName(om) {
					c.raise(path, syntax.Pos{Line: n.Line}, fmt.Sprintf("Node '%s' is already defined (file: %s, line: %d); "+
						"cannot redefine", name, other.file, other.node.Line))
				}
			}
		}
	}
	c.nodes = append(c.nodes, d)
}

var notWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^A-Za-z0-9_.]`) })

// matchName is what a node is called that matches so.
func matchName(n syntax.Node) string {
	switch n := n.(type) {
	case *syntax.Default:
		return "default"
	case *syntax.Regex:
		return "__node_regexp__" + strings.Trim(notWord().ReplaceAllString(strings.ToLower(n.Source), ""), ".") +
			dotsOf(n.Source)
	case *syntax.Literal:
		s, _ := n.Val.(string)
		return strings.ToLower(s)
	}
	return ""
}

// dotsOf are the dots at the end of a regular expression's name, which Trim took.
func dotsOf(source string) string {
	s := notWord().ReplaceAllString(source, "")
	return s[len(strings.TrimRight(s, ".")):]
}

// evaluateNode finds the node's block: by name, then by regular expression in their order, then default.
func (c *Compiler) evaluateNode() {
	var found *definition
	var match syntax.Node
	var groups []any
	names := []string{strings.ToLower(c.opts.Node)}
	for _, name := range names {
		for _, d := range c.nodes {
			for _, m := range d.node.Matches {
				if l, ok := m.(*syntax.Literal); ok && found == nil && matchName(l) == name {
					found, match = d, m
				}
			}
		}
	}
	for _, d := range c.nodes {
		for _, m := range d.node.Matches {
			r, ok := m.(*syntax.Regex)
			if !ok || found != nil {
				continue
			}
			if g := c.regexp(r.Source, r.Pos).Match(c.opts.Node); g != nil {
				found, match, groups = d, m, g
			}
		}
	}
	for _, d := range c.nodes {
		for _, m := range d.node.Matches {
			if _, ok := m.(*syntax.Default); ok && found == nil {
				found, match = d, m
			}
		}
	}
	switch {
	case len(c.nodes) == 0:
		return
	case found == nil:
		c.plainly("Could not find node statement with name 'default' or '%s'", c.opts.Node)
	}
	c.inNode(found, match, groups)
}

func (c *Compiler) inNode(d *definition, match syntax.Node, groups []any) {
	r := &Resource{Type: "Node", Title: matchName(match), Kind: "node", Params: types.NewHash()}
	c.catalog.add(r, c.top.resource)
	s := newScope(c.top)
	s.resource, s.node, s.match = r, true, groups
	c.node = s
	defer c.inFile(d.file)()
	for _, m := range c.opts.Manifests {
		if m.Path == d.file {
			defer c.catalog.from(m.SLS)()
		}
	}
	c.statements(s, d.node.Body)
}

// inFile notes which file is being evaluated until the function that it gives is called.
func (c *Compiler) inFile(file string) func() {
	was := c.file
	c.file = file
	return func() { c.file = was }
}

// generators evaluates what waits: collectors and defines make more of each other until nothing is left.
func (c *Compiler) generators() {
	for range 1000 {
		busy := false
		for c.collectOnce() {
			busy = true
		}
		if c.evaluateDefines() {
			busy = true
		}
		if !busy {
			return
		}
	}
	c.plainly("Somehow looped more than 1000 times while evaluating host catalog")
}

func (c *Compiler) evaluateDefines() bool {
	todo := c.defines
	c.defines = nil
	done := false
	for _, r := range todo {
		if r.Virtual {
			c.defines = append(c.defines, r)
			continue
		}
		c.evaluateDefine(r)
		done = true
	}
	return done
}

// regexp compiles an expression of a manifest.
func (c *Compiler) regexp(source string, at syntax.Pos) *types.Regexp {
	r, err := types.Compile(source)
	if err != nil {
		c.fail(at, "Invalid regular expression: %v", err)
	}
	return r
}
