// Package render turns SLS files and templates into data and text: the pipelines of the #! line, and Jinja with what
// Salt adds to it (tags, filters, tests, globals, the loader of imports).
//
// It promises that every error names a place in the user's file, and that a place in rendered text leads back to the
// line of the template that printed it. It never changes the machine itself; execution functions that a template calls
// are the caller's. Each file is read and parsed once a run.
package render

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/stateconf"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// A Caller runs execution functions: salt['x.y'] in a template.
type Caller interface {
	Has(name string) bool
	Call(ctx context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error)
}

// Foreign are renderers that this package has not: those that run the tree's own code.
type Foreign interface {
	Has(name string) bool
	// Render makes data of a text, or another text.
	Render(ctx context.Context, name, arg string, t ForeignText) (value.Value, error)
}

// A ForeignText is a text to render, or what the steps before made of it, and where it stands.
type ForeignText struct {
	Text, File, SLS, Env string
	Data                 value.Value // nil while it is text
	Vars                 *value.Dict
	// At leads from a mark of the data to the place in the file.
	At func(value.Mark) diag.Pos
}

// Config is what a Renderer works with.
type Config struct {
	// Roots are where templates, imports and includes are found.
	Roots *roots.Roots
	// Exec runs execution functions; nil has none.
	Exec Caller
	// Foreign are further renderers; nil has none.
	Foreign Foreign
	// Decoded is asked what becomes of the data of each SLS; nil changes nothing.
	Decoded func(ctx context.Context, t ForeignText) (value.Value, error)
	// Host is the machine that filters look at in a rendering; nil is the one that this runs on.
	Host func(ctx context.Context) host.Reader
	// Now is the clock; nil is the machine's.
	Now func() time.Time
	// Grains and Pillar are called when a template asks; nil is empty.
	Grains, Pillar func() *value.Dict
	// PillarDirs are where the pillar was read from, for hints.
	PillarDirs []string
	// Opts is the configuration as templates see it; nil is empty.
	Opts *value.Dict
	// ID is the minion's.
	ID string
	// Renderer is the pipeline of files without a #! line; "" is "jinja|yaml".
	Renderer string
	// JinjaEnv holds the options of Jinja's environment for files and text, JinjaSLSEnv those for SLS.
	JinjaEnv, JinjaSLSEnv *value.Dict
	// AllowUndefined prints undefined values as nothing.
	AllowUndefined bool
	// Log takes what a template logs; nil drops it.
	Log func(level, msg string)
	// Secrets takes what is made of secrets while rendering, and what was encrypted; nil knows none.
	Secrets *secret.Store
	// MaxOutput bounds the text that one template gives, in bytes; 0 is 64 MiB.
	MaxOutput int
}

// defaultMaxOutput bounds a rendered text when the config does not.
const defaultMaxOutput = 64 << 20

// maxSource is the size up to which a file is taken for a template.
const maxSource = 32 << 20

// A Renderer renders the files of one run.
type Renderer struct {
	cfg Config

	mu      sync.Mutex // guards engines and data
	engines map[engineKey]*engine
	data    map[dataKey]*loaded

	confMu sync.Mutex      // held while an SLS of stateconf is rendered
	conf   *stateconf.Conf // what those set; nil until there is one
}

// New makes a renderer. A default pipeline that is no pipeline is an error of each file that would use it.
func New(cfg Config) *Renderer {
	if cfg.Renderer == "" {
		cfg.Renderer = "jinja|yaml"
	}
	if cfg.MaxOutput == 0 {
		cfg.MaxOutput = defaultMaxOutput
	}
	empty := func() *value.Dict { return value.NewDict(0) }
	if cfg.Grains == nil {
		cfg.Grains = empty
	}
	if cfg.Pillar == nil {
		cfg.Pillar = empty
	}
	if cfg.Opts == nil {
		cfg.Opts = empty()
	}
	if cfg.Log == nil {
		cfg.Log = func(string, string) {}
	}
	if cfg.Host == nil {
		machine, err := host.NewOS("/")
		if err != nil {
			panic("the root of the machine is no path: " + err.Error())
		}
		cfg.Host = func(context.Context) host.Reader { return machine }
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Renderer{cfg: cfg, engines: map[engineKey]*engine{}, data: map[dataKey]*loaded{}}
}

// A Document is what an SLS file says.
type Document struct {
	// Data is a dict, or None for an empty file. Its marks are places in the rendered text: see Pos.
	Data value.Value
	// File is the file as diagnostics name it.
	File string
	// Blank says that the file holds nothing but comments.
	Blank bool
	lines *lineMap
}

// Pos is the place in the template of a place in the rendered text. The column is only known where the line stood so in
// the file.
func (d *Document) Pos(m value.Mark) diag.Pos { return d.At()(m) }

// At is Pos for who keeps it longer than the data.
func (d *Document) At() func(value.Mark) diag.Pos {
	lines, file := d.lines, d.File
	return func(m value.Mark) diag.Pos { return lines.pos(file, diag.Pos{Line: int(m.Line), Col: int(m.Col)}) }
}

// SLS renders a file by the pipeline of its #! line, or by the default one. name is its dotted name. The error is a
// *diag.Diagnostic or a *diag.List.
func (r *Renderer) SLS(ctx context.Context, f *roots.File, name string) (*Document, error) {
	return r.SLSWith(ctx, f, name, nil)
}

// SLSWith is SLS with additional variables: the defaults of a pillar include.
func (r *Renderer) SLSWith(ctx context.Context, f *roots.File, name string, vars *value.Dict) (*Document, error) {
	text, err := r.read(f)
	if err != nil {
		return nil, err
	}
	steps, err := r.stepsOf(f.Abs, text)
	if err != nil {
		return nil, err
	}
	p := &piece{file: f.Abs, path: f.Path, sls: name, isSLS: true, env: f.Env, vars: vars, text: text}
	if isBlank(text) {
		return &Document{Data: value.None, File: f.Abs, Blank: true}, nil
	}
	if err := r.run(ctx, p, steps); err != nil {
		return nil, err
	}
	if r.cfg.Decoded != nil && p.value != nil {
		if p.value, err = r.cfg.Decoded(ctx, p.foreign()); err != nil {
			return nil, err
		}
	}
	if p.value == nil {
		p.value = value.Str(p.text)
	}
	return &Document{Data: p.value, File: f.Abs, Blank: p.value == value.Value(value.None) && onlyComments(text),
		lines: p.lines}, nil
}

// read gives the text of a file, checked to be text.
func (r *Renderer) read(f *roots.File) (string, error) {
	b, err := r.cfg.Roots.Read(f)
	if err != nil {
		return "", unreadable(f.Abs, err)
	}
	return decodeText(f.Abs, b)
}

func unreadable(file string, err error) error {
	var pathErr interface{ Unwrap() error }
	if errors.As(err, &pathErr) {
		err = pathErr.Unwrap()
	}
	return diag.Errorf(diag.Pos{File: file}, "cannot be read: %v", err)
}
