package pkg

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// dnf is the package manager of Red Hat's kin, by the name of its command: dnf, tdnf or yum.
type dnf struct {
	rpm
	command string
}

// newDNF takes the first of the commands that is there, nil for none.
func newDNF(env *modules.Env, h host.Reader) Provider {
	for _, command := range []string{"dnf", "tdnf", "yum"} {
		if _, err := h.LookPath(command); err == nil {
			locks := "/etc/dnf/plugins/versionlock.list"
			if command == "yum" {
				locks = "/etc/yum/pluginconf.d/versionlock.list"
			}
			return &dnf{newRPM(env, locks, versionLocked), command}
		}
	}
	return nil
}

// versionLocked are the names in a list of the plugin versionlock: "hello-0:1.0-1.*" of dnf, "0:hello-1.0-1.*" of yum.
func versionLocked(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if epoch, rest, ok := strings.Cut(line, ":"); ok && strings.Trim(epoch, "0123456789") == "" {
			line = rest
		}
		f := strings.Split(line, "-")
		if len(f) > 2 && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "!") {
			out = append(out, strings.Join(f[:len(f)-2], "-"))
		}
	}
	return out
}

func (d *dnf) Sources() string { return d.cache() }

func (d *dnf) cache() string {
	if d.command == "yum" {
		return "/var/cache/yum"
	}
	return "/var/cache/dnf"
}

// Lists: each source has a folder in the cache, whose description is as old as the lists. dnf leaves it where nothing
// is new, and takes the source from the list of those that expired.
func (d *dnf) Lists(h host.Reader) (fetched, configured time.Time) {
	dirs, _ := h.ReadDir(d.cache())
	for _, i := range dirs {
		for _, file := range []string{i.Path, i.Path + "/repodata/repomd.xml", i.Path + "/cachecookie"} {
			file = path.Join(d.cache(), file)
			info, err := h.Stat(file)
			if err == nil && info.IsRegular() && (strings.HasSuffix(file, ".solv") || file != path.Join(d.cache(), i.Path)) {
				fetched = later(fetched, info.MTime)
			}
		}
	}
	expired := d.cache() + "/expired_repos.json"
	if text, err := h.ReadFile(expired); err == nil && strings.TrimSpace(string(text)) == "[]" && !fetched.IsZero() {
		if i, err := h.Stat(expired); err == nil {
			fetched = later(fetched, i.MTime)
		}
	}
	return fetched, changedIn(h, "/etc/yum.repos.d", "/etc/dnf/dnf.conf", "/etc/yum.conf")
}

// changedIn is when one of the files, or what is in one of the directories, was last changed.
func changedIn(h host.Reader, paths ...string) (t time.Time) {
	for _, p := range paths {
		if i, err := h.Stat(p); err == nil && i.IsRegular() {
			t = later(t, i.MTime)
		}
		files, _ := h.ReadDir(p)
		for _, f := range files {
			t = later(t, f.MTime)
		}
	}
	return t
}

// args are the words for the sources of a request.
func (r Repos) args() []string {
	var args []string
	if r.From != "" {
		return append([]string{"--disablerepo=*", "--enablerepo=" + r.From}, r.Options...)
	}
	for _, name := range r.Disable {
		args = append(args, "--disablerepo="+name)
	}
	for _, name := range r.Enable {
		args = append(args, "--enablerepo="+name)
	}
	return append(args, r.Options...)
}

// look runs the command so that it writes nothing, and takes the lists as they are.
func (d *dnf) look(ctx context.Context, h host.Reader, words ...string) (*host.Output, error) {
	out, err := h.Query(ctx, aside("", append([]string{d.command, "-C"}, words...)...))
	if err != nil {
		return nil, fmt.Errorf("ask %s: %w", d.command, err)
	}
	return out, nil
}

