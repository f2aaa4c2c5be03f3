package release

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/state/diag"
)

// An S3 is a Dir in a bucket of an S3-compatible store, which knows conditional writes: of two operators at once the
// second is refused.
type S3 struct {
	Endpoint *url.URL
	Bucket   string
	Prefix   string // "" or ending in /
	Credentials
	Client *http.Client
	Now    func() time.Time
}

// OpenS3 reads s3://BUCKET/PREFIX; the rest is in AWS's variables of the environment.
func OpenS3(text string, env func(string) string) (*S3, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, diag.Errorf(diag.Pos{}, "%q names no bucket", text).WithHint("s3://BUCKET/PREFIX")
	}
	s := &S3{Bucket: u.Host, Client: http.DefaultClient, Now: time.Now, Credentials: Credentials{
		ID: env("AWS_ACCESS_KEY_ID"), Secret: env("AWS_SECRET_ACCESS_KEY"), Token: env("AWS_SESSION_TOKEN"),
		Region: env("AWS_REGION")}}
	if s.Prefix = strings.Trim(u.Path, "/"); s.Prefix != "" {
		s.Prefix += "/"
	}
	if s.ID == "" || s.Secret == "" {
		return nil, diag.Errorf(diag.Pos{}, "there are no credentials for %s", text).
			WithHint("AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment hold them")
	}
	if s.Region == "" {
		s.Region = "us-east-1"
	}
	at := env("AWS_ENDPOINT_URL")
	if at == "" {
		at = "https://s3." + s.Region + ".amazonaws.com"
	}
	if s.Endpoint, err = url.Parse(at); err != nil || s.Endpoint.Host == "" {
		return nil, diag.Errorf(diag.Pos{}, "AWS_ENDPOINT_URL is %q, no address", at)
	}
	return s, nil
}

// do makes a request; answers that are no success are errors.
func (s *S3) do(ctx context.Context, method, key string, body io.Reader, b Blob,
	header map[string]string) (*http.Response, error) {
	at := *s.Endpoint
	at.Path = strings.TrimSuffix(at.Path, "/") + "/" + s.Bucket + "/" + s.Prefix + key
	req, err := http.NewRequestWithContext(ctx, method, at.String(), body)
	if err != nil {
		return nil, err
	}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	if req.ContentLength = 0; body != nil {
		req.ContentLength = b.Size
	}
	s.sign(req, b.Digest, s.Now())
	res, err := s.Client.Do(req)
	if err != nil || res.StatusCode/100 == 2 {
		return res, err
	}
	defer res.Body.Close()
	switch res.StatusCode {
	case http.StatusNotFound:
		return nil, fmt.Errorf("%s: %w", key, ErrNone)
	case http.StatusPreconditionFailed, http.StatusConflict:
		return nil, ErrConflict
	}
	said, _ := io.ReadAll(io.LimitReader(res.Body, 300))
	return nil, fmt.Errorf("%s %s: %s: %q", method, at.Redacted(), res.Status, said)
}

// get is a small object with its ETag.
func (s *S3) get(ctx context.Context, key string) ([]byte, string, error) {
	res, err := s.do(ctx, http.MethodGet, key, nil, BlobOf(nil), nil)
	if err != nil {
		return nil, "", err
	}
	defer res.Body.Close()
	data, err := readAtMost(res.Body, MaxIndex, key)
	return data, res.Header.Get("ETag"), err
}

func (s *S3) put(ctx context.Context, key string, data []byte, header map[string]string) error {
	res, err := s.do(ctx, http.MethodPut, key, bytes.NewReader(data), BlobOf(data), header)
	if err == nil {
		res.Body.Close()
	}
	return err
}

// Pointer reads env/NAME.json.
func (s *S3) Pointer(ctx context.Context, env string) ([]byte, error) {
	data, _, err := s.get(ctx, PointerPath(env))
	return data, err
}

// Blob reads a blob.
func (s *S3) Blob(ctx context.Context, b Blob, offset int64) (io.ReadCloser, error) {
	header := map[string]string{}
	if offset > 0 {
		header["Range"] = fmt.Sprintf("bytes=%d-", offset)
	}
	res, err := s.do(ctx, http.MethodGet, BlobPath(b.Digest), nil, BlobOf(nil), header)
	if err != nil {
		return nil, err
	}
	return res.Body, nil
}

// PutBlobs puts what is missing, some at once. The store checks the digests.
func (s *S3) PutBlobs(ctx context.Context, blobs []Blob, open func(Blob) (io.ReadCloser, error)) error {
	const atOnce = 8
	var all sync.WaitGroup
	var mu sync.Mutex // guards faults
	var faults []error
	next := make(chan Blob)
	for range atOnce {
		all.Go(func() {
			for b := range next {
				if err := s.putBlob(ctx, b, open); err != nil {
					mu.Lock()
					faults = append(faults, fmt.Errorf("put %s: %w", b.Digest, err))
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

func (s *S3) putBlob(ctx context.Context, b Blob, open func(Blob) (io.ReadCloser, error)) error {
	res, err := s.do(ctx, http.MethodHead, BlobPath(b.Digest), nil, BlobOf(nil), nil)
	if err == nil {
		res.Body.Close()
		if res.ContentLength == b.Size {
			return nil
		}
	} else if !errors.Is(err, ErrNone) {
		return err
	}
	r, err := open(b)
	if err != nil {
		return err
	}
	defer r.Close()
	var data bytes.Buffer // whole, since a body that ends early is an object to some stores
	if err := CopyBlob(&data, r, b); err != nil {
		return err
	}
	return s.put(ctx, BlobPath(b.Digest), data.Bytes(), nil)
}

// PutPointer puts the pointer where it is still what it was, then the index.
func (s *S3) PutPointer(ctx context.Context, p Push, was []byte) error {
	for _, data := range [][]byte{p.Manifest, p.Signed, emptyConfig()} {
		if err := s.put(ctx, BlobPath(DigestOf(data)), data, nil); err != nil {
			return err
		}
	}
	if err := s.put(ctx, "oci-layout", layoutFile(), nil); err != nil {
		return err
	}
	now, tag, err := s.get(ctx, PointerPath(p.Release.Env))
	if err != nil && !errors.Is(err, ErrNone) {
		return err
	}
	if !bytes.Equal(now, was) {
		return ErrConflict
	}
	if err := s.put(ctx, PointerPath(p.Release.Env), p.Signed, unless(tag)); err != nil {
		return err
	}
	return s.putIndex(ctx, p)
}

// unless is the condition that the object of the ETag is still there, or none.
func unless(tag string) map[string]string {
	if tag == "" {
		return map[string]string{"If-None-Match": "*"}
	}
	return map[string]string{"If-Match": tag}
}

// putIndex writes index.json, which the releases of all environments share.
func (s *S3) putIndex(ctx context.Context, p Push) error {
	for try := 1; ; try++ {
		old, tag, err := s.get(ctx, "index.json")
		if err != nil && !errors.Is(err, ErrNone) {
			return err
		}
		index, err := indexWith(old, p, BlobOf(p.Manifest))
		if err != nil {
			return err
		}
		if err = s.put(ctx, "index.json", index, unless(tag)); !errors.Is(err, ErrConflict) || try == rounds {
			return err
		}
	}
}
