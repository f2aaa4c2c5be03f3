package serial

import (
	"encoding/binary"
	"errors"
	"math"
	"math/big"

	"github.com/gostate/gostate/state/value"
)

// toMsgpack writes v as Salt's payloads are: text as text, bytes as bytes, and whole numbers beyond 64 bits as text.
func toMsgpack(v value.Value) (string, error) {
	b, err := pack(nil, v, 0)
	return string(b), err
}

// deepest is how far containers may lie in each other: a container that holds itself would never end.
const deepest = 500

func pack(b []byte, v value.Value, depth int) ([]byte, error) {
	if depth > deepest {
		return nil, value.Raise("ValueError", "recursion limit exceeded.")
	}
	switch v := v.(type) {
	case value.NoneType:
		return append(b, 0xc0), nil
	case value.Bool:
		if v {
			return append(b, 0xc3), nil
		}
		return append(b, 0xc2), nil
	case value.Int:
		return packInt(b, int64(v)), nil
	case value.Float:
		return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(float64(v))), nil
	case value.Bytes:
		return append(packHead(b, len(v), [4]head{{}, {0xc4, 8}, {0xc5, 16}, {0xc6, 32}}), v...), nil
	case *value.Dict:
		b = packHead(b, v.Len(), [4]head{{0x80, 4}, {}, {0xde, 16}, {0xdf, 32}})
		return packItems(b, depth, func(yield func(value.Value) bool) {
			for k, item := range v.All() {
				if !yield(k) || !yield(item) {
					return
				}
			}
		})
	case value.Str:
		return packText(b, string(v)), nil
	}
	if items, err := value.ToList(v); err == nil {
		b = packHead(b, len(items), [4]head{{0x90, 4}, {}, {0xdc, 16}, {0xdd, 32}})
		return packItems(b, depth, func(yield func(value.Value) bool) {
			for _, item := range items {
				if !yield(item) {
					return
				}
			}
		})
	}
	return packText(b, value.String(v)), nil
}

