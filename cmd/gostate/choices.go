package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/state/diag"
)

// logLevels are Salt's, though gostate logs less than the last ones ask for.
func logLevels() []string {
	return []string{"quiet", "critical", "error", "warning", "warn", "info", "debug", "trace", "profile", "garbage", "all"}
}

// oneOf checks the value of a flag before anything is done.
func oneOf(what string, known []string) func(*cli.Context, string) error {
	return func(_ *cli.Context, word string) error {
		if slices.Contains(known, word) {
			return nil
		}
		return wrongWord(config.Unknown(what, word, known))
	}
}

func checkStateOutput(_ *cli.Context, word string) error {
	if d := config.StateOutputFault(word); d != nil {
		return wrongWord(d)
	}
	return nil
}

func checkBool(flag string) func(*cli.Context, string) error {
	return func(_ *cli.Context, word string) error {
		if w := boolWord("test", word); w == "true" || w == "false" {
			return nil
		}
		return usagef("--%s is %q, neither true nor false\nhint: --%s=false", flag, word, flag)
	}
}

func checkGrains(_ *cli.Context, words []string) error {
	for _, w := range words {
		if key, _, ok := strings.Cut(w, "="); !ok || key == "" {
			return usagef("--grain %s is not KEY=VALUE", w)
		}
	}
	return nil
}

func checkJobs(_ *cli.Context, n int) error {
	if n < 1 {
		return usagef("--jobs is %d: at least one state runs at once\nhint: --jobs 1 is the default", n)
	}
	return nil
}

// wrongWord is a diagnostic about a word of the command line.
func wrongWord(d *diag.Diagnostic) error {
	if d.Hint == "" {
		return usagef("%s", d.Msg)
	}
	return usagef("%s\nhint: %s", d.Msg, d.Hint)
}

// checkTags refuses a list without a word: it would mean all states.
func checkTags(flag string) func(*cli.Context, []string) error {
	return func(_ *cli.Context, words []string) error {
		if len(config.SplitCommas(words)) == 0 {
			return usagef("--%s is empty\nhint: --%s web,db", flag, flag)
		}
		return nil
	}
}

// flagFault says in our words what the flag library says of a value that is no number and no length of time.
func flagFault(err error) error {
	rest, ok := strings.CutPrefix(err.Error(), "invalid value ")
	word, name, found := strings.Cut(rest, " for flag -")
	if name, _, _ = strings.Cut(name, ":"); !ok || !found {
		return usagef("%v", err)
	}
	if name == "wait" || name == "timeout" {
		return usagef("--%s is %s, no length of time\nhint: --%s 30s, 5m, 1h", name, word, name)
	}
	return usagef("--%s is %s, no number", name, word)
}
