package pkg

import (
	"context"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// zypper is the package manager of SUSE.
type zypper struct{ rpm }

func newZypper(env *modules.Env, h host.Reader) Provider {
	if _, err := h.LookPath("zypper"); err != nil {
		return nil
	}
	return &zypper{newRPM(env, "/etc/zypp/locks", zyppLocked)}
}

// zyppLocked are the names of packages in zypp's list of locks: paragraphs of "key: value".
func zyppLocked(text string) []string {
	var out []string
	for lock := range strings.SplitSeq(text, "\n\n") {
		kind, name := "package", ""
		for line := range strings.Lines(lock) {
			key, val, _ := strings.Cut(line, ":")
			switch strings.TrimSpace(key) {
			case "type":
				kind = strings.TrimSpace(val)
			case "solvable_name":
				name = strings.TrimSpace(val)
			}
		}
		if kind == "package" && name != "" {
			out = append(out, name)
		}
	}
	return out
}

func (z *zypper) Sources() string { return "/var/cache/zypp" }

// Lists: a source has a folder of what was fetched, whose cookie is written with it, and one of what was made of it.
func (z *zypper) Lists(h host.Reader) (fetched, configured time.Time) {
	for _, dir := range []string{"/var/cache/zypp/raw/", "/var/cache/zypp/solv/"} {
		repos, _ := h.ReadDir(dir)
		for _, r := range repos {
			if i, err := h.Stat(dir + r.Path + "/cookie"); err == nil {
				fetched = later(fetched, i.MTime)
			}
		}
	}
	return fetched, changedIn(h, "/etc/zypp/repos.d", "/etc/zypp/zypp.conf")
}

// command is a call of zypper. It waits for another one that runs; one that only looks takes the lists as they are.
func (z *zypper) command(words ...string) host.Cmd {
	return host.Cmd{Args: append([]string{"zypper", "--non-interactive", "--no-refresh", "--xmlout"}, words...),
		Env: append(english(), fmt.Sprintf("ZYPP_LOCK_TIMEOUT=%d", int(lockPatience/time.Second)))}
}

// look runs it so that it writes nothing, without the locks where what is held is to be changed.
func (z *zypper) look(ctx context.Context, h host.Reader, changeHeld bool, words ...string) (*host.Output, error) {
	cmd, hide := z.command(words...), ""
	if changeHeld {
		hide = z.locks
	}
	quiet := aside(hide, cmd.Args...)
	quiet.Env = cmd.Env
	out, err := h.Query(ctx, quiet)
	if err != nil {
		return nil, fmt.Errorf("ask zypper: %w", err)
	}
	return out, nil
}

// zypperError is why a call failed: 100 to 103 and 106 tell of updates, restarts and sources that were left out.
func zypperError(out *host.Output) error {
	switch {
	case out.Code == 0, out.Code >= 100 && out.Code <= 103, out.Code == 106:
		return nil
	}
	text := string(out.Stdout)
	var all []string
	for _, part := range slices.Concat(between(text, `<message type="error">`, "</message>"),
		between(text, "<description>", "\n")) {
		if part = strings.Join(strings.Fields(part), " "); !slices.Contains(all, part) {
			all = append(all, part)
		}
	}
	if len(all) == 0 {
		return errors.New(lastLine(out))
	}
	return errors.New(strings.Join(all, "; "))
}

// between are the texts between two marks, without the marks of XML.
func between(text, begin, end string) (out []string) {
	for {
		_, rest, ok := strings.Cut(text, begin)
		if !ok {
			return out
		}
		inner, after, _ := strings.Cut(rest, end)
		out, text = append(out, html.UnescapeString(inner)), after
	}
}

// Offers asks for all versions. A name that no source has is asked for as something that a package provides.
func (z *zypper) Offers(ctx context.Context, h host.Reader, names []string, from Repos) (map[string]Offer, error) {
	words := []string{"search", "--match-exact", "--details", "--type", "package"}
	if from.From != "" {
		words = append(words, "--repo", from.From)
	}
	out, err := z.look(ctx, h, false, append(words, names...)...)
	if err != nil {
		return nil, err
	}
	if err := zypperError(out); err != nil && out.Code != 104 { // 104: nothing found
		return nil, fmt.Errorf("ask zypper what can be installed: %w", err)
	}
	offers := map[string]Offer{}
	for _, s := range z.solvables(string(out.Stdout)) {
		offers[s["name"]] = offers[s["name"]].with(s["edition"], z.Compare)
	}
	for _, n := range names {
		if _, ok := offers[n]; ok {
			continue
		}
		if steps, err := z.simulate(ctx, h, Request{Install: []Spec{{Name: n}}}); err == nil && len(steps) > 0 {
			offers[n] = Offer{}
		}
	}
	return offers, nil
}

// solvables are the attributes of the packages that zypper lists, and what is to be done with them as "section". A name
// carries its architecture where that is not the machine's.
func (z *zypper) solvables(text string) []map[string]string {
	tag := regexp.MustCompile(`<(/?to-[a-z-]+|solvable [^>]*)>`)
	attribute := regexp.MustCompile(`([a-z-]+)="([^"]*)"`)
	section := ""
	var out []map[string]string
	for _, m := range tag.FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "solvable ") {
			section = strings.TrimPrefix(m[1], "/")
			continue
		}
		s := map[string]string{"section": section}
		for _, a := range attribute.FindAllStringSubmatch(m[1], -1) {
			s[a[1]] = html.UnescapeString(a[2])
		}
		if kind := s["type"] + s["kind"]; kind == "package" {
			s["name"] = rpmArches().key(s["name"], s["arch"], z.native)
			out = append(out, s)
		}
	}
	return out
}

