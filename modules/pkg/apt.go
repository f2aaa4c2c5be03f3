package pkg

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

// apt is the package manager of Debian and its kin.
type apt struct{ admindir string }

// newApt honours DPKG_ADMINDIR, as dpkg itself does.
func newApt() *apt {
	if dir := os.Getenv("DPKG_ADMINDIR"); dir != "" {
		return &apt{admindir: dir}
	}
	return &apt{admindir: "/var/lib/dpkg"}
}

func (a *apt) Database(_ context.Context, h host.Reader) (*Database, error) {
	return readDatabase(h, a.admindir)
}
func (a *apt) Stamp(h host.Reader) string { return stamp(h, a.status()) }
func (a *apt) status() string             { return a.admindir + "/status" }
func (a *apt) Sources() string            { return "/var/lib/apt/lists" }
func (a *apt) Compare(x, y string) int    { return Compare(x, y) }
func (a *apt) Ending() string             { return ".deb" }

// readOnly keeps apt from writing its binary caches and its logs when it only looks.
func readOnly() []string {
	return []string{"-o", "Dir::Cache::pkgcache=", "-o", "Dir::Cache::srcpkgcache=", "-o", "Dir::Log::Terminal=/dev/null",
		"-o", "Dir::Log::History=/dev/null", "-o", "Dir::Log::Planner=/dev/null", "-o", "Dir::Log::Solver=/dev/null"}
}

// environ is for every command of apt and dpkg: no questions, English messages.
func environ() []string {
	return []string{"DEBIAN_FRONTEND=noninteractive", "APT_LISTCHANGES_FRONTEND=none", "APT_LISTBUGS_FRONTEND=none",
		"UCF_FORCE_CONFFOLD=1",
		"LC_ALL=C.UTF-8"}
}

func (a *apt) Offers(ctx context.Context, h host.Reader, names []string, from Repos) (map[string]Offer, error) {
	args := append([]string{"apt-cache", "-q"}, readOnly()...)
	if from.From != "" {
		args = append(args, "-t", from.From)
	}
	args = append(append(args, "policy", "--"), names...)
	out, err := h.Query(ctx, host.Cmd{Args: args, Env: environ()})
	if err != nil {
		return nil, fmt.Errorf("ask apt what can be installed: %w", err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("ask apt what can be installed: %s", reason(out))
	}
	return parsePolicy(string(out.Stdout)), nil
}

// parsePolicy reads `apt-cache policy`: a name at the margin, Candidate below it, and one line for each version.
func parsePolicy(text string) map[string]Offer {
	offers := map[string]Offer{}
	name := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		f := strings.Fields(line)
		switch {
		case line == "" || len(f) == 0:
		case line[0] != ' ' && strings.HasSuffix(line, ":"):
			name = strings.TrimSuffix(line, ":")
			offers[name] = Offer{}
		case f[0] == "Candidate:" && len(f) > 1 && f[1] != "(none)":
			o := offers[name]
			o.Candidate = f[1]
			offers[name] = o
		case strings.HasPrefix(line, " *** ") || strings.HasPrefix(line, "     ") && !strings.HasPrefix(line, "      "):
			if f[0] == "***" {
				f = f[1:]
			}
			o := offers[name]
			o.Versions = append(o.Versions, f[0])
			offers[name] = o
		}
	}
	return offers
}

// Lists says when the lists of the sources were fetched, and when the sources were configured.
func (a *apt) Lists(h host.Reader) (fetched, sources time.Time) {
	lists, _ := h.ReadDir("/var/lib/apt/lists")
	some := false
	for _, l := range lists {
		if strings.HasSuffix(l.Path, "Packages") || strings.Contains(l.Path, "_Packages.") {
			fetched, some = later(fetched, l.MTime), true
		}
	}
	if !some {
		return time.Time{}, configured(h)
	}
	// apt-get update leaves its mark even where nothing was new.
	for _, p := range []string{"/var/lib/apt/lists", "/var/lib/apt/lists/partial",
		"/var/lib/apt/periodic/update-success-stamp"} {
		if i, err := h.Stat(p); err == nil {
			fetched = later(fetched, i.MTime)
		}
	}
	return fetched, configured(h)
}

