package modules

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// A Binder is an argument type of a family's own: it takes the value as the user wrote it. None never reaches it: that
// is an argument that was not given. The error is a clause that follows the argument's name: "takes a mode, not a
// list".
type Binder interface{ BindValue(v value.Value) error }

// An ArgTyper is a Binder that names its type in documentation: "mode".
type ArgTyper interface{ ArgType() string }

// Base may be embedded by a state function that wants to know the state it was bound from.
type Base struct{ Low *state.Low }

// A setter stores a value, which is never None, in a field.
type setter func(dst reflect.Value, v value.Value) error

var (
	binderType   = reflect.TypeFor[Binder]()
	valueType    = reflect.TypeFor[value.Value]()
	dictType     = reflect.TypeFor[*value.Dict]()
	listType     = reflect.TypeFor[*value.List]()
	durationType = reflect.TypeFor[time.Duration]()
	stringsType  = reflect.TypeFor[[]string]()
)

// setterFor gives the setter of a field type and the type's name in documentation. It panics for a type that no
// argument can have, which is a mistake in a state function.
func setterFor(t reflect.Type) (setter, string) {
	if reflect.PointerTo(t).Implements(binderType) {
		name := "value"
		if at, ok := reflect.New(t).Interface().(ArgTyper); ok {
			name = at.ArgType()
		}
		return func(dst reflect.Value, v value.Value) error { return dst.Addr().Interface().(Binder).BindValue(v) }, name
	}
	switch t {
	case valueType:
		return func(dst reflect.Value, v value.Value) error { dst.Set(reflect.ValueOf(v)); return nil }, "any"
	case dictType:
		return setDict, "map"
	case listType:
		return setList, "list"
	case durationType:
		return setDuration, "seconds"
	case stringsType:
		return setStrings, "list of text"
	}
	switch t.Kind() {
	case reflect.String:
		return setString, "text"
	case reflect.Bool:
		return setBool, "boolean"
	case reflect.Int, reflect.Int64:
		return setInt, "integer"
	case reflect.Float64:
		return setFloat, "number"
	case reflect.Pointer:
		inner, name := setterFor(t.Elem())
		return func(dst reflect.Value, v value.Value) error {
			p := reflect.New(t.Elem())
			if err := inner(p.Elem(), v); err != nil {
				return err
			}
			dst.Set(p)
			return nil
		}, name
	}
	panic(fmt.Sprintf("modules: no argument can be of type %s", t))
}

func setString(dst reflect.Value, v value.Value) error {
	s, err := Text(v)
	if err == nil {
		dst.SetString(s)
	}
	return err
}

func setBool(dst reflect.Value, v value.Value) error {
	b, err := Boolean(v)
	if err == nil {
		dst.SetBool(b)
	}
	return err
}

func setInt(dst reflect.Value, v value.Value) error {
	i, err := Integer(v)
	if err == nil {
		dst.SetInt(i)
	}
	return err
}

func setFloat(dst reflect.Value, v value.Value) error {
	f, err := Number(v)
	if err == nil {
		dst.SetFloat(f)
	}
	return err
}

func setDuration(dst reflect.Value, v value.Value) error {
	d, err := Seconds(v)
	if err == nil {
		dst.SetInt(int64(d))
	}
	return err
}

// Seconds is the value where a time is wanted.
func Seconds(v value.Value) (time.Duration, error) {
	f, err := Number(v)
	if err != nil || !(f >= 0 && f < math.MaxInt64/float64(time.Second)) {
		return 0, fmt.Errorf("takes a number of seconds, not %s", Describe(v))
	}
	return time.Duration(f * float64(time.Second)), nil
}

func setStrings(dst reflect.Value, v value.Value) error {
	l, err := Texts(v)
	if err == nil {
		dst.Set(reflect.ValueOf(l))
	}
	return err
}

func setDict(dst reflect.Value, v value.Value) error {
	d, err := Map(v)
	if err == nil {
		dst.Set(reflect.ValueOf(d))
	}
	return err
}

func setList(dst reflect.Value, v value.Value) error {
	switch v := v.(type) {
	case *value.List:
		dst.Set(reflect.ValueOf(v))
	case *value.Tuple:
		dst.Set(reflect.ValueOf(value.NewList(v.Items...)))
	default:
		return fmt.Errorf("takes a list, not %s", Describe(v))
	}
	return nil
}

