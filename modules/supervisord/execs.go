package supervisord

import (
	"context"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	with := func(name, doc string, f modules.ExecFunc, own ...string) modules.ExecSpec {
		return modules.NewExec("supervisord."+name, doc, f, append(own, "user=None", "conf_file=None", "bin_env=None")...)
	}
	return append(modules.Writing(
		with("start", "Starts a program, a group or all.", verb("start"), "name=all"),
		with("stop", "Stops a program, a group or all.", verb("stop"), "name=all"),
		with("restart", "Restarts a program, a group or all.", verb("restart"), "name=all"),
		with("add", "Takes a program of the configuration up.", verb("add"), "name"),
		with("remove", "Drops a program of the configuration.", verb("remove"), "name"),
		with("reread", "Lets supervisord read its configuration.", verb("reread")),
		modules.NewExec("supervisord.update", "Lets supervisord take its new configuration.", verb("update"), "user=None",
			"conf_file=None", "bin_env=None", "name=None"),
		with("custom", "Runs a command of supervisorctl.", custom, "command"),
	), []modules.ExecSpec{
		with("status", "Tells what programs do.", status, "name=None"),
		with("status_raw", "Tells what programs do, in supervisorctl's words.", raw, "name=None"),
		with("status_bool", "Says whether a program is there, and in a state.", statusBool, "name", "expected_state=None"),
		modules.NewExec("supervisord.options", "Gives what the configuration says of a program.", options, "name",
			"conf_file=None"),
	}...)
}

func control(c *modules.Call) *Control {
	return &Control{User: c.Str("user"), ConfFile: c.Str("conf_file"), BinEnv: c.Str("bin_env")}
}

// verb does something to what the parameter name says.
func verb(word string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		name := plain(c.Str("name"))
		if word == "add" || word == "remove" || word == "update" {
			name = strings.TrimSuffix(name, ":")
		}
		words := []string{word}
		if name != "" {
			words = append(words, name)
		}
		return outright(ctx, c, words)
	}
}

func custom(ctx context.Context, c *modules.Call) (value.Value, error) {
	words, err := modules.Words(c.Str("command"))
	if err != nil {
		return nil, err
	}
	return outright(ctx, c, words)
}

// outright runs supervisorctl where that is a run.
func outright(ctx context.Context, c *modules.Call, words []string) (out value.Value, err error) {
	err = c.Host.Do(ctx, host.Deed{What: "supervisorctl " + strings.Join(words, " "), On: host.FactProgram,
		Do: func(ctx context.Context) error {
			cmd, err := control(c).command(c.Host, words...)
			if err != nil {
				return err
			}
			o, err := c.Host.Run(ctx, cmd)
			if err == nil {
				out = told(o)
			}
			return err
		}})
	return out, err
}

// told is what supervisorctl said, marked where it failed.
func told(o *host.Output) value.Str {
	text := strings.TrimRight(string(o.Stdout), "\n")
	if o.Code != 0 && !strings.Contains(text, "ERROR") {
		text = "ERROR: " + text
	}
	return value.Str(text)
}

func ask(ctx context.Context, c *modules.Call) (value.Str, error) {
	words := []string{"status"}
	if name := c.Str("name"); name != "" {
		words = append(words, name)
	}
	cmd, err := control(c).command(c.Host, words...)
	if err != nil {
		return "", err
	}
	o, err := c.Host.Query(ctx, cmd)
	if err != nil {
		return "", err
	}
	return told(o), nil
}

func raw(ctx context.Context, c *modules.Call) (value.Value, error) { return ask(ctx, c) }

func status(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := ask(ctx, c)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, p := range parse(strings.TrimPrefix(string(text), "ERROR: ")) {
		out.SetStr(p.name, value.DictOf("state", value.Str(p.state), "reason", value.Str(p.reason)))
	}
	return out, nil
}

func statusBool(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := ask(ctx, c)
	if err != nil {
		return nil, err
	}
	want := c.Str("expected_state")
	for _, p := range parse(strings.TrimPrefix(string(text), "ERROR: ")) {
		if p.name == c.Str("name") && p.reason != "(no such process)" {
			return value.Bool(want == "" || p.state == want), nil
		}
	}
	return value.Bool(false), nil
}

// options are those of a section of the configuration, numbers and booleans as such.
func options(_ context.Context, c *modules.Call) (value.Value, error) {
	file := c.Str("conf_file")
	for _, f := range []string{"/etc/supervisor/supervisord.conf", "/etc/supervisord.conf"} {
		if _, err := c.Host.Stat(f); err == nil && file == "" {
			file = f
		}
	}
	if file == "" {
		return nil, value.Raise("CommandExecutionError", "No suitable config file found")
	}
	lines, err := modules.ReadLines(c.Host, file)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "Unable to read from %s: %v", file, err)
	}
	var found *value.Dict
	in := false
	for _, l := range lines {
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[") {
			if in = l == "[program:"+c.Str("name")+"]"; in {
				found = value.NewDict(0)
			}
			continue
		}
		if k, v, ok := strings.Cut(l, "="); in && ok && !strings.HasPrefix(l, ";") && !strings.HasPrefix(l, "#") {
			v, _, _ = strings.Cut(v, ";")
			found.SetStr(strings.ToLower(strings.TrimSpace(k)), typed(strings.TrimSpace(v)))
		}
	}
	if found == nil {
		return nil, value.Raise("CommandExecutionError", "Process '%s' not found", c.Str("name"))
	}
	return found, nil
}

func typed(text string) value.Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(n)
	}
	switch strings.ToLower(text) {
	case "true", "false":
		return value.Bool(strings.EqualFold(text, "true"))
	}
	return value.Str(text)
}
