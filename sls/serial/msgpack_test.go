package serial

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

// TestMsgpack has values with the bytes that Salt's payload.dumps makes of them.
func TestMsgpack(t *testing.T) {
	for _, c := range []struct {
		v    value.Value
		want string
	}{
		{value.None, "\xc0"}, {value.Bool(true), "\xc3"}, {value.Bool(false), "\xc2"},
		{value.Int(5), "\x05"}, {value.Int(-1), "\xff"}, {value.Int(-33), "\xd0\xdf"}, {value.Int(200), "\xcc\xc8"},
		{value.Int(-300), "\xd1\xfe\xd4"}, {value.Int(70000), "\xce\x00\x01\x11\x70"},
		{value.Int(-70000), "\xd2\xff\xfe\xee\x90"},
		{value.Int(1 << 40), "\xcf\x00\x00\x01\x00\x00\x00\x00\x00"},
		{value.Int(-1 << 40), "\xd3\xff\xff\xff\x00\x00\x00\x00\x00"},
		{value.Float(1.5), "\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"},
		{value.Str("é"), "\xa2\xc3\xa9"}, {value.Str(strings.Repeat("a", 40)), "\xd9\x28" + strings.Repeat("a", 40)},
		{value.Bytes("ab"), "\xc4\x02ab"},
		{value.NewList(value.Int(1), value.Str("x")), "\x92\x01\xa1x"},
		{value.DictOf("k", value.NewList()), "\x81\xa1k\x90"},
	} {
		got, err := Serialize("msgpack", c.v, nil)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", value.Repr(c.v), err, diff)
		}
		back, err := Deserialize("msgpack", c.want)
		if err != nil || !value.Equal(back, c.v) {
			t.Errorf("%q is read as %v, %v", c.want, back, err)
		}
	}
}

// TestMsgpackLong has what takes two and four bytes for its length.
func TestMsgpackLong(t *testing.T) {
	list, dict := value.NewList(), value.NewDict(0)
	for i := range 70000 {
		list.Items = append(list.Items, value.Int(i))
		if i < 20 {
			dict.SetStr(strings.Repeat("k", i), value.Str(strings.Repeat("x", 10000*i)))
		}
	}
	for _, v := range []value.Value{list, dict} {
		text, err := Serialize("msgpack", v, nil)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := Deserialize("msgpack", text); err != nil || !value.Equal(back, v) {
			t.Errorf("read back: %v", err)
		}
	}
}

// TestMsgpackBroken has what is no value of these.
func TestMsgpackBroken(t *testing.T) {
	for _, text := range []string{"", "\x91", "\xa5ab", "\xdd\xff\xff\xff\xff", "\xc1", "\xc7\x01\x05a", "\x05\x05",
		"\x81\x90\x01", strings.Repeat("\x91", 1000)} {
		if v, err := Deserialize("msgpack", text); err == nil {
			t.Errorf("%.20q is read as %v", text, v)
		}
	}
}
