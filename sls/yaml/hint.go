package yaml

import (
	"strings"
)

// hint says how to mend a syntax error, "" when there is nothing to say but the error.
func hint(msg, line string, f finding) string {
	rest := restOf(line, f.col)
	trimmed := strings.TrimLeft(line, " \t")
	switch {
	case strings.Contains(line[:len(line)-len(trimmed)], "\t"), strings.HasPrefix(rest, "\t"):
		return "indent with spaces: YAML allows no tab here"
	case strings.Contains(msg, "undefined alias"):
		return "define the anchor before its use (&name), or put quotes around text that begins with *"
	case strings.Contains(msg, "cannot start any token"):
		return startHint(rest)
	case strings.Contains(line, ": {{"), strings.Contains(line, "- {{"), strings.HasPrefix(trimmed, "{{"):
		return "put quotes around text that begins with {{: \"{{ name }}\""
	case f.open:
		return openHint(rest)
	case OddSign(trimmed) != "":
		return "the line begins with " + OddSign(trimmed)
	case strings.Contains(msg, "mapping values are not allowed"):
		if hint := colonHint(f); hint != "" {
			return hint
		}
		return "put quotes around a value that holds \": \", or check the indentation of this line"
	case strings.Contains(msg, "block sequence entries are not allowed"):
		return "begin the list on a line of its own, below the key"
	case strings.Contains(msg, "could not find expected ':'"):
		return missingColonHint(trimmed)
	case strings.Contains(msg, "did not find expected key"), strings.Contains(msg, "did not find expected '-' indicator"):
		if hint := levelHint(f); hint != "" {
			return hint
		}
		return structureHint(trimmed)
	case strings.Contains(msg, "or ']'"), strings.Contains(msg, "or '}'"):
		return "check the brackets and commas of the list or mapping that begins before this place"
	case strings.Contains(msg, "escape"):
		return "write \\\\ for a backslash in double quotes, or use single quotes"
	case strings.Contains(msg, "directive"), strings.HasPrefix(trimmed, "%"):
		return "put quotes around text that begins with %"
	case strings.Contains(msg, "anchor or alias"), strings.Contains(msg, "alphabetic or numeric"):
		return "put quotes around text that begins with * or &"
	}
	return ""
}

func restOf(line string, col int) string {
	for ; col > 1 && line != ""; col-- {
		_, size := decodeRune(line)
		line = line[size:]
	}
	return line
}

func startHint(rest string) string {
	if rest == "" {
		return ""
	}
	switch rest[0] {
	case '@', '`', '%':
		return "put quotes around text that begins with " + rest[:1]
	}
	return ""
}

func openHint(rest string) string {
	switch {
	case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "{%"):
		return "put quotes around text that begins with {{: \"{{ name }}\""
	case strings.HasPrefix(rest, "\""), strings.HasPrefix(rest, "'"):
		return "the quote that opens here is never closed"
	case strings.HasPrefix(rest, "["), strings.HasPrefix(rest, "{"):
		return "the bracket that opens here is never closed"
	}
	return missingColonHint(rest)
}

func missingColonHint(trimmed string) string {
	if i := strings.IndexByte(trimmed, ':'); i > 0 && i+1 < len(trimmed) && trimmed[i+1] != ' ' {
		return "put a space behind the colon: \"" + trimmed[:i] + ": " + trimmed[i+1:] + "\""
	}
	return "a key needs a colon and a space behind it; check this line and the one before it"
}

func structureHint(trimmed string) string {
	switch {
	case strings.HasPrefix(trimmed, "- "):
		return "a list and keys cannot stand at one level: check the indentation of this line"
	case strings.HasPrefix(trimmed, "*"), strings.HasPrefix(trimmed, "&"):
		return "put quotes around text that begins with * or &"
	}
	return "check the indentation: this line fits no level above it"
}
