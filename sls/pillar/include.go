package pillar

import (
	"context"
	"strings"

	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// An envCompiler renders the SLS of one environment.
type envCompiler struct {
	*compiler
	env string
	// seen is what the files that were rendered say themselves, nil for nothing. One that is included again is not
	// rendered again, and what it says itself is merged again.
	seen map[string]*value.Dict
}

// sls renders one SLS with what it includes; nil when it is empty or wrong.
func (s *envCompiler) sls(ctx context.Context, name string, from diag.Pos, ignoreMissing bool,
	defaults *value.Dict) *value.Dict {
	f, err := s.cfg.Roots.FindSLS(s.env, name)
	if err != nil {
		if !ignoreMissing {
			s.missing(name, s.env, from, err)
		}
		return nil
	}
	s.seen[name] = nil
	doc, err := s.rend.SLSWith(ctx, f, name, defaults)
	if err != nil {
		s.errs.AddErr(err)
		return nil
	}
	data, ok := doc.Data.(*value.Dict)
	if !ok {
		if doc.Data != value.Value(value.None) {
			s.errs.Add(diag.Errorf(doc.Pos(value.Mark{Line: 1, Col: 1}), "pillar SLS '%s' must be a mapping, not a %s", name,
				doc.Data.TypeName()))
		}
		return nil
	}
	e, ok := data.Entry("include")
	if !ok {
		s.seen[name] = data
		return data
	}
	own := data.Copy()
	own.Delete(value.Str("include"))
	s.seen[name] = own
	isInit := strings.HasSuffix(f.Path, "/init.sls")
	included := s.includes(ctx, name, isInit, doc, e)
	if s.cfg.IncludesOverride {
		for _, in := range included {
			own = s.merged(own, in)
		}
		return own
	}
	if len(included) == 0 {
		return own
	}
	out := included[0]
	for _, in := range append(included[1:], own) {
		out = s.merged(out, in)
	}
	return out
}

// An inclusion is one entry of an include list.
type inclusion struct {
	pattern  string
	key      string
	defaults *value.Dict
	pos      diag.Pos
}

// includes renders what an SLS includes.
func (s *envCompiler) includes(ctx context.Context, name string, isInit bool, doc *render.Document,
	e value.Entry) []*value.Dict {
	list, ok := e.Val.(*value.List)
	if !ok {
		s.errs.Add(diag.Errorf(doc.Pos(e.KeyAt), "include of pillar SLS '%s' must be a list, not a %s", name,
			e.Val.TypeName()).
			WithHint("write each SLS on a line of its own with a dash in front"))
		return nil
	}
	avail := s.cfg.Roots.ListSLS(s.env)
	var out []*value.Dict
	for i, it := range list.Items {
		in, ok := s.inclusion(doc, it, doc.Pos(list.MarkAt(i)))
		if !ok {
			continue
		}
		target, ok := s.relative(name, isInit, in)
		if !ok {
			continue
		}
		names := matching(avail, target)
		if len(names) == 0 {
			names = []string{target}
		}
		for _, n := range names {
			data, ok := s.seen[n]
			if !ok {
				data = s.sls(ctx, n, in.pos, false, in.defaults)
			}
			if data != nil && data.Len() > 0 {
				out = append(out, below(in.key, data))
			}
		}
	}
	return out
}

// inclusion reads one entry: a name, or a name with key and defaults.
func (s *envCompiler) inclusion(doc *render.Document, it value.Value, pos diag.Pos) (inclusion, bool) {
	in := inclusion{pos: pos}
	switch it := it.(type) {
	case value.Str:
		in.pattern = string(it)
		return in, in.pattern != ""
	case *value.Dict:
		if it.Len() == 0 {
			break
		}
		e := it.At(0)
		in.pattern = value.String(e.Key)
		args, ok := e.Val.(*value.Dict)
		if !ok {
			s.errs.Add(diag.Errorf(doc.Pos(e.KeyAt), "what follows the included '%s' must be a mapping of key and defaults",
				in.pattern))
			return in, false
		}
		return in, s.arguments(doc, &in, args)
	}
	s.errs.Add(diag.Errorf(pos, "an include must name an SLS, not be %s", value.Repr(it)))
	return in, false
}

func (s *envCompiler) arguments(doc *render.Document, in *inclusion, args *value.Dict) bool {
	for i := range args.Len() {
		e := args.At(i)
		switch name := value.String(e.Key); name {
		case "key":
			if e.Val != value.Value(value.None) {
				in.key = value.String(e.Val)
			}
		case "defaults":
			d, ok := e.Val.(*value.Dict)
			if !ok && e.Val != value.Value(value.None) {
				s.errs.Add(diag.Errorf(doc.Pos(e.KeyAt), "defaults of the included '%s' must be a mapping", in.pattern))
				return false
			}
			in.defaults = d
		default:
			d := diag.Errorf(doc.Pos(e.KeyAt), "unknown argument '%s' of the included '%s'", name, in.pattern)
			if n := diag.Nearest(name, []string{"key", "defaults"}); n != "" {
				d.WithHint("did you mean '%s'?", n)
			}
			s.errs.Add(d)
			return false
		}
	}
	return true
}

// relative resolves ".x" and "..x" against the including SLS.
func (s *envCompiler) relative(name string, isInit bool, in inclusion) (string, bool) {
	rest := strings.TrimLeft(in.pattern, ".")
	dots := len(in.pattern) - len(rest)
	if dots == 0 {
		return in.pattern, true
	}
	parts := strings.Split(name, ".")
	if !isInit {
		dots++
	}
	if up := dots - 1; up > len(parts) || up == len(parts) && rest == "" {
		s.errs.Add(diag.Errorf(in.pos, "relative include '%s' of pillar SLS '%s' goes beyond the top", in.pattern, name))
		return "", false
	} else if parts = parts[:len(parts)-up]; len(parts) == 0 {
		return rest, true
	}
	return strings.Join(parts, ".") + "." + rest, true
}

// below puts data below a key: "a:b" gives {a: {b: data}}.
func below(key string, data *value.Dict) *value.Dict {
	if key == "" {
		return data
	}
	parts := strings.Split(key, ":")
	for i := len(parts) - 1; i >= 0; i-- {
		data = value.DictOf(parts[i], data)
	}
	return data
}
