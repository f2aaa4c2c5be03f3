package grains

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// names maps the first ten letters of a distribution's name, lower case and without blanks, to the grain os.
func names() map[string]string {
	return map[string]string{
		"redhatente": "RedHat", "gentoobase": "Gentoo", "archarm": "Arch ARM", "arch": "Arch", "debian": "Debian",
		"raspbian":   "Raspbian",
		"fedoraremi": "Fedora", "chapeau": "Chapeau", "korora": "Korora", "amazonami": "Amazon", "alt": "ALT",
		"enterprise": "OEL",
		"oracleserv": "OEL", "cloudserve": "CloudLinux", "cloudlinux": "CloudLinux", "almalinux": "AlmaLinux",
		"pidora":     "Fedora",
		"scientific": "ScientificLinux", "synology": "Synology", "nilrt": "NILinuxRT", "poky": "Poky", "manjaro": "Manjaro",
		"manjarolin": "Manjaro", "univention": "Univention", "antergos": "Antergos", "sles": "SUSE", "void": "Void",
		"slesexpand": "RES",
		"linuxmint":  "Mint", "neon": "KDE neon", "pop": "Pop", "pop!_os": "Pop", "rocky": "Rocky", "alibabaclo": "Alinux",
		"mendel": "Mendel",
	}
}

// familyMembers lists the distributions of each family.
func familyMembers() map[string][]string {
	return map[string][]string{
		"RedHat": {"Fedora", "Chapeau", "Korora", "FedBerry", "CentOS", "CentOS Stream", "GoOSe", "Scientific", "Amazon",
			"CloudLinux",
			"AlmaLinux", "OVS", "OEL", "XCP", "XCP-ng", "XenServer", "RES", "Sangoma", "VMware Photon OS", "ALT",
			"ScientificLinux", "Rocky", "Alinux"},
		"Debian": {"Ubuntu", "Mint", "Trisquel", "GCEL", "Linaro", "elementary OS", "elementary", "Univention", "Raspbian",
			"Devuan", "antiX",
			"Kali", "Parrot OS", "neon", "Cumulus", "Deepin", "KDE neon", "IDMS", "TurnKey", "Pop", "AstraLinuxCE",
			"AstraLinuxSE", "Mendel", "OSMC"},
		"Suse": {"SLES", "SUSE Enterprise Server", "SUSE  Enterprise Server", "SLED", "openSUSE", "SUSE", "openSUSE Leap",
			"openSUSE Tumbleweed",
			"SLES_SAP"},
		"Arch":   {"Arch ARM", "Manjaro", "Manjaro ARM", "Antergos", "EndeavourOS"},
		"Gentoo": {"Funtoo"}, "Mandriva": {"Mandrake"}, "VMware": {"VMwareESX"}, "Bluewhite": {"Bluewhite64"},
		"Slackware": {"Slamd64"},
	}
}

func linuxWord() *regexp.Regexp { return regexp.MustCompile(`(?i)\W(?:gnu/)?linux`) }

// osName shortens a distribution's name to Salt's grain os.
func osName(full, id string) string {
	switch {
	case id == "astra" && full == "Astra Linux (Orel)":
		return "AstraLinuxCE"
	case id == "astra" && full == "Astra Linux (Smolensk)":
		return "AstraLinuxSE"
	}
	distro := strings.TrimSpace(linuxWord().ReplaceAllString(full, ""))
	short := strings.ToLower(strings.ReplaceAll(distro, " ", ""))
	if r := []rune(short); len(r) > 10 {
		short = string(r[:10])
	}
	if n, ok := names()[short]; ok {
		return n
	}
	return distro
}

// family is the grain os_family: by the name, else the oldest ancestor that os-release names, else the name itself.
func family(os string) string {
	members := familyMembers()
	for _, f := range []string{"RedHat", "Debian", "Suse", "Arch", "Gentoo", "Mandriva", "VMware", "Bluewhite",
		"Slackware"} {
		if slices.Contains(members[f], os) {
			return f
		}
	}
	return os
}

// osRelease reads the file of the freedesktop.org standard.
func (c *core) osRelease() map[string]string {
	path := "/etc/os-release"
	if !c.exists(path) {
		path = "/usr/lib/os-release"
	}
	out := map[string]string{}
	for l := range c.lines(path) {
		k, v, ok := strings.Cut(strings.TrimSpace(l), "=")
		if !ok || strings.HasPrefix(k, "#") {
			continue
		}
		if len(v) > 1 && (v[0] == '"' || v[0] == '\'') {
			v = strings.Trim(v, v[:1])
		}
		out[k] = unescape.Replace(v)
	}
	return out
}

var unescape = strings.NewReplacer(`\\`, `\`, `\$`, `$`, `\"`, `"`, `\'`, `'`, "\\`", "`")

// lsbRelease reads /etc/lsb-release to lsb_distrib_* grains.
func (c *core) lsbRelease() map[string]string {
	out := map[string]string{}
	for l := range c.lines("/etc/lsb-release") {
		k, v, ok := strings.Cut(l, "=")
		if ok && strings.HasPrefix(k, "DISTRIB_") {
			out[strings.ToLower(strings.TrimPrefix(k, "DISTRIB_"))] = strings.TrimSpace(strings.Trim(v, `"'`))
		}
	}
	return out
}

