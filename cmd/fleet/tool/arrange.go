package tool

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// Arrange puts the flags of a command in front of its arguments, where the flag library looks for them: flags may stand
// anywhere behind the command's name. "--" ends them.
func Arrange(app *cli.App, words []string) []string {
	if len(words) == 0 {
		return words
	}
	at, commands := 1, app.Commands
	var command *cli.Command
	for at < len(words) {
		c := named(commands, words[at])
		if c == nil {
			break
		}
		command, commands = c, c.Subcommands
		at++
	}
	if command == nil {
		return words
	}
	var flags, args []string
	for i := at; i < len(words); i++ {
		switch w := words[i]; {
		case w == "--":
			args = append(args, words[i+1:]...)
			i = len(words)
		case len(w) < 2 || w[0] != '-':
			args = append(args, w)
		default:
			flags = append(flags, w)
			if takesNext(command, w) && i+1 < len(words) {
				i++
				flags = append(flags, words[i])
			}
		}
	}
	out := append(append([]string{}, words[:at]...), flags...)
	if len(args) > 0 {
		out = append(append(out, "--"), args...)
	}
	return out
}

func named(commands []*cli.Command, word string) *cli.Command {
	for _, c := range commands {
		if c.HasName(word) {
			return c
		}
	}
	return nil
}

// takesNext says whether the value of a flag is the next word.
func takesNext(c *cli.Command, word string) bool {
	if strings.Contains(word, "=") {
		return false
	}
	for _, f := range c.Flags {
		for _, name := range f.Names() {
			if name == strings.TrimLeft(word, "-") {
				d, ok := f.(cli.DocGenerationFlag)
				return ok && d.TakesValue()
			}
		}
	}
	return false
}
