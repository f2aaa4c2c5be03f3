package pkg

import (
	"archive/tar"
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// fakeApt is an apt in memory: it has some packages and keeps dpkg's status file.
type fakeApt struct {
	offers  map[string][]string // newest first
	depends map[string]string
}

func hello() fakeApt {
	return fakeApt{map[string][]string{"hello": {"2.0", "1.0"}, "app": {"1.0"}, "broken": {"1.0"},
		"vim": {"2:9.1", "2:9.0"}},
		map[string]string{"app": "hello", "broken": "nothing"}}
}

// files are two packages given as files.
type files struct{ modules.Files }

func (files) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if !strings.HasPrefix(source, "salt://hello") {
		return nil, fmt.Errorf("%s is not there", source)
	}
	return []byte("Package: hello\nVersion: 2.0\n"), nil
}

// status puts packages on a machine: "hello 1.0", "hello 1.0 hold", "hello 1.0 config-files".
func status(m *hosttest.Memory, packages ...string) {
	var s strings.Builder
	s.WriteString("Package: dpkg\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.21\n\n")
	for _, p := range packages {
		f := append(strings.Fields(p), "")
		word := map[string]string{"hold": "hold ok installed", "purge": "purge ok installed",
			"config-files": "deinstall ok config-files"}[f[2]]
		if word == "" {
			word = "install ok installed"
		}
		fmt.Fprintf(&s, "Package: %s\nStatus: %s\nArchitecture: amd64\nVersion: %s\n\n", f[0], word, f[1])
	}
	m.MustWrite("/var/lib/dpkg/status", s.String(), 0o644)
}

func (a fakeApt) tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	line := strings.Join(c.Args, " ")
	names := c.Args[slices.Index(c.Args, "--")+1:]
	db, err := readDatabase(m, "/var/lib/dpkg")
	if c.Args[0] == "sh" { // on a database that is given
		c.Args = c.Args[4:]
		var ps []*Package
		ps, err = parseStatus(bytes.NewReader(c.Stdin))
		db = newDpkgDatabase(ps)
	}
	if err != nil {
		return nil, err
	}
	out := &host.Output{}
	switch {
	case strings.Contains(line, " show "):
	case strings.Contains(line, " policy "):
		out.Stdout = []byte(a.policy(names))
	case strings.Contains(line, " pkgnames"):
		for n := range a.offers {
			out.Stdout = append(out.Stdout, n+"\n"...)
		}
	case strings.HasSuffix(line, " update"):
		m.MustWrite("/var/lib/apt/lists/x_Packages", "", 0o644)
	case c.Args[0] == "apt-mark":
		a.write(m, db, nil, map[string][]string{c.Args[1]: names})
	case line == "dpkg --set-selections":
		a.write(m, db, nil, map[string][]string{"install": {strings.Fields(string(c.Stdin))[0]}})
	case c.Args[0] == "dpkg-deb":
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		_ = w.WriteHeader(&tar.Header{Name: "./control", Size: int64(len(c.Stdin)), Mode: 0o644})
		_, _ = w.Write(c.Stdin)
		_ = w.Close()
		out.Stdout = b.Bytes()
	case c.Args[0] == "apt-get" && strings.Contains(line, "--download-only"):
		for _, spec := range names {
			name, version, _ := strings.Cut(spec, "=")
			file, _ := (&apt{}).Archive(m, name, version)
			m.MustWrite(file, "", 0o644)
		}
	case c.Args[0] == "apt-get":
		steps, fault := a.plan(db, line, names)
		switch {
		case fault != "":
			out.Code, out.Stderr = 100, []byte(fault)
		case strings.Contains(line, " -s "):
			out.Stdout = []byte(simulation(steps))
		default:
			a.write(m, db, steps, nil)
		}
	}
	return out, nil
}

func (a fakeApt) policy(names []string) string {
	var out strings.Builder
	for _, n := range names {
		if vs, ok := a.offers[n]; ok {
			fmt.Fprintf(&out, "%s:\n  Candidate: %s\n  Version table:\n", n, vs[0])
			for _, v := range vs {
				fmt.Fprintf(&out, "     %s 500\n", v)
			}
		}
	}
	return out.String()
}

