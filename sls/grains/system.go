package grains

import (
	"context"
	"os"
	"runtime"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// uname gives the kernel's grains.
func uname(_ context.Context, c *core, d *value.Dict) {
	kernel := c.line("/proc/sys/kernel/ostype")
	if kernel == "" {
		kernel = "Linux"
	}
	arch := c.line("/proc/sys/kernel/arch")
	if arch == "" {
		arch = goArch()
	}
	setAll(d, "kernel", kernel, "nodename", c.nodename(), "kernelrelease", c.line("/proc/sys/kernel/osrelease"),
		"kernelversion", c.line("/proc/sys/kernel/version"), "cpuarch", arch)
}

// nodename is the name of the host as the kernel has it; /etc/hostname on a mounted tree.
func (c *core) nodename() string {
	if n := c.line("/proc/sys/kernel/hostname"); n != "" {
		return n
	}
	if n := c.line("/etc/hostname"); n != "" {
		return n
	}
	return "localhost"
}

// goArch is the kernel's name of the processor that this program was built for.
func goArch() string {
	for _, p := range [][2]string{{"amd64", "x86_64"}, {"arm64", "aarch64"}, {"386", "i686"}, {"arm", "armv7l"},
		{"loong64", "loongarch64"}} {
		if runtime.GOARCH == p[0] {
			return p[1]
		}
	}
	return runtime.GOARCH
}

// kernelParams are the kernel's parameters: pairs of a name and its value, None where it has none.
func kernelParams(_ context.Context, c *core, d *value.Dict) {
	l := &value.List{}
	for _, word := range strings.Fields(c.line("/proc/cmdline")) {
		k, v, ok := strings.Cut(word, "=")
		pair := value.NewList(value.Str(k), value.None)
		if ok {
			pair.Items[1] = value.Str(strings.Trim(v, `"`))
		}
		l.Items = append(l.Items, pair)
	}
	if len(l.Items) > 0 {
		d.SetStr("kernelparams", l)
	}
}

// initSystem is the first process.
func initSystem(_ context.Context, c *core, d *value.Dict) {
	name := "unknown"
	words := strings.Fields(strings.ReplaceAll(c.read("/proc/1/cmdline"), "\x00", " "))
	switch {
	case c.isDir("/run/systemd/system"):
		name = "systemd"
	case len(words) == 0:
	case strings.HasSuffix(words[0], "bin/init") || words[0] == "init":
		name = c.initBinary(words[0])
	default:
		first := words[0][strings.LastIndexByte(words[0], '/')+1:]
		switch {
		case strings.Contains(strings.Join(words, " "), "supervisord"):
			name = "supervisord"
		case first == "dumb-init", first == "tini", first == "runit":
			name = first
		case first == "my_init":
			name = "runit"
		}
	}
	set(d, "init", name)
}

// initBinary tells apart the programs that call themselves init by what they hold.
func (c *core) initBinary(path string) string {
	if !strings.HasPrefix(path, "/") {
		path = "/sbin/" + path
	}
	text := strings.ToLower(c.read(path))
	for _, name := range []string{"upstart", "sysvinit", "systemd"} {
		if strings.Contains(text, name) {
			return name
		}
	}
	return "unknown"
}

// systemd is the version and the features of systemd, where it manages the machine.
func systemd(ctx context.Context, c *core, d *value.Dict) {
	if !c.has("systemctl") || !c.has("localectl") {
		return
	}
	out, ok := c.run(ctx, "systemctl", "--version")
	first, rest, _ := strings.Cut(out, "\n")
	words := strings.Fields(first)
	if !ok || len(words) < 2 {
		return
	}
	features, _, _ := strings.Cut(rest, "\n")
	d.SetStr("systemd", value.DictOf("version", value.Str(words[1]), "features", value.Str(features)))
}

// selinux says whether SELinux is on, where its tools are.
func selinux(_ context.Context, c *core, d *value.Dict) {
	if !c.has("selinuxenabled") {
		return
	}
	enforce := c.line("/sys/fs/selinux/enforce")
	s := value.DictOf("enabled", value.Bool(enforce != ""))
	switch enforce {
	case "1":
		set(s, "enforced", "Enforcing")
	case "0":
		set(s, "enforced", "Permissive")
	default:
		set(s, "enforced", "Disabled")
	}
	d.SetStr("selinux", s)
}

// machineID is the machine's own number.
func machineID(_ context.Context, c *core, d *value.Dict) {
	id := c.line("/etc/machine-id")
	if id == "" {
		id = c.line("/var/lib/dbus/machine-id")
	}
	set(d, "machine_id", id)
}

// process gives what this process runs as.
func process(_ context.Context, c *core, d *value.Dict) {
	cwd, err := os.Getwd()
	if err != nil {
		cwd = "/"
	}
	set(d, "cwd", cwd)
	d.SetStr("pid", value.Int(os.Getpid()))
	d.SetStr("uid", value.Int(os.Geteuid()))
	d.SetStr("gid", value.Int(os.Getegid()))
	shell := c.o.Getenv("SHELL")
	if u, err := c.h.UserByID(os.Geteuid()); err == nil {
		set(d, "username", u.Name)
		if shell == "" {
			shell = u.Shell
		}
	}
	if g, err := c.h.GroupByID(os.Getegid()); err == nil {
		set(d, "groupname", g.Name)
	}
	if shell == "" {
		shell = "/bin/sh"
	}
	set(d, "shell", shell)
}

func searchPath(_ context.Context, c *core, d *value.Dict) {
	path := strings.TrimSpace(c.o.Getenv("PATH"))
	d.SetStr("path", value.Str(path))
	d.SetStr("systempath", strs(strings.Split(path, ":")...))
}

// localeInfo gives the language of this process and the machine's time zone.
func localeInfo(ctx context.Context, c *core, d *value.Dict) {
	lang := ""
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if lang = c.o.Getenv(k); lang != "" {
			break
		}
	}
	var language, encoding value.Value = value.None, value.None
	if lang != "" && lang != "C" && lang != "POSIX" {
		l, e, ok := strings.Cut(lang, ".")
		if l == "C" {
			l = "en_US"
		}
		language = value.Str(l)
		if e = strings.ToUpper(e); ok {
			if e == "UTF8" {
				e = "UTF-8"
			}
			encoding = value.Str(e)
		} else {
			encoding = value.Str("ISO8859-1")
		}
	}
	zone, _ := c.zone()
	d.SetStr("locale_info", value.DictOf("defaultlanguage", language, "defaultencoding", encoding,
		"detectedencoding", value.Str("utf-8"), "timezone", value.Str(zone)))
}

// python gives what templates ask that were written for Salt's own interpreter.
//
// Salt differs: there is no Python here; the grains say what Salt's own package for this version holds.
func python(_ context.Context, _ *core, d *value.Dict) {
	d.SetStr("pythonversion", value.NewList(value.Int(3), value.Int(10), value.Int(14), value.Str("final"), value.Int(0)))
	set(d, "pythonexecutable", "/opt/saltstack/salt/bin/python3.10")
	d.SetStr("pythonpath", strs("/opt/saltstack/salt/lib/python3.10", "/opt/saltstack/salt/lib/python3.10/site-packages"))
}

// salt gives the version of Salt whose behaviour this program has.
func salt(_ context.Context, _ *core, d *value.Dict) {
	// Salt differs: it is the version whose behaviour gostate follows, since formulas compare it.
	set(d, "saltversion", "3006.9")
	d.SetStr("saltversioninfo", value.NewList(value.Int(3006), value.Int(9)))
	set(d, "saltpath", "/opt/saltstack/salt/lib/python3.10/site-packages/salt")
}
