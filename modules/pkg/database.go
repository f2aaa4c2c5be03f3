package pkg

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// A Package is one entry of the package database.
type Package struct {
	Name    string // "bash"; "libc6:i386" where it is of another architecture than the machine
	Version string
	Arch    string
	Want    string // "install", "hold", "deinstall", "purge"
	State   string // "installed", "config-files", "half-configured", ...
	Source  string
	Fields  []string // what else the entry says: "Section: shells"

	provides  []string
	conffiles bool   // it has configuration files, which stay when it is removed
	control   string // all that it says of itself, where it was given as a file
}

// Installed says whether it is there and configured.
func (p *Package) Installed() bool {
	switch p.State {
	case "installed", "triggers-pending", "triggers-awaited":
		return true
	}
	return false
}

// Held says whether upgrades leave it alone.
func (p *Package) Held() bool { return p.Want == "hold" }

// A Database is what is installed. It is read once and then only looked at.
type Database struct {
	Native   string // the machine's architecture
	packages map[string]*Package
	names    []string            // sorted
	provided map[string][]string // virtual name -> names of installed packages
	base     *Database           // what is really installed, nil where this is
	arches   arches
}

// arches are how the names of a package manager carry an architecture that is not the machine's.
type arches struct {
	separator string
	known     []string // nil takes any
	// native says whether packages of an architecture go by their bare names on a machine of another.
	native func(arch, machine string) bool
}

// key is the name with the architecture where that is not the machine's.
func (a arches) key(name, arch, machine string) string {
	if a.native == nil || machine == "" || arch == "" || a.native(arch, machine) {
		return name
	}
	return name + a.separator + arch
}

func (a arches) normalize(name, machine string) string {
	i := strings.LastIndex(name, a.separator)
	if a.native == nil || i < 0 {
		return name
	}
	arch := name[i+1:]
	if a.known != nil && !slices.Contains(a.known, arch) || !a.native(arch, machine) {
		return name
	}
	return name[:i]
}

// dpkgArches are dpkg's: "libc6:i386".
func dpkgArches() arches {
	return arches{separator: ":", native: func(arch, machine string) bool {
		return arch == machine || arch == "all" || arch == "any" || arch == "native"
	}}
}

// Get is the entry of a name, which may carry the architecture; nil when there is none.
func (d *Database) Get(name string) *Package {
	if p, ok := d.packages[name]; ok {
		return p
	}
	return d.packages[d.Normalize(name)]
}

// Normalize drops the architecture from a name when it is the machine's own.
func (d *Database) Normalize(name string) string { return d.arches.normalize(name, d.Native) }

// Version is the installed version, "" when it is not installed.
func (d *Database) Version(name string) string {
	if p := d.Get(name); p != nil && p.Installed() {
		return p.Version
	}
	return ""
}

// Provided says whether an installed package provides the virtual name.
func (d *Database) Provided(name string) bool {
	return slices.ContainsFunc(d.provided[name], func(by string) bool { return d.Version(by) != "" })
}

// Held says whether upgrades leave the package of a name alone.
func (d *Database) Held(name string) bool {
	p := d.Get(name)
	return p != nil && p.Held()
}

// All are the entries sorted by name.
func (d *Database) All() []*Package {
	out := make([]*Package, len(d.names))
	for i, n := range d.names {
		out[i] = d.packages[n]
	}
	return out
}

// Versions maps the installed packages to their versions.
func (d *Database) Versions() map[string]string {
	out := make(map[string]string, len(d.packages))
	for n, p := range d.packages {
		if p.Installed() {
			out[n] = p.Version
		}
	}
	return out
}

