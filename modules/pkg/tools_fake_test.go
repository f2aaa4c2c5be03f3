package pkg

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// A shelf is what the sources of a fake package manager have, in the words that the real tools print.
type shelf struct {
	provider Provider
	offers   map[string][]string // newest first
	depends  map[string]string
	locks    string // the file of what is held, "" where nothing is
}

// shelves are a shelf for each package manager but apt.
func shelves() map[string]shelf {
	var grains modules.Data = func(string) (value.Value, bool) { return nil, false }
	env := &modules.Env{Grains: grains}
	make := func(p Provider, locks, suffix string) shelf {
		return shelf{p, map[string][]string{"hello": {"2.0" + suffix, "1.0" + suffix}, "app": {"1.0" + suffix}},
			map[string]string{"app": "hello"}, locks}
	}
	return map[string]shelf{
		"dnf":    make(&dnf{newRPM(env, "/etc/locks", versionLocked), "dnf"}, "/etc/locks", "-1"),
		"zypper": make(&zypper{newRPM(env, "/etc/zypp/locks", zyppLocked)}, "/etc/zypp/locks", "-1"),
		"pacman": make(&pacman{}, "", "-1"),
		"apk":    make(&apk{}, "", "-r0"),
	}
}

// machine is one on which these are installed: "hello 1.0-1".
func (s shelf) machine(packages ...string) func(m *hosttest.Memory) {
	return func(m *hosttest.Memory) {
		for _, dir := range []string{"/var/lib/rpm", pacmanLocal, "/lib/apk/db", "/etc/zypp", "/var/cache/gostate"} {
			m.MustMkdir(dir)
		}
		for _, file := range []string{"/var/cache/dnf/local.solv", "/var/cache/zypp/solv/local/cookie", pacmanSync + "/a.db",
			"/var/cache/apk/APKINDEX.1.tar.gz", "/etc/dnf/plugins/versionlock.conf"} {
			m.MustWrite(file, "", 0o644)
		}
		there := map[string]string{}
		for _, p := range packages {
			name, version, _ := strings.Cut(p, " ")
			there[name] = version
		}
		s.write(m, there)
	}
}

// write keeps what is installed in the form of each tool.
func (s shelf) write(m *hosttest.Memory, there map[string]string) {
	var rpms, stanzas strings.Builder
	_ = m.RemoveAll(pacmanLocal)
	m.MustMkdir(pacmanLocal)
	for _, n := range slices.Sorted(maps.Keys(there)) {
		v := there[n]
		version, release, _ := strings.Cut(v, "-")
		fmt.Fprintf(&rpms, "%s\t(none)\t%s\t%s\tnoarch\t-\t%s \n", n, version, release, n)
		fmt.Fprintf(&stanzas, "P:%s\nV:%s\n\n", n, v)
		m.MustWrite(pacmanLocal+"/"+n+"-"+v+"/desc", "%NAME%\n"+n+"\n\n%VERSION%\n"+v+"\n", 0o644)
	}
	m.MustWrite("/var/lib/rpm/Packages", rpms.String(), 0o644)
	m.MustWrite("/lib/apk/db/installed", stanzas.String(), 0o644)
}

func (s shelf) installed(m *hosttest.Memory) map[string]string {
	text, _ := m.ReadFile("/lib/apk/db/installed")
	there := map[string]string{}
	for stanza := range strings.SplitSeq(string(text), "\n\n") {
		if name, version, ok := strings.Cut(strings.TrimPrefix(stanza, "P:"), "\nV:"); ok {
			there[name] = version
		}
	}
	return there
}

// A call is what a command line asks a tool for.
type call struct {
	verb     string
	words    []string
	pretends bool
}

