package pkg

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// apk is the package manager of Alpine Linux. It holds nothing, and so do Salt and gostate.
type apk struct{}

func newApk(_ *modules.Env, h host.Reader) Provider {
	if _, err := h.LookPath("apk"); err != nil {
		return nil
	}
	return &apk{}
}

// apkInstalled is where apk keeps what is installed, version 3 in the first.
func apkInstalled(h host.Reader) string {
	const newer = "/usr/lib/apk/db/installed"
	if _, err := h.Stat(newer); err == nil {
		return newer
	}
	return "/lib/apk/db/installed"
}

func (a *apk) Compare(x, y string) int    { return compareAPK(x, y) }
func (a *apk) Ending() string             { return ".apk" }
func (a *apk) Sources() string            { return "/var/cache/apk" }
func (a *apk) Stamp(h host.Reader) string { return stamp(h, apkInstalled(h)) }

// Database reads apk's file: paragraphs of "K:value". No program is started.
func (a *apk) Database(_ context.Context, h host.Reader) (*Database, error) {
	text, err := h.ReadFile(apkInstalled(h))
	if err != nil {
		return nil, fmt.Errorf("read the package database: %w", err)
	}
	var all []*Package
	for stanza := range strings.SplitSeq(string(text), "\n\n") {
		p := &Package{Want: "install", State: "installed"}
		for line := range strings.Lines(stanza) {
			key, val, _ := strings.Cut(strings.TrimSpace(line), ":")
			switch key {
			case "P":
				p.Name = val
			case "V":
				p.Version = val
			case "A":
				p.Arch = val
			case "o":
				p.Source = val
			case "p":
				for _, word := range strings.Fields(val) {
					name, _, _ := strings.Cut(word, "=")
					p.provides = append(p.provides, name)
				}
			}
		}
		if p.Name != "" {
			all = append(all, p)
		}
	}
	return newDatabase(all, "", arches{}), nil
}

// Lists: those of sources that are directories are read where they are.
func (a *apk) Lists(h host.Reader) (fetched, configured time.Time) {
	for _, dir := range []string{"/var/cache/apk", "/etc/apk/cache"} {
		files, _ := h.ReadDir(dir)
		for _, f := range files {
			if strings.HasPrefix(f.Path, "APKINDEX.") {
				fetched = later(fetched, f.CTime)
			}
		}
	}
	configured = changedIn(h, "/etc/apk/repositories", "/etc/apk/repositories.d")
	text, _ := h.ReadFile("/etc/apk/repositories")
	if fetched.IsZero() && len(text) > 0 && !strings.Contains(string(text), "://") {
		fetched = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC) // never too old
	}
	return fetched, configured
}

func (a *apk) look(ctx context.Context, h host.Reader, words ...string) (*host.Output, error) {
	out, err := h.Query(ctx, host.Cmd{Args: append([]string{"apk", "--no-network"}, words...), Env: english()})
	if err != nil {
		return nil, fmt.Errorf("ask apk: %w", err)
	}
	return out, nil
}

// Offers reads `apk policy`: "name policy:", versions with a colon below it, and where each is to be had below that.
func (a *apk) Offers(ctx context.Context, h host.Reader, names []string, _ Repos) (map[string]Offer, error) {
	out, err := a.look(ctx, h, append([]string{"policy", "--"}, names...)...)
	if err != nil {
		return nil, err
	}
	offers := map[string]Offer{}
	name := ""
	for line := range strings.Lines(string(out.Stdout)) {
		text := strings.TrimSpace(line)
		if n, ok := strings.CutSuffix(text, " policy:"); ok {
			name = n
		} else if v, ok := strings.CutSuffix(text, ":"); ok && strings.HasPrefix(line, "  ") {
			offers[name] = offers[name].with(v, a.Compare)
		}
	}
	for _, n := range names {
		if _, ok := offers[n]; ok {
			continue
		}
		if steps, err := a.simulate(ctx, h, Request{Install: []Spec{{Name: n}}}); err == nil && len(steps) > 0 {
			offers[n] = Offer{}
		}
	}
	return offers, nil
}

// words are apk's words for a request. Salt differs: it leaves out the version.
func (a *apk) words(r Request) []string {
	switch {
	case r.DistUpgrade, r.Upgrade:
		return []string{"upgrade"}
	case len(r.Install) == 0 && r.Purge:
		return append([]string{"del", "--purge", "--"}, r.Remove...)
	case len(r.Install) == 0:
		return append([]string{"del", "--"}, r.Remove...)
	}
	words := []string{"add"}
	if r.Reinstall {
		words = []string{"fix", "--reinstall"}
	}
	for _, s := range r.Install {
		if s.Old != "" && !r.Reinstall && !slices.Contains(words, "--upgrade") {
			words = append(words, "--upgrade")
		}
		if r.SkipVerify && !slices.Contains(words, "--allow-untrusted") {
			words = append(words, "--allow-untrusted")
		}
	}
	words = append(words, "--")
	for _, s := range r.Install {
		words = append(words, s.String())
	}
	return words
}