// Text is the value where text is wanted: a number is printed, as str() does.
func Text(v value.Value) (string, error) {
	switch v := v.(type) {
	case value.Str:
		return string(v), nil
	case value.Bytes:
		return string(v), nil
	case value.NoneType, nil:
		return "", nil
	case value.Int:
		return strconv.FormatInt(int64(v), 10), nil
	case value.Bool:
		if v {
			return "True", nil
		}
		return "False", nil
	case value.Float, value.BigInt:
		return value.String(v), nil
	}
	return "", fmt.Errorf("takes text, not %s", Describe(v))
}

// Boolean is the value where true or false is wanted; the words that YAML knows for them are taken too.
func Boolean(v value.Value) (bool, error) {
	switch v := v.(type) {
	case value.Bool:
		return bool(v), nil
	case value.Int:
		if v == 0 || v == 1 {
			return v == 1, nil
		}
	case value.NoneType, nil:
		return false, nil
	case value.Str:
		switch strings.ToLower(string(v)) {
		case "true", "yes", "on", "1":
			return true, nil
		case "false", "no", "off", "0", "", "none":
			return false, nil
		}
	}
	return false, fmt.Errorf("takes true or false, not %s", Describe(v))
}

// Integer is the value where a whole number is wanted; text that is one is taken too.
func Integer(v value.Value) (int64, error) {
	switch v := v.(type) {
	case value.Int:
		return int64(v), nil
	case value.Bool:
		if v {
			return 1, nil
		}
		return 0, nil
	case value.Float:
		if f := float64(v); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return int64(f), nil
		}
	case value.Str:
		if i, err := strconv.ParseInt(strings.TrimSpace(string(v)), 10, 64); err == nil {
			return i, nil
		}
	}
	return 0, fmt.Errorf("takes a whole number, not %s", Describe(v))
}

// Number is the value where a number is wanted; text that is one is taken too.
func Number(v value.Value) (float64, error) {
	switch v := v.(type) {
	case value.Float:
		return float64(v), nil
	case value.Str:
		if f, err := strconv.ParseFloat(strings.TrimSpace(string(v)), 64); err == nil && !math.IsNaN(f) {
			return f, nil
		}
	default:
		if i, err := Integer(v); err == nil {
			return float64(i), nil
		}
	}
	return 0, fmt.Errorf("takes a number, not %s", Describe(v))
}

// Texts is the value where a list of names is wanted: a scalar is a list of one.
func Texts(v value.Value) ([]string, error) {
	var items []value.Value
	switch v := v.(type) {
	case *value.List:
		items = v.Items
	case *value.Tuple:
		items = v.Items
	case *value.Set:
		items = v.Items()
	case *value.Dict:
		return nil, fmt.Errorf("takes a list of names, not a map")
	default:
		s, err := Text(v)
		return []string{s}, err
	}
	out := make([]string, len(items))
	for i, it := range items {
		s, err := Text(it)
		if err != nil {
			return nil, fmt.Errorf("takes a list of names, but item %d is %s", i+1, Describe(it))
		}
		out[i] = s
	}
	return out, nil
}

// Map is the value where a map is wanted: a list of maps, as SLS authors often write, is merged in order.
func Map(v value.Value) (*value.Dict, error) {
	switch v := v.(type) {
	case *value.Dict:
		return v, nil
	case *value.List:
		out := value.NewDict(len(v.Items))
		for i, it := range v.Items {
			d, ok := it.(*value.Dict)
			if !ok {
				return nil, fmt.Errorf("takes a map, but item %d of the list is %s", i+1, Describe(it))
			}
			for k, val := range d.All() {
				if err := out.Set(k, val); err != nil {
					return nil, err
				}
			}
		}
		return out, nil
	case value.Str:
		if v == "" {
			return value.NewDict(0), nil
		}
	}
	return nil, fmt.Errorf("takes a map, not %s", Describe(v))
}

// Describe names a value for a message: `a map`, `the text "abc"`, `12`.
func Describe(v value.Value) string {
	switch v := v.(type) {
	case nil, value.NoneType:
		return "null"
	case *value.List, *value.Tuple, *value.Set:
		return "a list"
	case *value.Dict:
		return "a map"
	case value.Bool:
		return strconv.FormatBool(bool(v))
	case value.Int:
		return strconv.FormatInt(int64(v), 10)
	case value.Float, value.BigInt:
		return value.String(v)
	case value.Str:
		if len(v) > 40 {
			return fmt.Sprintf("the text %q...", string(v)[:40])
		}
		return fmt.Sprintf("the text %q", string(v))
	}
	return "a value of type " + v.TypeName()
}
