package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/cmd/internal/release"
)

var errPillar = errors.New("the pillar cannot be used")

// prepare brings a release to this machine: its tree unpacked, its pillar opened.
func (a *Agent) prepare(ctx context.Context, r *Report, acc *release.Accepted) (*Job, error) {
	if err := a.fetchTree(ctx, acc.Release); err != nil {
		return nil, err
	}
	data, err := a.sealed(ctx, acc)
	if err != nil {
		return nil, err
	}
	keys, err := a.Identities()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errPillar, err)
	}
	s, err := release.Unseal(data, a.ID, keys...)
	if err != nil {
		_ = os.Remove(a.sealedFile(acc)) // that of another name, perhaps
		return nil, fmt.Errorf("%w: %w", errPillar, err)
	}
	r.OtherGrains = otherGrains(s.Grains, r.Grains)
	return &Job{Tree: a.treeDir(acc.Release), Sealed: s, Release: acc.Release}, nil
}

// fetchTree brings and unpacks the tree, unless it is there.
func (a *Agent) fetchTree(ctx context.Context, r *release.Release) error {
	dir := a.treeDir(r)
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	file := dir + ".tar.gz"
	if err := release.Fetch(ctx, a.Source, r.Tree, file); err != nil {
		return fmt.Errorf("fetch the tree: %w", err)
	}
	defer os.Remove(file)
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	return release.Unpack(f, dir)
}

// sealed is this machine's pillar as it came. It is kept as long as its tree, so that a release runs without its
// source.
func (a *Agent) sealed(ctx context.Context, acc *release.Accepted) ([]byte, error) {
	file := a.sealedFile(acc)
	data, err := os.ReadFile(file)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return data, err
	}
	data, err = release.SealedOf(ctx, a.Source, acc.Release, a.ID)
	if err != nil {
		return nil, err
	}
	return data, disk.WriteFile(file, data, 0o600)
}

func (a *Agent) sealedFile(acc *release.Accepted) string {
	return filepath.Join(a.Dir, "releases", acc.Pillars.Digest.Hex()+".age")
}

// otherGrains are the names of those whose values differ.
func otherGrains(then, now map[string]json.RawMessage) (out []string) {
	if now == nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(then)) {
		if !bytes.Equal(compact(then[name]), compact(now[name])) {
			out = append(out, name)
		}
	}
	return out
}

// compact is JSON in one spelling.
func compact(text json.RawMessage) []byte {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return text
	}
	out, _ := json.Marshal(v)
	return out
}

// prune removes what is older than the releases that are kept. The newest and the last good one always stay.
func (a *Agent) prune(m *memory) {
	dir := filepath.Join(a.Dir, "releases")
	needed := map[string]bool{}
	for _, signed := range [][]byte{m.newest, m.good} {
		if r, err := release.Peek(signed); err == nil {
			now := a.Clock.Now()
			for _, name := range []string{r.Tree.Digest.Hex(), r.Pillars.Digest.Hex() + ".age"} {
				needed[name] = true
				_ = os.Chtimes(filepath.Join(dir, name), now, now)
			}
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, suffix := range []string{"", ".age", ".part"} {
		a.pruneKind(dir, entries, suffix, needed)
	}
}

func (a *Agent) pruneKind(dir string, entries []os.DirEntry, suffix string, needed map[string]bool) {
	type aged struct {
		name string
		at   time.Time
	}
	var all []aged
	for _, e := range entries {
		if info, err := e.Info(); err == nil && filepath.Ext(e.Name()) == suffix {
			all = append(all, aged{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(all, func(x, y aged) int {
		return 2*y.at.Compare(x.at) + strings.Compare(x.name, y.name)
	})
	for i, e := range all {
		if i >= max(a.Keep, 2) && !needed[e.name] {
			_ = os.RemoveAll(filepath.Join(dir, e.name))
		}
	}
}
