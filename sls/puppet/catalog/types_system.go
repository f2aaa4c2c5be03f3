package catalog

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// hostEntry keeps a name with its aliases in /etc/hosts.
func hostEntry(a *attrs) []*call {
	a.ignore("target", "provider")
	if t := a.text("target"); t != "" && t != "/etc/hosts" {
		a.m.fault(a.r, "target => %s is not supported", t)
	}
	names := append([]string{a.title("name")}, a.texts("host_aliases")...)
	fun, ip := "host.present", a.text("ip")
	if a.absent() {
		fun, names = "host.only", names[:1]
	}
	if ip == "" {
		a.m.fault(a.r, "ip is needed")
		return nil
	}
	if fun == "host.only" {
		return []*call{of("host.absent", names[0]).text("ip", ip)}
	}
	var out []*call
	for i, n := range names {
		c := of(fun, n).text("ip", ip).truth("clean", true)
		if i == 0 {
			c.text("comment", a.text("comment"))
		} else {
			c.id = a.r.Ref() + " (" + n + ")"
		}
		out = append(out, c)
	}
	return out
}

// mounted keeps a file system mounted, or in fstab only.
func mounted(a *attrs) []*call {
	dir := a.title("name")
	a.ignore("remounts", "provider", "blockdevice", "atboot")
	device, kind := a.text("device"), a.text("fstype")
	ensure := a.word("ensure", "mounted", "present", "defined", "unmounted", "absent")
	if ensure == "absent" {
		a.ignore("options", "dump", "pass", "target")
		return []*call{of("mount.unmounted", dir).truth("persist", true).text("config", a.text("target"))}
	}
	if device == "" || kind == "" {
		a.m.fault(a.r, "device and fstype are needed")
		return nil
	}
	opts := a.text("options")
	if opts == "" {
		opts = "defaults"
	}
	if ensure == "mounted" {
		c := of("mount.mounted", dir).text("device", device).text("fstype", kind).text("opts", opts)
		c.text("dump", a.text("dump")).text("pass_num", a.text("pass")).text("config", a.text("target"))
		return []*call{c}
	}
	c := of("mount.fstab_present", device).text("fs_file", dir).text("fs_vfstype", kind).text("fs_mntops", opts)
	c.text("fs_freq", a.text("dump")).text("fs_passno", a.text("pass")).text("config", a.text("target"))
	c.truth("mount", false)
	if ensure != "unmounted" {
		return []*call{c}
	}
	off := of("mount.unmounted", dir)
	off.id = a.r.Ref() + " (unmounted)"
	return []*call{c, off}
}

// tidy removes old or large files below a directory.
func tidy(a *attrs) []*call {
	c := of("file.tidied", path.Clean(a.title("path")))
	a.ignore("backup", "name")
	if r := a.text("recurse"); r != "true" && r != "inf" {
		a.m.fault(a.r, "tidy without recurse => true is not supported")
	}
	if age := a.text("age"); age != "" {
		if days, ok := ageInDays(age); ok {
			c.set("age", value.Int(days))
		} else {
			a.m.fault(a.r, "age => '%s' is not supported", age).WithHint("gostate counts whole days: '2d', '1w'")
		}
	}
	a.size(c)
	c.text("time_comparison", a.word("type", "atime", "mtime", "ctime"))
	c.truth("rmdirs", a.isTrue("rmdirs"))
	var names []string
	for _, glob := range a.texts("matches") {
		names = append(names, globExpr(glob))
	}
	c.texts("matches", names)
	return []*call{c}
}

// size sets from what size on a file goes. Where size or age is given alone, the other must not take all.
func (a *attrs) size(c *call) {
	size := strings.ToUpper(strings.TrimSuffix(a.text("size"), "b"))
	switch {
	case size != "" && a.has("age"):
		c.text("size", size)
	case size != "":
		c.text("size", size).text("age_size_only", "size")
	case a.has("age"):
		c.text("age_size_only", "age")
	}
}

func ageInDays(s string) (int, bool) {
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz")
	n, err := strconv.Atoi(digits)
	switch unit := s[len(digits):]; {
	case err != nil:
	case strings.HasPrefix(unit, "w"):
		return n * 7, true
	case unit == "" || strings.HasPrefix(unit, "d"):
		return n, true
	case strings.HasPrefix(unit, "h") && n%24 == 0:
		return n / 24, true
	}
	return 0, false
}

// globExpr is a glob as a regular expression of the whole name.
func globExpr(glob string) string {
	return "^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(glob)) + "$"
}

// yumrepo keeps a source of packages.
func yumrepo(a *attrs) []*call {
	name := a.title("name")
	a.ignore("target", "provider")
	if a.absent() {
		for k := range a.r.Params.All() {
			a.ignore(value.String(k))
		}
		return []*call{of("pkgrepo.absent", name)}
	}
	c := of("pkgrepo.managed", name)
	a.to(c, "descr", "humanname", "enabled", "enabled", "baseurl", "baseurl", "mirrorlist", "mirrorlist", "gpgcheck",
		"gpgcheck",
		"gpgkey", "gpgkey", "priority", "priority", "metalink", "metalink", "exclude", "exclude", "includepkgs",
		"includepkgs",
		"sslverify", "sslverify", "sslcacert", "sslcacert", "sslclientcert", "sslclientcert", "sslclientkey", "sslclientkey",
		"proxy", "proxy", "cost", "cost", "repo_gpgcheck", "repo_gpgcheck", "metadata_expire", "metadata_expire",
		"skip_if_unavailable", "skip_if_unavailable", "module_hotfixes", "module_hotfixes", "timeout", "timeout")
	return []*call{c}
}
