package file

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/state/value"
)

// editCase is a text, a state on it, and the text after.
type editCase struct {
	name, fun, old, text string
	args                 []any
	comment, err         string
}

func TestEditing(t *testing.T) {
	tests := []editCase{
		{name: "replace", fun: "file.replace", old: "a=1\nb=2\n", args: []any{"pattern", "^a=.*$", "repl", "a=3"},
			text: "a=3\nb=2\n", comment: "Changes were made"},
		{name: "replace with groups", fun: "file.replace", old: "k v\n",
			args: []any{"pattern", `(\w+) (\w+)`, "repl", `\2 \1`}, text: "v k\n", comment: "Changes were made"},
		{name: "replace some", fun: "file.replace", old: "xxx\n", args: []any{"pattern", "x", "repl", "y", "count", 2},
			text: "yyx\n", comment: "Changes were made"},
		{name: "replace finds nothing", fun: "file.replace", old: "a\n", args: []any{"pattern", "x", "repl", "y"},
			text: "a\n", comment: "No changes needed to be made"},
		{name: "replace appends", fun: "file.replace", old: "a",
			args: []any{"pattern", "^x", "repl", "x=1", "append_if_not_found", true}, text: "a\nx=1\n",
			comment: "Changes were made"},
		{name: "replace appended before", fun: "file.replace", old: "a\nx=1\n",
			args: []any{"pattern", "^y", "repl", "x=1", "append_if_not_found", true}, text: "a\nx=1\n",
			comment: "No changes needed to be made"},
		{name: "replace prepends", fun: "file.replace", old: "a\n",
			args: []any{"pattern", "^x", "repl", "x", "prepend_if_not_found", true, "not_found_content", "z"}, text: "z\na\n",
			comment: "Changes were made"},
		{name: "replace ignores case", fun: "file.replace", old: "ABC\n",
			args: []any{"pattern", "abc", "repl", "x", "flags", []string{"IGNORECASE"}}, text: "x\n",
			comment: "Changes were made"},
		{name: "replace of a binary file", fun: "file.replace", old: "a\x00", args: []any{"pattern", "a", "repl", "b"},
			text: "a\x00", err: "Cannot perform string replacements on a binary file"},
		{name: "prepend", fun: "file.prepend", old: "a\n", args: []any{"text", []string{"x", "y"}}, text: "x\ny\na\n",
			comment: "Prepended 2 lines"},
		{name: "prepend what is there", fun: "file.prepend", old: "a\nx\n", args: []any{"text", "x"}, text: "a\nx\n",
			comment: "File /d/f is in correct state"},
		{name: "prepend nothing", fun: "file.prepend", old: "a\n", text: "a\n", comment: "File /d/f is in correct state"},
		{name: "header", fun: "file.prepend", old: "a\nx\n", args: []any{"text", "x", "header", true}, text: "x\na\nx\n",
			comment: "Prepended 1 lines"},
		{name: "comment", fun: "file.comment", old: "bind x\nother\n", args: []any{"regex", "^bind x"},
			text: "#bind x\nother\n", comment: "Commented lines successfully"},
		{name: "commented", fun: "file.comment", old: "#bind x\n", args: []any{"regex", "^bind x"}, text: "#bind x\n",
			comment: "Pattern already commented"},
		{name: "comment nothing", fun: "file.comment", old: "a\n", args: []any{"regex", "^bind"}, text: "a\n",
			err: "bind: Pattern not found"},
		{name: "comment may be missing", fun: "file.comment", old: "a\n",
			args: []any{"regex", "^bind", "ignore_missing", true}, text: "a\n",
			comment: "Pattern not found and ignore_missing set to True"},
		{name: "uncomment", fun: "file.uncomment", old: "# EXTRA=1\n#x\n", args: []any{"regex", "EXTRA"},
			text: " EXTRA=1\n#x\n", comment: "Uncommented lines successfully"},
		{name: "uncommented", fun: "file.uncomment", old: "EXTRA=1\n", args: []any{"regex", "EXTRA"}, text: "EXTRA=1\n",
			comment: "Pattern already uncommented"},
		{name: "block", fun: "file.blockreplace", old: "a\n# S\nold\n# E\nb\n",
			args: []any{"marker_start", "# S", "marker_end", "# E", "content", "new\nlines"},
			text: "a\n# S\nnew\nlines\n# E\nb\n", comment: "Changes were made"},
		{name: "block appended", fun: "file.blockreplace", old: "a",
			args: []any{"marker_start", "# S", "marker_end", "# E", "content", "new", "append_if_not_found", true},
			text: "a\n# S\nnew\n# E\n", comment: "Changes were made"},
		{name: "block that ends in a newline", fun: "file.blockreplace", old: "",
			args: []any{"marker_start", "# S", "marker_end", "# E", "content", "new\n", "append_if_not_found", true},
			text: "# S\nnew\n# E\n", comment: "Changes were made"},
		{name: "block after a match", fun: "file.blockreplace", old: "a\nb\n",
			args: []any{"marker_start", "# S", "marker_end", "# E", "content", "new", "insert_after_match", "^a"},
			text: "a\n# S\nnew\n# E\nb\n", comment: "Changes were made"},
		{name: "no block", fun: "file.blockreplace", old: "a\n", args: []any{"content", "new"}, text: "a\n",
			err: "Markers were not found in file"},
		{name: "half a block", fun: "file.blockreplace", old: "# S\n",
			args: []any{"marker_start", "# S", "marker_end", "# E"}, text: "# S\n", err: "Unterminated marked block"},
		{name: "keyvalue", fun: "file.keyvalue", old: "a=1\n#b=2\n",
			args: []any{"key_values", dict("a", "5", "c", "7"), "append_if_not_found", true}, text: "a=5\n#b=2\nc=7\n",
			comment: "Changed 2 lines"},
		{name: "keyvalue below a line without an end", fun: "file.keyvalue", old: "a=1",
			args: []any{"key", "b", "value", "2", "append_if_not_found", true}, text: "a=1\nb=2\n",
			comment: "Changed 1 lines"},
		{name: "keyvalue uncomments", fun: "file.keyvalue", old: "#PermitRootLogin yes\nx 1\n",
			args: []any{"key", "permitrootlogin", "value", "no", "separator", " ", "uncomment", "#", "key_ignore_case", true},
			text: "PermitRootLogin no\nx 1\n", comment: "Changed 1 lines"},
		{name: "keyvalue drops repetitions", fun: "file.keyvalue", old: "a=1\na=2\n", args: []any{"key", "a", "value", "1"},
			text: "a=1\n", comment: "Changed 1 lines"},
		{name: "line ensured", fun: "file.line", old: "a\nb\n", args: []any{"mode", "ensure", "content", "x", "after", "^a"},
			text: "a\nx\nb\n", comment: "Changes were made"},
		{name: "line there", fun: "file.line", old: "a\nx\nb\n",
			args: []any{"mode", "ensure", "content", "x", "after", "^a", "before", "^b"}, text: "a\nx\nb\n",
			comment: "No changes needed to be made"},
		{name: "line there, and another beside it", fun: "file.line", old: "a\nx\ny\nb\n",
			args: []any{"mode", "ensure", "content", "x", "after", "^a", "before", "^b"}, text: "a\nx\ny\nb\n",
			comment: "No changes needed to be made"},
		{name: "line at the end", fun: "file.line", old: "a\n  b",
			args: []any{"mode", "insert", "content", "x", "location", "end"}, text: "a\n  b\n  x", comment: "Changes were made"},
		{name: "line after the last newline", fun: "file.line", old: "a\n",
			args: []any{"mode", "insert", "content", "x", "location", "end"}, text: "a\nx\n", comment: "Changes were made"},
		{name: "line at the start", fun: "file.line", old: "a\n",
			args: []any{"mode", "insert", "content", "x", "location", "start"}, text: "x\na\n", comment: "Changes were made"},
		{name: "line among others that end in CRLF", fun: "file.line", old: "a\r\nb\r\n",
			args: []any{"mode", "ensure", "content", "x", "after", "^a"}, text: "a\r\nx\r\nb\r\n",
			comment: "Changes were made"},
		{name: "line deleted", fun: "file.line", old: "a\nb\n", args: []any{"mode", "delete", "match", "a"}, text: "b\n",
			comment: "Changes were made"},
		{name: "line replaced with its indent", fun: "file.line", old: "  a\nb\n",
			args: []any{"mode", "replace", "match", "a", "content", "x"}, text: "  x\nb\n", comment: "Changes were made"},
		{name: "line after too many", fun: "file.line", old: "a\na2\n",
			args: []any{"mode", "ensure", "content", "x", "after", "a"}, text: "a\na2\n",
			err: "Found more than expected occurrences"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.h.MustWrite("/d/f", tt.old, 0o640)
			got := w.run(tt.fun, "/d/f", tt.args...)
			if (tt.err == "") != (got.Err == "") || !strings.Contains(got.Err, tt.err) ||
				(tt.err == "" && got.Comment != tt.comment) {
				t.Errorf("got %q, %q", got.Comment, got.Err)
			}
			w.holds("/d/f", tt.text, 0o640)
		})
	}
}

