package gitroots

import (
	"slices"

	"github.com/gostate/gostate/sls/roots"
)

// Serve gives the environments of the file roots and of remotes, each with its directories in the order of the
// backends.
func Serve(backends []string, files, remote []roots.EnvDirs) (out []roots.EnvDirs) {
	local, git := roots.New(files), roots.New(remote)
	if !slices.Contains(backends, "roots") {
		local = roots.New(nil)
	}
	for _, env := range slices.Concat(local.Envs(), git.Envs()) {
		if slices.ContainsFunc(out, func(e roots.EnvDirs) bool { return e.Env == env }) {
			continue
		}
		e := roots.EnvDirs{Env: env}
		for _, b := range backends {
			switch b {
			case "roots":
				e.Dirs = append(e.Dirs, local.Dirs(env)...)
			case "gitfs":
				e.Dirs = append(e.Dirs, git.Dirs(env)...)
			}
		}
		out = append(out, e)
	}
	for _, e := range files {
		if !local.Has(e.Env) {
			continue
		}
		if !slices.ContainsFunc(out, func(o roots.EnvDirs) bool { return o.Env == e.Env }) {
			out = append(out, e) // the one that stands for all
		}
	}
	return out
}
