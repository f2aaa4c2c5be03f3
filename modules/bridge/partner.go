package bridge

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A partner is a child with which the protocol is spoken. It is asked one thing at a time; while gostate looks for the
// answer to a question of its own, it can be asked something else, by whom that question led to, or by another state.
// Who was asked last is answered first, as with calls.
type partner struct {
	b     *Bridge
	key   partnerKey
	child host.Child

	mu    sync.Mutex // held while the child has the word; guards depth
	turn  *sync.Cond // depth has become less
	depth int        // of the questions that are not answered yet
}

func newPartner(b *Bridge, key partnerKey, child host.Child) *partner {
	p := &partner{b: b, key: key, child: child}
	p.turn = sync.NewCond(&p.mu)
	return p
}

// A lostError says that nothing more can be asked of a child.
type lostError struct{ err error }

func (e *lostError) Error() string { return e.err.Error() }
func (e *lostError) Unwrap() error { return e.err }

// ask puts a question, and answers those that come back before the answer.
func (p *partner) ask(ctx context.Context, env *modules.Env, h host.Host, q *value.Dict) (value.Value, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.depth++
	defer func() { p.depth--; p.turn.Broadcast() }()
	mine := p.depth
	for {
		answer, err := p.exchange(ctx, q)
		if err != nil {
			return nil, err
		}
		if v, ok := answer.GetStr("ok"); ok {
			return v, nil
		}
		if v, ok := answer.GetStr("error"); ok {
			return nil, thrown(v)
		}
		func() {
			p.mu.Unlock()
			defer p.mu.Lock()
			q = p.answer(ctx, env, h, answer)
		}()
		for p.depth != mine {
			p.turn.Wait()
		}
	}
}

// exchange sends a message and gives the one that comes back.
func (p *partner) exchange(ctx context.Context, q *value.Dict) (*value.Dict, error) {
	line, err := value.DumpsJSON(toWire(q), value.JSONOptions{})
	if err != nil {
		return nil, err
	}
	said, err := p.child.Ask(ctx, []byte(line))
	if err != nil {
		return nil, &lostError{err}
	}
	answer, err := message(said)
	if err != nil {
		return nil, &lostError{err}
	}
	return answer, nil
}

// message reads a line of a child.
func message(line []byte) (*value.Dict, error) {
	v, err := value.ParseJSON(string(line))
	if err == nil {
		v, err = fromWire(v)
	}
	if err != nil {
		return nil, fmt.Errorf("it said %.200q, which is no JSON of the protocol: %w", line, err)
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return nil, fmt.Errorf("it said %.200q, which is no message of the protocol", line)
	}
	return d, nil
}

// thrown is the error that a child tells: Python's exception with the place in the tree's file.
func thrown(v value.Value) error {
	d, ok := v.(*value.Dict)
	if !ok {
		return value.Raise("CommandExecutionError", "%s", value.String(v))
	}
	kind, text := "CommandExecutionError", ""
	if k, ok := d.GetStr("type"); ok {
		kind = value.String(k)
	}
	if m, ok := d.GetStr("message"); ok {
		text = value.String(m)
	}
	file, ok := d.GetStr("file")
	if !ok {
		return value.Raise(kind, "%s", text)
	}
	line, _ := d.GetStr("line")
	n, _ := line.(value.Int)
	return &Thrown{Err: value.Raise(kind, "%s", text), Pos: diag.Pos{File: value.String(file), Line: int(n)}}
}

// A Thrown error comes from the tree's own code, at Pos.
type Thrown struct {
	Err error
	Pos diag.Pos
}

func (t *Thrown) Error() string { return fmt.Sprintf("%s (%s:%d)", t.text(), t.Pos.File, t.Pos.Line) }

// text is the exception as Python prints it; that of Salt's modules is its message alone.
func (t *Thrown) text() string {
	var raised *value.Error
	if errors.As(t.Err, &raised) && raised.Class != "CommandExecutionError" {
		return raised.Class + ": " + raised.Msg
	}
	return t.Err.Error()
}

func (t *Thrown) Unwrap() error { return t.Err }

// answer answers a question of the child's.
func (p *partner) answer(ctx context.Context, env *modules.Env, h host.Host, q *value.Dict) *value.Dict {
	v, err := p.answerTo(ctx, env, h, q)
	if err == nil {
		if v == nil {
			v = value.None
		}
		return value.DictOf("ok", v)
	}
	kind, text := "CommandExecutionError", err.Error()
	var raised *value.Error
	if errors.As(err, &raised) {
		kind, text = raised.Class, raised.Msg
	}
	return value.DictOf("error", value.DictOf("type", value.Str(kind), "message", value.Str(text)))
}

func (p *partner) answerTo(ctx context.Context, env *modules.Env, h host.Host, q *value.Dict) (value.Value, error) {
	text := func(key string) string {
		v, _ := q.GetStr(key)
		s, _ := v.(value.Str)
		return string(s)
	}
	kwargs := func(key string) *value.Dict {
		v, _ := q.GetStr(key)
		return dict(v)
	}
	switch {
	case text("get") != "":
		return p.get(env, text("get"))
	case text("call") != "":
		v, _ := q.GetStr("args")
		return env.Exec.Call(ctx, text("call"), items(v), kwargs("kwargs"))
	case text("state") != "":
		return single(ctx, env, h, text("state"), kwargs("kwargs"))
	case text("log") != "":
		if env.Log != nil {
			env.Log(text("log"), text("text"))
		}
		return value.None, nil
	case text("format") != "":
		if v, ok := q.GetStr("write"); ok {
			out, err := env.Serialize(text("format"), v, kwargs("options"))
			return value.Str(out), err
		}
		return env.Deserialize(text("format"), text("read"))
	}
	return nil, value.Raise("ValueError", "gostate knows no such question: %s", value.Repr(q))
}

// get is data of the run.
func (p *partner) get(env *modules.Env, what string) (value.Value, error) {
	switch what {
	case "grains":
		return env.Grains.Dict(), nil
	case "pillar":
		return env.Pillar.Dict(), nil
	case "modules":
		_, execs := env.Registry.Built()
		return modules.TextList(execs), nil
	case "states":
		states, _ := env.Registry.Built()
		return modules.TextList(states), nil
	case "programs":
		return modules.TextList(p.b.programs()), nil
	}
	return nil, value.Raise("KeyError", "%s", what)
}

func isText(v value.Value) bool { _, ok := v.(value.Str); return ok }

// single applies one state function, as __states__ does, and gives its result as Salt has it. What the compiler of
// states would make of its arguments (requisites, the order) has no meaning there. Where gostate only looks, the
// machine is an overlay.
func single(ctx context.Context, env *modules.Env, h host.Host, fun string, args *value.Dict) (value.Value, error) {
	rest, name := value.NewDict(args.Len()), value.Value(value.Str(""))
	for k, v := range args.All() {
		switch key := value.String(k); {
		case key == "name":
			name = v
		case state.IsFree(key) && !isText(v):
		case (!state.IsRequisite(key) || state.IsFree(key)) && key != "order":
			rest.SetStr(key, v)
		}
	}
	out, err := env.Trees.Apply(ctx, h, modules.TreeRequest{Single: fun, Name: value.String(name), Args: rest})
	if err != nil {
		return nil, err
	}
	for _, result := range out.All() {
		return result, nil
	}
	return nil, value.Raise("CommandExecutionError", "%s gave no result", fun)
}
