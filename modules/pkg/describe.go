package pkg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// An asker knows which packages were asked for, and did not only come along with others.
type asker interface {
	Asked(ctx context.Context, h host.Reader, db *Database) (map[string]bool, error)
}

func describers() []modules.Describer {
	return []modules.Describer{
		{Kind: "package", Other: []string{"pkg", "packages"}, Doc: "Packages that are installed, and which of them are held.",
			Left: "Packages that came along with others: they come along again. Versions are notes where single " +
				"packages are asked for, since no other machine need have the same.",
			Rank: 10, Describe: describePackages},
		{Kind: "conffile", Other: []string{"config", "configuration"},
			Doc: "Files of /etc that differ from their package's, or that no package owns, as states of file.",
			Left: "What other kinds tell of (accounts, hosts, fstab, sysctl, sources of packages, ...), and what the " +
				"machine makes itself (machine-id, host keys of ssh, caches, links of services and alternatives). Only " +
				"dpkg notes what a file was like.",
			Rank: 910, Describe: describeConffiles},
	}
}

func describePackages(ctx context.Context, l *modules.Look) error {
	s, db, err := lookUp(ctx, l.Env, l.Host)
	if err != nil {
		return err
	}
	asked, known, err := s.asked(ctx, l.Host, db)
	if err != nil {
		return err
	}
	var there, held []string
	for _, p := range db.All() {
		if !p.Installed() || !l.Wants(!known || asked[p.Name], p.Name) {
			continue
		}
		if there = append(there, p.Name); p.Held() {
			held = append(held, p.Name)
		}
		if len(l.Names) > 0 {
			l.Tell(p.Name, "pkg.installed").Note("version %s", p.Version)
		}
	}
	if len(l.Names) == 0 && len(there) > 0 {
		l.Tell("packages", "pkg.installed", "pkgs", there)
	}
	if len(held) > 0 {
		l.Tell("held", "pkg.held", "pkgs", held)
	}
	for _, n := range l.Absent() {
		l.Lack(n, "pkg.removed")
	}
	return nil
}

// asked are the packages that were asked for; known is false where the package manager does not note that.
func (s *session) asked(ctx context.Context, h host.Reader, db *Database) (asked map[string]bool, known bool,
	err error) {
	a, ok := s.provider.(asker)
	if !ok {
		return nil, false, nil
	}
	asked, err = a.Asked(ctx, h, db)
	return asked, err == nil, err
}

// Asked reads apt's own notes: what is not marked as automatic was asked for.
func (a *apt) Asked(_ context.Context, h host.Reader, db *Database) (map[string]bool, error) {
	out := map[string]bool{}
	for _, p := range db.All() {
		out[p.Name] = true
	}
	data, err := h.ReadFile("/var/lib/apt/extended_states")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read apt's marks: %w", err)
	}
	for stanza := range strings.SplitSeq(string(data), "\n\n") {
		ps, err := parseStatus(strings.NewReader(stanza))
		if err != nil || len(ps) != 1 || !slices.Contains(strings.Split(stanza, "\n"), "Auto-Installed: 1") {
			continue
		}
		delete(out, db.arches.key(ps[0].Name, ps[0].Arch, db.Native))
	}
	return out, nil
}

// Asked reads apk's list of what was asked for.
func (a *apk) Asked(_ context.Context, h host.Reader, _ *Database) (map[string]bool, error) {
	data, err := h.ReadFile("/etc/apk/world")
	return named(strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })), err
}

// Asked asks pacman.
func (p *pacman) Asked(ctx context.Context, h host.Reader, _ *Database) (map[string]bool, error) {
	return listed(ctx, h, "pacman", "-Qqe")
}

// Asked asks dnf.
func (d *dnf) Asked(ctx context.Context, h host.Reader, _ *Database) (map[string]bool, error) {
	return listed(ctx, h, "dnf", "-C", "-q", "repoquery", "--userinstalled", "--qf", `%{name}\n`)
}

// listed are the names that a command prints.
func listed(ctx context.Context, h host.Reader, words ...string) (map[string]bool, error) {
	out, err := h.Query(ctx, host.Cmd{Args: words})
	if err != nil {
		return nil, fmt.Errorf("ask %s which packages were asked for: %w", words[0], err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("ask %s which packages were asked for: %s", words[0], strings.TrimSpace(string(out.Stderr)))
	}
	return named(strings.Fields(strings.ReplaceAll(string(out.Stdout), `\n`, "\n"))), nil
}

// named are the names of words that may carry a version: "name>=1".
func named(words []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words {
		if i := strings.IndexAny(w, "<>=~@"); i > 0 {
			w = w[:i]
		}
		out[strings.TrimSpace(w)] = true
	}
	return out
}
