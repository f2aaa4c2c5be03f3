package oci

import (
	"strings"

	"github.com/gostate/gostate/cmd/internal/release"
)

// Source is the source of releases that a text names: a repository of a registry, or whatever gostate knows.
func Source(text string, plain bool) (release.Source, error) {
	if strings.HasPrefix(text, Scheme) {
		return Open(text, plain)
	}
	return release.OpenSource(text, plain)
}
