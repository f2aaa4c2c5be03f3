package pkg

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// rpm is what the package managers on rpm's database share.
type rpm struct {
	native string // the machine's architecture: x86_64
	locks  string // the file in which packages are locked at their version
	// locked reads the names in it.
	locked func(text string) []string
}

// newRPM takes the architecture of the machine from its grains.
func newRPM(env *modules.Env, locks string, locked func(string) []string) rpm {
	native := env.Grains.Text("cpuarch")
	if native == "" {
		native = map[string]string{"amd64": "x86_64", "arm64": "aarch64", "386": "i686"}[runtime.GOARCH]
	}
	return rpm{native: native, locks: locks, locked: locked}
}

func (rpm) Compare(a, b string) int { return compareRPM(a, b) }
func (rpm) Ending() string          { return ".rpm" }

// Stamp is that of the database, in whatever form it is kept, and of the locks. A log of sqlite's counts by what is in
// it.
func (r rpm) Stamp(h host.Reader) string {
	files := []string{r.locks}
	for _, dir := range []string{"/var/lib/rpm/", "/usr/lib/sysimage/rpm/"} {
		for _, f := range []string{"rpmdb.sqlite", "Packages", "Packages.db"} {
			files = append(files, dir+f)
		}
		if i, err := h.Stat(dir + "rpmdb.sqlite-wal"); err == nil && i.Size > 0 {
			files = append(files, dir+"rpmdb.sqlite-wal")
		}
	}
	return stamp(h, files...)
}

const rpmFormat = `%{NAME}\t%{EPOCH}\t%{VERSION}\t%{RELEASE}\t%{ARCH}\t%{SOURCERPM}\t[%{PROVIDENAME} ]\n`

// Database asks rpm for all, once as long as nothing changes.
func (r rpm) Database(ctx context.Context, h host.Reader) (*Database, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"rpm", "-qa", "--queryformat", rpmFormat}, Env: english()})
	if err != nil {
		return nil, fmt.Errorf("read the package database: %w", err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("read the package database: %s", lastLine(out))
	}
	d := newDatabase(r.parse(string(out.Stdout)), r.native, rpmArches())
	text, _ := h.ReadFile(r.locks)
	for _, name := range r.locked(string(text)) {
		if p := d.Get(name); p != nil {
			p.Want = "hold"
		}
	}
	return d, nil
}

func (r rpm) parse(text string) []*Package {
	var out []*Package
	for line := range strings.Lines(text) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 7 {
			continue
		}
		out = append(out, &Package{Name: f[0], Version: evr(f[1], f[2], f[3]), Arch: f[4], Want: "install",
			State: "installed", Source: f[5], provides: strings.Fields(f[6])})
	}
	slices.SortStableFunc(out, func(a, b *Package) int { return strings.Compare(a.Version, b.Version) })
	return out
}

// evr is a version as Salt writes it: an epoch only where there is one.
func evr(epoch, version, release string) string {
	if release != "" {
		version += "-" + release
	}
	if epoch != "(none)" && epoch != "0" && epoch != "" {
		version = epoch + ":" + version
	}
	return version
}

// rpmArches are how rpm's names carry an architecture: "glibc.i686".
func rpmArches() arches {
	x86 := []string{"i386", "i486", "i586", "i686", "athlon", "geode"}
	arm := []string{"armv5tel", "armv5tejl", "armv6l", "armv6hl", "armv7l", "armv7hl", "armv7hnl"}
	known := slices.Concat(x86, arm, []string{"noarch", "x86_64", "amd64", "ia32e", "ia64", "aarch64", "ppc", "ppc64",
		"ppc64le", "ppc64iseries", "ppc64pseries", "s390", "s390x", "sparc", "sparcv8", "sparcv9", "sparc64", "alpha", "sh3",
		"sh4", "sh4a", "riscv64", "(none)"})
	return arches{separator: ".", known: known, native: func(arch, native string) bool {
		both := func(of []string) bool { return slices.Contains(of, arch) && slices.Contains(of, native) }
		return arch == native || arch == "noarch" || both(x86) || both(arm)
	}}
}

// FileOf asks rpm.
func (r rpm) FileOf(ctx context.Context, h host.Reader, data []byte) (*Package, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"rpm", "-qp", "--nosignature", "--queryformat", rpmFormat, "-"},
		Stdin: data, Env: english()})
	if err != nil {
		return nil, fmt.Errorf("read the package file: %w", err)
	}
	ps := r.parse(string(out.Stdout))
	if out.Code != 0 || len(ps) != 1 {
		return nil, fmt.Errorf("read the package file: %s", lastLine(out))
	}
	ps[0].Name = rpmArches().key(ps[0].Name, ps[0].Arch, r.native)
	ps[0].control = "a file"
	return ps[0], nil
}

// Owner asks rpm.
func (r rpm) Owner(ctx context.Context, h host.Reader, file string) (string, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"rpm", "-qf", "--queryformat", "%{NAME}", "--", file},
		Env: english()})
	if err != nil {
		return "", fmt.Errorf("ask rpm who owns %s: %w", file, err)
	}
	if out.Code != 0 {
		return "", nil
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

// Files asks rpm.
func (r rpm) Files(ctx context.Context, h host.Reader, name string) ([]string, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"rpm", "-ql", "--", name}, Env: english()})
	if err != nil {
		return nil, fmt.Errorf("ask rpm for the files of %s: %w", name, err)
	}
	if out.Code != 0 {
		return nil, errors.New(lastLine(out))
	}
	return paths(string(out.Stdout)), nil
}

// Verify asks rpm for files whose content differs. Configuration files ("c") are the user's to change.
func (r rpm) Verify(ctx context.Context, h host.Reader, names []string) ([]string, error) {
	var altered []string
	for _, n := range names {
		out, err := h.Query(ctx, host.Cmd{Args: []string{"rpm", "-V", "--noscripts", "--nodeps", "--", n}, Env: english()})
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

// english is the environment of the tools whose words are read.
func english() []string { return []string{"LC_ALL=C.UTF-8"} }

// lastLine is why a tool failed, where it does not say so in a form of its own.
func lastLine(out *host.Output) string {
	for _, text := range [][]byte{out.Stderr, out.Stdout} {
		lines := strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
		for _, l := range slices.Backward(lines) {
			if l = strings.TrimSpace(l); l != "" {
				return strings.TrimPrefix(l, "error: ")
			}
		}
	}
	return fmt.Sprintf("it ended with exit code %d", out.Code)
}
