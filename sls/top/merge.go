package top

import (
	"slices"
)

// sections collects targets by environment in the order of first sight. A target that comes again replaces the earlier
// one in its place.
type sections struct{ all []*section }

func (s *sections) env(name string) *section {
	i := slices.IndexFunc(s.all, func(x *section) bool { return x.env == name })
	if i >= 0 {
		return s.all[i]
	}
	n := &section{env: name}
	s.all = append(s.all, n)
	return n
}

func (s *sections) has(name string) bool {
	return slices.ContainsFunc(s.all, func(x *section) bool { return x.env == name })
}

func (s *section) find(text string) int {
	return slices.IndexFunc(s.targets, func(t *target) bool { return t.text == text })
}

func (s *section) put(targets []*target) {
	for _, t := range targets {
		if i := s.find(t.text); i >= 0 {
			s.targets[i] = t
			continue
		}
		s.targets = append(s.targets, t)
	}
}

// mergeDefault is strategy merge: base's file decides for all environments; another file only speaks for its own, and
// only when base's says nothing of it.
func mergeDefault(files []File, parsed [][]*section) []*section {
	var out sections
	for i, f := range files {
		if f.Env == "base" {
			for _, s := range parsed[i] {
				out.env(s.env).put(s.targets)
			}
		}
	}
	for i, f := range files {
		if f.Env == "base" {
			continue
		}
		for _, s := range parsed[i] {
			if s.env == f.Env && !out.has(s.env) {
				out.env(s.env).put(s.targets)
			}
		}
	}
	return out.all
}

// mergeSame is strategy same: each environment's own file decides; default_top's stands in for one that is not there.
func mergeSame(files []File, parsed [][]*section, o Options) []*section {
	var out sections
	take := func(env, from string) {
		for i, f := range files {
			if f.Env != from {
				continue
			}
			for _, s := range parsed[i] {
				if s.env == env {
					out.env(env).put(s.targets)
				}
			}
		}
	}
	for i, f := range files {
		if slices.ContainsFunc(files[:i], func(g File) bool { return g.Env == f.Env }) {
			continue
		}
		if len(parsed[i]) == 0 {
			take(f.Env, o.DefaultTop)
			continue
		}
		take(f.Env, f.Env)
	}
	return out.all
}

// mergeAll is strategy merge_all: targets of all files together; what an equal target lists is joined.
func mergeAll(parsed [][]*section) []*section {
	var out sections
	for _, file := range parsed {
		for _, s := range file {
			into := out.env(s.env)
			for _, t := range s.targets {
				i := into.find(t.text)
				if i < 0 {
					into.targets = append(into.targets, t)
					continue
				}
				into.targets[i] = join(into.targets[i], t)
			}
		}
	}
	return out.all
}

// join gives what two equal targets list, each SLS once; the later matcher wins.
func join(a, b *target) *target {
	out := *a
	if b.kind != "compound" {
		out.kind, out.kpos = b.kind, b.kpos
	}
	out.items = slices.Clone(a.items)
	for _, it := range b.items {
		if !slices.ContainsFunc(out.items, func(x item) bool { return x.sls == it.sls && x.env == it.env }) {
			out.items = append(out.items, it)
		}
	}
	return &out
}

// mergePillar puts the files of all environments one over the other and sorts the targets by their order.
func mergePillar(parsed [][]*section) []*section {
	var out sections
	for _, file := range parsed {
		for _, s := range file {
			out.env(s.env).put(s.targets)
		}
	}
	for _, s := range out.all {
		slices.SortStableFunc(s.targets, func(a, b *target) int {
			switch {
			case a.order < b.order:
				return -1
			case a.order > b.order:
				return 1
			}
			return 0
		})
	}
	return out.all
}
