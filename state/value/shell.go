package value

import "strings"

// ShellQuote is a word in single quotes, which any POSIX shell takes as it is.
func ShellQuote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
