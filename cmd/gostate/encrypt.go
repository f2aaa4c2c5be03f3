package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/gostate/gostate/cmd/internal/session"
)

func encryptCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "encrypt", Usage: "encrypt a value for the pillar", ArgsUsage: "KEY",
		UsageText: "gostate pillar encrypt KEY --age RECIPIENT | --gpg RECIPIENT\n\nThe value is read from standard input, " +
			"or " +
			"asked for.\n\nExamples:\n  gostate pillar encrypt db:password --age age1... < password\n" +
			"  gostate pillar encrypt db:password --age recipients.txt\n  gostate pillar encrypt db:password --gpg " +
			"web@example.com",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "age", Usage: "encrypt for `RECIPIENT`: an age or SSH public key, or a file of them " +
				"(repeatable)"},
			&cli.StringSliceFlag{Name: "gpg", Usage: "encrypt for the PGP key `RECIPIENT` of gpg_keydir (repeatable)"},
		},
		Action: func(c *cli.Context) error {
			forAge, forGPG := c.StringSlice("age"), c.StringSlice("gpg")
			switch {
			case c.NArg() != 1:
				return usagef("encrypt needs the key of one value\nhint: gostate pillar encrypt db:password --age RECIPIENT; the " +
					"value itself is read from standard input")
			case (len(forAge) > 0) == (len(forGPG) > 0):
				return usagef("encrypt for whom?\nhint: give --age RECIPIENT or --gpg RECIPIENT")
			}
			s, err := session.Look(&p.Process, cachedOptions(c))
			if err != nil {
				return err
			}
			plain, err := p.secretInput(c.Args().First())
			if err != nil {
				return err
			}
			text, err := s.Encrypt(c.Context, plain, forAge, forGPG)
			if err != nil {
				return err
			}
			fmt.Fprint(p.Err, howToUse(len(forGPG) > 0))
			return p.printText(c, keyed(c.Args().First(), text))
		},
	}
}

// secretInput is standard input; on a terminal one line is asked for and not shown.
func (p *program) secretInput(key string) ([]byte, error) {
	if f, ok := p.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(p.Err, "value of %s: ", key)
		defer fmt.Fprintln(p.Err)
		return term.ReadPassword(int(f.Fd()))
	}
	plain, err := io.ReadAll(io.LimitReader(p.In, 16<<20))
	if err == nil && len(plain) == 0 {
		err = usagef("there is nothing to encrypt on standard input")
	}
	return plain, err
}

// keyed is the text as YAML under a path of keys.
func keyed(path, text string) string {
	var b strings.Builder
	indent := ""
	keys := strings.Split(path, ":")
	for i, key := range keys {
		if strings.ContainsAny(key, " '\"#{}[],&*!|>%@`\\") || key == "" ||
			slices.Contains([]string{"on", "off", "yes", "no", "y", "n", "true", "false", "null", "~", "-", "?"},
				strings.ToLower(key)) {
			key = "'" + strings.ReplaceAll(key, "'", "''") + "'"
		}
		b.WriteString(indent + key + ":")
		if indent += "  "; i < len(keys)-1 {
			b.WriteString("\n")
		}
	}
	if !strings.Contains(text, "\n") {
		return b.String() + " " + text
	}
	b.WriteString(" |\n")
	for line := range strings.Lines(strings.TrimSpace(text)) {
		b.WriteString(strings.TrimRight(indent+line, " \n") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func howToUse(gpg bool) string {
	renderer, key := "age", "its key in age_keyfile (default: age.key beside the configuration, mode 0600)"
	if gpg {
		renderer, key = "gpg", "its secret key in gpg_keydir (default: gpgkeys beside the configuration)"
	}
	return "Put this in a pillar file that begins with the line\n  #!jinja|yaml|" + renderer +
		"\nThe machine that uses it needs " + key + ".\n\n"
}