// distribution gives the grains that say which distribution this is.
func distribution(_ context.Context, c *core, d *value.Dict) {
	r, lsb := c.osRelease(), c.lsbRelease()
	if r["NAME"] == "" {
		r["NAME"] = "Linux"
	}
	full, os := strings.TrimSpace(r["NAME"]), osName(r["NAME"], r["ID"])
	own := lsb
	if lsb["id"] == "" {
		lsb = c.lsbOf(r)
	}
	if v := vendor(r["CPE_NAME"]); v == "suse" || v == "opensuse" {
		os = "SUSE"
		switch {
		case full == "openSUSE Leap":
			full = "Leap"
		case r["VERSION"] == "Tumbleweed":
			full = "Tumbleweed"
		}
	}
	release := c.release(r, lsb)
	setAll(d, "os", os, "os_family", family(os), "osfullname", full, "osrelease", release, "oscodename", codename(r, lsb))
	if own["id"] == "" && slices.Contains(soleRelease(), r["ID"]) {
		lsb = own
	}
	setAll(d, "lsb_distrib_id", lsb["id"], "lsb_distrib_release", lsb["release"], "lsb_distrib_codename", lsb["codename"],
		"lsb_distrib_description", lsb["description"])
	releaseParts(d, os, full, release)
}

// soleRelease are the distributions of which Salt reads os-release alone: they have lsb_distrib_* grains only by
// /etc/lsb-release.
func soleRelease() []string {
	return []string{"almalinux", "astra", "debian", "linuxmint", "mendel", "pop", "rocky", "ubuntu"}
}

// lsbOf gives the lsb_distrib_* grains of a machine without /etc/lsb-release.
func (c *core) lsbOf(r map[string]string) map[string]string {
	code, ok := r["VERSION_CODENAME"]
	if !ok {
		code = r["PRETTY_NAME"]
	}
	return map[string]string{"id": strings.TrimSpace(r["NAME"]), "release": r["VERSION_ID"], "codename": code}
}

// vendor is the vendor of a CPE name, with colons as in cpe:/o:suse:sles:15.
func vendor(cpe string) string {
	parts := strings.Split(cpe, ":")
	switch {
	case len(parts) > 4 && strings.HasPrefix(parts[1], "/"):
		return strings.ToLower(parts[2])
	case len(parts) > 5 && parts[1] == "2.3":
		return strings.ToLower(parts[3])
	}
	return ""
}

func dotted() *regexp.Regexp { return regexp.MustCompile(`\d+(\.\d+)+`) }

// release is the grain osrelease.
func (c *core) release(r, lsb map[string]string) string {
	if p := r["PRETTY_NAME"]; strings.Contains(p, "CentOS Linux 7") || strings.Contains(p, "CentOS Linux 8") {
		if m := dotted().FindString(c.read("/etc/centos-release")); m != "" {
			return m // os-release of these lacks the minor number
		}
	}
	for _, v := range []string{lsb["release"], r["VERSION_ID"]} {
		if v != "" {
			return strings.TrimSpace(v)
		}
	}
	if r["ID"] == "debian" {
		return c.line("/etc/debian_version")
	}
	return r["BUILD_ID"]
}

func bracketed() *regexp.Regexp { return regexp.MustCompile(`\(([^)]+)\)`) }

// codename is the grain oscodename.
func codename(r, lsb map[string]string) string {
	name := strings.TrimSpace(lsb["codename"])
	if name == "" {
		name = r["VERSION_CODENAME"]
	}
	switch id := r["ID"]; {
	case id == "astra":
		return r["VARIANT_ID"]
	case id == "rocky", id == "almalinux", strings.Contains(name, "Red Hat"):
		if m := bracketed().FindStringSubmatch(r["VERSION"] + " " + name); m != nil {
			return m[1]
		}
	}
	return name
}

func setAll(d *value.Dict, pairs ...string) {
	for i := 0; i+1 < len(pairs); i += 2 {
		set(d, pairs[i], pairs[i+1])
	}
}

// releaseParts gives osrelease_info, osmajorrelease and osfinger.
func releaseParts(d *value.Dict, os, full, release string) {
	if release == "" {
		return
	}
	info := &value.List{}
	for part := range strings.SplitSeq(release, ".") {
		info.Items = append(info.Items, number(part))
	}
	d.SetStr("osrelease_info", info)
	major := value.String(info.Items[0])
	if n, err := strconv.Atoi(major); err == nil {
		d.SetStr("osmajorrelease", value.Int(n))
	}
	name, version := full, major
	if os == "Debian" || os == "Raspbian" {
		name = os
	}
	if os == "Ubuntu" || os == "Pop" {
		version = release
	}
	set(d, "osfinger", name+"-"+version)
}

// debianArch maps the kernel's name of a processor to dpkg's.
func debianArch() map[string]string {
	return map[string]string{
		"x86_64": "amd64", "aarch64": "arm64", "i686": "i386", "i586": "i386", "i386": "i386", "armv7l": "armhf",
		"armv6l":  "armhf",
		"ppc64le": "ppc64el", "riscv64": "riscv64", "s390x": "s390x", "mips64": "mips64el",
	}
}

// osArch is the architecture of packages.
func osArch(ctx context.Context, c *core, d *value.Dict) {
	arch := c.str(ctx, "cpuarch")
	switch c.str(ctx, "os_family") {
	case "Debian":
		if a := c.dpkgArch(); a != "" {
			arch = a
		} else if out, ok := c.run(ctx, "dpkg", "--print-architecture"); ok && out != "" {
			arch = out
		} else if a, ok := debianArch()[arch]; ok {
			arch = a
		}
	case "RedHat", "Suse":
		if out, ok := c.run(ctx, "rpm", "--eval", "%{_host_cpu}"); ok && out != "" {
			arch = out
		}
	}
	set(d, "osarch", arch)
}
