package value

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPython evaluates the expressions that testdata/python.py recorded with CPython's answers.
func TestPython(t *testing.T) {
	text, err := os.ReadFile("testdata/python.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases [][3]json.RawMessage
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 2000 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, c := range cases {
		var expr, want string
		var tree []any
		for i, at := range []any{&expr, &tree, &want} {
			if err := json.Unmarshal(c[i], at); err != nil {
				t.Fatal(err)
			}
		}
		if differs[expr] {
			continue
		}
		if got := evalShown(tree); got != want {
			t.Errorf("%s\n- %s\n+ %s", expr, want, got)
		}
	}
}

// differs are the expressions that the package answers in its own way.
var differs = map[string]bool{}

func evalShown(tree []any) (out string) {
	defer func() {
		if p := recover(); p != nil {
			out = fmt.Sprint("panic: ", p)
		}
	}()
	v, err := eval(tree)
	var e *Error
	switch {
	case errors.As(err, &e):
		return "!" + e.Class + ": " + e.Msg
	case err != nil:
		return err.Error()
	}
	if s, ok := v.(*Set); ok {
		items := []string{}
		for _, it := range s.Items() {
			items = append(items, Repr(it))
		}
		slices.Sort(items)
		return "set" + Repr(strList(items))
	}
	return Repr(v)
}

func eval(n []any) (Value, error) {
	switch n[0] {
	case "const":
		return From(n[1]), nil
	case "bytes":
		b, err := hex.DecodeString(n[1].(string))
		return Bytes(b), err
	case "int":
		i, _ := new(big.Int).SetString(n[1].(string), 10)
		return NewInt(i), nil
	case "float":
		return ToFloat(Str(n[1].(string)))
	case "dict":
		return evalDict(n[1:])
	case "call":
		return evalCall(n)
	}
	switch n[0] {
	case "method":
		recv, err := eval(n[1].([]any))
		if err != nil {
			return nil, err
		}
		pos, kw, err := evalArgs(n[3], n[4])
		if err != nil {
			return nil, err
		}
		return call(recv, n[2].(string), pos, kw)
	case "list", "tuple", "set":
		items, err := evalAll(n[1:])
		if err != nil {
			return nil, err
		}
		switch n[0] {
		case "list":
			return NewList(items...), nil
		case "tuple":
			return NewTuple(items...), nil
		}
		return NewSet(items...)
	}
	from := 2
	if n[0] == "item" || n[0] == "slice" {
		from = 1
	}
	v, err := evalAll(n[from:])
	if err != nil {
		return nil, err
	}
	return evalOp(n, v)
}

func evalOp(n []any, v []Value) (Value, error) {
	op, _ := n[1].(string)
	switch n[0] {
	case "bin":
		return Binary(op, v[0], v[1])
	case "cmp":
		if op == "in" || op == "not in" {
			ok, err := Contains(v[1], v[0])
			return Bool(ok == (op == "in")), err
		}
		ok, err := Compare(op, v[0], v[1])
		return Bool(ok), err
	case "item":
		return GetItem(v[0], v[1])
	case "slice":
		return Slice(v[0], v[1], v[2], v[3])
	}
	switch op {
	case "-":
		return Neg(v[0])
	case "+":
		return Pos(v[0])
	}
	return Invert(v[0])
}

func call(recv Value, name string, pos []Value, kw *Dict) (Value, error) {
	m, ok := Method(recv, name)
	if !ok {
		return nil, fmt.Errorf("%s has no method %s", recv.TypeName(), name)
	}
	return m.Call(context.Background(), pos, kw)
}

func evalAll(nodes []any) ([]Value, error) {
	var out []Value
	for _, n := range nodes {
		v, err := eval(n.([]any))
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func evalArgs(pos, kw any) ([]Value, *Dict, error) {
	args, err := evalAll(pos.([]any))
	if err != nil {
		return nil, nil, err
	}
	d := NewDict(0)
	for _, p := range kw.([]any) {
		v, err := eval(p.([]any)[1].([]any))
		if err != nil {
			return nil, nil, err
		}
		d.SetStr(p.([]any)[0].(string), v)
	}
	return args, d, nil
}

func evalDict(pairs []any) (Value, error) {
	d := NewDict(0)
	for _, p := range pairs {
		kv, err := evalAll(p.([]any))
		if err != nil {
			return nil, err
		}
		if err := d.Set(kv[0], kv[1]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func evalCall(n []any) (Value, error) {
	pos, kw, err := evalArgs(n[2], n[3])
	if err != nil {
		return nil, err
	}
	arg := func(i int) Value {
		if i < len(pos) {
			return pos[i]
		}
		return nil
	}
	switch n[1] {
	case "after":
		_, err := call(pos[0], String(pos[1]), pos[2:], kw)
		return pos[0], err
	case "repr":
		return Str(Repr(pos[0])), nil
	case "ascii":
		return Str(ASCII(pos[0])), nil
	case "str":
		return Str(String(pos[0])), nil
	case "bool":
		return Bool(Truth(pos[0])), nil
	case "abs":
		return Abs(pos[0])
	case "len":
		i, err := Len(pos[0])
		return Int(i), err
	case "int":
		if len(pos) == 0 {
			return Int(0), nil
		}
		return ToInt(pos[0], arg(1))
	case "float":
		if len(pos) == 0 {
			return Float(0), nil
		}
		return ToFloat(pos[0])
	case "format":
		s, err := Format(pos[0], String(pos[1]))
		return Str(s), err
	case "set":
		if len(pos) == 0 {
			return NewSet()
		}
		return ToSet(pos[0])
	case "dict":
		d := NewDict(0)
		return d, UpdateDict(d, pos[0])
	case "range":
		return evalRange(pos)
	case "dumps":
		s, err := DumpsJSON(pos[0], dumpOptions(kw))
		return Str(s), err
	case "loads":
		return ParseJSON(String(pos[0]))
	}
	items, err := ToList(pos[0])
	if err != nil {
		return nil, err
	}
	switch n[1] {
	case "list":
		return NewList(items...), nil
	case "tuple":
		return NewTuple(items...), nil
	case "sorted":
		return NewList(items...), Sort(items, nil, false)
	}
	return nil, fmt.Errorf("unknown function %s", n[1])
}

func evalRange(pos []Value) (Value, error) {
	n := []int64{0, 0, 1}
	if len(pos) == 1 {
		n[1] = int64(pos[0].(Int))
	} else {
		for i, v := range pos {
			n[i] = int64(v.(Int))
		}
	}
	return NewRange(n[0], n[1], n[2])
}

func dumpOptions(kw *Dict) (o JSONOptions) {
	for k, v := range kw.All() {
		switch String(k) {
		case "ensure_ascii":
			o.Unicode = !Truth(v)
		case "sort_keys":
			o.SortKeys = Truth(v)
		case "indent":
			o.Pretty, o.Indent = true, strings.Repeat(" ", int(v.(Int)))
		case "separators":
			o.ItemSep, o.KeySep = String(v.(*Tuple).Items[0]), String(v.(*Tuple).Items[1])
		}
	}
	return o
}
