package user

import (
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// A Day is a day as users write it: days since 1970-01-01, -1 for never, or a date.
type Day struct {
	given bool
	day   int
}

// ArgType names the type in documentation.
func (*Day) ArgType() string { return "days or date" }

// BindValue reads a number of days or a date (2030-12-31).
func (d *Day) BindValue(v value.Value) error {
	if text, ok := v.(value.Str); ok {
		if t, err := time.Parse("2006-01-02", strings.TrimSpace(string(text))); err == nil {
			*d = Day{true, int(t.Unix() / 86400)}
			return nil
		}
	}
	n, err := modules.Integer(v)
	if err != nil {
		return fmt.Errorf("takes a number of days or a date such as 2030-12-31, not %s", modules.Describe(v))
	}
	*d = Day{true, int(n)}
	return nil
}

// days is the number of the day, nil when it was not given.
func (d Day) days() *int {
	if !d.given {
		return nil
	}
	return &d.day
}
