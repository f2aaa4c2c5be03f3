package pkg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// reason is why apt or dpkg failed, in one line: the package's own script first, then what cannot be satisfied, then
// apt's errors.
func reason(out *host.Output) string {
	text := string(out.Stdout) + "\n" + string(out.Stderr)
	lines := strings.Split(text, "\n")
	if r := scriptFailure(lines); r != "" {
		return r
	}
	if r := unmet(lines); r != "" {
		return r
	}
	var errs []string
	for _, l := range lines {
		if e, ok := strings.CutPrefix(l, "E: "); ok && !strings.HasPrefix(e, "Sub-process") && !slices.Contains(errs, e) {
			errs = append(errs, strings.TrimSpace(e))
		}
	}
	if len(errs) > 0 {
		return strings.Join(errs, "; ")
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if l := strings.TrimSpace(lines[i]); l != "" {
			return strings.TrimPrefix(strings.TrimPrefix(l, "E: "), "dpkg: ")
		}
	}
	return fmt.Sprintf("it ended with exit code %d", out.Code)
}

// scriptFailure finds "dpkg: error processing package X (--configure):" and tells what the package's script said last.
func scriptFailure(lines []string) string {
	for i, l := range lines {
		rest, ok := strings.CutPrefix(strings.TrimSpace(l), "dpkg: error processing ")
		if !ok || i+1 >= len(lines) {
			continue
		}
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "package "), "archive ")
		name, _, _ := strings.Cut(rest, " ")
		why := strings.TrimSpace(lines[i+1])
		if i > 0 && !isProgress(lines[i-1]) {
			why += ": " + strings.TrimPrefix(strings.TrimSpace(lines[i-1]), name+": ")
		}
		return name + ": " + why
	}
	return ""
}

// isProgress says whether a line is dpkg's own and not a script's.
func isProgress(line string) bool {
	for _, p := range []string{"Setting up ", "Unpacking ", "Preparing to unpack ", "Selecting ", "Processing triggers",
		"(Reading database", "debconf: ", "Removing ", "Purging "} {
		if strings.HasPrefix(line, p) {
			return true
		}
	}
	return strings.TrimSpace(line) == ""
}

// unmet joins apt's table of dependencies that cannot be satisfied: " app : Depends: lib but it is not installable".
func unmet(lines []string) string {
	start := slices.IndexFunc(lines, func(l string) bool {
		return strings.HasPrefix(l,
			"The following packages have unmet dependencies")
	})
	if start < 0 {
		return ""
	}
	var all []string
	for _, l := range lines[start+1:] {
		if !strings.HasPrefix(l, " ") {
			break
		}
		all = append(all, strings.Join(strings.Fields(l), " "))
	}
	return "unmet dependencies: " + strings.Join(all, ", ")
}
