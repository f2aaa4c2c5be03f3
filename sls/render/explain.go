package render

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// explain makes a diagnostic of a template's error: its place, the calls that led there, and what may have been meant.
// st is nil for an error of parsing.
func (r *Renderer) explain(err error, st *rendering, p *piece) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *jinja.Error
	if !errors.As(err, &e) {
		return diag.Errorf(diag.Pos{File: p.file}, "%v", err)
	}
	d := r.diagnostic(e, st)
	if d.Pos.File == "" {
		d.Pos.File = p.file
	}
	for i, f := range e.Stack {
		if i > 0 && f == e.Stack[i-1] {
			continue // a recursion says it once
		}
		d.Related = append(d.Related, diag.Related{Pos: diag.Pos{File: f.File, Line: f.Line}, Msg: "in " + f.What})
	}
	return d
}

func (r *Renderer) diagnostic(e *jinja.Error, st *rendering) *diag.Diagnostic {
	pos := diag.Pos{File: e.File, Line: e.Line, Col: e.Col}
	if pos.File == "" {
		pos.File = e.Name
	}
	var load *loadError
	var inner *diag.Diagnostic
	var missing *jinja.TemplateNotFound
	switch {
	case errors.As(e.Cause, &load):
		return r.loadDiagnostic(load, pos)
	case errors.As(e.Cause, &inner):
		d := *inner
		if d.Pos.IsZero() {
			d.Pos = pos
		} else {
			d.Related = append(slices.Clone(d.Related), diag.Related{Pos: pos, Msg: "used here"})
		}
		return &d
	case errors.As(e.Cause, &missing):
		return r.missingTemplate(missing, pos, st)
	}
	if pos.Col == 0 {
		pos.Col = r.column(e)
	}
	d := diag.Errorf(pos, "%s", e.Msg)
	if hint := r.hint(e, st); hint != "" {
		d.Hint = hint
	}
	return d
}

