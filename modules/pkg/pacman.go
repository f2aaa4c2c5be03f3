package pkg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// pacman is the package manager of Arch Linux. It holds nothing by a command of its own, and so do Salt and gostate.
type pacman struct{}

func newPacman(_ *modules.Env, h host.Reader) Provider {
	if _, err := h.LookPath("pacman"); err != nil {
		return nil
	}
	return &pacman{}
}

const (
	pacmanLocal = "/var/lib/pacman/local"
	pacmanSync  = "/var/lib/pacman/sync"
)

func (p *pacman) Compare(a, b string) int    { return compareALPM(a, b) }
func (p *pacman) Ending() string             { return ".pkg.tar" }
func (p *pacman) Sources() string            { return pacmanSync }
func (p *pacman) Stamp(h host.Reader) string { return stamp(h, pacmanLocal) }

// Database reads the folder of each package, which has its version in its name: no program is started.
func (p *pacman) Database(_ context.Context, h host.Reader) (*Database, error) {
	dirs, _ := h.ReadDir(pacmanLocal)
	var all []*Package
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		text, err := h.ReadFile(pacmanLocal + "/" + d.Path + "/desc")
		if err != nil {
			return nil, fmt.Errorf("read the package database: %w", err)
		}
		all = append(all, parseDesc(string(text)))
	}
	return newDatabase(all, "", arches{}), nil
}

// parseDesc reads pacman's description of a package: "%KEY%", and its values on the lines below.
func parseDesc(text string) *Package {
	p := &Package{Want: "install", State: "installed"}
	key := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "%") && strings.HasSuffix(line, "%"):
			key = line
		case line == "":
		case key == "%NAME%":
			p.Name = line
		case key == "%VERSION%":
			p.Version = line
		case key == "%ARCH%":
			p.Arch = line
		case key == "%PROVIDES%":
			name, _, _ := strings.Cut(line, "=")
			p.provides = append(p.provides, name)
		}
	}
	return p
}

// Lists: a list carries the time of the server, its change of place that of the machine.
func (p *pacman) Lists(h host.Reader) (fetched, configured time.Time) {
	files, _ := h.ReadDir(pacmanSync)
	for _, f := range files {
		if strings.HasSuffix(f.Path, ".db") {
			fetched = later(fetched, f.CTime)
		}
	}
	return fetched, changedIn(h, "/etc/pacman.conf", "/etc/pacman.d")
}

func (p *pacman) look(ctx context.Context, h host.Reader, words ...string) (*host.Output, error) {
	out, err := h.Query(ctx, host.Cmd{Args: append([]string{"pacman"}, words...), Env: english()})
	if err != nil {
		return nil, fmt.Errorf("ask pacman: %w", err)
	}
	return out, nil
}

// Offers asks for the descriptions of all names; pacman leaves out, with an error, those that it does not know.
func (p *pacman) Offers(ctx context.Context, h host.Reader, names []string, from Repos) (map[string]Offer, error) {
	asked := slices.Clone(names)
	for i := range asked {
		if from.From != "" {
			asked[i] = from.From + "/" + asked[i]
		}
	}
	out, err := p.look(ctx, h, append([]string{"-Si", "--"}, asked...)...)
	if err != nil {
		return nil, err
	}
	offers := map[string]Offer{}
	name := ""
	for line := range strings.Lines(string(out.Stdout)) {
		key, val, _ := strings.Cut(line, ":")
		switch val = strings.TrimSpace(val); strings.TrimSpace(key) {
		case "Name":
			name = val
		case "Version":
			if o := offers[name]; !slices.Contains(o.Versions, val) {
				o.Versions = append(o.Versions, val)
				o.Candidate = o.Versions[0] // of the source that is named first
				offers[name] = o
			}
		}
	}
	for _, n := range names {
		if _, ok := offers[n]; ok {
			continue
		}
		if steps, err := p.simulate(ctx, h, Request{Install: []Spec{{Name: n}}}); err == nil && len(steps) > 0 {
			offers[n] = Offer{}
		}
	}
	return offers, nil
}

// words are pacman's words for a request.
func (p *pacman) words(r Request) []string {
	words := []string{"-S"}
	switch {
	case r.DistUpgrade, r.Upgrade:
		return []string{"-Su"}
	case len(r.Install) == 0 && r.Purge:
		return append([]string{"-Rsc", "--"}, r.Remove...)
	case len(r.Install) == 0:
		return append([]string{"-R", "--"}, r.Remove...)
	case r.Install[0].File != "":
		words = []string{"-U"}
	case r.DownloadOnly:
		words = []string{"-Sw"}
	case !r.Reinstall:
		words = append(words, "--needed")
	}
	words = append(words, "--")
	for _, s := range r.Install {
		word := s.String()
		if r.Repos.From != "" && s.File == "" {
			word = r.Repos.From + "/" + word
		}
		words = append(words, word)
	}
	return words
}

