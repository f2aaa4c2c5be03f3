package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Grace is how old a blob is at least that is pruned: those of a push that is under way are younger.
const Grace = 24 * time.Hour

// Pruned is what was removed.
type Pruned struct {
	Blobs int
	Bytes int64
}

// Prune removes the blobs of a directory that no release of it has any more. Where a pointer cannot be read, nothing is
// removed: nobody knows what it needs.
func (d Dir) Prune(ctx context.Context, now time.Time) (out Pruned, err error) {
	unlock, err := d.lock()
	if err != nil {
		return out, err
	}
	defer unlock()
	kept, err := d.needed(ctx)
	if err != nil {
		return out, fmt.Errorf("nothing is removed: %w", err)
	}
	entries, err := os.ReadDir(d.at("blobs/sha256"))
	if err != nil {
		return out, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || kept[e.Name()] || !info.Mode().IsRegular() || now.Sub(info.ModTime()) < Grace {
			continue
		}
		if err := os.Remove(d.at("blobs/sha256/" + e.Name())); err != nil {
			return out, err
		}
		out.Blobs, out.Bytes = out.Blobs+1, out.Bytes+info.Size()
	}
	return out, ctx.Err()
}

// needed are the names of the blobs that releases have.
func (d Dir) needed(ctx context.Context) (map[string]bool, error) {
	kept := map[string]bool{BlobOf(emptyConfig()).Digest.Hex(): true}
	err := filepath.WalkDir(d.at("env"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".json") {
			return err
		}
		signed, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		r, err := Peek(signed)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		shards, err := Shards(ctx, d, r)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, b := range append(shards, r.Tree, r.Pillars, BlobOf(signed)) {
			kept[b.Digest.Hex()] = true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept, d.ofImages(kept)
}

// ofImages adds the blobs of the images that index.json names.
func (d Dir) ofImages(kept map[string]bool) error {
	var index imageIndex
	if err := readJSON(d.at("index.json"), &index); err != nil {
		return err
	}
	for _, m := range index.Manifests {
		kept[m.Digest.Hex()] = true
		var whole Manifest
		if err := readJSON(d.at(BlobPath(m.Digest)), &whole); err != nil {
			return err
		}
		for _, l := range append(whole.Layers, whole.Config) {
			kept[l.Digest.Hex()] = true
		}
	}
	return nil
}

// readJSON reads a file, where there is one.
func readJSON(path string, to any) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// whole says which blob of a manifest is not there: one that was pruned between its push and this.
func (d Dir) whole(manifest []byte) error {
	var m Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		return err
	}
	for _, l := range m.Layers {
		if !d.has(l.Blob) {
			return fmt.Errorf("%s is no longer there: push again", l.Digest)
		}
	}
	return nil
}
