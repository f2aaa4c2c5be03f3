package catalog

import (
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// execCommand runs a command. One that others notify runs once more for that, as in Puppet, but for a refreshonly one,
// which runs for nothing else.
func execCommand(a *attrs) []*call {
	command := a.title("command")
	a.ignore("name")
	a.word("provider", "posix", "shell")
	if words := a.texts("command"); len(words) > 1 { // one list is one command, without a shell
		for i, w := range words {
			words[i] = value.ShellQuote(w)
		}
		command = strings.Join(words, " ")
	}
	a.qualified(command)
	refresh := a.text("refresh")
	if refresh == "" {
		refresh = command
	}
	if a.isTrue("refreshonly") {
		return []*call{a.command("cmd.wait", refresh)}
	}
	first := a.command("cmd.run", command)
	first.deaf = true
	if !a.m.told[a.r] {
		return []*call{first}
	}
	again := a.command("cmd.wait", refresh)
	again.id = a.r.Ref() + " (refresh)"
	return []*call{first, again}
}

// qualified wants a command to say where it is, by its path or by `path`.
func (a *attrs) qualified(command string) {
	word, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	if a.has("path") || a.text("provider") == "shell" || strings.HasPrefix(strings.Trim(word, `'"`), "/") {
		return
	}
	a.m.fault(a.r, "'%s' is not qualified and no path was specified", command).
		WithHint("qualify the command or specify a path: path => ['/usr/bin', '/bin']")
}

// command is a call that runs a command under the conditions of the resource.
func (a *attrs) command(fun, command string) *call {
	c := of(fun, a.returning(command)).text("cwd", "/")
	if dir := a.text("cwd"); dir != "" {
		c.args[len(c.args)-1].Val = value.Str(dir)
	}
	a.to(c, "user", "runas", "group", "group", "umask", "umask")
	c.set("env", a.environment())
	c.texts("creates", a.texts("creates"))
	c.texts("onlyif", a.conditions("onlyif"))
	if unless := a.conditions("unless"); len(unless) > 0 {
		c.text("unless", oneOf(unless))
	}
	a.timing(c)
	if a.text("logoutput") == "false" || a.secret("command") || a.secret("environment") {
		c.truth("hide_output", true)
	}
	return c
}

// conditions are the commands of onlyif or unless: a list in the list is one command, without a shell.
func (a *attrs) conditions(name string) (out []string) {
	v := a.get(name)
	list, ok := v.(*value.List)
	if !ok {
		list = value.NewList()
		if v != nil {
			list.Items = append(list.Items, v)
		}
	}
	for _, x := range list.Items {
		words, isList := x.(*value.List)
		s, isText := x.(value.Str)
		switch {
		case isText:
			out = append(out, string(s))
		case isList:
			quoted := make([]string, len(words.Items))
			for i, w := range words.Items {
				quoted[i] = value.ShellQuote(value.String(w))
			}
			out = append(out, strings.Join(quoted, " "))
		default:
			a.wrong(name, "a command or a list of commands", v)
		}
	}
	return out
}

// oneOf is a command that succeeds where one of them does: `unless` of Puppet holds a command back for any of its own.
func oneOf(commands []string) string {
	if len(commands) == 1 {
		return commands[0]
	}
	for i, c := range commands {
		commands[i] = "(" + c + "\n)"
	}
	return strings.Join(commands, " || ")
}

// environment is that of the command: its path, and what the resource sets.
func (a *attrs) environment() value.Value {
	d := value.NewDict(2)
	if dirs := a.texts("path"); len(dirs) > 0 {
		d.SetStr("PATH", value.Str(strings.Join(dirs, ":")))
	}
	for _, pair := range a.texts("environment") {
		k, v, ok := strings.Cut(pair, "=")
		if !ok {
			a.m.fault(a.r, "environment has %q, which is no NAME=VALUE", pair)
			continue
		}
		d.SetStr(k, value.Str(v))
	}
	return d
}

// timing is how long a command may take, and how often it is tried.
func (a *attrs) timing(c *call) {
	seconds, given := a.number("timeout")
	if !given {
		seconds = 300
	}
	if seconds > 0 {
		c.set("timeout", value.Int(seconds))
	}
	tries, _ := a.number("tries")
	sleep, _ := a.number("try_sleep")
	if tries > 1 {
		c.set("retry", value.DictOf("attempts", value.Int(tries), "interval", value.Int(sleep)))
	}
}

// returning lets a command succeed with other codes than 0.
func (a *attrs) returning(command string) string {
	codes := a.texts("returns")
	for _, code := range codes {
		if n, err := strconv.Atoi(code); err != nil || n < 0 || n > 255 {
			a.wrong("returns", "a list of exit codes", list(codes))
			return command
		}
	}
	if len(codes) == 0 || len(codes) == 1 && codes[0] == "0" {
		return command
	}
	slices.Sort(codes)
	return "(" + command + "\n); case $? in " + strings.Join(codes, "|") + ") exit 0;; *) exit 1;; esac"
}
