package gitroots

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

// A Cache keeps copies of remotes in a directory: for each its repository, and below `trees` what was read of it.
type Cache struct {
	Dir     string
	Config  *config.Config
	Machine host.Reader // that git runs on
	Warn    func(*diag.Diagnostic)
	Secret  func(text string) // is told of passwords
	// Since is when the program began: what was fetched after it is not fetched again. Offline fetches nothing.
	Since   time.Time
	Offline bool
	// Used are the commits that were read.
	Used []Used
}

// A Used is a commit of a remote that files are read of.
type Used struct {
	Role, URL, Ref, Env, Commit, Dir string
	Fetched                          time.Time
}

const (
	firstFetch = 15 * time.Minute // how long a fetch may take
	laterFetch = 2 * time.Minute  // the same, where there is something to go on with
	lockWait   = 16 * time.Minute
	keepTrees  = 7 * 24 * time.Hour // how long a tree is kept that nobody reads
)

// open makes sure that there is a copy of a remote, as new as can be had.
func (c *Cache) open(ctx context.Context, r *remote) (*repo, error) {
	name := slug(r.url) + "-" + digest(r.url, strings.Join(r.refspecs, "\x00"))
	p := &repo{remote: r, c: c, dir: filepath.Join(c.Dir, name), commits: map[string]bool{}}
	d, err := host.OpenState(c.Dir)
	if err != nil {
		return nil, fmt.Errorf("keep a copy of '%s': %w", r.url, err)
	}
	d.Close()
	lock, err := host.Acquire(ctx, filepath.Join(p.dir, "lock"), "fetch "+r.url, lockWait)
	if err != nil {
		return nil, fmt.Errorf("keep a copy of '%s': %w", r.url, err)
	}
	defer lock.Release()
	fetched := p.fetched()
	if c.Offline || !c.Since.IsZero() && fetched.After(c.Since) {
		if fetched.IsZero() {
			return nil, fmt.Errorf("'%s' was not fetched yet", r.url)
		}
		return p, nil
	}
	if err = p.fetch(ctx, fetched); err == nil {
		p.prune()
		return p, nil
	}
	if fetched.IsZero() || ctx.Err() != nil {
		return nil, fmt.Errorf("fetch '%s': %w", r.url, err)
	}
	c.Warn(diag.Warnf(r.pos, "'%s' cannot be fetched, and is used as it was %s ago: %v", r.url, age(fetched), err))
	return p, nil
}

// fetched is when the remote was fetched last, zero for never.
func (r *repo) fetched() time.Time {
	info, err := os.Stat(filepath.Join(r.dir, "fetched"))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// fetch makes the copy what the remote is.
func (r *repo) fetch(ctx context.Context, before time.Time) error {
	limit := firstFetch
	if !before.IsZero() {
		limit = laterFetch
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer in %s", limit))
	defer cancel()
	if err := r.init(ctx, ""); err != nil {
		return err
	}
	get := []string{"fetch", "--quiet", "--prune", "--force", "--no-recurse-submodules",
		"--no-write-fetch-head", "origin"}
	_, err := r.ask(ctx, nil, nil, get...)
	if err != nil && strings.Contains(err.Error(), "mismatched algorithms") {
		if err = r.init(ctx, "sha256"); err == nil {
			_, err = r.ask(ctx, nil, nil, get...)
		}
	}
	if err != nil {
		return err
	}
	stamp := filepath.Join(r.dir, "fetched")
	if err := os.WriteFile(stamp, nil, 0o600); err != nil {
		return err
	}
	now := time.Now()
	return os.Chtimes(stamp, now, now)
}

// init makes the copy's repository; with a format, anew.
func (r *repo) init(ctx context.Context, format string) error {
	at := filepath.Join(r.dir, "repo.git")
	words := []string{"init", "--quiet", "--bare", "--template="}
	if _, err := os.Stat(filepath.Join(at, "HEAD")); format == "" && err == nil {
		return nil
	} else if format != "" {
		if err := os.RemoveAll(at); err != nil {
			return err
		}
		words = append(words, "--object-format="+format)
	}
	_, err := r.ask(ctx, nil, nil, words...)
	return err
}

// refs are the references of the copy with what they are at, branches as `branch/NAME` and tags as `tag/NAME`.
func (r *repo) refs(ctx context.Context) (map[string]string, error) {
	const form = "%(refname) %(objecttype) %(objectname) %(*objecttype) %(*objectname)"
	text, err := r.ask(ctx, nil, nil, "for-each-ref", "--format="+form, "refs/remotes/origin", "refs/tags")
	if err != nil {
		return nil, fmt.Errorf("read '%s': %w", r.url, err)
	}
	out := map[string]string{}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		name, hash := f[0], f[2]
		for i := 1; i+1 < len(f); i += 2 {
			if f[i] == "commit" {
				hash = f[i+1]
				r.commits[hash] = true
			}
		}
		if branch, ok := strings.CutPrefix(name, "refs/remotes/origin/"); ok && branch != "HEAD" {
			out["branch/"+branch] = hash
		} else if tag, ok := strings.CutPrefix(name, "refs/tags/"); ok {
			out["tag/"+tag] = hash
		}
	}
	return out, nil
}

// commit is the commit that an object is or tags, "" where there is none.
func (r *repo) commit(ctx context.Context, object string) string {
	if r.commits[object] {
		return object
	}
	text, err := r.ask(ctx, nil, nil, "rev-parse", "--quiet", "--verify", "--end-of-options", object+"^{commit}")
	if err != nil {
		return ""
	}
	return text
}

// prune removes trees that nobody has read for long, and what killed programs left.
func (r *repo) prune() {
	entries, err := os.ReadDir(filepath.Join(r.dir, "trees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > keepTrees {
			_ = os.RemoveAll(filepath.Join(r.dir, "trees", e.Name())) // it is tried again next time
		}
	}
}

// slug is the last part of an address, as a name of a directory.
func slug(url string) string {
	name := strings.TrimSuffix(strings.TrimRight(url, "/"), ".git")
	name = name[strings.LastIndexAny(name, "/:")+1:]
	name = strings.Map(func(c rune) rune {
		if c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return c
		}
		return '-'
	}, name)
	return name[:min(40, len(name))]
}

func digest(parts ...string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(parts, "\x00"))))[:10]
}

// age says how long ago a time is.
func age(t time.Time) string {
	switch d := time.Since(t); {
	case d < 2*time.Minute:
		return "less than 2 minutes"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours", int(d.Hours()))
	default:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	}
}
