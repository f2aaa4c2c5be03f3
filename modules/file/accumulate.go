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
	heads  map[headed]bool        // guarded by mu
}

// headed says that an accumulator of a file names a state in require_in or watch_in.
type headed struct{ file, name, target string }

type accumulatorsKey struct{}

func accumulatorsOf(env *modules.Env) *accumulators {
	fresh := func() *accumulators {
		return &accumulators{byFile: map[string]*value.Dict{}, heads: map[headed]bool{}}
	}
	if env.Cache == nil {
		return fresh()
	}
	return modules.Get(env.Cache, accumulatorsKey{}, fresh)
}

// accumulatedFor is a copy of what was collected for a file: lists of texts by the accumulator's name. nil when there
// is nothing.
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

// accumulatedInto is what accumulatedFor gives, but only of the accumulators that name the state, where there are such.
func accumulatedInto(env *modules.Env, file string) *value.Dict {
	all := accumulatedFor(env, file)
	if all == nil || env.Low == nil {
		return all
	}
	a := accumulatorsOf(env)
	a.mu.Lock()
	defer a.mu.Unlock()
	out := value.NewDict(all.Len())
	for k, v := range all.All() {
		if a.heads[headed{file, value.String(k), env.Low.ID}] {
			_ = out.Set(k, v)
		}
	}
	if out.Len() == 0 {
		return all
	}
	return out
}
