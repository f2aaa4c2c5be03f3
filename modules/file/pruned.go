package file

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func prunedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.pruned",
		Doc:  "Removes an empty directory, and with recurse the empty directories in it. What is not empty stays.",
		Example: `
/var/tmp/build:
  file.pruned:
    - recurse: true
    - ignore_errors: true
`,
		New: func() modules.StateFunc { return &Pruned{} },
	}
}

// Pruned is file.pruned.
type Pruned struct {
	Name         Path        `arg:"name,required,path" doc:"The directory."`
	Recurse      bool        `arg:"recurse" doc:"Removes the empty directories in it, too, the deepest first."`
	IgnoreErrors bool        `arg:"ignore_errors" doc:"Directories that are not empty are no failure where others could be removed; means recurse."`
	OlderThan    value.Value `arg:"older_than" doc:"Removes only what was not changed for so many days."`
}

// Act removes them.
func (p *Pruned) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	name := p.Name.String()
	if !isDir(h, name) {
		return state.Settled(fmt.Sprintf("Directory %s is not present", name)), nil
	}
	recurse := p.Recurse || p.IgnoreErrors
	w := &pruning{h: h, before: olderThan(p.OlderThan, env.Time())}
	ok := w.prune(name, recurse)
	e := state.NewEffect()
	e.Preview = fmt.Sprintf("Directory %s is set for removal", name)
	e.Once = true
	slices.Sort(w.deleted)
	switch {
	case ok && !recurse || recurse && len(w.deleted) > 0 && (ok || p.IgnoreErrors):
		e.Comment = fmt.Sprintf("Recursively removed empty directories under %s", name)
		e.Changes.SetStr("deleted", modules.TextList(w.deleted))
		if !recurse {
			e.Comment = fmt.Sprintf("Removed directory %s", name)
			e.Changes.SetStr("deleted", value.Str(name))
		}
		return e, nil
	case ok:
		return state.Settled("Nothing to remove"), nil
	}
	e.Changes = w.result(ok)
	e.Changes.Delete(value.Str("result"))
	return e, fmt.Errorf("Failed to remove directory %s", name)
}