// plan is what a call would do, or why it fails.
func (a fakeApt) plan(db *Database, line string, names []string) (steps []Step, fault string) {
	add := func(s Step) {
		if !slices.ContainsFunc(steps, func(o Step) bool { return o.Name == s.Name }) {
			steps = append(steps, s)
		}
	}
	if strings.HasSuffix(line, "upgrade") {
		for n, v := range db.Versions() {
			if vs := a.offers[n]; len(vs) > 0 && Compare(vs[0], v) > 0 && !db.Held(n) {
				add(Step{Name: n, Old: v, New: vs[0]})
			}
		}
	}
	for _, spec := range names {
		name, version, _ := strings.Cut(spec, "=")
		now := db.Version(name)
		switch {
		case strings.Contains(line, " remove ") || strings.Contains(line, " purge "):
			if p := db.Get(name); p != nil && (now != "" || strings.Contains(line, " purge ")) {
				add(Step{Name: name, Old: p.Version, Purged: strings.Contains(line, " purge ")})
			}
			for n, needs := range a.depends {
				if needs == name && db.Version(n) != "" {
					add(Step{Name: n, Old: db.Version(n), Purged: strings.Contains(line, " purge ")})
				}
			}
		case strings.Contains(line, " install "):
			if file, ok := strings.CutPrefix(name, "/var/cache/gostate/hello_"); ok {
				name, version = "hello", strings.TrimSuffix(file, ".deb")
			}
			if now == "" && strings.Contains(line, "--only-upgrade") {
				continue
			}
			if a.offers[name] == nil {
				return nil, "E: Unable to locate package " + name
			}
			if version == "" {
				version = a.offers[name][0]
			}
			if needs := a.depends[name]; needs != "" && a.offers[needs] == nil {
				return nil, "The following packages have unmet dependencies:\n " + name + " : Depends: " + needs +
					" but it is not installable\n"
			} else if needs != "" && db.Version(needs) == "" {
				add(Step{Name: needs, New: a.offers[needs][0]})
			}
			if now != version || strings.Contains(line, "--reinstall") {
				add(Step{Name: name, Old: now, New: version})
			}
		}
	}
	for _, s := range steps {
		if db.Held(s.Name) && s.Old != s.New && !strings.Contains(line, "--allow-change-held-packages") {
			return nil, "E: Held packages were changed and -y was used without --allow-change-held-packages."
		}
	}
	return steps, ""
}

func simulation(steps []Step) string {
	var out strings.Builder
	for _, s := range steps {
		switch {
		case s.Purged:
			fmt.Fprintf(&out, "Purg %s [%s]\n", s.Name, s.Old)
		case s.New == "":
			fmt.Fprintf(&out, "Remv %s [%s]\n", s.Name, s.Old)
		case s.Old == "":
			fmt.Fprintf(&out, "Inst %s (%s x [amd64])\n", s.Name, s.New)
		default:
			fmt.Fprintf(&out, "Inst %s [%s] (%s x [amd64])\n", s.Name, s.Old, s.New)
		}
	}
	return out.String()
}

// write does the steps, and the marks of dpkg; apt forgets those of what it changes.
func (a fakeApt) write(m *hosttest.Memory, db *Database, steps []Step, marks map[string][]string) {
	var all []string
	for _, p := range db.All() {
		text := p.Name + " " + p.Version
		switch {
		case p.Name == "dpkg" || slices.ContainsFunc(steps, func(s Step) bool { return s.Name == p.Name }):
			continue
		case p.State == "config-files":
			text += " config-files"
		case slices.Contains(marks["hold"], p.Name), p.Held() && !slices.Contains(marks["unhold"], p.Name):
			text += " hold"
		case p.Want == "purge" && !slices.Contains(marks["install"], p.Name):
			text += " purge"
		}
		all = append(all, text)
	}
	for _, s := range steps {
		text := s.Name + " " + s.New
		_, script := (&apt{admindir: "/var/lib/dpkg"}).info(m, s.Name, ".postrm")
		switch {
		case s.New == "" && (s.Purged || !script):
			continue
		case s.New == "":
			text = s.Name + " " + s.Old + " config-files"
		}
		all = append(all, text)
	}
	status(m, all...)
}