// promised is the database as it would be after what earlier states of a preview promised.
func (d *Database) promised(packages, holds []host.Fact) *Database {
	if len(packages)+len(holds) == 0 {
		return d
	}
	out := &Database{Native: d.Native, packages: maps.Clone(d.packages), provided: d.provided, base: d,
		arches: d.arches}
	for _, f := range packages {
		p := Package{Name: f.Name, Arch: d.Native, Want: "install"}
		if old := d.packages[f.Name]; old != nil {
			p = *old
		}
		switch {
		case f.Value != absent:
			p.Version, p.State, p.control = f.Value, "installed", f.Attrs["control"]
		case f.Attrs["purged"] == "true":
			p.State, p.Want = "not-installed", ""
		default:
			p.State, p.Want = "config-files", "deinstall"
		}
		out.packages[f.Name] = &p
	}
	for _, f := range holds {
		if old := out.packages[f.Name]; old != nil {
			p := *old
			p.Want = f.Value
			out.packages[f.Name] = &p
		}
	}
	out.names = slices.Sorted(maps.Keys(out.packages))
	return out
}

// readDatabase reads dpkg's status file. A machine without one has nothing installed.
func readDatabase(h host.Reader, admindir string) (*Database, error) {
	f, err := h.Open(admindir + "/status")
	if errors.Is(err, fs.ErrNotExist) {
		return newDpkgDatabase(nil), nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the package database: %w", err)
	}
	defer f.Close()
	entries, err := parseStatus(f)
	if err != nil {
		return nil, fmt.Errorf("read the package database %s/status: %w", admindir, err)
	}
	return newDpkgDatabase(entries), nil
}

// parseStatus reads stanzas of "Key: value" lines with continuation lines, separated by empty lines.
func parseStatus(r io.Reader) ([]*Package, error) {
	var out []*Package
	p := &Package{}
	end := func() {
		if p.Name != "" {
			out = append(out, p)
		}
		p = &Package{}
	}
	in := bufio.NewReaderSize(r, 256<<10)
	for {
		line, err := in.ReadString('\n')
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "":
			end()
		case line[0] == ' ' || line[0] == '\t':
		default:
			p.field(line)
		}
		if err == io.EOF {
			end()
			return out, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (p *Package) field(line string) {
	key, val, _ := strings.Cut(line, ":")
	val = strings.TrimSpace(val)
	switch key {
	case "Package":
		p.Name = val
	case "Version":
		p.Version = val
	case "Architecture":
		p.Arch = val
	case "Source":
		p.Source = val
	case "Status":
		if f := strings.Fields(val); len(f) == 3 {
			p.Want, p.State = f[0], f[2]
		}
	case "Conffiles":
		p.conffiles = true
	case "Provides":
		p.provides = strings.Split(val, ",")
	case "Section", "Priority", "Maintainer", "Installed-Size", "Homepage", "Description", "Essential":
		p.Fields = append(p.Fields, line)
	}
}

func newDpkgDatabase(entries []*Package) *Database {
	native := ""
	for _, p := range entries {
		if p.Name == "dpkg" && p.Arch != "all" {
			native = p.Arch // dpkg itself is always of the machine's architecture
		}
	}
	return newDatabase(entries, native, dpkgArches())
}

// newDatabase is that of the entries. One that comes twice is there in several versions, which stand in their order
// with commas between them.
func newDatabase(entries []*Package, native string, a arches) *Database {
	d := &Database{Native: native, packages: make(map[string]*Package, len(entries)), provided: map[string][]string{},
		arches: a}
	for _, p := range entries {
		p.Name = a.key(p.Name, p.Arch, native)
		if old := d.packages[p.Name]; old != nil && old.Installed() && p.Installed() {
			p.Version = old.Version + "," + p.Version
		}
		d.packages[p.Name] = p
		if !p.Installed() {
			continue
		}
		for _, v := range p.provides {
			name, _, _ := strings.Cut(strings.TrimSpace(v), " ")
			if a.separator == ":" {
				name, _, _ = strings.Cut(name, ":")
			}
			d.provided[name] = append(d.provided[name], p.Name)
		}
	}
	d.names = slices.Sorted(maps.Keys(d.packages))
	return d
}
