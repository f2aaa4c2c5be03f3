package render

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Text renders text for file.managed and its like. engine is a renderer or a pipeline; what a step of data gives is
// printed as block YAML. sls and env tell tpldir and saltenv, vars are added to the globals; source names the template
// in errors.
func (r *Renderer) Text(ctx context.Context, engine, source string, text []byte, sls, env string,
	vars *value.Dict) ([]byte, error) {
	steps, err := r.parsePipeline(diag.Pos{File: source}, engine)
	if err != nil {
		return nil, err
	}
	s, err := decodeText(source, text)
	if err != nil {
		return nil, err
	}
	p := &piece{file: source, path: strings.TrimPrefix(source, "salt://"), sls: sls, env: env, vars: vars, text: s}
	if !strings.HasPrefix(source, "salt://") {
		p.path = ""
	}
	if err := r.run(ctx, p, steps); err != nil {
		return nil, err
	}
	return p.output()
}

// Data renders text by a pipeline and gives the value, text when no step makes data of it.
func (r *Renderer) Data(ctx context.Context, pipeline, source string, text []byte, sls, env string,
	vars *value.Dict) (value.Value, error) {
	s, err := decodeText(source, text)
	if err != nil {
		return nil, err
	}
	var steps []step
	if pipeline == "" {
		steps, err = r.stepsOf(source, s)
	} else {
		steps, err = r.parsePipeline(diag.Pos{File: source}, pipeline)
	}
	if err != nil {
		return nil, err
	}
	p := &piece{file: source, sls: sls, env: env, vars: vars, text: s}
	if err := r.run(ctx, p, steps); err != nil {
		return nil, err
	}
	if p.value == nil {
		return value.Str(p.text), nil
	}
	return p.value, nil
}

// output is what a piece prints as.
func (p *piece) output() ([]byte, error) {
	if p.value == nil {
		return []byte(p.text), nil
	}
	if isNone(p.value) {
		return nil, nil
	}
	text, err := yaml.Encode(p.value, yaml.EncodeOptions{AllowUnicode: true})
	return []byte(text), err
}

// File renders a file of the machine and gives what the jinja step prints; with a pipeline that ends in data, that as
// block YAML. vars go before the globals in the file itself, not in what it imports without context. A file in one of
// the roots has its tpldir, as an SLS has.
func (r *Renderer) File(ctx context.Context, path string, vars *value.Dict, pipeline string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		if f, e := r.cfg.Roots.Lookup("base", path); e == nil && f != nil {
			path = f.Abs
			b, err = os.ReadFile(path)
		}
	}
	if err != nil {
		return nil, unreadable(path, err)
	}
	text, err := decodeText(path, b)
	if err != nil {
		return nil, err
	}
	if pipeline == "" {
		pipeline = "jinja"
		if steps, err := r.stepsOf(path, text); err == nil && steps[0].name != "jinja" {
			pipeline = "text"
		}
	}
	steps, err := r.parsePipeline(diag.Pos{File: path}, pipeline)
	if err != nil {
		return nil, err
	}
	p := &piece{file: path, env: "base", local: vars, text: text}
	if f := r.inRoots(path); f != nil {
		p.path, p.env, p.sls = f.Path, f.Env, slsName(f.Path)
		p.isSLS = p.sls != ""
	}
	p.preview = !p.isSLS
	if pipeline == "text" {
		return []byte(text), nil
	}
	if err := r.run(ctx, p, steps); err != nil {
		return nil, err
	}
	return p.output()
}

// inRoots finds the root that holds a path of the machine; nil when none does.
func (r *Renderer) inRoots(path string) *roots.File {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	for _, env := range r.cfg.Roots.Envs() {
		for _, dir := range r.cfg.Roots.Dirs(env) {
			root, err := filepath.Abs(dir)
			if err != nil {
				continue
			}
			if rel, ok := strings.CutPrefix(abs, strings.TrimSuffix(root, "/")+"/"); ok {
				return &roots.File{Env: env, Path: filepath.ToSlash(rel), Abs: path, Root: dir}
			}
		}
	}
	return nil
}

// slsName is the dotted name of an SLS file, "" for another file.
func slsName(path string) string {
	name, ok := strings.CutSuffix(path, ".sls")
	if !ok {
		return ""
	}
	name, _ = strings.CutSuffix(name, "/init")
	return strings.ReplaceAll(name, "/", ".")
}
