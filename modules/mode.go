package modules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A Mode is a file mode as Salt users write it: '0644', 644 (which YAML's 0644 is to Salt), '0o644', 4755, 'keep'.
type Mode struct {
	// Given says that there is one. Keep means the mode of the source.
	Given, Keep bool
	Bits        uint32
}

// ArgType names the type in documentation.
func (*Mode) ArgType() string { return "mode" }

// BindValue reads a mode: the digits are octal, however they are written.
func (m *Mode) BindValue(v value.Value) error {
	text, err := Text(v)
	if _, isBool := v.(value.Bool); err != nil || isBool {
		return fmt.Errorf("takes a file mode such as '0644', not %s", Describe(v))
	}
	switch text = strings.Trim(text, `"' `); text {
	case "", "None":
		*m = Mode{}
		return nil
	case "keep":
		*m = Mode{Given: true, Keep: true}
		return nil
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "0o"), "0O")
	bits, err := strconv.ParseUint(digits, 8, 16)
	if err != nil || bits > 0o7777 {
		return fmt.Errorf("takes a file mode such as '0644', not %s", Describe(v))
	}
	*m = Mode{Given: true, Bits: uint32(bits)}
	return nil
}

// String is the mode as Salt shows it: "0644".
func (m Mode) String() string {
	switch {
	case !m.Given:
		return ""
	case m.Keep:
		return "keep"
	}
	return FormatMode(m.Bits)
}

// FormatMode prints permission bits as Salt does: "0644".
func FormatMode(bits uint32) string { return fmt.Sprintf("%04o", bits) }
