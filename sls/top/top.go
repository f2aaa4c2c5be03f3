package top

import (
	"context"
	"errors"
	"slices"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A File is one rendered top file.
type File struct {
	Env  string
	Data value.Value // a dict, or None
	// Pos maps a place in Data to the file.
	Pos func(value.Mark) diag.Pos
}

// Options say how top files are read.
type Options struct {
	// Strategy is top_file_merging_strategy: "merge" (also ""), "same", "merge_all".
	Strategy string
	// DefaultTop is the environment whose top file stands in for a missing one, with strategy same.
	DefaultTop string
	// SaltEnv restricts the result to one environment; "" takes all.
	SaltEnv string
	// HasEnv says whether an environment is known: `- dev: sls` takes an SLS from another one. nil knows none.
	HasEnv func(env string) bool
	// Pillar reads as pillar does: all files are merged, `order` and `ignore_missing` count, an SLS is listed once.
	Pillar bool
}

// An SLS is one entry of the result with the place that asked for it.
type SLS struct {
	Name          string
	Pos           diag.Pos
	IgnoreMissing bool
	// With is what is said beside the name, `- web: {stage: pre}`; nil for nothing. At places its marks.
	With *value.Dict
	At   func(value.Mark) diag.Pos
}

// EnvSLS are the SLS of one environment in their order.
type EnvSLS struct {
	Env string
	SLS []SLS
}

// Names are the names of the SLS.
func (e EnvSLS) Names() []string {
	out := make([]string, len(e.SLS))
	for i, s := range e.SLS {
		out[i] = s.Name
	}
	return out
}

// A target is one target of one environment with what stands below it.
type target struct {
	text  string
	pos   diag.Pos
	kind  string // "compound" unless `- match:` says otherwise
	kpos  diag.Pos
	order int64
	items []item
}

// An item is an SLS; env is set when it is taken from another environment.
type item struct {
	sls, env      string
	pos           diag.Pos
	ignoreMissing bool
	with          *value.Dict
	at            func(value.Mark) diag.Pos // places marks of with
}

// A section is the targets of one environment.
type section struct {
	env     string
	targets []*target
}

// Match gives the SLS that the minion gets, environment by environment, in the order of the files. The error is a
// *diag.List of all that is malformed; warnings are in the list that is returned.
func Match(_ context.Context, files []File, m *Matcher, o Options) ([]EnvSLS, *diag.List, error) {
	p := &parser{o: o}
	var parsed [][]*section
	for _, f := range files {
		parsed = append(parsed, p.file(f))
	}
	if err := p.errs.Err(); err != nil {
		return nil, &p.errs, err
	}
	var merged []*section
	switch {
	case o.Pillar:
		merged = mergePillar(parsed)
	case o.Strategy == "" || o.Strategy == "merge":
		merged = mergeDefault(files, parsed)
	case o.Strategy == "same":
		merged = mergeSame(files, parsed, o)
	case o.Strategy == "merge_all":
		merged = mergeAll(parsed)
	default:
		d := diag.Errorf(diag.Pos{}, "unknown top_file_merging_strategy '%s'", o.Strategy)
		p.errs.Add(d.WithHint("it is merge, same or merge_all"))
		return nil, &p.errs, p.errs.Err()
	}
	return p.pick(merged, m)
}

// pick asks the matcher about each target.
func (p *parser) pick(sections []*section, m *Matcher) ([]EnvSLS, *diag.List, error) {
	var out []EnvSLS
	add := func(env string, s SLS) {
		i := slices.IndexFunc(out, func(e EnvSLS) bool { return e.Env == env })
		if i < 0 {
			out, i = append(out, EnvSLS{Env: env}), len(out)
		}
		if p.o.Pillar && slices.Contains(out[i].Names(), s.Name) {
			return
		}
		if s.Name != "" {
			out[i].SLS = append(out[i].SLS, s)
		}
	}
	for _, s := range sections {
		if p.o.SaltEnv != "" && s.env != p.o.SaltEnv {
			continue
		}
		for _, t := range s.targets {
			ok, err := m.Match(t.kind, t.text, "")
			if err != nil {
				p.errs.Add(t.fault(err))
			}
			if !ok {
				continue
			}
			add(s.env, SLS{})
			for _, it := range t.items {
				env := it.env
				if env == "" {
					env = s.env
				}
				add(env, SLS{Name: it.sls, Pos: it.pos, IgnoreMissing: it.ignoreMissing, With: it.with, At: it.at})
			}
		}
	}
	out = slices.DeleteFunc(out, func(e EnvSLS) bool { return len(e.SLS) == 0 })
	return out, &p.errs, p.errs.Err()
}

// fault is what is wrong with a target, at its place. A group that the configuration does not have matches nobody: top
// files of a master name the groups that the master has.
func (t *target) fault(err error) *diag.Diagnostic {
	if group, ok := errors.AsType[*unknownGroup](err); ok {
		return diag.Warnf(t.pos, "%v: target '%s' matches nobody, as in Salt", group, t.text).
			WithHint("nodegroups stand in the configuration: nodegroups: {%s: 'web*'}", group.name)
	}
	pos := t.pos
	if !slices.Contains(Kinds(), t.kind) {
		pos = t.kpos
	}
	return diag.Errorf(pos, "%v", err)
}
