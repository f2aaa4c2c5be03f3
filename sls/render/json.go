package render

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// decodeJSON reads the text of a json step.
func decodeJSON(file, text string) (value.Value, error) {
	v, err := value.ParseJSON(text)
	if err != nil {
		return nil, jsonDiag(file, err)
	}
	return v, nil
}

// jsonDiag reads the place out of the message, which is Python's.
func jsonDiag(file string, err error) *diag.Diagnostic {
	pos, msg := diag.Pos{File: file}, err.Error()
	if i := strings.LastIndex(msg, ": line "); i >= 0 {
		if n, _ := fmt.Sscanf(msg[i:], ": line %d column %d", &pos.Line, &pos.Col); n == 2 {
			msg = msg[:i]
		}
	}
	return diag.Errorf(pos, "JSON: %s", msg)
}
