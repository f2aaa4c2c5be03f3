package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func cachedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.cached",
		Doc: `Ensures that a source is in the cache, below cachedir. cp.is_cached tells its path.

A file of the machine is its own copy: it is compared with the hash, where one is given.`,
		Example: `
https://example.com/app.tar.gz:
  file.cached:
    - source_hash: https://example.com/app.tar.gz.sha256
`,
		New: func() modules.StateFunc { return &Cached{} },
	}
}

// Cached is file.cached.
type Cached struct {
	Name           Location `arg:"name,required,path" doc:"The source: a salt:// path, a URL or a path of the machine."`
	SourceHash     string   `arg:"source_hash,path" doc:"The hash of it: kind=hex, hex, or the address of a file of hashes."`
	SourceHashName string   `arg:"source_hash_name" doc:"The name to look for in a file of hashes."`
	SkipVerify     bool     `arg:"skip_verify" doc:"Takes a remote source without a hash, and fetches it in each run."`
	UseEtag        bool     `arg:"use_etag" doc:"Takes a remote source without a hash."`
}

// Act fetches it where the copy is missing or another one.
func (c *Cached) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	hash, err := c.hash(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	if local, ok := localPath(c.Name.String()); ok {
		return cachedLocal(h, local, hash)
	}
	dest := env.CachePath(envOf(env), c.Name.String())
	was, err := hashFile(h, dest, hash.kind)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return state.Effect{}, err
	case err == nil && hash.hex != "" && hash.hex == was && isRemote(c.Name.String()):
		return state.Settled(fmt.Sprintf("File is already cached to %s with hash %s", dest, was)), nil
	}
	return c.fetch(ctx, env, h, dest, was, hash)
}

// hash is the hash that the source has to have, the zero digest for none.
func (c *Cached) hash(ctx context.Context, env *modules.Env, h host.Reader) (digest, error) {
	if c.SkipVerify {
		return digest{}, nil
	}
	if c.SourceHash == "" && !c.UseEtag && isRemote(c.Name.String()) {
		return digest{}, fmt.Errorf("Unable to verify upstream hash of source file %s, please set source_hash or set "+
			"skip_verify or use_etag to True", redact(c.Name.String()))
	}
	return sourceDigest(ctx, env, h, c.SourceHash, c.Name.String(), c.Name.String(), c.SourceHashName)
}

// fetch writes the copy. Salt differs: it keeps a copy that has another hash than the one that is asked for.
func (c *Cached) fetch(ctx context.Context, env *modules.Env, h host.Host, dest, was string,
	hash digest) (state.Effect, error) {
	from, err := openSource(ctx, env, c.Name.String())
	if err != nil {
		return state.Effect{}, err
	}
	defer from.Close()
	is, err := hashRead(from, hash.kind, copySize)
	switch {
	case err != nil:
		return state.Effect{}, err
	case hash.hex != "" && hash.hex != is:
		return state.Effect{}, hash.mismatch(c.Name.String(), is)
	}
	e := state.NewEffect()
	e.Comment = fmt.Sprintf("File is cached to %s", dest)
	if hash.hex != "" {
		e.Comment = fmt.Sprintf("File is already cached to %s with hash %s", dest, is)
	}
	if was == is {
		return state.Settled(e.Comment), nil
	}
	e.Preview = fmt.Sprintf("File is set to be cached to %s", dest)
	e.Changes.SetStr("hash", value.DictOf("old", oldHash(was), "new", value.Str(is)))
	again, err := from.Open()
	if err != nil {
		return state.Effect{}, err
	}
	defer again.Close()
	return e, modules.PutFrom(h, dest, again, true)
}

// oldHash is a hash, none for "".
func oldHash(hex string) value.Value {
	if hex == "" {
		return value.None
	}
	return value.Str(hex)
}

// cachedLocal compares a file of the machine.
func cachedLocal(h host.Reader, local string, hash digest) (state.Effect, error) {
	if !exists(h, local) {
		return state.Effect{}, fmt.Errorf("File %s is not present on the minion", local)
	}
	if hash.hex == "" {
		return state.Settled(fmt.Sprintf("File %s is present on the minion", local)), nil
	}
	switch is, err := hashFile(h, local, hash.kind); {
	case err != nil:
		return state.Effect{}, err
	case is != hash.hex:
		return state.Effect{}, fmt.Errorf("File %s is present on the minion, but the hash (%s) does not match the "+
			"specified hash (%s)", local, is, hash.hex)
	}
	return state.Settled(fmt.Sprintf("File %s is present on the minion and has hash %s", local, hash.hex)), nil
}

func notCachedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.not_cached",
		Doc:  "Ensures that a source is not in the cache, so that it is fetched again.",
		Example: `
https://example.com/app.tar.gz:
  file.not_cached
`,
		New: func() modules.StateFunc { return &NotCached{} },
	}
}

// NotCached is file.not_cached.
type NotCached struct {
	Name Location `arg:"name,required,path" doc:"The source: a salt:// path, a URL or a path of the machine."`
}

// Act removes the copy. A file of the machine stays.
func (n *NotCached) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if local, ok := localPath(n.Name.String()); ok {
		return state.Settled(fmt.Sprintf("File %s is a local path, no action taken", local)), nil
	}
	dest := env.CachePath(envOf(env), n.Name.String())
	if !exists(h, dest) {
		return state.Settled(fmt.Sprintf("%s is not cached", n.Name)), nil
	}
	e := state.NewEffect()
	if err := h.Remove(dest); err != nil {
		return e, fmt.Errorf("Failed to delete %s: %w", dest, err)
	}
	e.Comment, e.Preview = fmt.Sprintf("%s was deleted", dest), fmt.Sprintf("%s is set to be deleted", dest)
	e.Changes.SetStr("deleted", value.Bool(true))
	return e, nil
}
