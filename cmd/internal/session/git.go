package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/cmd/internal/gitroots"
	"github.com/gostate/gostate/sls/pillar"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// gitCache is the cache of the remote repositories that files and pillars come from.
func (s *Session) gitCache() (*gitroots.Cache, error) {
	if s.git != nil {
		return s.git, nil
	}
	machine := host.Host(s.real.(host.Host))
	if machine.Root() != "/" { // git is that of the machine that gostate runs on
		own, err := host.NewOS("/")
		if err != nil {
			return nil, err
		}
		s.logCommands(own)
		machine = own
	}
	s.git = &gitroots.Cache{Dir: filepath.Join(s.stateDir(), "git"), Config: s.config, Machine: machine,
		Since: s.process.Since, Offline: s.opts.Cached, Secret: s.secrets.MarkText,
		Warn: func(d *diag.Diagnostic) { s.Show(&diag.List{All: []*diag.Diagnostic{d}}) }}
	if !s.acts && os.Geteuid() != 0 && !writable(s.stateDir()) { // who looks may not write the runs' own
		s.git.Dir = filepath.Join(homeStateDir(), "git")
	}
	return s.git, nil
}

// withGit is the file roots with those of gitfs, in the order of fileserver_backend.
func (s *Session) withGit(dirs []roots.EnvDirs) ([]roots.EnvDirs, error) {
	backends := s.config.Backends()
	if !slices.Contains(backends, "gitfs") || len(s.opts.PuppetModules) > 0 {
		return dirs, nil
	}
	c, err := s.gitCache()
	if err != nil {
		return nil, err
	}
	files := roots.New(dirs)
	asked := append(files.Envs(), s.saltenv)
	remote, err := c.Files(s.process.context(), asked)
	if err != nil {
		return nil, err
	}
	if len(s.opts.FileRoots) > 0 && !slices.Contains(backends, "roots") {
		backends = append([]string{"roots"}, backends...)
	}
	return gitroots.Serve(backends, dirs, remote), nil
}

// gitPillar is the external pillar `git`: the remotes' pillars, each with its own top file, merged in their order.
func (s *Session) gitPillar(arg value.Value, over *value.Dict) pillar.External {
	return func(ctx context.Context, _ *value.Dict) (*value.Dict, error) {
		list, ok := arg.(*value.List)
		if !ok {
			return nil, diag.Errorf(s.config.Pos("ext_pillar"), "the external pillar git has %s, not a list of remotes",
				value.Repr(arg)).WithHint("ext_pillar: [{git: [master https://git.example.com/pillar.git]}]")
		}
		c, err := s.gitCache()
		if err != nil {
			return nil, err
		}
		envs := gitroots.Envs{Salt: firstOf(s.opts.SaltEnv, s.config.Str("saltenv", "")),
			Pillar: firstOf(s.opts.PillarEnv, s.config.Str("pillarenv", ""))}
		all, err := c.Pillars(ctx, list, envs)
		if err != nil {
			return nil, err
		}
		return s.mergedPillars(ctx, all, over)
	}
}

// mergedPillars are the pillars of several roots, merged.
func (s *Session) mergedPillars(ctx context.Context, all []roots.EnvDirs, over *value.Dict) (*value.Dict, error) {
	out := value.NewDict(0)
	for _, dirs := range all {
		cfg := s.pillarConfig(over)
		cfg.Inner, cfg.Roots, cfg.Env = true, s.newRoots([]roots.EnvDirs{dirs}), firstOf(cfg.Env, dirs.Env)
		one, err := pillar.Compile(ctx, cfg)
		if err != nil {
			return nil, err
		}
		if out, err = pillar.Merge(cfg, out, one); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// remotes are the commits that files of the environments, or the pillar, are of.
func (s *Session) remotes(low []*state.Low) (out []history.Remote) {
	if s.git == nil {
		return nil
	}
	envs := map[string]bool{s.saltenv: true}
	for _, l := range low {
		envs[l.SourceEnv()] = true
	}
	for _, u := range s.git.Used {
		if u.Role == "git_pillar" || envs[u.Env] {
			out = append(out, history.Remote{Kind: u.Role, URL: u.URL, Ref: u.Ref, Env: u.Env, Commit: u.Commit,
				Fetched: u.Fetched})
		}
	}
	return out
}

// writable says whether this user can make files in a directory, or make it.
func writable(dir string) bool {
	for {
		err := unix.Access(dir, unix.W_OK)
		if err == nil || !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return err == nil
		}
		dir = filepath.Dir(dir)
	}
}