// Offers asks for all versions. A name that no source has is asked for as something that a package provides.
func (d *dnf) Offers(ctx context.Context, h host.Reader, names []string, from Repos) (map[string]Offer, error) {
	words := append(append([]string{"-q"}, from.args()...), "--showduplicates", "list")
	out, err := d.look(ctx, h, append(words, names...)...)
	if err != nil {
		return nil, err
	}
	if why := dnfReason(out); out.Code != 0 && !strings.HasPrefix(why, "No matching Packages") {
		return nil, fmt.Errorf("ask %s what can be installed: %s", d.command, why)
	}
	offers := d.parseList(string(out.Stdout))
	for _, n := range names {
		if _, ok := offers[n]; ok {
			continue
		}
		if steps, err := d.Simulate(ctx, h, nil, Request{Install: []Spec{{Name: n}}, Repos: from}); err == nil &&
			len(steps) > 0 {
			offers[n] = Offer{}
		}
	}
	return offers, nil
}

// with is the offer with one version more.
func (o Offer) with(version string, compare func(a, b string) int) Offer {
	at := 0
	for at < len(o.Versions) && compare(o.Versions[at], version) > 0 {
		at++
	}
	if at == len(o.Versions) || o.Versions[at] != version {
		o.Versions = append(o.Versions[:at:at], append([]string{version}, o.Versions[at:]...)...)
	}
	o.Candidate = o.Versions[0]
	return o
}

// calls are the command's words for a request: as Salt, one call for what is installed or upgraded, one for what
// becomes older, one for what is installed anew.
func (d *dnf) calls(r Request) [][]string {
	var calls [][]string
	add := func(flags []string, verb string, words ...string) {
		if len(words) > 0 || verb == "upgrade" && (r.Upgrade || r.DistUpgrade) {
			calls = append(calls, append(append(append(flags, d.options(r)...), verb), words...))
		}
	}
	var install, older, anew []string
	for _, s := range r.Install {
		word := d.word(s)
		switch {
		case r.Reinstall && s.Old != "" && (s.Version == "" || d.Compare(s.Version, s.Old) == 0):
			anew = append(anew, word)
		case s.Version != "" && s.Old != "" && d.Compare(s.Version, s.Old) < 0 && !strings.HasPrefix(s.Name, "kernel"):
			older = append(older, word)
		default:
			install = append(install, word)
		}
	}
	best := []string{"--best", "--allowerasing"}
	if d.command != "dnf" {
		best = nil
	}
	verb := "install"
	if r.OnlyUpgrade {
		verb, best = "upgrade", nil
	}
	add(best, verb, install...)
	add(nil, "downgrade", older...)
	add(nil, "reinstall", anew...)
	if r.Upgrade || r.DistUpgrade {
		add(nil, "upgrade")
	}
	var remove []string
	for _, n := range r.Remove {
		name, version, _ := strings.Cut(n, "=")
		remove = append(remove, d.word(Spec{Name: name, Version: version}))
	}
	add(nil, "remove", remove...)
	return calls
}

func (d *dnf) options(r Request) []string {
	args := r.Repos.args()
	for _, o := range []struct {
		on   bool
		word string
	}{
		{r.SkipVerify, "--nogpgcheck"}, {r.DownloadOnly, "--downloadonly"}, {r.ChangeHeld, "--disableplugin=versionlock"},
		{r.Recommends != nil && !*r.Recommends && d.command == "dnf", "--setopt=install_weak_deps=False"},
	} {
		if o.on {
			args = append(args, o.word)
		}
	}
	return args
}

// word is "name-version.arch", or the file. yum takes an epoch only before all, with the architecture.
func (d *dnf) word(s Spec) string {
	if s.File != "" || s.Version == "" {
		return (Spec{Name: s.Name, File: s.File}).String()
	}
	version := s.Version
	if d.command == "yum" {
		version = withoutEpoch(version)
	}
	name := s.Name
	arch := path.Ext(name)
	if rpmArches().normalize(name, strings.TrimPrefix(arch, ".")) == name {
		arch = ""
	}
	return strings.TrimSuffix(name, arch) + "-" + version + arch
}

// Simulate lets the command work out each call and refuse to go on.
func (d *dnf) Simulate(ctx context.Context, h host.Reader, db *Database, r Request) ([]Step, error) {
	return replayed(db, r, func(r Request) ([]Step, error) { return d.simulate(ctx, h, r) })
}

