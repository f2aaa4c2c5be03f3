package grains

import (
	"bytes"
	"strings"
	"time"
)

// zone is the machine's time zone as its clock shows it (CET), and its name in the database (Europe/Berlin).
func (c *core) zone() (short, name string) {
	const database = "/zoneinfo/"
	if to, err := c.h.Readlink("/etc/localtime"); err == nil {
		if i := strings.Index(to, database); i >= 0 {
			name = to[i+len(database):]
		}
	}
	if name == "" {
		name = c.line("/etc/timezone")
	}
	if name == "" {
		name = "UTC"
	}
	if raw, err := c.h.ReadFile("/etc/localtime"); err == nil && bytes.HasPrefix(raw, []byte("TZif")) {
		if loc, err := time.LoadLocationFromTZData(name, raw); err == nil {
			short, _ = time.Now().In(loc).Zone()
			return short, name
		}
	}
	return "UTC", name
}
