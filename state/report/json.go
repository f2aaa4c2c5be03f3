package report

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// WriteJSON writes a value as JSON, indented by so many blanks; 0 writes one line. Maps keep their order.
func WriteJSON(w io.Writer, v value.Value, indent int) error {
	b := bufio.NewWriter(w)
	if err := writeJSON(b, v, indent); err != nil {
		return err
	}
	return b.Flush()
}

func writeJSON(w *bufio.Writer, v value.Value, indent int) error {
	e := jsonWriter{w: w, indent: indent}
	if err := e.value(v, 0); err != nil {
		return err
	}
	return w.WriteByte('\n')
}

type jsonWriter struct {
	w      *bufio.Writer
	indent int
}

// maxDepth ends values that hold themselves.
const maxDepth = 500

func (e *jsonWriter) value(v value.Value, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("a value is nested deeper than %d levels", maxDepth)
	}
	switch v := v.(type) {
	case nil, value.NoneType, *value.Undefined:
		e.w.WriteString("null")
	case value.Bool:
		fmt.Fprint(e.w, bool(v))
	case value.Int, value.BigInt:
		e.w.WriteString(value.String(v))
	case value.Float:
		e.float(float64(v))
	case value.Str:
		e.text(string(v))
	case value.Bytes:
		e.text(strings.ToValidUTF8(string(v), "\uFFFD"))
	case *value.List:
		return e.list(v.Items, depth)
	case *value.Tuple:
		return e.list(v.Items, depth)
	case *value.Set:
		return e.list(v.Items(), depth)
	case *value.Dict:
		return e.dict(v, depth)
	default:
		e.text(value.String(v))
	}
	return nil
}

func (e *jsonWriter) float(f float64) {
	switch {
	case math.IsNaN(f):
		e.w.WriteString("NaN") // as Python's json does
	case math.IsInf(f, 1):
		e.w.WriteString("Infinity")
	case math.IsInf(f, -1):
		e.w.WriteString("-Infinity")
	default:
		e.w.WriteString(value.Repr(value.Float(f)))
	}
}

func (e *jsonWriter) text(s string) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	e.w.WriteString(strings.TrimSuffix(b.String(), "\n"))
}

func (e *jsonWriter) list(items []value.Value, depth int) error {
	if len(items) == 0 {
		e.w.WriteString("[]")
		return nil
	}
	e.w.WriteByte('[')
	for i, it := range items {
		e.separate(i, depth+1)
		if err := e.value(it, depth+1); err != nil {
			return err
		}
	}
	e.newline(depth)
	return e.w.WriteByte(']')
}

func (e *jsonWriter) dict(d *value.Dict, depth int) error {
	if d.Len() == 0 {
		e.w.WriteString("{}")
		return nil
	}
	e.w.WriteByte('{')
	for i := range d.Len() {
		e.separate(i, depth+1)
		entry := d.At(i)
		e.text(jsonKey(entry.Key))
		e.w.WriteString(": ")
		if err := e.value(entry.Val, depth+1); err != nil {
			return err
		}
	}
	e.newline(depth)
	return e.w.WriteByte('}')
}

func (e *jsonWriter) separate(i, depth int) {
	if i > 0 {
		e.w.WriteByte(',')
		if e.indent == 0 {
			e.w.WriteByte(' ')
		}
	}
	e.newline(depth)
}

func (e *jsonWriter) newline(depth int) {
	if e.indent == 0 {
		return
	}
	e.w.WriteByte('\n')
	for range depth * e.indent {
		e.w.WriteByte(' ')
	}
}

// jsonKey is the text that Python's json makes of a key.
func jsonKey(k value.Value) string {
	switch k := k.(type) {
	case value.Bool:
		return fmt.Sprint(bool(k))
	case value.NoneType:
		return "null"
	}
	return value.String(k)
}