// configured is when the sources were last changed.
func configured(h host.Reader) time.Time {
	var t time.Time
	if i, err := h.Stat("/etc/apt/sources.list"); err == nil {
		t = i.MTime
	}
	parts, _ := h.ReadDir("/etc/apt/sources.list.d")
	for _, p := range parts {
		t = later(t, p.MTime)
	}
	return t
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// words are the specs as text.
func words(specs []Spec) []string {
	out := make([]string, len(specs))
	for i, s := range specs {
		out[i] = s.String()
	}
	return out
}

// args are apt-get's words for a request.
func (r Request) args() []string {
	var args []string
	add := func(on bool, w ...string) {
		if on {
			args = append(args, w...)
		}
	}
	add(!r.NewConf, "-o", "DPkg::Options::=--force-confold")
	add(r.NewConf, "-o", "DPkg::Options::=--force-confnew")
	add(true, "-o", "DPkg::Options::=--force-confdef")
	add(r.SkipVerify, "--allow-unauthenticated")
	add(r.SkipSuggestions, "--no-install-suggests")
	add(r.Repos.From != "", "-t", r.Repos.From)
	add(r.Recommends != nil && !*r.Recommends, "--no-install-recommends")
	add(r.Recommends != nil && *r.Recommends, "--install-recommends")
	add(r.Reinstall, "--reinstall")
	add(r.OnlyUpgrade, "--only-upgrade")
	add(r.DownloadOnly, "--download-only")
	add(r.ChangeHeld, "--allow-change-held-packages")
	switch {
	case r.DistUpgrade:
		return append(args, "dist-upgrade")
	case r.Upgrade:
		return append(args, "upgrade")
	case len(r.Install) > 0:
		return append(append(args, "--allow-downgrades", "install", "--"), words(r.Install)...)
	case r.Purge:
		return append(append(args, "purge", "--"), r.Remove...)
	}
	return append(append(args, "remove", "--"), r.Remove...)
}

func (a *apt) Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error {
	args := append([]string{"apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=60"}, r.args()...)
	err := a.aptGet(ctx, env, h, args)
	var left error // undone of an earlier run
	if err != nil && strings.Contains(err.Error(), "dpkg was interrupted") {
		left = a.configure(ctx, h)
		err = a.aptGet(ctx, env, h, args)
	}
	if isBroken(err) {
		if err = a.mend(ctx, env, h); err == nil {
			left, err = nil, a.aptGet(ctx, env, h, args)
		}
	}
	if err != nil && left != nil {
		return left
	}
	return err
}

func (a *apt) aptGet(ctx context.Context, env *modules.Env, h host.Host, args []string) error {
	if err := a.awaitLock(ctx, env, h); err != nil {
		return err
	}
	env.Progress(strings.Join(args[min(len(args)-1, slices.Index(args, "--")+1):], " "))
	out, err := h.Run(ctx, host.Cmd{Args: args, Env: environ()})
	if err != nil {
		return fmt.Errorf("run apt-get: %w", err)
	}
	h.Invalidate("accounts") // packages make users
	h.Invalidate("path")
	if out.Code != 0 {
		return refused(out)
	}
	return nil
}

func (a *apt) Refresh(ctx context.Context, env *modules.Env, h host.Host) error {
	env.Progress("apt-get update")
	out, err := h.Run(ctx, host.Cmd{Args: []string{"apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=60", "update"},
		Env: environ()})
	if err != nil {
		return fmt.Errorf("run apt-get update: %w", err)
	}
	if out.Code != 0 {
		return fmt.Errorf("apt-get update failed: %s", reason(out))
	}
	// A list that was not fetched is a warning at the end. Lines of "Err:" may have been mended by another try.
	for line := range strings.Lines(string(out.Stdout) + string(out.Stderr)) {
		if strings.HasPrefix(line, "W: Failed to fetch") {
			return fmt.Errorf("apt-get update: %s", strings.TrimSpace(line))
		}
	}
	return nil
}

func (a *apt) Hold(ctx context.Context, h host.Host, names []string, hold bool) error {
	word := "unhold"
	if hold {
		word = "hold"
	}
	return a.tool(ctx, h, host.Cmd{Args: append([]string{"apt-mark", word, "--"}, names...)})
}

func (a *apt) Want(ctx context.Context, h host.Host, names []string) error {
	return a.tool(ctx, h, host.Cmd{Args: []string{"dpkg", "--set-selections"},
		Stdin: []byte(strings.Join(names, " install\n") + " install\n")})
}

// tool runs a command that changes the package database.
func (a *apt) tool(ctx context.Context, h host.Host, cmd host.Cmd) error {
	cmd.Env = environ()
	out, err := h.Run(ctx, cmd)
	if err != nil {
		return fmt.Errorf("run %s: %w", cmd.Args[0], err)
	}
	if out.Code != 0 {
		return errors.New(reason(out))
	}
	return nil
}

// FileOf reads what dpkg-deb tells.
func (a *apt) FileOf(ctx context.Context, h host.Reader, data []byte) (*Package, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"dpkg-deb", "--ctrl-tarfile", "-"}, Stdin: data, Env: environ()})
	if err != nil {
		return nil, fmt.Errorf("read the package file: %w", err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("read the package file: %s", reason(out))
	}
	for in := tar.NewReader(bytes.NewReader(out.Stdout)); ; {
		f, err := in.Next()
		if err != nil {
			return nil, fmt.Errorf("read the package file: %w", err)
		}
		if path.Base(f.Name) != "control" {
			continue
		}
		text, err := io.ReadAll(in)
		if err != nil {
			return nil, fmt.Errorf("read the package file: %w", err)
		}
		ps, err := parseStatus(bytes.NewReader(text))
		if err != nil || len(ps) != 1 {
			return nil, errors.Join(errors.New("the package file does not say what package it is"), err)
		}
		ps[0].control = string(text)
		return ps[0], nil
	}
}

