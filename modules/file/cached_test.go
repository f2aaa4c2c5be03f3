package file

import (
	"context"
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/web"
)

func TestCached(t *testing.T) {
	const copied = "/var/cache/salt/minion/extrn_files/base/x/f.tgz"
	sum, _ := hashBytes([]byte("over http"), "sha256")
	other := strings.Repeat("0", 64)
	for _, tt := range []struct {
		name, source, there, err, quiet string // there is what the cache holds before, quiet says that nothing is fetched
		args                            []any
	}{
		{name: "no hash", source: "http://x/f.tgz", err: "please set source_hash or set skip_verify or use_etag"},
		{name: "another hash", source: "http://x/f.tgz", args: []any{"source_hash", other}, err: "does not match"},
		{name: "a wrong copy stays none", source: "http://x/f.tgz", there: "old", args: []any{"source_hash", sum}},
		{name: "the copy with that hash", source: "http://x/f.tgz", there: "over http", args: []any{"source_hash", sum},
			quiet: "File is already cached to " + copied + " with hash " + sum},
		{name: "unverified", source: "http://x/f.tgz", there: "old", args: []any{"skip_verify", true}},
		{name: "etag", source: "http://x/f.tgz", args: []any{"use_etag", true}},
		{name: "no such source", source: "salt://none", err: "none"},
		{name: "a file of the machine", source: "/d/local", quiet: "File /d/local is present on the minion"},
		{name: "with another hash", source: "file:///d/local", args: []any{"source_hash", other}, err: "does not match"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.env.Files = fakeFiles{"http://x/f.tgz": "over http"}
			w.h.MustWrite("/d/local", "here", 0o644)
			if tt.there != "" {
				w.h.MustWrite(copied, tt.there, 0o644)
			}
			got := w.run("file.cached", tt.source, tt.args...)
			switch {
			case (tt.err == "") != (got.Err == "") || !strings.Contains(got.Err, tt.err):
				t.Errorf("got %q, want %q", got.Err, tt.err)
			case tt.quiet != "" && (got.Comment != tt.quiet || got.Changes != ""):
				t.Errorf("got %+v", got)
			case tt.err == "" && tt.quiet == "":
				w.holds(copied, "over http", 0o644)
			}
			if tt.err != "" && lexists(w.h, copied) {
				t.Error("what was not verified was kept")
			}
		})
	}
}

func TestNotCached(t *testing.T) {
	w := newWorld(t)
	w.h.MustWrite("/var/cache/salt/minion/files/dev/a/f", "x", 0o644)
	w.h.MustWrite("/d/local", "x", 0o644)
	got := w.run("file.not_cached", "salt://a/f?saltenv=dev")
	if got.Changes != "{'deleted': True}" || lexists(w.h, "/var/cache/salt/minion/files/dev/a/f") {
		t.Errorf("got %+v", got)
	}
	if got := w.run("file.not_cached", "/d/local"); got.Changes != "" || !lexists(w.h, "/d/local") {
		t.Errorf("a file of the machine was taken for its copy: %+v", got)
	}
}

// use_etag takes a remote source without a hash.
func TestManagedUseEtag(t *testing.T) {
	w := newWorld(t)
	w.env.Files = fakeFiles{"http://x/f": "over http"}
	if got := w.run("file.managed", "/d/f", "source", "http://x/f"); !strings.Contains(got.Err, "source_hash") {
		t.Errorf("unverified: %+v", got)
	}
	w.run("file.managed", "/d/f", "source", "http://x/f", "use_etag", true)
	w.holds("/d/f", "over http", 0o644)
}

// verify_ssl reaches what fetches the source and its hash.
func TestManagedVerifySSL(t *testing.T) {
	for _, verify := range []bool{true, false} {
		w := newWorld(t)
		w.env.Files = trusting{fakeFiles{"https://x/f": "text", "https://x/f.sha256": "no"}, t, verify}
		w.run("file.managed", "/d/f", "source", "https://x/f", "skip_verify", true, "verify_ssl", verify)
		w.run("file.managed", "/d/g", "source", "https://x/f", "source_hash", "https://x/f.sha256", "verify_ssl", verify)
	}
}

// trusting are files that look whether certificates are verified.
type trusting struct {
	fakeFiles
	t      *testing.T
	verify bool
}

func (f trusting) Fetch(ctx context.Context, source, env string) ([]byte, error) {
	if got := web.Client(ctx) == http.DefaultClient; got != f.verify {
		f.t.Errorf("%s: certificates verified: %v, want %v", source, got, f.verify)
	}
	return f.fakeFiles.Fetch(ctx, source, env)
}

// A source of the network is read bit by bit, and fetched once, whatever is done with it: compared, shown, written.
func TestManagedFetchesOnce(t *testing.T) {
	sum, _ := hashBytes([]byte("over http\n"), "sha256")
	for _, tt := range []struct {
		name    string
		args    []any
		fetches int // of a preview, a run, and a look at what that left
	}{{"verified", []any{"source_hash", sum}, 2}, {"unverified", []any{"skip_verify", true}, 3}} {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			files := &streaming{fakeFiles: fakeFiles{"http://x/f": "over http\n"}, t: t}
			w.env.Files = files
			w.h.MustWrite("/d/f", "old\n", 0o644)
			got := w.run("file.managed", "/d/f", append([]any{"source", "http://x/f"}, tt.args...)...)
			w.holds("/d/f", "over http\n", 0o644)
			if !strings.Contains(got.Changes, "+over http") || files.opened != tt.fetches {
				t.Errorf("got %+v, fetched %d times", got, files.opened)
			}
			w.run("file.cached", "http://x/f", tt.args...)
		})
	}
}

// streaming are files that can only be read bit by bit.
type streaming struct {
	fakeFiles
	t      *testing.T
	opened int
}

func (f *streaming) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	f.t.Errorf("%s was read whole", source)
	return nil, fs.ErrInvalid
}

func (f *streaming) Open(_ context.Context, source, _ string) (host.SourceReader, error) {
	f.opened++
	return newReader([]byte(f.fakeFiles[source])), nil
}
