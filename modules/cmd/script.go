package cmd

import (
	"cmp"
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
	Source string `arg:"source,path" doc:"Where the script comes from: salt://, a path or a URL. By default the name."`
	Args   string `arg:"args,command" doc:"Its arguments, when the name has none."`
	modules.Rendered
	SaltEnv string `arg:"saltenv" doc:"The environment of the source."`
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
	text, err := s.ReadFrom(ctx, env, source, s.SaltEnv)
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
	if env.Low != nil {
		return cmp.Or(s.SaltEnv, env.Low.SourceEnv(), "base")
	}
	return cmp.Or(s.SaltEnv, "base")
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
	in.text = value.ShellQuote(file)
	if args != "" {
		in.text += " " + args
	}
	return in.run(ctx, h)
}

// previewScript runs the script where nothing may be written: the shell that runs it is given it on its standard input,
// and puts it in a directory of its own for the time.
func previewScript(ctx context.Context, h host.Host, in *invocation, source string, text []byte,
	args string) (outcome, error) {
	base, _, _ := strings.Cut(path.Base(source), "?")
	file := `"$d"/` + value.ShellQuote(base)
	in.text = fmt.Sprintf(`d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && head -c %d >%s && chmod 700 %[2]s && %[2]s %s`,
		len(text), file, args)
	in.stdin, in.shell, in.reads = string(text)+in.stdin, "", true
	return in.run(ctx, h)
}

// ModWatch runs it again.
func (s *Script) ModWatch() modules.StateFunc { return s }
