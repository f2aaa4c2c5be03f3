package report

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

// TestForms holds the forms to what Salt printed.
func TestForms(t *testing.T) {
	a, err := txtar.ParseFile(filepath.Join("testdata", "forms.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		form, rest, _ := strings.Cut(f.Name, " ")
		indent, text, _ := strings.Cut(rest, " ")
		v, err := value.ParseJSON(text)
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		o := Options{Format: form, Pprint: jinja.PprintIndent}
		if n, err := strconv.Atoi(indent); err == nil {
			o.Indent = &n
		}
		var got strings.Builder
		if err := WriteValue(&got, v, o); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if d := cmp.Diff(string(f.Data), got.String()); d != "" {
			t.Errorf("%s (-want +got)\n%s", f.Name, d)
		}
	}
}

// TestTableLines: a cell of several lines is shown in full, where Salt shows its first line.
func TestTableLines(t *testing.T) {
	var got strings.Builder
	rows := value.NewList(value.DictOf("name", value.Str("a"), "note", value.Str("x\ny")))
	if err := WriteValue(&got, rows, Options{Format: "table"}); err != nil {
		t.Fatal(err)
	}
	want := "local:\n----------\n    ---------------\n    | Name | Note |\n    ---------------\n" +
		"    |  a   |  x   |\n    |      |  y   |\n    ---------------\n"
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