// calls are zypper's words for a request, the global ones first.
func (z *zypper) calls(r Request) [][]string {
	var flags []string
	add := func(on bool, words ...string) {
		if on {
			flags = append(flags, words...)
		}
	}
	add(r.DownloadOnly, "--download-only")
	var names []string
	older := false
	for _, s := range r.Install {
		if r.Reinstall && s.Version == "" {
			s.Version = s.Old
		}
		names = append(names, s.String())
		older = older || s.Version != "" && s.Old != "" && z.Compare(s.Version, s.Old) < 0
	}
	verb := "install"
	switch {
	case r.DistUpgrade:
		verb = "dist-upgrade"
	case r.Upgrade, r.OnlyUpgrade:
		verb = "update"
	case len(names) > 0:
		add(older, "--oldpackage")
		add(r.Reinstall, "--force")
		add(r.Repos.From != "", "--force", "--force-resolution", "--from", r.Repos.From)
	default:
		return [][]string{append([]string{"remove"}, r.Remove...)}
	}
	add(true, "--auto-agree-with-licenses")
	add(r.Recommends != nil && !*r.Recommends, "--no-recommends")
	add(r.Recommends != nil && *r.Recommends, "--recommends")
	call := append(append([]string{verb}, flags...), names...)
	if r.SkipVerify {
		call = append([]string{"--no-gpg-checks"}, call...)
	}
	return [][]string{call}
}

// Simulate asks for a dry run.
func (z *zypper) Simulate(ctx context.Context, h host.Reader, db *Database, r Request) ([]Step, error) {
	return replayed(db, r, func(r Request) ([]Step, error) { return z.simulate(ctx, h, r) })
}

func (z *zypper) simulate(ctx context.Context, h host.Reader, r Request) ([]Step, error) {
	var steps []Step
	for _, call := range z.calls(r) {
		at := slices.IndexFunc(call, func(w string) bool { return !strings.HasPrefix(w, "--") })
		out, err := z.look(ctx, h, r.ChangeHeld, slices.Insert(slices.Clone(call), at+1, "--dry-run")...)
		if err == nil {
			err = zypperError(out)
		}
		if err != nil {
			return nil, err
		}
		for _, s := range z.solvables(string(out.Stdout)) {
			step := Step{Name: s["name"], Old: s["edition-old"], New: s["edition"], Beside: s["section"] == "to-install"}
			if s["section"] == "to-remove" {
				step.Old, step.New = step.New, ""
			}
			steps = append(steps, step)
		}
	}
	return steps, nil
}

// Run makes the call. What is held and is to be changed is released before; the caller holds it again.
func (z *zypper) Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error {
	if held := z.heldOf(h, r); r.ChangeHeld && len(held) > 0 {
		if err := z.Hold(ctx, h, held, false); err != nil {
			return err
		}
	}
	for _, call := range z.calls(r) {
		env.Progress("zypper " + strings.Join(call, " "))
		if err := z.do(ctx, h, call...); err != nil {
			return err
		}
	}
	return nil
}

// heldOf are the packages of the request that are held.
func (z *zypper) heldOf(h host.Reader, r Request) (out []string) {
	text, _ := h.ReadFile(z.locks)
	locked := zyppLocked(string(text))
	for _, s := range r.Install {
		if slices.Contains(locked, s.Name) {
			out = append(out, s.Name)
		}
	}
	return out
}

func (z *zypper) do(ctx context.Context, h host.Host, words ...string) error {
	out, err := h.Run(ctx, z.command(words...))
	if err != nil {
		return fmt.Errorf("run zypper: %w", err)
	}
	h.Invalidate("accounts") // packages make users
	h.Invalidate("path")
	return zypperError(out)
}

// Refresh fetches the lists.
func (z *zypper) Refresh(ctx context.Context, env *modules.Env, h host.Host) error {
	env.Progress("zypper refresh")
	cmd := z.command("refresh", "--force")
	cmd.Args = slices.DeleteFunc(cmd.Args, func(w string) bool { return w == "--no-refresh" })
	out, err := h.Run(ctx, cmd)
	if err != nil {
		return fmt.Errorf("run zypper refresh: %w", err)
	}
	if err := zypperError(out); err != nil {
		return fmt.Errorf("zypper refresh: %w", err)
	}
	return nil
}

// Refusal is none: locks are zypper's own.
func (z *zypper) Refusal(host.Reader, *Database) string { return "" }

// Hold locks packages.
func (z *zypper) Hold(ctx context.Context, h host.Host, names []string, hold bool) error {
	verb := "removelock"
	if hold {
		verb = "addlock"
	}
	return z.do(ctx, h, append([]string{verb}, names...)...)
}

// Archive looks for the file among the packages that were downloaded from each source.
func (z *zypper) Archive(h host.Reader, name, version string) (file string, there bool) {
	const cache = "/var/cache/zypp/packages/"
	repos, _ := h.ReadDir(cache)
	for _, r := range repos {
		arches, _ := h.ReadDir(cache + r.Path)
		for _, a := range arches {
			folder := cache + r.Path + "/" + a.Path + "/"
			file := folder + name + "-" + withoutEpoch(version) + "." + a.Path + ".rpm"
			if _, err := h.Stat(file); err == nil {
				return file, true
			}
		}
	}
	return cache + "any/any/" + name + "-" + withoutEpoch(version) + ".any.rpm", false
}
