package session

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules/bridge"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/value"
)

// A Remote is who a run is for whose tree, pillar and configuration are on another machine.
type Remote struct {
	// Config is the configuration, Files brings the tree below its file roots.
	Config *value.Dict
	Files  roots.Supplier
	// Pillar gives the pillar of a machine with these grains, and which keys of it are secret, as the key `secrets` of
	// the configuration names them.
	Pillar func(ctx context.Context, grains *value.Dict) (pillar *value.Dict, secrets []string, err error)
	// Version is that of the tree, nil where it has none.
	Version *history.Tree
}

// remotePillar is the pillar that the other machine gives for the grains of this one.
func (s *Session) remotePillar(ctx context.Context) (*value.Dict, error) {
	p, secrets, err := s.process.Remote.Pillar(ctx, s.Grains())
	if err != nil {
		return nil, err
	}
	if len(secrets) > 0 {
		s.keys.Add(secrets)
	}
	s.seenPillar(p)
	return p, nil
}

// Roots are the file roots.
func (s *Session) Roots() *roots.Roots { return s.roots }

// TreeVersion is that of the tree, nil where it has none.
func (s *Session) TreeVersion() *history.Tree { return s.version() }

// OwnFiles are the files of code at the top of the file roots of an environment, relative to it.
func (s *Session) OwnFiles() (out [][2]string) {
	for _, env := range s.roots.Envs() {
		for _, dir := range s.roots.Dirs(env) {
			for _, kind := range bridge.Kinds() {
				for _, f := range filesBelow(filepath.Join(dir, "_"+kind)) {
					out = append(out, [2]string{env, "_" + kind + "/" + f})
				}
			}
		}
	}
	return out
}

// here are the keys of a configuration that are of the machine that it lies on, and of no other that its tree is for.
func here() []string {
	return []string{"file_roots", "pillar_roots", "ext_pillar", "id", "grains", "state_dir", "log_file", "log_level",
		"log_level_logfile", "log_fmt_console", "log_fmt_logfile", "age_keyfile", "gpg_keydir", "decrypt_pillar",
		"extension_modules", "module_dirs", "states_dirs", "test", "noop", "user", "root_dir", "cachedir", "pki_dir",
		"conf_file", "schedule", "beacons", "fileserver_backend", "gitfs_remotes"}
}

// Portable is the configuration as far as it is the tree's: what holds on every machine that the tree is for.
func (s *Session) Portable() *value.Dict {
	out := value.NewDict(s.config.Opts.Len())
	for k, v := range s.config.Opts.All() {
		if !slices.Contains(here(), value.String(k)) {
			_ = out.Set(k, v)
		}
	}
	return out
}

// PillarFor is the pillar for a run elsewhere, with what is encrypted in it opened, and which keys of it are secret.
func (s *Session) PillarFor(ctx context.Context) (*value.Dict, []string, error) {
	if err := s.LoadPillar(ctx); err != nil {
		return nil, nil, err
	}
	var faults diag.List
	p, _ := opened(s.pillar, &faults).(*value.Dict)
	secrets := s.config.Strings("secrets")
	for _, path := range sealedPaths(s.pillar, nil) {
		secrets = append(secrets, pattern(path))
	}
	return p, secrets, faults.Err()
}

// pattern names a path so that it stands for itself; one with a colon in a key is named by its last key.
func pattern(path []string) string {
	words := make([]string, len(path))
	for i, w := range path {
		words[i] = strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(w)
		if strings.Contains(w, ":") {
			return strings.ReplaceAll(path[len(path)-1], ":", "?")
		}
	}
	return strings.Join(words, ":")
}

// Preview says whether this is test mode.
func (s *Session) Preview() bool { return s.preview() }
