package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/history"
)

// TestReportsPage: the page names every field of a report, and no other.
func TestReportsPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/reports.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| line | field | meaning |")
	table, _, _ = strings.Cut(table, "\n\n")
	known := map[string]bool{"set": true, "to": true, "footer": true}
	for _, of := range []any{history.Header{}, history.State{}, history.Footer{}} {
		typ := reflect.TypeOf(of)
		for i := range typ.NumField() {
			name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
			if name == "-" {
				continue // not part of what is written
			}
			known[name] = true
			if !strings.Contains(table, "`"+name+"`") {
				t.Errorf("docs/reports.md does not tell of %q", name)
			}
		}
	}
	field := regexp.MustCompile("`([a-z_]+)`")
	for _, row := range strings.Split(table, "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 4 {
			continue
		}
		for _, name := range field.FindAllStringSubmatch(cells[2], -1) {
			if !known[name[1]] {
				t.Errorf("docs/reports.md tells of %q, which no report has", name[1])
			}
		}
	}
}