// Verify asks dpkg for files whose content differs. Configuration files ("c") are the user's to change.
func (a *apt) Verify(ctx context.Context, h host.Reader, names []string) ([]string, error) {
	var altered []string
	for _, n := range names {
		out, err := h.Query(ctx, host.Cmd{Args: []string{"dpkg", "--verify", n}, Env: environ()})
		if err != nil {
			return nil, fmt.Errorf("verify %s: %w", n, err)
		}
		for line := range strings.Lines(string(out.Stdout)) {
			f := strings.Fields(line)
			if len(f) == 2 && (strings.Contains(f[0], "5") || f[0] == "missing") {
				altered = append(altered, n)
				break
			}
		}
	}
	return altered, nil
}

// info reads one of the files that dpkg keeps of a package.
func (a *apt) info(h host.Reader, name, ending string) ([]byte, bool) {
	base, _, _ := strings.Cut(name, ":")
	for _, n := range []string{name, base, base + ":amd64", base + ":arm64"} {
		if data, err := h.ReadFile(a.admindir + "/info/" + n + ending); err == nil {
			return data, true
		}
	}
	return nil, false
}

// Leaves: dpkg keeps a package that has configuration files, or a script to run when it is purged.
func (a *apt) Leaves(h host.Reader, p *Package) bool {
	_, script := a.info(h, p.Name, ".postrm")
	return script || p.conffiles
}

func (a *apt) Units(h host.Reader, name string) []string {
	var units []string
	list, _ := a.info(h, name, ".list")
	for line := range strings.Lines(string(list)) {
		dir, unit := path.Split(strings.TrimSpace(line))
		switch {
		case strings.HasSuffix(dir, "/lib/systemd/system/") && strings.Contains(unit, "."):
			units = append(units, unit)
		case dir == "/etc/init.d/" && !slices.Contains(units, unit+".service"):
			units = append(units, unit+".service")
		}
	}
	return units
}

// Nearest looks among the names that begin alike.
func (a *apt) Nearest(ctx context.Context, h host.Reader, name string) string {
	stem := name[:min(len(name), 3)]
	out, err := h.Query(ctx, host.Cmd{Args: append(append([]string{"apt-cache"}, readOnly()...), "pkgnames", stem),
		Env: environ()})
	if err != nil || out.Code != 0 {
		return ""
	}
	return diag.Nearest(name, strings.Fields(string(out.Stdout)))
}

// Owner asks dpkg.
func (a *apt) Owner(ctx context.Context, h host.Reader, file string) (string, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"dpkg-query", "-S", "--", file}, Env: environ()})
	if err != nil {
		return "", fmt.Errorf("ask dpkg who owns %s: %w", file, err)
	}
	name, _, _ := strings.Cut(string(out.Stdout), ":")
	return strings.TrimSpace(name), nil
}

// Files asks dpkg.
func (a *apt) Files(ctx context.Context, h host.Reader, name string) ([]string, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"dpkg-query", "-L", "--", name}, Env: environ()})
	if err != nil {
		return nil, fmt.Errorf("ask dpkg for the files of %s: %w", name, err)
	}
	if out.Code != 0 {
		return nil, errors.New(strings.TrimSpace(string(out.Stderr)))
	}
	return paths(string(out.Stdout)), nil
}

// paths are the lines that are paths, without that of the root.
func paths(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if l := strings.TrimSpace(line); strings.HasPrefix(l, "/") && l != "/." {
			out = append(out, l)
		}
	}
	return out
}

// Archive looks for the file where apt keeps what it downloaded.
func (a *apt) Archive(h host.Reader, name, version string) (file string, there bool) {
	const dir = "/var/cache/apt/archives/"
	prefix := name + "_" + strings.ReplaceAll(version, ":", "%3a") + "_"
	files, _ := h.ReadDir(dir)
	for _, f := range files {
		if strings.HasPrefix(f.Path, prefix) {
			return dir + f.Path, true
		}
	}
	return dir + prefix + "any.deb", false
}

// Refusal is none: dpkg holds whatever it knows.
func (a *apt) Refusal(host.Reader, *Database) string { return "" }
