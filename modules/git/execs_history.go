package git

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// mergeBase are the words of git merge-base.
func mergeBase(w *words) {
	c := w.c
	w.look = len(w.list) == 0
	one := 0
	for _, p := range []string{"octopus", "independent", "is_ancestor", "fork_point"} {
		if c.Bool(p) {
			one++
		}
	}
	refs := c.Strs("refs")
	for i := range refs {
		refs[i] = strings.TrimSpace(refs[i])
	}
	switch {
	case c.Bool("all") && (c.Bool("independent") || c.Bool("is_ancestor") || c.Bool("fork_point")):
		w.refuse(refused("The 'all' argument is not compatible with 'independent', 'is_ancestor', or 'fork_point'"))
	case one > 1:
		w.refuse(refused("Only one of 'octopus', 'independent', 'is_ancestor', and 'fork_point' is permitted"))
	case c.Bool("is_ancestor") && len(refs) != 2:
		w.refuse(refused("Two refs/commits are required if 'is_ancestor' is True"))
	case c.Bool("fork_point") && len(refs) > 1:
		w.refuse(refused("At most one ref/commit can be passed if 'fork_point' is specified"))
	case c.Bool("fork_point") && len(refs) == 0:
		refs = []string{"HEAD"}
	}
	w.lenient = c.Bool("is_ancestor")
	w.add("merge-base").options("opts").flag("all", "--all")
	w.flag("octopus", "--octopus").flag("is_ancestor", "--is-ancestor").flag("independent", "--independent")
	if c.Bool("fork_point") {
		w.add("--fork-point").operand("fork_point")
	}
	for _, r := range refs {
		w.noOption("refs", r).add(r)
	}
}

// bases is its answer.
func bases(w *words, out string) (value.Value, error) {
	all, _ := lines(w, out)
	l := all.(*value.List)
	switch {
	case w.c.Bool("is_ancestor"):
		return value.Bool(w.code == 0), nil
	case w.c.Bool("all"):
		return l, nil
	case len(l.Items) == 0:
		return nil, value.Raise("IndexError", "list index out of range")
	}
	return l.Items[0], nil
}

func mergeTreeSpec() modules.ExecSpec {
	return modules.ExecSpec{Name: "git.merge_tree", Doc: "What a merge of two revisions would change.",
		Params: strings.Fields("cwd ref1 ref2 base=" + asWhom),
		Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
			w := (&words{c: c, look: true}).add("merge-tree").operand("base", "ref1", "ref2")
			if w.err != nil {
				return nil, w.err
			}
			if c.Str("base") == "" {
				base, err := other(ctx, c, "merge-base", c.Str("ref1"), c.Str("ref2"))
				if err != nil {
					return nil, failed("Unable to determine merge base for %s and %s", c.Str("ref1"), c.Str("ref2"))
				}
				base, _, _ = strings.Cut(base, "\n")
				w.list = []string{"merge-tree", base, c.Str("ref1"), c.Str("ref2")}
			}
			out, err := w.run(ctx, false)
			return value.Str(out), err
		}}
}