// column is where the name that an error is about stands in the tags of its line, from 1; 0 where it stands there more
// than once or not at all.
func (r *Renderer) column(e *jinja.Error) int {
	var name string
	for _, pattern := range []string{
		`^'([A-Za-z_]\w*)' is undefined$`, ` has no attribute '([\w.-]+)'$`, `^No (?:filter|test) named '([\w.]+)'`,
		`^Encountered unknown tag '(\w+)'`,
	} {
		if m := find(pattern, e.Msg); m != nil {
			name = m[1]
		}
	}
	lines := r.sourceLines(e.File)
	if name == "" || e.Line < 1 || e.Line > len(lines) {
		return 0
	}
	line := lines[e.Line-1]
	tags := regexp.MustCompile(`\{[{%].*?(?:[}%]\}|$)`).FindAllStringIndex(line, -1)
	if tags == nil {
		tags = [][]int{{0, len(line)}} // within a tag of several lines
	}
	word, place := regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`), 0
	for _, tag := range tags {
		for _, m := range word.FindAllStringIndex(line[tag[0]:tag[1]], -1) {
			if place > 0 {
				return 0
			}
			place = utf8.RuneCountInString(line[:tag[0]+m[0]]) + 1
		}
	}
	return place
}

// loadDiagnostic is for data that a template loads: the place is in the data, the tag is related.
func (r *Renderer) loadDiagnostic(load *loadError, tag diag.Pos) *diag.Diagnostic {
	d := *load.d
	if d.Pos.File == "" {
		d.Msg = "cannot load: " + d.Msg
		d.Pos = tag
		return &d
	}
	d.Related = append(slices.Clone(d.Related), diag.Related{Pos: tag, Msg: "loaded here"})
	return &d
}

func (r *Renderer) missingTemplate(missing *jinja.TemplateNotFound, pos diag.Pos, st *rendering) *diag.Diagnostic {
	if missing.Msg != "" {
		return diag.Errorf(pos, "template not found: %s", missing.Msg)
	}
	env := "base"
	if st != nil {
		env = st.env
	}
	d := diag.Errorf(pos, "template '%s' not found in environment '%s'", missing.Name, env)
	if dirs := r.cfg.Roots.Dirs(env); len(dirs) > 0 {
		d.Msg += " (searched " + strings.Join(dirs, ", ") + ")"
	}
	_, err := r.cfg.Roots.Find(env, missing.Name)
	var nf *roots.NotFoundError
	if errors.As(err, &nf) && nf.Hint() != "" {
		d.Hint = nf.Hint()
	}
	return d
}

// find gives the groups of a pattern in a message: only errors pay for it.
func find(pattern, msg string) []string { return regexp.MustCompile(pattern).FindStringSubmatch(msg) }

// hint is a nearest name for what is unknown.
func (r *Renderer) hint(e *jinja.Error, st *rendering) string {
	near := func(word string, known []string) string {
		if n := diag.Nearest(word, known); n != "" {
			return "did you mean '" + n + "'?"
		}
		return ""
	}
	var ve *value.Error
	if errors.As(e.Cause, &ve) && ve.Missing != nil && ve.Missing.In != nil {
		if hint := r.keyHint(ve.Missing); hint != "" {
			return hint
		}
	}
	if m := find(`^'([A-Za-z_]\w*)' is undefined$`, e.Msg); m != nil {
		return near(m[1], r.namesIn(e.File, st))
	}
	if m := find(`No (filter|test) named '([\w.]+)'`, e.Msg); m != nil {
		if eng, err := r.engine(true); err == nil {
			if m[1] == "test" {
				return near(m[2], eng.env.Tests())
			}
			return near(m[2], eng.env.Filters())
		}
	}
	if m := find(`^'salt(?:\.(\w+))? object' has no attribute '([\w.]+)'$`, e.Msg); m != nil {
		return r.functionHint(m[1], m[2])
	}
	if m := find(`^Encountered unknown tag '(\w+)'`, e.Msg); m != nil && !strings.HasPrefix(m[1], "end") {
		return near(m[1], []string{
			"if", "elif", "else", "endif", "for", "endfor", "set", "endset", "do", "macro", "endmacro", "call", "filter",
			"import", "from",
			"include", "extends", "block", "raw", "with", "break", "continue", "load_yaml", "load_json", "load_text", "endload",
			"import_yaml",
			"import_json", "import_text", "profile",
		})
	}
	return ""
}

// keyHint is the nearest key of a map that has not the one that was looked up; for the pillar and the grains, where
// they come from.
func (r *Renderer) keyHint(u *value.Undefined) string {
	in := u.In
	if lazy, ok := in.(*jinja.Lazy); ok {
		in = lazy.Get()
	}
	d, ok := in.(*value.Dict)
	if !ok {
		return ""
	}
	known := make([]string, 0, d.Len())
	for k := range d.All() {
		known = append(known, value.String(k))
	}
	slices.Sort(known)
	hint := ""
	if near := diag.Nearest(u.Name, known); near != "" {
		hint = "did you mean '" + near + "'?"
	} else if len(known) > 0 && len(known) <= 12 {
		hint = "its keys are " + strings.Join(known, ", ")
	}
	if r.cfg.Pillar != nil && d == r.cfg.Pillar() {
		hint = strings.TrimSuffix(hint, "?")
		return strings.TrimPrefix(hint+"; the pillar was read from "+strings.Join(r.cfg.PillarDirs, ", "), "; ")
	}
	return hint
}

func (r *Renderer) functionHint(module, name string) string {
	if module != "" {
		name = module + "." + name
	}
	if known, ok := r.cfg.Exec.(interface{ Names() []string }); ok {
		if n := diag.Nearest(name, known.Names()); n != "" {
			return "did you mean '" + n + "'?"
		}
	}
	return "gostate doc lists the functions; a template can ask whether one is there: 'x.y' in salt"
}

// namesIn are the variables that a template may see: what it was given and what its text makes.
func (r *Renderer) namesIn(file string, st *rendering) []string {
	names := []string{"loop", "range", "dict", "namespace", "joiner", "cycler", "lipsum", "raise", "show_full_context",
		"odict", "true", "false", "none"}
	if st != nil {
		for k := range st.globals.All() {
			names = append(names, value.String(k))
		}
	}
	made := regexp.MustCompile(`(?:\bset|\bfor|\bmacro|\bas|\bimport|\bwith)\s+([A-Za-z_]\w*)`)
	for _, line := range r.sourceLines(file) {
		if !strings.Contains(line, "{%") && !strings.Contains(line, "%}") {
			continue
		}
		for _, m := range made.FindAllStringSubmatch(line, -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
