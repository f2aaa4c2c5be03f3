package jinja_test

import (
	"path/filepath"
	"testing"
)

// TestDifferential runs what testdata/differential.py recorded of CPython's Jinja.
func TestDifferential(t *testing.T) {
	paths, err := filepath.Glob("testdata/differential/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal("no recorded cases", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { runCorpus(t, path, 0.9) })
	}
}
