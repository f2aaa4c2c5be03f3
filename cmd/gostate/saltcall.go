package main

import (
	"path/filepath"
	"slices"
	"strings"
)

// commandLine are the words of the command line. Under the name salt-call the program takes that of salt-call.
func commandLine(args []string) []string {
	if filepath.Base(args[0]) == "salt-call" {
		return asCall(args[1:])
	}
	return args[1:]
}

// asCall is the command line of gostate that does what the one of salt-call says. Options that have no meaning here are
// left out.
func asCall(words []string) []string {
	out := []string{"call"}
	for i := 0; i < len(words); i++ {
		name, val, has := strings.Cut(words[i], "=")
		if !strings.HasPrefix(name, "-") {
			out = append(out, words[i])
			continue
		}
		if takesValue(name) && !has && i+1 < len(words) {
			i++
			val = words[i]
		}
		switch name {
		case "--local", "--retcode-passthrough", "--hard-crash", "--metadata", "--refresh-grains-cache", "--skip-grains",
			"--log-file", "--log-file-level", "--saltfile", "--master":
		case "--out", "--output":
			if slices.Contains([]string{"json", "yaml", "quiet"}, val) {
				out = append(out, "--out="+val)
			}
		case "-l", "--log-level":
			out = append(out, "--log-level="+val)
		case "-c":
			out = append(out, "--config-dir="+val)
		default:
			if takesValue(name) {
				name += "=" + val
			}
			out = append(out, name)
		}
	}
	return out
}

func takesValue(option string) bool {
	return slices.Contains([]string{"--log-file", "--log-file-level", "--saltfile", "--master", "--out", "--output", "-l",
		"--log-level", "-c", "--config-dir", "--file-root", "--pillar-root", "--id", "--state-output"}, option)
}