// Simulate asks apk.
func (a *apk) Simulate(ctx context.Context, h host.Reader, db *Database, r Request) ([]Step, error) {
	return replayed(db, r, func(r Request) ([]Step, error) { return a.simulate(ctx, h, r) })
}

func (a *apk) simulate(ctx context.Context, h host.Reader, r Request) ([]Step, error) {
	words := a.words(r)
	out, err := a.look(ctx, h, append([]string{words[0], "--simulate"}, words[1:]...)...)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return nil, errors.New(apkReason(out))
	}
	return parseApk(string(out.Stdout)), nil
}

// parseApk reads what apk does: "(1/2) Installing hello (1.0-r0)", "(2/2) Upgrading hello (1.0-r0 -> 2.0-r0)".
func parseApk(text string) []Step {
	var steps []Step
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "(") {
			continue
		}
		first, last := strings.Trim(f[3], "()"), strings.Trim(f[len(f)-1], "()")
		switch f[1] {
		case "Installing", "Reinstalling":
			steps = append(steps, Step{Name: f[2], New: first})
		case "Upgrading", "Downgrading", "Replacing":
			steps = append(steps, Step{Name: f[2], Old: first, New: last})
		case "Purging":
			steps = append(steps, Step{Name: f[2], Old: first})
		}
	}
	return steps
}

// apkReason is why apk failed: its errors, and what is below them.
func apkReason(out *host.Output) string {
	var all []string
	for line := range strings.Lines(string(out.Stderr) + string(out.Stdout)) {
		line = strings.TrimRight(line, "\n")
		rest, fault := strings.CutPrefix(line, "ERROR: ")
		switch {
		case fault:
			all = append(all, strings.TrimSuffix(rest, ":"))
		case strings.HasPrefix(line, "  ") && len(all) > 0:
			all = append(all, strings.TrimSpace(line))
		}
	}
	if len(all) == 0 {
		return lastLine(out)
	}
	return strings.Join(all, ": ")
}

// Run makes the call. apk itself waits for another one that runs.
func (a *apk) Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error {
	words := a.words(r)
	env.Progress("apk " + strings.Join(words, " "))
	return a.do(ctx, h, words...)
}

func (a *apk) do(ctx context.Context, h host.Host, words ...string) error {
	wait := fmt.Sprint(int(lockPatience / time.Second))
	out, err := h.Run(ctx, host.Cmd{Args: append([]string{"apk", "--no-progress", "--wait", wait}, words...),
		Env: english()})
	if err != nil {
		return fmt.Errorf("run apk: %w", err)
	}
	h.Invalidate("accounts") // packages make users
	h.Invalidate("path")
	if out.Code != 0 {
		return errors.New(apkReason(out))
	}
	return nil
}

// Refresh fetches the lists.
func (a *apk) Refresh(ctx context.Context, env *modules.Env, h host.Host) error {
	env.Progress("apk update")
	return a.do(ctx, h, "update")
}

// FileOf reads the .PKGINFO of a package, which is several compressed archives one behind the other.
func (a *apk) FileOf(_ context.Context, _ host.Reader, data []byte) (*Package, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read the package file: %w", err)
	}
	for in := tar.NewReader(z); ; {
		f, err := in.Next()
		if err != nil {
			return nil, fmt.Errorf("read the package file: %w", err)
		}
		if f.Name != ".PKGINFO" {
			continue
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, fmt.Errorf("read the package file: %w", err)
		}
		return parseInfo(string(text))
	}
}

// Owner asks apk: "/bin/x is owned by hello-1.0-r0".
func (a *apk) Owner(ctx context.Context, h host.Reader, file string) (string, error) {
	out, err := a.look(ctx, h, "info", "--who-owns", "--quiet", file)
	if err != nil || out.Code != 0 {
		return "", err
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

// Files asks apk, which leaves out the first slash.
func (a *apk) Files(ctx context.Context, h host.Reader, name string) ([]string, error) {
	out, err := a.look(ctx, h, "info", "--contents", "--quiet", name)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return nil, errors.New(apkReason(out))
	}
	var all []string
	for _, line := range strings.Fields(string(out.Stdout)) {
		all = append(all, "/"+line)
	}
	return all, nil
}
