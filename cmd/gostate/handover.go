package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/diag"
)

// hubWords is the command line of gostate-hub for one that is its work: nil for one that is not.
func hubWords(words []string) []string {
	switch {
	case len(words) == 0:
		return nil
	case words[0] == "hub":
		return append([]string{"gostate-hub"}, words[1:]...)
	case words[0] == "fleet":
		return append([]string{"gostate-hub"}, words...)
	case words[0] == "run":
		return append([]string{"gostate-hub", "fleet"}, words...)
	case words[0] == "push" && len(words) == 4 && strings.HasPrefix(words[3], "nats://"):
		return append([]string{"gostate-hub", "push", "--hub", strings.TrimPrefix(words[3], "nats://")}, words[1:3]...)
	}
	return nil
}

// handOver becomes gostate-hub, which is beside this program or in PATH. It returns where there is none.
func handOver(words []string) error {
	program := ""
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), words[0])
		if info, err := os.Stat(beside); err == nil && info.Mode()&0o111 != 0 {
			program = beside
		}
	}
	if program == "" {
		found, err := exec.LookPath(words[0])
		if err != nil {
			return diag.Errorf(diag.Pos{}, "this is the work of gostate-hub, which is not installed here").
				WithHint("the package gostate-hub has it; it may lie beside gostate or in PATH")
		}
		program = found
	}
	return unix.Exec(program, words, os.Environ())
}
