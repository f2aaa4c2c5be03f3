package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

// Salt's exit codes for what is no result of a function.
const (
	saltFailed  = 1
	saltUnknown = 255 // there is no function of the name
)

// isSaltCall says whether the program was called under the name salt-call: then its command line, its configuration and
// its exit codes are those. Under the name salt-run it is called for state.orchestrate.
func isSaltCall(argv0 string) bool {
	name := filepath.Base(argv0)
	return name == "salt-call" || name == "salt-run"
}

// saltOptions takes the options out of the words that only salt-call has and that change nothing here, saying why, and
// gives those that stand for a command as one.
func (p *program) saltOptions(words []string) []string {
	if !p.salt && !hasOption(words) {
		return words
	}
	known := saltOnly()
	var out []string
	command := ""
	for i := 0; i < len(words); i++ {
		w := words[i]
		if w == "--" {
			out = append(out, words[i:]...)
			break
		}
		name, _, has := strings.Cut(w, "=")
		if p.salt {
			if short, ok := saltCommand(name); ok {
				command = short
				continue
			}
			if name == "-t" || name == "--timeout" {
				i += next(has)
				continue
			}
		}
		o, ok := known[name]
		if !ok {
			out = append(out, w)
			continue
		}
		if o.takes {
			i += next(has)
		}
		if o.why != "" {
			fmt.Fprintf(p.Err, "note: %s has no meaning here: %s\n", name, o.why)
		}
	}
	if command != "" {
		out = append([]string{command}, out...)
	}
	return out
}

// next is how many words the value of an option takes behind its own.
func next(given bool) int {
	if given {
		return 0
	}
	return 1
}

func hasOption(words []string) bool {
	for _, w := range words {
		if strings.HasPrefix(w, "--") {
			return true
		}
	}
	return false
}

// saltCommand is the command that an option of salt-call stands for.
func saltCommand(option string) (string, bool) {
	switch option {
	case "-g", "--grains":
		return "grains", true
	case "-d", "--doc", "--documentation":
		return "doc", true
	case "-V", "--versions", "--versions-report", "--version":
		return "version", true
	}
	return "", false
}

// isFunction says whether a word is of the form MODULE.FUNCTION.
func isFunction(word string) bool {
	module, fun, ok := strings.Cut(word, ".")
	return ok && isName(module) && isName(fun)
}

func isName(s string) bool {
	for i, r := range s {
		digit := r >= '0' && r <= '9'
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (!digit || i == 0) {
			return false
		}
	}
	return s != ""
}

// saltFunction puts the command in the place of a function of Salt's that the words call: `state.apply web` is `sls
// web`, and what has no command of its own is called. Words without one are left.
func (p *program) saltFunction(app *cli.App, words []string, global flagSet) ([]string, error) {
	if at, cmd, _ := findCommand(app, words, global); !p.salt && (cmd != nil || at < len(words)) {
		return words, nil
	}
	if p.salt && len(words) > 0 && (words[0] == "doc" || words[0] == "version" || words[0] == "grains") {
		return words, nil
	}
	flags, rest, err := global.split(words)
	switch {
	case err != nil || p.help:
		return words, err
	case len(rest) == 0 && p.salt:
		return nil, usagef("salt-call needs a function\nhint: salt-call --local state.apply; gostate doc lists the functions")
	case len(rest) == 0 || !p.salt && !isFunction(rest[0]):
		return words, nil
	}
	p.fun, p.args = rest[0], rest[1:]
	own, err := ownCommand(rest[0], rest[1:])
	return append(flags, own...), err
}

// exitCode is the code of the program as salt-call has it: 1 for whatever failed, its own code with
// --retcode-passthrough, 255 where there is no such function.
func (p *program) exitCode(code int) int {
	if code == exitOK && p.Retcode != 0 {
		if code = exitFailed; p.passthrough {
			code = p.Retcode
		}
	}
	switch {
	case !p.salt || code == exitOK || code == exitUsage || code == exitPipe:
		return code
	case p.unknownFunction:
		return saltUnknown
	case p.passthrough:
		return code
	}
	return saltFailed
}