func TestKeyvalueHidesTheDiff(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "a=1\n", 0o640)
	got := w.run("file.keyvalue", "/d/f", "key", "a", "value", "2", "show_changes", false)
	if got.Changes != "{'diff': '<show_changes=False>'}" {
		t.Errorf("got %+v", got)
	}
}

func TestEditingKeepsABackup(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "a\n", 0o640)
	w.run("file.replace", "/d/f", "pattern", "a", "repl", "b")
	w.holds("/d/f.bak", "a\n", 0o640)
	w.run("file.replace", "/d/f", "pattern", "b", "repl", "c", "backup", false)
	w.holds("/d/f.bak", "a\n", 0)
}

func TestAccumulatedReachesTheBlock(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/d/f", "# S\n# E\n", 0o644)
	for _, text := range []string{"one", "two", "one"} {
		w.run("file.accumulated", "acc", "filename", "/d/f", "text", text, "require_in", value.NewList(dict("file", "/d/f")))
	}
	w.run("file.accumulated", "other", "filename", "/d/f", "text", "three", "watch_in",
		value.NewList(dict("file", "another")))
	if got := w.run("file.accumulated", "acc", "filename", "/d/f", "text",
		"four"); got.Err != "Orphaned accumulator acc in a:acc" {
		t.Errorf("got %q", got.Err)
	}
	w.run("file.blockreplace", "/d/f", "marker_start", "# S", "marker_end", "# E")
	w.holds("/d/f", "# S\none\ntwo\n# E\n", 0)
	w.env.Files = fakeFiles{"salt://acc": "{{ accumulator }}"}
	w.run("file.managed", "/d/f", "source", "salt://acc", "template", "jinja")
	w.holds("/d/f", "{'acc': ['one', 'two'], 'other': ['three']}", 0)
}
