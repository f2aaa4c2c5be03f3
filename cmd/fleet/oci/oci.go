// Package oci keeps releases in an OCI registry: each is an image manifest whose layers are the signed release and all
// its blobs, and the tag of an environment's name is its newest. Any registry has it, and oras, skopeo and cosign read
// it. Credentials are docker's: ~/.docker/config.json and its helpers, as docker login and podman login leave them.
//
// A registry knows no conditional writes. PutPointer looks before and, after a while, behind its write: of two
// operators at once the first is told that another was there. One that stalls in between for longer than that is not
// noticed here; machines then refuse the second release of a sequence.
package oci

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/auth"
	"oras.land/oras-go/v2/registry/remote/credentials"
	"oras.land/oras-go/v2/registry/remote/retry"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// Scheme begins the address of a repository.
const Scheme = "oci://"

// settle is how long after its write a pointer is looked at once more.
const settle = 2 * time.Second

// A Repo is one repository of a registry. It is a release.Store.
type Repo struct {
	repo *remote.Repository
	// Settle is how long after its write a pointer is looked at once more.
	Settle time.Duration
}

// Open reads oci://HOST/REPOSITORY. Plain allows a registry that is not encrypted; one of this machine may always be.
func Open(text string, plain bool) (*Repo, error) {
	name, ok := strings.CutPrefix(text, Scheme)
	repo, err := remote.NewRepository(name)
	if !ok || err != nil || repo.Reference.Reference != "" {
		return nil, diag.Errorf(diag.Pos{}, "%q names no repository", text).WithHint("oci://HOST/REPOSITORY, without a " +
			"tag: the environment's name is the tag")
	}
	store, err := credentials.NewStoreFromDocker(credentials.StoreOptions{})
	if err != nil {
		return nil, fmt.Errorf("read docker's credentials: %w", err)
	}
	repo.Client = &auth.Client{Client: &http.Client{Transport: noPages{retry.NewTransport(nil)}},
		Cache: auth.NewCache(), Credential: credentials.Credential(store), Header: http.Header{"User-Agent": {"gostate"}}}
	repo.PlainHTTP = plain || isHere(repo.Reference.Host())
	return &Repo{repo: repo, Settle: settle}, nil
}

// isHere says whether a host is this machine, to which docker speaks without encryption, too.
func isHere(host string) bool {
	name, _, _ := strings.Cut(host, ":")
	return name == "localhost" || name == "127.0.0.1"
}

// noPages refuses pages for people, which are no answers of a registry.
type noPages struct{ http.RoundTripper }

func (n noPages) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := n.RoundTripper.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if kind == "text/html" && res.StatusCode/100 == 2 && req.Method != http.MethodHead {
		res.Body.Close()
		return nil, fmt.Errorf("a page of HTML came, and no answer of a registry: is this the address of one?")
	}
	return res, nil
}

// explained adds what to do to an error of a registry.
func (r *Repo) explained(err error) error {
	if err == nil {
		return nil
	}
	host := r.repo.Reference.Host()
	switch text := err.Error(); {
	case strings.Contains(text, "401") || strings.Contains(text, "basic credential not found"):
		return diag.Errorf(diag.Pos{}, "the registry %s lets nobody in: %v", host, err).
			WithHint("docker login %s, or podman login --authfile ~/.docker/config.json %s", host, host)
	case strings.Contains(text, "403"):
		return diag.Errorf(diag.Pos{}, "the registry %s does not allow that: %v", host, err).
			WithHint("the user has to be allowed to write %s", r.repo.Reference.Repository)
	case strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return diag.Errorf(diag.Pos{}, "the registry %s is not encrypted", host).
			WithHint("give it a certificate, or allow it: --allow-http, agent: {allow_http: true}")
	}
	return err
}

// maxManifest bounds the manifest of a release: OCI's registries take 4 MiB.
const maxManifest = 4 << 20

// Pointer is what the manifest of the tag holds.
func (r *Repo) Pointer(ctx context.Context, env string) ([]byte, error) {
	_, body, err := r.repo.FetchReference(ctx, tag(env))
	if errors.Is(err, errdef.ErrNotFound) {
		return nil, fmt.Errorf("%s:%s: %w", r.repo.Reference.Repository, tag(env), release.ErrNone)
	}
	if err != nil {
		return nil, r.explained(err)
	}
	defer body.Close()
	manifest, err := io.ReadAll(io.LimitReader(body, maxManifest+1))
	if err != nil {
		return nil, err
	}
	if len(manifest) > maxManifest {
		return nil, fmt.Errorf("the manifest has more than %d bytes", maxManifest)
	}
	signed, err := release.ManifestPointer(manifest)
	if err == nil && len(signed) > release.MaxPointer {
		err = fmt.Errorf("the pointer has more than %d bytes", release.MaxPointer)
	}
	return signed, err
}

