package ssh

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/value"
)

// NewCall is the call of an execution function.
func NewCall(function string, args []value.Value, kwargs *value.Dict) (*Call, error) {
	if kwargs == nil {
		kwargs = value.NewDict(0)
	}
	text, err := yaml.Encode(value.NewList(value.NewList(args...), kwargs), yaml.EncodeOptions{AllowUnicode: true,
		Width: -1})
	if err != nil {
		return nil, fmt.Errorf("write the arguments of %s: %w", function, err)
	}
	return &Call{Function: function, Args: text}, nil
}

// read are the arguments.
func (c *Call) read() ([]value.Value, *value.Dict, error) {
	v, err := yaml.Decode("arguments", []byte(c.Args))
	if err != nil {
		return nil, nil, err
	}
	if both, ok := v.(*value.List); ok && len(both.Items) == 2 {
		args, isList := both.Items[0].(*value.List)
		kwargs, isDict := both.Items[1].(*value.Dict)
		if isList && isDict {
			return args.Items, kwargs, nil
		}
	}
	return nil, nil, errors.New("the arguments are no list and map")
}

// call calls a function over there. What goes wrong in it is told as its answer, with the code 2: it may have changed
// something.
func (n *node) call(ctx context.Context, s *session.Session, c *Call) error {
	args, kwargs, err := c.read()
	if err != nil {
		return err
	}
	if err := s.KnowsExec(c.Function); err != nil {
		return err
	}
	v, err := s.Answer(ctx, c.Function, args, kwargs)
	if err == nil {
		err = s.Print(v)
	}
	if err == nil {
		n.end.Return, err = asJSON(v)
	}
	if n.end.Called = true; err != nil {
		n.p.Code = 2
		n.end.Return, _ = json.Marshal(err.Error())
		fmt.Fprintf(n.p.Err, "error: %v\n", err)
		return nil
	}
	if n.p.Retcode != 0 {
		n.p.Code = 2
	}
	return nil
}

// asJSON is a value as JSON, what JSON does not know as text.
func asJSON(v value.Value) (json.RawMessage, error) {
	text, err := value.DumpsJSON(v, value.JSONOptions{Unicode: true,
		Default: func(v value.Value) (value.Value, error) { return value.Str(value.String(v)), nil }})
	return json.RawMessage(text), err
}