// read is the verb and the packages of a command line, in any tool's words.
func (s shelf) read(args []string) call {
	c := call{}
	verbs := map[string]string{"install": "install", "downgrade": "install", "reinstall": "reinstall",
		"upgrade": "upgrade",
		"update":  "upgrade", "dist-upgrade": "upgrade", "remove": "remove", "-S": "install", "-U": "install",
		"-Su": "upgrade",
		"-R":  "remove", "-Rsc": "remove", "add": "install", "fix": "reinstall", "del": "remove", "list": "list",
		"groupinfo": "list", "-Sgq": "list",
		"search": "list", "-Si": "list", "policy": "list", "-Sy": "refresh", "check-update": "refresh", "clean": "refresh",
		"refresh": "refresh", "-qa": "all", "-qp": "file", "-xOqf": "file", "versionlock": "lock", "addlock": "addlock",
		"removelock": "removelock"}
	for _, a := range args {
		c.pretends = c.pretends || slices.Contains([]string{"--assumeno", "--dry-run", "--print", "--simulate"}, a)
		switch {
		case c.verb == "" && verbs[a] != "":
			c.verb = verbs[a]
		case c.verb != "" && !strings.HasPrefix(a, "-") && a != "package" && a != "%n %v":
			c.words = append(c.words, a)
		}
	}
	if c.verb == "upgrade" && len(c.words) > 0 || slices.Contains(args, "--force") {
		c.verb = "reinstall"
	}
	return c
}

// tools answer as the real ones do.
func (s shelf) tools(m *hosttest.Memory, cmd host.Cmd) (*host.Output, error) {
	c := s.read(cmd.Args)
	there := s.installed(m)
	out := &host.Output{}
	switch c.verb {
	case "all":
		text, err := m.ReadFile("/var/lib/rpm/Packages")
		out.Stdout = text
		return out, err
	case "file":
		out.Stdout = []byte("hello\t(none)\t2.0\t1\tnoarch\t-\thello \n")
		if _, ok := s.provider.(*pacman); ok {
			out.Stdout = []byte("pkgname = hello\npkgver = 2.0-1\n")
		}
	case "list":
		s.list(c.words, out)
	case "refresh":
		s.machine()(m)
		s.write(m, there)
	case "lock":
		s.lock(m, there, c.words[1:], c.words[0] == "add")
	case "addlock", "removelock":
		s.lock(m, there, c.words, c.verb == "addlock")
	default:
		steps, fault := s.plan(there, c)
		switch {
		case fault != "":
			out.Code, out.Stderr = 104, []byte(fault)
		case c.pretends:
			out.Stdout = []byte(s.said(steps))
		default:
			s.write(m, after(there, steps))
		}
	}
	return out, nil
}

func after(there map[string]string, steps []Step) map[string]string {
	out := maps.Clone(there)
	for _, s := range steps {
		if out[s.Name] = s.New; s.New == "" {
			delete(out, s.Name)
		}
	}
	return out
}

// plan is what a call does to what is there, or why it fails.
func (s shelf) plan(there map[string]string, c call) (steps []Step, fault string) {
	if c.verb == "upgrade" {
		for n, v := range there {
			if o := s.offers[n]; len(o) > 0 && o[0] != v {
				steps = append(steps, Step{Name: n, Old: v, New: o[0]})
			}
		}
		return steps, ""
	}
	for _, w := range c.words {
		name, version := w, ""
		if strings.HasPrefix(w, "/var/cache/gostate/hello_") {
			name, version = "hello", s.offers["hello"][0]
		} else if i := strings.IndexAny(w, "=-"); i > 0 {
			name, version = w[:i], w[i+1:]
		}
		offers := s.offers[name]
		switch {
		case c.verb == "remove":
			for n, needs := range s.depends {
				if needs == name && there[n] != "" {
					steps = append(steps, Step{Name: n, Old: there[n]})
				}
			}
			steps = append(steps, Step{Name: name, Old: there[name]})
			continue
		case offers == nil || version != "" && !slices.Contains(offers, version):
			return nil, "error: no " + w
		case version == "" && c.verb == "reinstall" && there[name] != "":
			version = there[name]
		case version == "":
			version = offers[0]
		}
		if needs := s.depends[name]; needs != "" && there[needs] == "" {
			steps = append(steps, Step{Name: needs, New: s.offers[needs][0]})
		}
		if there[name] != version || c.verb == "reinstall" {
			steps = append(steps, Step{Name: name, Old: there[name], New: version})
		}
	}
	return steps, ""
}

