package file

import (
	"sync"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// accumulators are the texts that file.accumulated collects for files during a run.
type accumulators struct {
	mu     sync.Mutex
	byFile map[string]*value.Dict // guarded by mu, as are the dicts
}

type accumulatorsKey struct{}

func accumulatorsOf(env *modules.Env) *accumulators {
	if env.Cache == nil {
		return &accumulators{byFile: map[string]*value.Dict{}}
	}
	return modules.Get(env.Cache, accumulatorsKey{}, func() *accumulators { return &accumulators{byFile: map[string]*value.Dict{}} })
}

// accumulatedFor is a copy of what was collected for a file: lists of texts by the accumulator's name. nil when there is
// nothing.
func accumulatedFor(env *modules.Env, file string) *value.Dict {
	a := accumulatorsOf(env)
	a.mu.Lock()
	defer a.mu.Unlock()
	d := a.byFile[file]
	if d == nil {
		return nil
	}
	out := value.NewDict(d.Len())
	for k, v := range d.All() {
		_ = out.Set(k, value.NewList(append([]value.Value(nil), v.(*value.List).Items...)...))
	}
	return out
}
