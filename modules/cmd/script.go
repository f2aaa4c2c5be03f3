package cmd

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Script is cmd.script.
type Script struct {
	common
	Source   string      `arg:"source" doc:"Where the script comes from: salt://, a path or a URL. By default the name."`
	Template string      `arg:"template" doc:"The engine to render it with: jinja."`
	Args     string      `arg:"args" doc:"Its arguments, when the name has none."`
	Context  *value.Dict `arg:"context" doc:"Variables for the template."`
	Defaults *value.Dict `arg:"defaults" doc:"Variables for the template where context has none."`
	SaltEnv  string      `arg:"saltenv" doc:"The environment of the source."`
}

func script() modules.StateSpec {
	return modules.StateSpec{Name: "cmd.script", AnyArgs: true,
		Doc: "Fetches a script and runs it, every time that its requisites and conditions let it.",
		Example: "setup:\n  cmd.script:\n    - name: setup.sh --force\n    - source: salt://web/setup.sh\n    - creates: " +
			"/var/lib/web/ready\n",
		New: func() modules.StateFunc { return &Script{} }}
}

// from is the source, and the arguments of the script.
func (s *Script) from() (source, args string) {
	_, rest, _ := strings.Cut(s.Name, " ")
	if source = s.Source; source == "" {
		source = s.Name
	}
	if args = s.Args; args == "" {
		args = rest
	}
	return source, args
}

// Act fetches it, renders it, and runs it from a directory that only its user can read.
func (s *Script) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	source, args := s.from()
	text, err := s.text(ctx, env, source)
	if err != nil {
		none := value.DictOf("retcode", value.Int(1), "stdout", value.Str(""), "stderr", value.Str(""), "cache_error",
			value.Bool(true))
		return state.Effect{Once: true, Changes: none}, fmt.Errorf("Unable to cache script %s from saltenv '%s': %w", source, s.environment(env), err) //nolint:staticcheck // Salt's words
	}
	return s.act(ctx, env, h, fmt.Sprintf("Command '%s'", s.Name), func(ctx context.Context) (outcome, error) {
		return runScript(ctx, h, s.invocation(""), source, text, args)
	})
}

func (s *Script) environment(env *modules.Env) string {
	if s.SaltEnv != "" {
		return s.SaltEnv
	}
	if env.Low != nil && env.Low.Env != "" {
		return env.Low.Env
	}
	return "base"
}

func (s *Script) text(ctx context.Context, env *modules.Env, source string) ([]byte, error) {
	text, err := env.Files.Fetch(ctx, source, s.environment(env))
	if err != nil || s.Template == "" {
		return text, err
	}
	vars := value.NewDict(0)
	for _, d := range []*value.Dict{s.Defaults, s.Context} {
		if d == nil {
			continue
		}
		for k, v := range d.All() {
			if err := vars.Set(k, v); err != nil {
				return nil, err
			}
		}
	}
	sls := ""
	if env.Low != nil {
		sls = env.Low.SLS
	}
	return env.Templates.Render(ctx, s.Template, source, text, sls, s.environment(env), vars)
}

// runScript puts the script in a directory of its own, runs it and removes it.
func runScript(ctx context.Context, h host.Host, in *invocation, source string, text []byte,
	args string) (o outcome, err error) {
	attr := host.Attr{Mode: 0o700, HasMode: true, UID: -1, GID: -1}
	if in.runas != "" {
		u, err := h.User(in.runas)
		if err != nil {
			return outcome{}, fmt.Errorf("User '%s' is not available", in.runas) //nolint:staticcheck // Salt's words
		}
		attr.UID, attr.GID = u.UID, u.GID
	}
	var b [8]byte
	_, _ = rand.Read(b[:])
	dir := "/tmp/gostate-" + hex.EncodeToString(b[:])
	if err := h.Mkdir(dir, attr); err != nil {
		return outcome{}, fmt.Errorf("make a place for the script: %w", err)
	}
	defer func() {
		if !in.background { // a script in the background is still being read
			if e := h.RemoveAll(dir); e != nil && err == nil {
				err = fmt.Errorf("remove the script: %w", e)
			}
		}
	}()
	base, _, _ := strings.Cut(path.Base(source), "?")
	file := dir + "/" + base
	if err := h.WriteFile(file, strings.NewReader(string(text)), attr); err != nil {
		return outcome{}, fmt.Errorf("write the script: %w", err)
	}
	in.text = quote(file)
	if args != "" {
		in.text += " " + args
	}
	return in.run(ctx, h)
}

func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// ModWatch runs it again.
func (s *Script) ModWatch() modules.StateFunc { return s }
