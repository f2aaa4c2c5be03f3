package ssh

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/value"
)

// A Source is the tree, as it is given to all machines.
type Source struct {
	roots   *roots.Roots
	config  *value.Dict
	version *history.Tree
	own     [][2]string
	// pillar renders the pillar of a machine.
	pillar func(ctx context.Context, h *roster.Host, grains string) (*value.Dict, []string, error)

	mu   sync.Mutex // guards sums
	sums map[string]string
}

// NewSource is the tree of a session. Pillar renders that of a machine, whose grains are YAML.
func NewSource(s *session.Session,
	pillar func(ctx context.Context, h *roster.Host, grains string) (*value.Dict, []string, error)) *Source {
	return &Source{roots: s.Roots(), config: s.Portable(), version: s.TreeVersion(), own: s.OwnFiles(), pillar: pillar,
		sums: map[string]string{}}
}

// A texted is a file with what is in it; nil for nothing.
type texted struct {
	file
	text io.ReadCloser
}

func (t *texted) close() {
	if t.text != nil {
		t.text.Close()
	}
}

// file is what the tree has at a path.
func (s *Source) file(env, path string) *texted {
	out := &texted{file: file{Env: env, Path: path}}
	f, err := s.roots.Lookup(env, path)
	switch {
	case err != nil:
		out.Error = err.Error()
	case f != nil:
		err = s.open(out, f.Abs)
	case s.roots.IsDir(env, path):
		out.Kind = "dir"
	}
	if err != nil {
		out.Error = err.Error()
	}
	return out
}

// maxHeld bounds a file that is read as a whole, which one that is written meanwhile may be: larger ones are read
// twice.
const maxHeld = 4 << 20

func (s *Source) open(out *texted, abs string) error {
	f, err := os.Open(abs)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", abs)
	}
	if err != nil {
		f.Close()
		return err
	}
	out.Kind, out.Mode, out.Size = "file", uint32(info.Mode().Perm()), info.Size()
	if out.Size <= maxHeld {
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxHeld))
		sum := sha256.Sum256(text)
		out.Size, out.SHA256, out.text = int64(len(text)), hex.EncodeToString(sum[:]), io.NopCloser(bytes.NewReader(text))
		return err
	}
	if out.SHA256, err = s.sum(abs, f); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	out.text = exactly{io.LimitReader(io.MultiReader(f, nothing{}), out.Size), f}
	return err
}

// exactly is a file of the size that was told: one that became shorter meanwhile is filled up, and its hash is wrong
// then.
type exactly struct {
	io.Reader
	io.Closer
}

// nothing reads as zeros.
type nothing struct{}

func (nothing) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// sum is the hash of a large file, computed once.
func (s *Source) sum(abs string, f io.Reader) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if sum, ok := s.sums[abs]; ok {
		return sum, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	s.sums[abs] = hex.EncodeToString(h.Sum(nil))
	return s.sums[abs], nil
}

// below are paths with all files in those that are directories.
func (s *Source) below(env string, paths []string) (out []string) {
	for _, p := range paths {
		out = append(out, p)
		if !s.roots.IsDir(env, p) {
			continue
		}
		files, _ := s.roots.List(env, p) // who asks for one of them is told what is wrong
		for _, f := range files {
			out = append(out, f.Path)
		}
	}
	return out
}

// names are all of an environment.
func (s *Source) names(env string) *names {
	out := &names{Env: env}
	files, _ := s.roots.List(env, ".")
	for _, f := range files {
		n := file{Env: env, Path: f.Path, Kind: "file", Mode: 0o644}
		if info, err := os.Stat(f.Abs); err == nil {
			n.Mode = uint32(info.Mode().Perm())
		}
		if link, err := os.Readlink(f.Abs); err == nil && inTree(f, link) {
			n.Link = link
		}
		out.Files = append(out.Files, n)
	}
	for _, d := range s.roots.ListDirs(env, ".") {
		out.Files = append(out.Files, file{Env: env, Path: d, Kind: "dir"})
	}
	return out
}

// inTree says whether a link leads to a file of the same root by a way that holds elsewhere, too.
func inTree(f *roots.File, link string) bool {
	if filepath.IsAbs(link) || !filepath.IsLocal(filepath.Join(filepath.Dir(filepath.FromSlash(f.Path)), link)) {
		return false
	}
	info, err := os.Stat(f.Abs)
	return err == nil && info.Mode().IsRegular()
}

// first is what a machine is told first, and the files that go with it.
func (s *Source) first(h *roster.Host, w Work) (*begin, []*texted, error) {
	cfg := value.NewDict(s.config.Len())
	for _, d := range []*value.Dict{s.config, h.Config} {
		if d != nil {
			for k, v := range d.All() {
				_ = cfg.Set(k, v)
			}
		}
	}
	text, err := encode(cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("write the configuration: %w", err)
	}
	b := &begin{Protocol: Protocol, Work: w, ID: h.ID, Config: text, Version: s.version, Envs: s.roots.Envs()}
	var texts []*texted
	for _, f := range s.own {
		t := s.file(f[0], f[1])
		b.Files, texts = append(b.Files, t.file), append(texts, t)
	}
	return b, texts, nil
}

func encode(d *value.Dict) (string, error) {
	return yaml.Encode(d, yaml.EncodeOptions{AllowUnicode: true, Width: -1})
}

// shown replaces the places of the tree over there by those here in what people read: dir is where it lies there.
func (s *Source) shown(dir string, served map[[2]string]bool) *strings.Replacer {
	var pairs []string
	for key := range served {
		if f, err := s.roots.Lookup(key[0], key[1]); err == nil && f != nil {
			pairs = append(pairs, filepath.Join(dir, key[0], key[1]), f.Abs)
		}
	}
	for _, env := range s.roots.Envs() {
		if dirs := s.roots.Dirs(env); len(dirs) > 0 {
			pairs = append(pairs, filepath.Join(dir, env), dirs[0])
		}
	}
	return strings.NewReplacer(longestFirst(pairs)...)
}

// longestFirst sorts pairs by the length of what is replaced: a Replacer takes the first that fits.
func longestFirst(pairs []string) []string {
	both := slices.Collect(slices.Chunk(pairs, 2))
	slices.SortFunc(both, func(a, b []string) int {
		return cmp.Or(cmp.Compare(len(b[0]), len(a[0])), cmp.Compare(a[0], b[0]))
	})
	return slices.Concat(both...)
}
