package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
)

func completionCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "completion", Usage: "print the completion script of a shell", Category: catInfo, ArgsUsage: "bash|zsh|fish",
		UsageText: "gostate completion bash|zsh|fish\n\nExample:\n  gostate completion bash > /etc/bash_completion.d/gostate",
		Action: func(c *cli.Context) error {
			w := completionWords(c.App)
			kinds, err := describers()
			if err != nil {
				return err
			}
			for _, d := range kinds {
				w.subs["resource"] = append(w.subs["resource"], word{name: d.Kind, help: d.Doc})
			}
			if c.NArg() != 1 {
				return usagef("completion needs one shell\nhint: gostate completion bash, zsh or fish")
			}
			switch shell := c.Args().First(); shell {
			case "bash":
				fmt.Fprint(p.Out, w.bash())
			case "zsh":
				fmt.Fprint(p.Out, w.zsh())
			case "fish":
				fmt.Fprint(p.Out, w.fish())
			default:
				return usagef("completion is for bash, zsh or fish, not %q", shell)
			}
			return nil
		},
	}
}

// completable are the words that can be completed: commands with their subcommands, and flags.
type completable struct {
	commands []word
	subs     map[string][]word
	flags    []word // global
	own      map[string][]word
	values   map[string][]string // flag -> its possible values
}

// A word is a command or flag with its short help.
type word struct {
	name, help string
	takesValue bool
}

func completionWords(app *cli.App) completable {
	w := completable{subs: map[string][]word{}, own: map[string][]word{}, values: map[string][]string{
		"out":          report.Forms(),
		"state-output": config.StateOutputs(),
		"log-level":    {"quiet", "error", "warning", "info", "debug"},
		"log-format":   {"text", "json"},
		"format":       {"dot", "mermaid", "json", "svg"},
	}}
	for _, c := range app.Commands {
		if c.Hidden || c.Name == "help" {
			continue
		}
		w.commands = append(w.commands, word{name: c.Name, help: c.Usage})
		for _, s := range c.Subcommands {
			if s.Name != "help" {
				w.subs[c.Name] = append(w.subs[c.Name], word{name: s.Name, help: s.Usage})
			}
		}
		w.own[c.Name] = flagWords(c.Flags)
	}
	w.flags = flagWords(app.Flags)
	return w
}

func flagWords(flags []cli.Flag) []word {
	var out []word
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		if v, hides := f.(cli.VisibleFlag); !ok || (hides && !v.IsVisible()) {
			continue
		}
		help := strings.ReplaceAll(d.GetUsage(), "`", "")
		out = append(out, word{name: f.Names()[0], help: help, takesValue: d.TakesValue()})
	}
	return out
}

func names(ws []word, prefix string) string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = prefix + w.name
	}
	return strings.Join(out, " ")
}

func (w completable) sortedValues() []string {
	var keys []string
	for k := range w.values {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (w completable) bash() string {
	var b strings.Builder
	b.WriteString("# bash completion of gostate\n_gostate() {\n  local cur=${COMP_WORDS[COMP_CWORD]} " +
		"prev=${COMP_WORDS[COMP_CWORD-1]} cmd= i\n")
	fmt.Fprintf(&b, "  for ((i=1; i<COMP_CWORD; i++)); do case \" %s \" in *\" ${COMP_WORDS[i]} \"*) "+
		"cmd=${COMP_WORDS[i]}; break;; esac; done\n", names(w.commands, ""))
	b.WriteString("  case $prev in\n")
	for _, k := range w.sortedValues() {
		fmt.Fprintf(&b, "    --%s) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return;;\n", k, strings.Join(w.values[k], " "))
	}
	b.WriteString("    --config-dir|-c|--file-root|--pillar-root|--root|--state-dir) COMPREPLY=($(compgen -d -- " +
		"\"$cur\")); return;;\n")
	b.WriteString("    --grains-file|--context) COMPREPLY=($(compgen -f -- \"$cur\")); return;;\n  esac\n")
	fmt.Fprintf(&b, "  local flags='%s'\n  case $cmd in\n", names(w.flags, "--"))
	fmt.Fprintf(&b, "    '') COMPREPLY=($(compgen -W \"%s $flags\" -- \"$cur\"));;\n", names(w.commands, ""))
	for _, c := range w.commands {
		fmt.Fprintf(&b, "    %s) COMPREPLY=($(compgen -W \"%s %s $flags\" -- \"$cur\"));;\n", c.name,
			names(w.subs[c.name], ""), names(w.own[c.name], "--"))
	}
	b.WriteString("  esac\n}\ncomplete -F _gostate gostate\n")
	return b.String()
}

func (w completable) zsh() string {
	var b strings.Builder
	b.WriteString("#compdef gostate\n# zsh completion of gostate\n_gostate() {\n  local -a commands flags\n  commands=(\n")
	for _, c := range w.commands {
		fmt.Fprintf(&b, "    %s\n", value.ShellQuote(c.name+":"+c.help))
	}
	b.WriteString("  )\n  flags=(\n")
	for _, f := range w.flags {
		b.WriteString("    " + zshFlag(f, w.values[f.name]) + "\n")
	}
	b.WriteString("  )\n  _arguments -C $flags '1:command:{_describe command commands}' '*::argument:->rest'\n  [[ " +
		"$state == rest ]] || return 0\n  case $words[1] in\n")
	for _, c := range w.commands {
		var specs []string
		for _, f := range w.own[c.name] {
			specs = append(specs, zshFlag(f, w.values[f.name]))
		}
		rest := "'*:file:_files'"
		if subs := w.subs[c.name]; len(subs) > 0 {
			rest = value.ShellQuote("1:what:(" + names(subs, "") + ")")
		}
		fmt.Fprintf(&b, "    %s) _arguments $flags %s %s;;\n", c.name, strings.Join(specs, " "), rest)
	}
	b.WriteString("  esac\n}\n_gostate \"$@\"\n")
	return b.String()
}

func zshFlag(f word, values []string) string {
	help := strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`).Replace(f.help)
	spec := "--" + f.name
	if f.takesValue {
		spec += "="
	}
	spec += "[" + help + "]"
	switch {
	case len(values) > 0:
		spec += ":value:(" + strings.Join(values, " ") + ")"
	case f.takesValue:
		spec += ":value:_files"
	}
	return value.ShellQuote(spec)
}

func (w completable) fish() string {
	var b strings.Builder
	b.WriteString("# fish completion of gostate\n")
	line := func(cond string, f word) {
		fmt.Fprintf(&b, "complete -c gostate%s -l %s -d %s", cond, f.name, fishQuote(f.help))
		if f.takesValue {
			b.WriteString(" -r")
		}
		if v := w.values[f.name]; len(v) > 0 {
			fmt.Fprintf(&b, " -f -a %s", fishQuote(strings.Join(v, " ")))
		}
		b.WriteString("\n")
	}
	for _, f := range w.flags {
		line("", f)
	}
	for _, c := range w.commands {
		fmt.Fprintf(&b, "complete -c gostate -n __fish_use_subcommand -f -a %s -d %s\n", c.name, fishQuote(c.help))
		cond := fmt.Sprintf(" -n '__fish_seen_subcommand_from %s'", c.name)
		for _, s := range w.subs[c.name] {
			fmt.Fprintf(&b, "complete -c gostate%s -f -a %s -d %s\n", cond, s.name, fishQuote(s.help))
		}
		for _, f := range w.own[c.name] {
			line(cond, f)
		}
	}
	return b.String()
}

func fishQuote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