// Simulate lets pacman print what it would take.
func (p *pacman) Simulate(ctx context.Context, h host.Reader, db *Database, r Request) ([]Step, error) {
	return replayed(db, r, func(r Request) ([]Step, error) { return p.simulate(ctx, h, r) })
}

func (p *pacman) simulate(ctx context.Context, h host.Reader, r Request) ([]Step, error) {
	words := p.words(r)
	out, err := p.look(ctx, h, append([]string{words[0], "--print", "--print-format", "%n %v"}, words[1:]...)...)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return nil, errors.New(pacmanReason(out))
	}
	var steps []Step
	for line := range strings.Lines(string(out.Stdout)) {
		f := strings.Fields(line)
		switch {
		case len(f) != 2 || strings.HasSuffix(f[0], ":"):
		case strings.HasPrefix(words[0], "-R"):
			steps = append(steps, Step{Name: f[0], Old: f[1]})
		default:
			steps = append(steps, Step{Name: f[0], New: f[1]})
		}
	}
	return steps, nil
}

// pacmanReason is why pacman failed: its errors, and what it could not bear.
func pacmanReason(out *host.Output) string {
	var all []string
	for line := range strings.Lines(string(out.Stderr) + string(out.Stdout)) {
		line = strings.TrimSpace(line)
		rest, fault := strings.CutPrefix(line, "error: ")
		if problem, ok := strings.CutPrefix(line, ":: "); ok && !strings.HasPrefix(problem, "Proceed") {
			rest, fault = problem, strings.Contains(problem, "requires") || strings.Contains(problem, "required") ||
				strings.Contains(problem, "conflict")
		}
		if fault {
			all = append(all, rest)
		}
	}
	if len(all) == 0 {
		return lastLine(out)
	}
	return strings.Join(all, "; ")
}

// Run makes the call, when nobody else has the database.
func (p *pacman) Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error {
	words := p.words(r)
	env.Progress("pacman " + strings.Join(words, " "))
	return p.do(ctx, env, h, append([]string{words[0], "--noconfirm", "--noprogressbar"}, words[1:]...)...)
}

func (p *pacman) do(ctx context.Context, env *modules.Env, h host.Host, words ...string) error {
	if err := await(ctx, env, func() string { return openedBy(h, "/var/lib/pacman/db.lck") }); err != nil {
		return err
	}
	out, err := h.Run(ctx, host.Cmd{Args: append([]string{"pacman"}, words...), Env: english()})
	if err != nil {
		return fmt.Errorf("run pacman: %w", err)
	}
	h.Invalidate("accounts") // packages make users
	h.Invalidate("path")
	if out.Code != 0 {
		return errors.New(pacmanReason(out))
	}
	return nil
}

// Refresh fetches the lists. Salt differs: where a state has to install something, it also upgrades the whole system.
func (p *pacman) Refresh(ctx context.Context, env *modules.Env, h host.Host) error {
	env.Progress("pacman -Sy")
	return p.do(ctx, env, h, "-Sy", "--noprogressbar")
}

// FileOf reads what bsdtar, a part of what pacman itself needs, finds in the package.
func (p *pacman) FileOf(ctx context.Context, h host.Reader, data []byte) (*Package, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"bsdtar", "-xOqf", "-", ".PKGINFO"}, Stdin: data, Env: english()})
	if err != nil {
		return nil, fmt.Errorf("read the package file: %w", err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("read the package file: %s", lastLine(out))
	}
	return parseInfo(string(out.Stdout))
}

// parseInfo reads the .PKGINFO of a package of pacman or apk: "key = value".
func parseInfo(text string) (*Package, error) {
	p := &Package{control: text}
	for line := range strings.Lines(text) {
		key, val, _ := strings.Cut(line, "=")
		switch val = strings.TrimSpace(val); strings.TrimSpace(key) {
		case "pkgname":
			p.Name = val
		case "pkgver":
			p.Version = val
		case "arch":
			p.Arch = val
		}
	}
	if p.Name == "" || p.Version == "" {
		return nil, errors.New("the package file does not say what package it is")
	}
	return p, nil
}

// Owner asks pacman.
func (p *pacman) Owner(ctx context.Context, h host.Reader, file string) (string, error) {
	out, err := p.look(ctx, h, "-Qqo", "--", file)
	if err != nil || out.Code != 0 {
		return "", err
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

// Files asks pacman.
func (p *pacman) Files(ctx context.Context, h host.Reader, name string) ([]string, error) {
	out, err := p.look(ctx, h, "-Qlq", "--", name)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return nil, errors.New(pacmanReason(out))
	}
	return paths(string(out.Stdout)), nil
}
