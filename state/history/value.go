package history

import (
	"encoding/json"

	"github.com/gostate/gostate/state/value"
)

// A Value is one of a report: as in states, with the order of its keys. A nil one is absent.
type Value struct{ value.Value }

// IsZero says whether it is absent.
func (v Value) IsZero() bool { return v.Value == nil }

// MarshalJSON writes it as Salt does. What JSON does not know is text.
func (v Value) MarshalJSON() ([]byte, error) {
	text, err := value.DumpsJSON(v.orNone(), value.JSONOptions{Unicode: true, ItemSep: ",", KeySep: ":",
		Default: func(v value.Value) (value.Value, error) { return value.Str(value.String(v)), nil }})
	return []byte(text), err
}

func (v Value) orNone() value.Value {
	if v.Value == nil {
		return value.None
	}
	return v.Value
}

// UnmarshalJSON keeps the order of keys.
func (v *Value) UnmarshalJSON(text []byte) (err error) {
	v.Value, err = value.ParseJSON(string(text))
	return err
}

var (
	_ json.Marshaler   = Value{}
	_ json.Unmarshaler = (*Value)(nil)
)
