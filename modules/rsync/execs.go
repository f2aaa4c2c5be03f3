package rsync

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("rsync.rsync", "Copies files with rsync; what it left, as cmd.run_all shows it.", copyFiles, "src",
			"dst", "delete=False", "force=False", "update=False", "passwordfile=None", "exclude=None", "excludefrom=None",
			"dryrun=False", "rsh=None", "additional_opts:list=None", "saltenv=base")),
		modules.NewExec("rsync.version", "The version of rsync.", version),
		modules.NewExec("rsync.config", "What the configuration of the rsync daemon holds.", config,
			"conf_path=/etc/rsyncd.conf"))
}

func copyFiles(ctx context.Context, c *modules.Call) (value.Value, error) {
	s := &Synchronized{Source: c.Str("src"), Name: c.Str("dst"), Delete: c.Bool("delete"), Force: c.Bool("force"),
		Update: c.Bool("update"), PasswordFile: c.Str("passwordfile"), ExcludeFrom: c.Str("excludefrom"),
		DryRun: c.Bool("dryrun")}
	if c.Bool("exclude") {
		s.Exclude, _ = modules.Texts(c.Arg("exclude"))
	}
	if c.Bool("additional_opts") {
		s.AdditionalOpts, _ = modules.Texts(c.Arg("additional_opts"))
	}
	s.configured(c.Env)
	for key, to := range map[string]*string{"src": &s.Source, "dst": &s.Name} {
		if *to == "" {
			*to = c.Setting("rsync." + key)
		}
	}
	if s.Source == "" || s.Name == "" {
		return nil, value.Raise("SaltInvocationError", "src and dst cannot be empty")
	}
	if f := s.Validate(); f != nil {
		return nil, value.Raise("CommandExecutionError", "%s", f[0].Msg)
	}
	if rsh := c.Str("rsh"); rsh != "" {
		s.AdditionalOpts = append([]string{"--rsh=" + rsh}, s.AdditionalOpts...)
	}
	if s.DryRun {
		out, err := s.dry(ctx, c.Host)
		if err != nil {
			return nil, err
		}
		return modules.Ran(out), nil
	}
	out, err := c.Outright(ctx, s.between(s.words())...)
	if err != nil {
		return nil, err
	}
	return modules.Ran(out), nil
}

func version(ctx context.Context, c *modules.Call) (value.Value, error) {
	out, err := c.Ask(ctx, "rsync", "--version")
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	words := strings.Fields(string(out.Stdout))
	if len(words) < 3 {
		return nil, value.Raise("CommandExecutionError", "Unable to determine rsync version")
	}
	return value.Str(words[2]), nil
}

func config(_ context.Context, c *modules.Call) (value.Value, error) {
	name := c.Str("conf_path")
	raw, err := c.Host.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, value.Raise("CommandExecutionError", "%s does not exist", name)
	case errors.Is(err, fs.ErrPermission):
		return nil, value.Raise("CommandExecutionError", "Unable to read %s, access denied", name)
	case errors.Is(err, syscall.EISDIR):
		return nil, value.Raise("CommandExecutionError", "Unable to read %s, path is a directory", name)
	case err != nil:
		return nil, value.Raise("CommandExecutionError", "Error: %v", err)
	}
	return value.Str(raw), nil
}