// tag is the tag of a pointer. An environment's is its name; that of one machine, whose key holds a slash, is a hash.
func tag(key string) string {
	if !strings.Contains(key, "/") {
		return key
	}
	sum := sha256.Sum256([]byte(key))
	return "machine-" + hex.EncodeToString(sum[:16])
}

// described is a blob as OCI names it.
func described(b release.Blob, mediaType string) ocispec.Descriptor {
	return ocispec.Descriptor{MediaType: mediaType, Digest: digest.Digest(b.Digest), Size: b.Size}
}

// Blob reads a blob, from the offset on where the registry can.
func (r *Repo) Blob(ctx context.Context, b release.Blob, offset int64) (io.ReadCloser, error) {
	body, err := r.repo.Blobs().Fetch(ctx, described(b, octets))
	if errors.Is(err, errdef.ErrNotFound) {
		return nil, fmt.Errorf("%s: %w", b.Digest, release.ErrNone)
	}
	if err != nil || offset == 0 {
		return body, r.explained(err)
	}
	from, ok := body.(io.Seeker)
	if !ok {
		body.Close()
		return nil, release.ErrNoResume
	}
	if _, err := from.Seek(offset, io.SeekStart); err != nil {
		body.Close()
		return nil, err
	}
	return body, nil
}

// atOnce is how many blobs are put at once.
const atOnce = 8

// octets is the type of a blob by itself.
const octets = "application/octet-stream"

// PutBlobs puts what is missing, some at once. The registry checks the digests.
func (r *Repo) PutBlobs(ctx context.Context, blobs []release.Blob,
	open func(release.Blob) (io.ReadCloser, error)) error {
	var all sync.WaitGroup
	var mu sync.Mutex // guards faults
	var faults []error
	next := make(chan release.Blob)
	for range atOnce {
		all.Go(func() {
			for b := range next {
				if err := r.putBlob(ctx, b, open); err != nil {
					mu.Lock()
					faults = append(faults, fmt.Errorf("put %s: %w", b.Digest, r.explained(err)))
					mu.Unlock()
				}
			}
		})
	}
	for _, b := range blobs {
		next <- b
	}
	close(next)
	all.Wait()
	return errors.Join(faults...)
}

func (r *Repo) putBlob(ctx context.Context, b release.Blob,
	open func(release.Blob) (io.ReadCloser, error)) error {
	d := described(b, octets)
	if there, err := r.repo.Blobs().Exists(ctx, d); err != nil || there {
		return err
	}
	from, err := open(b)
	if err != nil {
		return err
	}
	defer from.Close()
	return r.repo.Blobs().Push(ctx, d, from)
}

// PutPointer puts the manifest under the tag of the environment, where that is still what it was.
func (r *Repo) PutPointer(ctx context.Context, p release.Push, was []byte) error {
	for _, data := range [][]byte{[]byte("{}"), p.Signed} { // a registry wants all that a manifest names
		err := r.PutBlobs(ctx, []release.Blob{release.BlobOf(data)}, func(release.Blob) (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), nil
		})
		if err != nil {
			return err
		}
	}
	if err := r.still(ctx, p.Release.Env, was); err != nil {
		return err
	}
	d := described(release.BlobOf(p.Manifest), ocispec.MediaTypeImageManifest)
	if err := r.repo.PushReference(ctx, d, bytes.NewReader(p.Manifest), tag(p.Release.Env)); err != nil {
		return r.explained(err)
	}
	select {
	case <-time.After(r.Settle):
	case <-ctx.Done():
		return ctx.Err()
	}
	return r.still(ctx, p.Release.Env, p.Signed)
}

// still says ErrConflict where the pointer is another one; nil is none.
func (r *Repo) still(ctx context.Context, env string, want []byte) error {
	now, err := r.Pointer(ctx, env)
	if errors.Is(err, release.ErrNone) {
		now, err = nil, nil
	}
	if err == nil && !bytes.Equal(now, want) {
		err = release.ErrConflict
	}
	return err
}
