package catalog

import (
	"github.com/gostate/gostate/state/value"
)

// packageOf keeps a package, by the manager of the machine, pip, gem or npm.
func packageOf(a *attrs) []*call {
	name := a.title("name")
	a.ignore("allow_virtual", "configfiles", "platform", "vendor", "instance", "allowcdrom")
	ensure := a.text("ensure")
	switch provider := a.text("provider"); provider {
	case "", "apt", "aptitude", "dpkg", "yum", "dnf", "dnfmodule", "rpm", "zypper", "apk", "pacman":
		return a.native(name, ensure)
	case "pip", "pip3", "gem", "puppet_gem", "npm":
		return a.ofLanguage(provider, name, ensure)
	default:
		a.m.fault(a.r, "provider => %s is not supported", provider).
			WithHint("gostate knows the package managers of the machine, pip, gem and npm")
	}
	return nil
}

func (a *attrs) native(name, ensure string) []*call {
	var c *call
	switch ensure {
	case "", "present", "installed":
		c = of("pkg.installed", name)
	case "latest":
		c = of("pkg.latest", name)
	case "absent":
		c = of("pkg.removed", name)
	case "purged":
		c = of("pkg.purged", name)
	case "held":
		c = of("pkg.installed", name).truth("hold", true)
	default:
		c = of("pkg.installed", name).text("version", ensure)
	}
	if mark := a.word("mark", "hold", "none"); mark != "" && c.fn == "installed" {
		c.truth("hold", mark == "hold")
	}
	if src := a.text("source"); src != "" {
		c.set("sources", value.NewList(value.DictOf(name, value.Str(src))))
	}
	a.installOptions(c)
	if f := a.text("responsefile"); f != "" {
		c.text("debconf", f)
	}
	return []*call{c}
}

// installOptions are words for the package manager, of which some are arguments here.
func (a *attrs) installOptions(c *call) {
	a.ignore("uninstall_options")
	for _, x := range items(a.get("install_options")) {
		switch s := value.String(x); s {
		case "--no-install-recommends":
			c.truth("install_recommends", false)
		case "--install-recommends":
			c.truth("install_recommends", true)
		case "--allow-unauthenticated", "--nogpgcheck":
			c.truth("skip_verify", true)
		case "--reinstall":
			c.truth("reinstall", true)
		case "-y", "--yes", "--assume-yes":
		default:
			d, isDict := x.(*value.Dict)
			if isDict && d.Len() == 1 {
				k, v := value.String(d.At(0).Key), d.At(0).Val
				if arg := map[string]string{"-t": "fromrepo", "--target-release": "fromrepo", "--enablerepo": "enablerepo",
					"--disablerepo": "disablerepo"}[k]; arg != "" {
					c.set(arg, v)
					continue
				}
			}
			a.m.fault(a.r, "install_options with %s is not supported", value.Repr(x))
		}
	}
}

// ofLanguage keeps a package of pip, gem or npm.
func (a *attrs) ofLanguage(provider, name, ensure string) []*call {
	module := map[string]string{"pip": "pip", "pip3": "pip", "gem": "gem", "puppet_gem": "gem", "npm": "npm"}[provider]
	if a.has("install_options") || a.has("source") {
		a.m.fault(a.r, "source and install_options with provider => %s are not supported", provider)
	}
	fun, version := module+".installed", ""
	switch ensure {
	case "", "present", "installed":
	case "absent", "purged":
		fun = module + ".removed"
	case "latest":
		if module != "pip" {
			a.m.fault(a.r, "ensure => latest with provider => %s is not supported", provider)
		}
	default:
		version = ensure
	}
	sep := map[string]string{"pip": "==", "npm": "@"}[module]
	if version != "" && sep != "" {
		name += sep + version
	}
	c := of(fun, name)
	if version != "" && sep == "" {
		c.text("version", version)
	}
	if ensure == "latest" {
		c.truth("upgrade", true)
	}
	if bin := a.text("command"); bin != "" {
		c.text(map[string]string{"pip": "bin_env", "gem": "gem_bin", "npm": "npm_bin"}[module], bin)
	}
	return []*call{c}
}
