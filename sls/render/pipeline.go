package render

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A step is one renderer of a pipeline with its argument.
type step struct{ name, arg string }

// A piece is what goes through a pipeline: text until a step makes data of it.
type piece struct {
	file  string // for diagnostics
	path  string // relative to the root; "" for text that is in none
	sls   string // dotted name; "" when it is no SLS
	isSLS bool
	env   string
	vars  *value.Dict
	// preview is `gostate render` of a file that is no SLS.
	preview bool
	local   *value.Dict // seen by the template itself, not by what it imports without context

	text  string
	lines *lineMap
	value value.Value // nil while it is text
}

// own are the renderers of this package.
var own = []string{"jinja", "yaml", "json", "text", "stateconf"}

// knows says whether there is a renderer of the name.
func (r *Renderer) knows(name string) bool {
	return slices.Contains(own, name) || r.cfg.Foreign != nil && r.cfg.Foreign.Has(name)
}

// refused are renderers of Salt's that do not work here, and why. Salt differs: it runs `#!mako` and its like.
func refused(name string) (why, hint string) {
	switch name {
	case "pydsl", "cheetah", "genshi", "mako", "wempy", "nacl", "dson":
		return "needs Python or a tool of Salt's own", "write the file for jinja|yaml"
	case "hjson", "json5", "msgpack", "toml", "tomlmod", "yamlex", "pass", "aws_kms":
		return "is not supported", "write the file for jinja|yaml"
	}
	return "", ""
}

// stepsOf is the pipeline of a text: that of its #! line, or the default.
func (r *Renderer) stepsOf(file, text string) ([]step, error) {
	first, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(first, "#!") && !strings.HasPrefix(first, "#!/") {
		return r.parsePipeline(diag.Pos{File: file, Line: 1, Col: 3}, strings.TrimSpace(first[2:]))
	}
	if r.cfg.Decoded != nil && strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{") &&
		strings.Contains(text, `"sops"`) {
		return []step{{name: "json"}}, nil // sops writes no #! line, and tabs, which YAML does not take
	}
	return r.parsePipeline(diag.Pos{File: file}, r.cfg.Renderer)
}

// parsePipeline reads "jinja|yaml" or Salt's old "yaml_jinja".
func (r *Renderer) parsePipeline(pos diag.Pos, text string) ([]step, error) {
	if first, second, ok := strings.Cut(text, "_"); ok && second == "jinja" && r.knows(first) {
		text = second + "|" + first
	}
	var out []step
	for _, part := range strings.Split(text, "|") {
		name, arg, _ := strings.Cut(strings.TrimSpace(part), " ")
		if name == "yaml_odict" {
			name = "yaml"
		}
		if !r.knows(name) {
			return nil, unknownRenderer(pos, name)
		}
		out = append(out, step{name, strings.TrimSpace(arg)})
	}
	return out, nil
}

func unknownRenderer(pos diag.Pos, name string) error {
	if why, hint := refused(name); why != "" {
		return diag.Errorf(pos, "renderer '%s' %s", name, why).WithHint("%s", hint)
	}
	d := diag.Errorf(pos, "unknown renderer '%s'", name)
	if n := diag.Nearest(name, own); n != "" {
		return d.WithHint("did you mean '%s'?", n)
	}
	return d.WithHint("known are %s", strings.Join(own, ", "))
}

// run takes a piece through the steps.
func (r *Renderer) run(ctx context.Context, p *piece, steps []step) error {
	for i, s := range steps {
		if p.value != nil && slices.Contains(own, s.name) && s.name != "stateconf" {
			return diag.Errorf(diag.Pos{File: p.file}, "renderer '%s' follows '%s', which already gives data", s.name,
				steps[i-1].name)
		}
		var err error
		switch s.name {
		case "jinja":
			err = r.runJinja(ctx, p, i == len(steps)-1)
		case "yaml":
			p.value, err = yaml.Decode(p.file, []byte(p.text))
		case "json":
			p.value, err = decodeJSON(p.file, withoutShebang(p.text))
		case "text":
			p.value = value.DictOf("data", value.Str(p.text))
		case "stateconf":
			err = r.runStateconf(ctx, p, s.arg)
		default:
			err = r.runForeign(ctx, p, s)
		}
		if err != nil {
			return p.mapErr(s.name, err)
		}
	}
	return nil
}

// runForeign is a step that others take: it makes data of the text, or text.
func (r *Renderer) runForeign(ctx context.Context, p *piece, s step) error {
	v, err := r.cfg.Foreign.Render(ctx, s.name, s.arg, p.foreign())
	if err != nil {
		return err
	}
	if text, ok := v.(value.Str); ok && p.value == nil {
		p.text, p.lines = string(text), nil
		return nil
	}
	p.value = v
	return nil
}

// foreign is the piece as others see it.
func (p *piece) foreign() ForeignText {
	lines, file := p.lines, p.file
	return ForeignText{Text: p.text, Data: p.value, File: file, SLS: p.sls, Env: p.env, Vars: p.vars,
		At: func(m value.Mark) diag.Pos { return lines.pos(file, diag.Pos{Line: int(m.Line), Col: int(m.Col)}) }}
}

// withoutShebang empties the #! line, which JSON cannot hold.
func withoutShebang(text string) string {
	if !strings.HasPrefix(text, "#!") {
		return text
	}
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return text[i:]
	}
	return ""
}

// mapErr gives the diagnostics of a step that read rendered text their places in the template.
func (p *piece) mapErr(step string, err error) error {
	var list *diag.List
	var one *diag.Diagnostic
	switch {
	case step == "jinja", step == "stateconf", step == "gpg", step == "age", step == "sops": // they are there
		return err
	case errors.As(err, &list):
		for _, d := range list.All {
			p.mapDiag(d)
		}
	case errors.As(err, &one):
		p.mapDiag(one)
	default:
		return diag.Errorf(diag.Pos{File: p.file}, "%v", err)
	}
	return err
}

func (p *piece) mapDiag(d *diag.Diagnostic) {
	if d.Pos.File == p.file {
		d.Pos = p.lines.pos(p.file, d.Pos)
	}
	for i := range d.Related {
		if d.Related[i].Pos.File == p.file {
			d.Related[i].Pos = p.lines.pos(p.file, d.Related[i].Pos)
		}
	}
}
