package session

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// A declared is what a state was declared to be: a sum of its arguments as they were rendered, taken before the run
// lets go of them, and what they come to.
type declared struct {
	args  [16]byte
	meant modules.Meant
}

// hashOf is a declaration as a report has it: made with a key, so that nobody can try secrets out on it.
func (d *declared) hashOf(key []byte) string {
	var text [64]byte
	b := append(append(text[:0], key...), d.args[:]...)
	sum := sha256.Sum256(binary.LittleEndian.AppendUint64(b, d.meant.Sum()))
	return hex.EncodeToString(sum[:8])
}

// declare notes what states are declared to be, where the run leaves a report; it is nil elsewhere.
func (s *Session) declare(low []*state.Low) []declared {
	if !s.recorded() {
		return nil
	}
	out, buf := make([]declared, len(low)), []byte(nil)
	for i, l := range low {
		if buf = buf[:0]; l.Args != nil {
			buf = spell(buf, l.Args, 0)
		}
		sum := sha256.Sum256(buf)
		copy(out[i].args[:], sum[:])
	}
	return out
}

// spell writes a value so that no two are alike: its type, how long it is, what it holds. What is sealed stays so.
func spell(b []byte, v value.Value, depth int) []byte {
	const deepest = 200 // values may hold themselves
	switch v := v.(type) {
	case value.Str:
		b = append(binary.AppendUvarint(append(b, 's'), uint64(len(v))), v...)
	case *value.Dict:
		b = binary.AppendUvarint(append(b, 'd'), uint64(v.Len()))
		for i := 0; i < v.Len() && depth <= deepest; i++ {
			e := v.PeekAt(i)
			b = spell(spell(b, e.Key, depth+1), e.Val, depth+1)
		}
	case *value.List:
		b = binary.AppendUvarint(append(b, 'l'), uint64(len(v.Items)))
		for i := 0; i < len(v.Items) && depth <= deepest; i++ {
			b = spell(b, v.Items[i], depth+1)
		}
	case nil:
		b = append(b, 'n')
	default:
		text := v.TypeName() + " " + value.String(v)
		b = append(binary.AppendUvarint(append(b, 'o'), uint64(len(text))), text...)
	}
	return b
}
