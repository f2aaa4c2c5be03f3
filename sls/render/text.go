package render

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/state/diag"
)

const bom = "\ufeff"

// decodeText checks that a file is text a template can be: UTF-8 without null bytes. A byte order mark is dropped.
func decodeText(file string, b []byte) (string, error) {
	if len(b) > maxSource {
		return "", diag.Errorf(diag.Pos{File: file}, "has %d MiB: more than the %d MiB that a template may have", len(b)>>20,
			maxSource>>20)
	}
	switch {
	case bytes.HasPrefix(b, []byte("\xff\xfe")), bytes.HasPrefix(b, []byte("\xfe\xff")):
		return "", diag.Errorf(diag.Pos{File: file, Line: 1, Col: 1},
			"is UTF-16, not UTF-8").WithHint("iconv -f UTF-16 -t UTF-8")
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		return "", diag.Errorf(place(file, b, i), "holds a null byte: it is a binary file, not a template")
	}
	if !utf8.Valid(b) {
		i := 0
		for i < len(b) {
			r, n := utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			i += n
		}
		return "", diag.Errorf(place(file, b, i), "byte 0x%02x is not UTF-8", b[i]).WithHint("save the file as UTF-8")
	}
	return strings.TrimPrefix(string(b), bom), nil
}

// place is where byte i of a file stands.
func place(file string, b []byte, i int) diag.Pos {
	head := b[:i]
	line := bytes.Count(head, []byte("\n")) + 1
	col := utf8.RuneCount(head[bytes.LastIndexByte(head, '\n')+1:]) + 1
	return diag.Pos{File: file, Line: line, Col: col}
}

// onlyComments says whether each line is empty or a comment of YAML.
func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return false
		}
	}
	return true
}

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }
