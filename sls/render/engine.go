package render

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// engineKey tells the engines of one renderer apart: SLS have options of their own.
type engineKey struct{ sls bool }

// An engine is a Jinja environment set up as Salt does it. It finds the templates that others name.
type engine struct {
	r   *Renderer
	env *jinja.Environment
}

// dataKey is a text that was loaded as data from a file; loaded is what it gave.
type dataKey struct{ format, file, text string }

type loaded struct {
	v   value.Value
	err error
}

// A rendering is what the loader and the tags know of one render, passed on in its context.
type rendering struct {
	file    string // the one that is rendered
	env     string
	globals *value.Dict
	// seen are the templates that were loaded: the first load of each changes tplfile, tpldir and tpldot.
	seen map[string]bool
	// wholeFiles keeps the last newline of YAML that is imported.
	wholeFiles bool
	// files are the files that template names led to.
	files map[string]loadedFile
}

// A loadedFile is a file that a template name led to.
type loadedFile struct {
	abs     string
	newline bool // it ends in one, which Jinja drops
}

type renderingKey struct{}

func renderingOf(ctx context.Context) *rendering {
	st, _ := ctx.Value(renderingKey{}).(*rendering)
	return st
}

// FileOf is the file that is rendered in the context, whatever it imports.
func FileOf(ctx context.Context) string {
	if st := renderingOf(ctx); st != nil {
		return st.file
	}
	return ""
}

// CallPos is the place of the call of a function in a template, in the context that the function is given.
func CallPos(ctx context.Context) diag.Pos {
	if s := jinja.ScopeOf(ctx); s != nil {
		return diag.Pos{File: s.Template().File, Line: s.Line()}
	}
	return diag.Pos{}
}

// engine gives the engine for SLS or for other files, made at first need.
func (r *Renderer) engine(sls bool) (*engine, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := engineKey{sls}
	if e := r.engines[key]; e != nil {
		return e, nil
	}
	cfg, err := r.jinjaConfig(sls)
	if err != nil {
		return nil, err
	}
	e := &engine{r: r, env: jinja.New(cfg)}
	e.env.Loader = e
	r.addTo(e.env)
	r.engines[key] = e
	return e, nil
}

// jinjaConfig reads jinja_env or jinja_sls_env.
func (r *Renderer) jinjaConfig(sls bool) (jinja.Config, error) {
	cfg := jinja.Config{CaseSensitive: true, Secrets: r.cfg.Secrets, Limits: jinja.Limits{Output: int64(r.cfg.MaxOutput)}}
	if r.cfg.AllowUndefined {
		cfg.Undefined = jinja.Lenient
	}
	opts, name := r.cfg.JinjaEnv, "jinja_env"
	if sls {
		opts, name = r.cfg.JinjaSLSEnv, "jinja_sls_env"
	}
	for _, old := range []string{"trim_blocks", "lstrip_blocks"} {
		if v, ok := r.cfg.Opts.GetStr("jinja_" + old); ok && value.Truth(v) {
			setJinjaOption(&cfg, old, v)
		}
	}
	if opts == nil {
		return cfg, nil
	}
	for k, v := range opts.All() {
		if !setJinjaOption(&cfg, strings.ToLower(value.String(k)), v) {
			r.cfg.Log("warning", "Jinja2 environment "+value.String(k)+" is not recognized")
		}
	}
	for _, pair := range [][2]string{{cfg.BlockStart, cfg.VariableStart}, {cfg.BlockStart, cfg.CommentStart},
		{cfg.VariableStart, cfg.CommentStart}} {
		if pair[0] != "" && pair[0] == pair[1] {
			return cfg, diag.Errorf(diag.Pos{}, "%s: block, variable and comment start strings must differ", name)
		}
	}
	return cfg, nil
}

func setJinjaOption(c *jinja.Config, name string, v value.Value) bool {
	text := strOr(v, "")
	switch name {
	case "trim_blocks":
		c.TrimBlocks = value.Truth(v)
	case "lstrip_blocks":
		c.LstripBlocks = value.Truth(v)
	case "keep_trailing_newline":
		c.KeepTrailingNewline = value.Truth(v)
	case "block_start_string":
		c.BlockStart = text
	case "block_end_string":
		c.BlockEnd = text
	case "variable_start_string":
		c.VariableStart = text
	case "variable_end_string":
		c.VariableEnd = text
	case "comment_start_string":
		c.CommentStart = text
	case "comment_end_string":
		c.CommentEnd = text
	case "line_statement_prefix":
		c.LineStatementPrefix = text
	case "line_comment_prefix":
		c.LineCommentPrefix = text
	case "newline_sequence":
		c.NewlineSequence = text
	default:
		return false
	}
	return true
}

// Load finds a template for another: below the roots, or with ./ and ../ relative to tpldir. The first load of a
// template in a rendering sets tplfile, tpldir and tpldot for what is imported without context, as in Salt.
func (e *engine) Load(ctx context.Context, name, _ string) (*jinja.Source, error) {
	st := renderingOf(ctx)
	if st == nil {
		return nil, &jinja.TemplateNotFound{Name: name}
	}
	target := path.Clean(name)
	first, _, _ := strings.Cut(name, "/")
	relative := first == "." || first == ".."
	if relative {
		dir, ok := st.globals.GetStr("tpldir")
		if !ok {
			return nil, &jinja.TemplateNotFound{Name: name, Msg: "relative path '" + name + "' outside of the roots"}
		}
		target = path.Join(value.String(dir), name)
	}
	env, below := st.env, target
	if path.IsAbs(target) {
		if in := e.r.inRoots(target); in != nil {
			env, below = in.Env, in.Path
		}
	}
	if below == ".." || strings.HasPrefix(below, "../") || path.IsAbs(below) {
		return nil, &jinja.TemplateNotFound{Name: name, Msg: "template path '" + name + "' leads out of the roots"}
	}
	f, err := e.r.cfg.Roots.Lookup(env, below)
	if err != nil {
		return nil, err
	}
	if !st.seen[name] {
		st.seen[name] = true
		st.moved(name, target, relative)
	}
	if f == nil {
		return nil, &jinja.TemplateNotFound{Name: target}
	}
	text, err := e.r.read(f)
	if err != nil {
		return nil, err
	}
	st.files[name] = loadedFile{f.Abs, strings.HasSuffix(text, "\n")}
	return &jinja.Source{Name: target, File: f.Abs, Text: []byte(text)}, nil
}

