package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// writeJSON writes a value as JSON, indented by so many blanks; 0 writes one line. Maps keep their order.
func writeJSON(w io.Writer, v value.Value, indent int) error {
	text, err := value.DumpsJSON(v, value.JSONOptions{
		Unicode: true, Pretty: indent > 0, Indent: strings.Repeat(" ", indent),
		// What JSON does not know is shown as text, so that a report never fails for one odd value.
		Default: func(v value.Value) (value.Value, error) { return value.Str(value.String(v)), nil },
	})
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err = io.WriteString(w, text+"\n")
	return err
}