// list prints the versions of names.
func (s shelf) list(names []string, out *host.Output) {
	var b strings.Builder
	for _, n := range names {
		for i, v := range s.offers[n] {
			switch s.provider.(type) {
			case *dnf:
				fmt.Fprintf(&b, "%s.noarch   %s   local\n", n, v)
			case *zypper:
				fmt.Fprintf(&b, "<solvable status=\"x\" name=%q kind=\"package\" edition=%q arch=\"noarch\"/>\n", n, v)
			case *pacman:
				fmt.Fprintf(&b, "Name            : %s\nVersion         : %s\n", n, v)
			case *apk:
				fmt.Fprintf(&b, "%s  %s:\n    /srv/apk\n", map[bool]string{true: n + " policy:\n"}[i == 0], v)
			}
		}
	}
	if out.Stdout = []byte(b.String()); b.Len() == 0 {
		out.Code, out.Stderr = 104, []byte("Error: No matching Packages to list\n")
	}
}

// said prints what would be done.
func (s shelf) said(steps []Step) string {
	var b strings.Builder
	for _, p := range steps {
		verb, v := "Installing", p.New
		switch {
		case p.New == "":
			verb, v = "Removing", p.Old
		case p.Old != "":
			verb = "Upgrading"
		}
		switch s.provider.(type) {
		case *dnf:
			fmt.Fprintf(&b, "%s:\n %s   noarch   %s   local   6 k\n", verb, p.Name, v)
		case *zypper:
			section := map[string]string{"Installing": "to-install", "Removing": "to-remove", "Upgrading": "to-upgrade"}[verb]
			fmt.Fprintf(&b, "<%s>\n<solvable type=\"package\" name=%q edition=%q arch=\"noarch\" edition-old=%q>\n</%s>\n",
				section, p.Name, v, p.Old, section)
		case *pacman:
			fmt.Fprintf(&b, "%s %s\n", p.Name, v)
		case *apk:
			fmt.Fprintf(&b, "(1/1) %s %s (%s)\n", map[string]string{"Removing": "Purging", "Installing": "Installing",
				"Upgrading": "Upgrading"}[verb], p.Name, strings.TrimPrefix(p.Old+" -> "+p.New, " -> "))
		}
	}
	return b.String()
}

// lock holds packages or lets them go.
func (s shelf) lock(m *hosttest.Memory, there map[string]string, names []string, on bool) {
	text, _ := m.ReadFile(s.locks)
	held := versionLocked(string(text))
	if _, ok := s.provider.(*zypper); ok {
		held = zyppLocked(string(text))
	}
	held = slices.DeleteFunc(held, func(n string) bool { return slices.Contains(names, n) })
	if on {
		held = append(held, names...)
	}
	var b strings.Builder
	for _, n := range held {
		if _, ok := s.provider.(*zypper); ok {
			fmt.Fprintf(&b, "\ntype: package\nmatch_type: glob\nsolvable_name: %s\n", n)
		} else {
			fmt.Fprintf(&b, "# added\n%s-0:%s.*\n", n, there[n])
		}
	}
	m.MustWrite(s.locks, b.String(), 0o644)
}

// situations are the machines on which each provider is played.
func (s shelf) situations() modtest.Situations {
	one, two := s.offers["hello"][1], s.offers["hello"][0]
	with := func(packages ...string) func(m *hosttest.Memory) { return s.machine(packages...) }
	all := modtest.Situations{
		"nothing":      modtest.Memory(s.tools, with()),
		"an older one": modtest.Memory(s.tools, with("hello "+one)),
		"all":          modtest.Memory(s.tools, with("hello "+two, "app "+s.offers["app"][0])),
	}
	if s.locks != "" {
		all["held"] = modtest.Memory(s.tools, func(m *hosttest.Memory) {
			with("hello " + one)(m)
			s.lock(m, map[string]string{"hello": one}, []string{"hello"}, true)
		})
	}
	return all
}