// moved sets what a template is told of its own place.
func (st *rendering) moved(name, target string, relative bool) {
	dir := path.Dir(target)
	if dir == "." {
		dir = ""
	}
	tplfile := target
	if relative {
		tplfile = name
		if v, ok := st.globals.GetStr("tpldir"); ok {
			dir = value.String(v)
		}
	}
	st.globals.SetStr("tplfile", value.Str(tplfile))
	st.globals.SetStr("tpldot", value.Str(strings.ReplaceAll(dir, "/", ".")))
	if dir == "" {
		dir = "."
	}
	st.globals.SetStr("tpldir", value.Str(dir))
}

// untagged says whether Jinja would print the text as it is: nothing in it begins a tag.
func untagged(text string, cfg jinja.Config) bool {
	if cfg.KeepTrailingNewline || cfg.NewlineSequence != "\n" || cfg.LineStatementPrefix+cfg.LineCommentPrefix != "" {
		return false
	}
	for _, mark := range []string{cfg.BlockStart, cfg.VariableStart, cfg.CommentStart, "\r"} {
		if strings.Contains(text, mark) {
			return false
		}
	}
	return int64(len(text)) <= cfg.Limits.Output
}

// runJinja is the jinja step. Behind the last step nobody asks where the lines come from.
func (r *Renderer) runJinja(ctx context.Context, p *piece, last bool) error {
	e, err := r.engine(p.isSLS && p.sls != "")
	if err != nil {
		return err
	}
	if !p.preview && untagged(p.text, e.env.Config()) {
		return nil
	}
	name := p.path
	if name == "" {
		name = p.file
	}
	tmpl, err := e.env.Parse(name, p.file, []byte(p.text))
	if err != nil {
		return r.explain(err, nil, p)
	}
	st := &rendering{file: p.file, env: p.env, wholeFiles: p.preview, globals: r.variables(p), seen: map[string]bool{},
		files: map[string]loadedFile{}}
	vars := st.globals.Copy()
	if p.local != nil {
		vars.Update(p.local)
	}
	ctx = jinja.WithGlobals(context.WithValue(ctx, renderingKey{}, st), st.globals)
	var text string
	var lines *jinja.Output
	if last {
		text, err = tmpl.Text(ctx, vars)
	} else if lines, err = tmpl.Render(ctx, vars); err == nil {
		text = lines.Text
	}
	if err != nil {
		return r.explain(err, st, p)
	}
	newline := strings.HasSuffix(p.text, "\n") && !e.env.Config().KeepTrailingNewline
	p.text = text
	if newline && !(p.preview && strings.HasSuffix(p.text, "\n")) { // what is shown needs one end, not two
		p.text += "\n"
	}
	if lines != nil {
		p.lines = &lineMap{text: p.text, lines: lines, source: r.sourceLines}
	}
	return nil
}

// variables are what a template sees: salt, grains, pillar, opts, where it stands, and what the caller adds, which
// wins.
func (r *Renderer) variables(p *piece) *value.Dict {
	d := value.NewDict(32)
	d.SetStr("salt", &saltObject{r})
	d.SetStr("grains", lazyDict(r.cfg.Grains))
	d.SetStr("pillar", lazyDict(r.cfg.Pillar))
	d.SetStr("opts", r.cfg.Opts)
	d.SetStr("saltenv", value.Str(p.env))
	if p.isSLS || p.sls != "" {
		d.SetStr("sls", value.Str(p.sls))
	}
	dir := path.Dir(p.path)
	if dir == "." {
		dir = ""
	}
	if p.path != "" {
		d.SetStr("tplpath", value.Str(p.file))
		d.SetStr("tplfile", value.Str(p.path))
		d.SetStr("tpldot", value.Str(strings.ReplaceAll(dir, "/", ".")))
		if dir == "" {
			d.SetStr("tpldir", value.Str("."))
		} else {
			d.SetStr("tpldir", value.Str(dir))
		}
	}
	if p.path == "" && p.sls != "" {
		dir = strings.ReplaceAll(p.sls, ".", "/")
	}
	if p.path != "" || p.sls != "" {
		d.SetStr("slspath", value.Str(dir))
		d.SetStr("slsdotpath", value.Str(strings.ReplaceAll(dir, "/", ".")))
		d.SetStr("slscolonpath", value.Str(strings.ReplaceAll(dir, "/", ":")))
		d.SetStr("sls_path", value.Str(strings.ReplaceAll(dir, "/", "_")))
	}
	if p.vars != nil {
		for k, v := range p.vars.All() {
			_ = d.Set(k, v)
		}
	}
	return d
}

// lazyDict computes a dict when a template first names it.
func lazyDict(get func() *value.Dict) value.Value {
	once := sync.OnceValue(get)
	return &jinja.Lazy{Get: func() value.Value {
		if d := once(); d != nil {
			return d
		}
		return value.NewDict(0)
	}}
}