func packItems(b []byte, depth int, items func(func(value.Value) bool)) (_ []byte, err error) {
	for item := range items {
		if b, err = pack(b, item, depth+1); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func packText(b []byte, s string) []byte {
	return append(packHead(b, len(s), [4]head{{0xa0, 5}, {0xd9, 8}, {0xda, 16}, {0xdb, 32}}), s...)
}

// A head is a first byte and the bits of the length that goes with it: within the byte for 4 and 5, behind it for more.
type head struct {
	first byte
	bits  int
}

// packHead writes a length in the shortest of the ways.
func packHead(b []byte, n int, ways [4]head) []byte {
	for _, w := range ways {
		switch {
		case w.bits == 0 || n >= 1<<w.bits:
		case w.bits < 8:
			return append(b, w.first|byte(n))
		case w.bits == 8:
			return append(b, w.first, byte(n))
		case w.bits == 16:
			return binary.BigEndian.AppendUint16(append(b, w.first), uint16(n))
		default:
			return binary.BigEndian.AppendUint32(append(b, w.first), uint32(n))
		}
	}
	return b
}

func packInt(b []byte, i int64) []byte {
	switch {
	case i >= -32 && i < 128:
		return append(b, byte(i))
	case i >= 0 && i < 1<<8:
		return append(b, 0xcc, byte(i))
	case i >= 0 && i < 1<<16:
		return binary.BigEndian.AppendUint16(append(b, 0xcd), uint16(i))
	case i >= 0 && i < 1<<32:
		return binary.BigEndian.AppendUint32(append(b, 0xce), uint32(i))
	case i >= 0:
		return binary.BigEndian.AppendUint64(append(b, 0xcf), uint64(i))
	case i >= math.MinInt8:
		return append(b, 0xd0, byte(i))
	case i >= math.MinInt16:
		return binary.BigEndian.AppendUint16(append(b, 0xd1), uint16(i))
	case i >= math.MinInt32:
		return binary.BigEndian.AppendUint32(append(b, 0xd2), uint32(i))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(i))
}

var errShort = errors.New("msgpack: the data ends too early")

// fromMsgpack reads one value, which must be all of the text.
func fromMsgpack(text string) (value.Value, error) {
	u := unpacker{[]byte(text)}
	v, err := u.value(0)
	if err == nil && len(u.b) > 0 {
		err = errors.New("msgpack: there is more behind the data")
	}
	return v, err
}

// An unpacker holds what is still to be read.
type unpacker struct{ b []byte }

func (u *unpacker) take(n uint64) ([]byte, error) {
	if n > uint64(len(u.b)) {
		return nil, errShort
	}
	out := u.b[:n]
	u.b = u.b[n:]
	return out, nil
}

// number is the next 1, 2, 4 or 8 bytes.
func (u *unpacker) number(size int) (n uint64, err error) {
	raw, err := u.take(uint64(size))
	for _, c := range raw {
		n = n<<8 | uint64(c)
	}
	return n, err
}

func (u *unpacker) value(depth int) (value.Value, error) {
	first, err := u.number(1)
	if err != nil || depth > deepest {
		return nil, errShort
	}
	switch c := byte(first); {
	case c < 0x80 || c >= 0xe0:
		return value.Int(int8(c)), nil
	case c < 0x90:
		return u.dict(uint64(c&0x0f), depth)
	case c < 0xa0:
		return u.list(uint64(c&0x0f), depth)
	case c < 0xc0:
		return u.text(uint64(c&0x1f), nil)
	default:
		return u.sized(c, depth)
	}
}

// sized reads what has its length or its number in bytes of its own.
func (u *unpacker) sized(c byte, depth int) (value.Value, error) {
	// behind the first byte are 1, 2, 4 or 8 bytes of a number, by the place of the byte in its group
	at := func(from byte) (uint64, error) { return u.number(1 << (c - from)) }
	switch {
	case c == 0xc0:
		return value.None, nil
	case c == 0xc2 || c == 0xc3:
		return value.Bool(c == 0xc3), nil
	case c >= 0xc4 && c <= 0xc6:
		n, err := at(0xc4)
		if err != nil {
			return nil, err
		}
		raw, err := u.take(n)
		return value.Bytes(raw), err
	case c == 0xca:
		n, err := u.number(4)
		return value.Float(math.Float32frombits(uint32(n))), err
	case c == 0xcb:
		n, err := u.number(8)
		return value.Float(math.Float64frombits(n)), err
	case c >= 0xcc && c <= 0xcf:
		n, err := at(0xcc)
		if n > math.MaxInt64 {
			return value.NewInt(new(big.Int).SetUint64(n)), err
		}
		return value.Int(int64(n)), err
	case c >= 0xd0 && c <= 0xd3:
		n, err := at(0xd0)
		unused := 64 - 8<<(c-0xd0)
		return value.Int(int64(n<<unused) >> unused), err
	case c >= 0xd9 && c <= 0xdb:
		return u.text(at(0xd9))
	case c == 0xdc || c == 0xdd:
		n, err := u.number(2 << (c - 0xdc))
		if err != nil {
			return nil, err
		}
		return u.list(n, depth)
	case c == 0xde || c == 0xdf:
		n, err := u.number(2 << (c - 0xde))
		if err != nil {
			return nil, err
		}
		return u.dict(n, depth)
	}
	return nil, errors.New("msgpack: values of other programs' kinds are not read")
}

func (u *unpacker) text(n uint64, err error) (value.Value, error) {
	if err != nil {
		return nil, err
	}
	raw, err := u.take(n)
	return value.Str(raw), err
}

func (u *unpacker) list(n uint64, depth int) (value.Value, error) {
	out := value.NewList()
	for range n {
		v, err := u.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, v)
	}
	return out, nil
}

func (u *unpacker) dict(n uint64, depth int) (value.Value, error) {
	out := value.NewDict(0)
	for range n {
		k, err := u.value(depth + 1)
		if err != nil {
			return nil, err
		}
		v, err := u.value(depth + 1)
		if err != nil {
			return nil, err
		}
		if err := out.Set(k, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
