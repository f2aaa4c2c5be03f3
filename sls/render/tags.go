package render

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// addTags adds load_yaml, import_yaml and their like, and profile.
func (r *Renderer) addTags(env *jinja.Environment) {
	for _, format := range []string{"yaml", "json", "text"} {
		env.AddTag("load_"+format, func(p *jinja.Parser) (jinja.Node, error) { return r.parseLoad(p, format) })
		env.AddTag("import_"+format, func(p *jinja.Parser) (jinja.Node, error) { return r.parseImport(p, format) })
	}
	env.AddTag("profile", r.parseProfile)
}

// parseLoad reads {% load_yaml as x %}...{% endload %}; `as a, b` takes a list apart.
func (r *Renderer) parseLoad(p *jinja.Parser, format string) (jinja.Node, error) {
	line := p.Line()
	_, file := p.Pos()
	p.Next()
	p.ExpectName("as")
	targets, tuple := parseNames(p)
	body, _ := p.ParseStatementsUntil("endload")
	return &jinja.Tag{At: line, Inside: [][]jinja.Node{body}, Names: targets,
		Execute: func(_ context.Context, s *jinja.Scope) error {
			text, err := s.Render(0)
			if err != nil {
				return err
			}
			v, err := r.decode(format, file, line-1, text, false)
			if err != nil {
				return err
			}
			if tuple {
				return assignAll(s, len(targets), v)
			}
			return s.Set(0, v)
		}}, nil
}

// parseNames reads `x`, or `a, b` with or without parentheses.
func parseNames(p *jinja.Parser) (names []string, tuple bool) {
	inside := p.Current().Kind == jinja.LParen
	if inside {
		p.Next()
	}
	names = []string{p.ParseName()}
	for p.Current().Kind == jinja.Comma {
		p.Next()
		tuple = true
		if p.Current().Kind != jinja.Name {
			break
		}
		names = append(names, p.ParseName())
	}
	if inside {
		p.Expect(jinja.RParen)
	}
	return names, tuple
}

// assignAll sets n names to the items of a value.
func assignAll(s *jinja.Scope, n int, v value.Value) error {
	items, err := value.ToList(v)
	switch {
	case err != nil:
		return value.Raise("TypeError", "cannot unpack non-iterable %s object", v.TypeName())
	case len(items) > n:
		return value.Raise("ValueError", "too many values to unpack (expected %d)", n)
	case len(items) < n:
		return value.Raise("ValueError", "not enough values to unpack (expected %d, got %d)", n, len(items))
	}
	for i, it := range items {
		if err := s.Set(i, it); err != nil {
			return err
		}
	}
	return nil
}

// parseImport reads {% import_yaml "file" as x [with context] %}. The file is rendered as a template first.
func (r *Renderer) parseImport(p *jinja.Parser, format string) (jinja.Node, error) {
	line := p.Line()
	p.Next()
	name := p.ParseExpression()
	p.ExpectName("as")
	target := p.ParseName()
	withContext := false
	if p.SkipName("with") {
		p.ExpectName("context")
		withContext = true
	} else if p.SkipName("without") {
		p.ExpectName("context")
	}
	return &jinja.Tag{At: line, Values: []jinja.Expr{name}, Names: []string{target},
		Execute: func(ctx context.Context, s *jinja.Scope) error {
			path, err := s.Eval(0)
			if err != nil {
				return err
			}
			m, err := s.Import(path, withContext)
			if err != nil {
				return err
			}
			file, text := value.String(path), m.PyStr()
			st := renderingOf(ctx)
			if f, ok := st.files[file]; ok {
				file = f.abs
				// As in Salt, a block scalar that ends an imported file loses its last newline to Jinja. Salt differs: `gostate
				// render` of a file that is no SLS shows the data as the file has it.
				if st.wholeFiles && f.newline && format == "yaml" {
					text += "\n"
				}
			}
			v, err := r.decode(format, file, 0, text, true)
			if err != nil {
				return err
			}
			return s.Set(0, v)
		}}, nil
}

// parseProfile reads {% profile as 'name' %}...{% endprofile %}: the body, which Salt times.
func (r *Renderer) parseProfile(p *jinja.Parser) (jinja.Node, error) {
	line := p.Line()
	p.Next()
	p.ExpectName("as")
	label := p.ParseExpression()
	body, _ := p.ParseStatementsUntil("endprofile")
	return &jinja.Tag{At: line, Values: []jinja.Expr{label}, Inside: [][]jinja.Node{body},
		Execute: func(_ context.Context, s *jinja.Scope) error {
			if _, err := s.Eval(0); err != nil {
				return err
			}
			text, err := s.Render(0)
			if err != nil {
				return err
			}
			return s.Print(text)
		}}, nil
}

// decode makes data of a text that stands in a file below a line. What whole files hold is read once a run; each use
// gets data of its own, because templates change what they load.
func (r *Renderer) decode(format, file string, line int, text string, whole bool) (value.Value, error) {
	if format == "text" {
		return value.Str(text), nil
	}
	key := dataKey{format, file, text}
	if whole {
		r.mu.Lock()
		hit := r.data[key]
		r.mu.Unlock()
		if hit != nil {
			return value.DeepCopy(hit.v), hit.err
		}
	}
	v, err := decodeAt(format, file, line, text)
	if whole {
		r.mu.Lock()
		r.data[key] = &loaded{v, err}
		r.mu.Unlock()
		v = value.DeepCopy(v)
	}
	return v, err
}

func decodeAt(format, file string, line int, text string) (value.Value, error) {
	if format == "json" {
		v, err := value.ParseJSON(text)
		if err != nil {
			d := jsonDiag(file, err)
			if d.Pos.Line > 0 {
				d.Pos.Line += line
			}
			return nil, &loadError{d}
		}
		return v, nil
	}
	v, err := yaml.DecodeWith([]byte(text), yaml.Options{Name: file, Line: line})
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return nil, &loadError{d}
	}
	return v, err
}

// A loadError is a fault in data that a template loads, with its place.
type loadError struct{ d *diag.Diagnostic }

func (e *loadError) Error() string { return fmt.Sprintf("cannot load: %s", e.d.Msg) }