func (d *dnf) simulate(ctx context.Context, h host.Reader, r Request) ([]Step, error) {
	var steps []Step
	for _, call := range d.calls(r) {
		out, err := d.look(ctx, h, append([]string{"--assumeno"}, call...)...)
		if err != nil {
			return nil, err
		}
		some := d.parseTransaction(string(out.Stdout))
		if len(some) == 0 && out.Code != 0 {
			return nil, errors.New(dnfReason(out))
		}
		steps = append(steps, some...)
	}
	return steps, nil
}

// Run makes the calls of the request. dnf itself waits for another one that runs.
func (d *dnf) Run(ctx context.Context, env *modules.Env, h host.Host, r Request) error {
	var errs []error
	for _, call := range d.calls(r) {
		env.Progress(d.command + " " + strings.Join(call, " "))
		errs = append(errs, d.do(ctx, h, append([]string{"-y"}, call...)...))
	}
	return errors.Join(errs...)
}

func (d *dnf) do(ctx context.Context, h host.Host, words ...string) error {
	out, err := h.Run(ctx, host.Cmd{Args: append([]string{d.command}, words...), Env: english()})
	if err != nil {
		return fmt.Errorf("run %s: %w", d.command, err)
	}
	h.Invalidate("accounts") // packages make users
	h.Invalidate("path")
	if out.Code != 0 {
		return errors.New(dnfReason(out))
	}
	return nil
}

// Refresh lets the lists expire, and asks for updates, for which they are fetched.
func (d *dnf) Refresh(ctx context.Context, env *modules.Env, h host.Host) error {
	env.Progress(d.command + " check-update")
	if err := d.do(ctx, h, "-q", "-y", "clean", "expire-cache"); err != nil {
		return err
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{d.command, "-q", "-y", "check-update"}, Env: english()})
	if err != nil {
		return fmt.Errorf("run %s check-update: %w", d.command, err)
	}
	if out.Code != 0 && out.Code != 100 { // 100: there are updates
		return fmt.Errorf("%s check-update: %s", d.command, dnfReason(out))
	}
	return nil
}

// Refusal: the plugin that locks versions is a package of its own.
func (d *dnf) Refusal(h host.Reader, db *Database) string {
	plugin, conf := "python3-dnf-plugin-versionlock", "/etc/dnf/plugins/versionlock.conf"
	if d.command == "yum" {
		plugin, conf = "yum-plugin-versionlock", "/etc/yum/pluginconf.d/versionlock.conf"
	}
	if _, err := h.Stat(conf); err == nil || db.Version(plugin) != "" {
		return ""
	}
	return "Cannot proceed, " + plugin + " is not installed."
}

// Hold locks packages at the version that they have; a lock at another one goes.
func (d *dnf) Hold(ctx context.Context, h host.Host, names []string, hold bool) error {
	text, _ := h.ReadFile(d.locks)
	var gone []string
	for line := range strings.Lines(string(text)) {
		for _, n := range versionLocked(line) {
			switch {
			case !slices.Contains(names, n):
			case d.command == "yum":
				gone = append(gone, strings.TrimSpace(line))
			case !slices.Contains(gone, n):
				gone = append(gone, n)
			}
		}
	}
	if len(gone) > 0 {
		if err := d.do(ctx, h, append([]string{"-q", "versionlock", "delete"}, gone...)...); err != nil || !hold {
			return err
		}
	}
	if !hold {
		return nil
	}
	return d.do(ctx, h, append([]string{"-q", "versionlock", "add"}, names...)...)
}

// Archive looks for the file among the packages that were downloaded from each source.
func (d *dnf) Archive(h host.Reader, name, version string) (file string, there bool) {
	version = withoutEpoch(version)
	dirs, _ := h.ReadDir(d.cache())
	for _, i := range dirs {
		folder := path.Join(d.cache(), i.Path, "packages")
		files, _ := h.ReadDir(folder)
		for _, f := range files {
			if strings.HasPrefix(f.Path, name+"-"+version+".") && strings.HasSuffix(f.Path, ".rpm") {
				return path.Join(folder, f.Path), true
			}
		}
	}
	return path.Join(d.cache(), "packages", name+"-"+version+".any.rpm"), false
}
