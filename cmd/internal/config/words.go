package config

import "strings"

// SplitCommas are the parts of the words that commas separate, without empty ones.
func SplitCommas(words []string) []string {
	var out []string
	for _, w := range words {
		for _, part := range strings.Split(w, ",") {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}
	return out
}
