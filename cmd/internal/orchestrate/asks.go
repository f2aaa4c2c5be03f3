package orchestrate

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/state/value"
)

// asks says whether a runner only asks machines, or the roster about them: a template may call it.
func (r *runnerCall) asks() bool {
	switch r.name {
	case "cache.grains", "mine.get", "manage.up", "manage.alived", "manage.down", "manage.status":
		return true
	}
	return false
}

// ask carries such a runner out.
func (r *runnerCall) ask(ctx context.Context) (value.Value, error) {
	params := []string{"tgt", "tgt_type"}
	given := map[string]value.Value{"tgt": value.Str("*"), "tgt_type": value.Str("glob")}
	if r.name == "mine.get" {
		params = []string{"tgt", "fun", "tgt_type"}
	}
	for i, v := range r.args {
		if i < len(params) {
			given[params[i]] = v
		}
	}
	for k, v := range r.kwargs.All() {
		given[value.String(k)] = v
	}
	if v, old := given["expr_form"]; old {
		given["tgt_type"] = v
	}
	ids, err := r.c.Machines.Target(ctx, value.String(given["tgt_type"]), value.String(given["tgt"]))
	if err != nil {
		return nil, err
	}
	switch r.name {
	case "cache.grains":
		out := value.NewDict(len(ids))
		for _, id := range ids {
			out.SetStr(id, r.c.Machines.Grains(id))
		}
		return out, nil
	case "mine.get":
		if given["fun"] == nil {
			return nil, fmt.Errorf("mine.get needs fun, the name of what is asked for")
		}
		return r.mine(ctx, ids, given["fun"])
	}
	return r.present(ctx, ids)
}

// mine asks each machine for what it has published. One that does not answer is an error: what is missing in an answer
// would be taken for what is gone. Salt differs: its master gives what it has.
func (r *runnerCall) mine(ctx context.Context, ids []string, fun value.Value) (value.Value, error) {
	out := value.NewDict(len(ids))
	for _, id := range ids {
		w := &Work{Function: "mine.get", Args: []value.Value{value.Str(id), fun}, Test: true}
		answers, err := r.c.Machines.Run(ctx, w, []string{id}, func(int) {})
		if err != nil {
			return nil, err
		}
		for _, a := range answers {
			d, ok := a.Return.(*value.Dict)
			switch {
			case a.Err != nil:
				return nil, fmt.Errorf("the mine of %s: %w", a.ID, a.Err)
			case !ok:
				return nil, fmt.Errorf("the mine of %s: %s", a.ID, value.String(orNone(a.Return)))
			}
			for k, v := range d.All() {
				_ = out.Set(k, v)
			}
		}
	}
	return out, nil
}

// present are the machines that answer, those that do not, or both.
func (r *runnerCall) present(ctx context.Context, ids []string) (value.Value, error) {
	answers, err := r.c.Machines.Run(ctx, &Work{Function: "test.ping", Test: true}, ids, func(int) {})
	if err != nil {
		return nil, err
	}
	up, down := value.NewList(), value.NewList()
	for _, a := range answers {
		if a.Err == nil {
			up.Items = append(up.Items, value.Str(a.ID))
		} else {
			down.Items = append(down.Items, value.Str(a.ID))
		}
	}
	switch r.name {
	case "manage.down":
		return down, nil
	case "manage.status":
		out := value.DictOf("up", up)
		out.SetStr("down", down)
		return out, nil
	}
	return up, nil
}
