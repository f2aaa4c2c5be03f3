// Package all is the explicit list of the families of functions that gostate has. A new family is one line here.
package all

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/alias"
	"github.com/gostate/gostate/modules/alternatives"
	"github.com/gostate/gostate/modules/apache"
	"github.com/gostate/gostate/modules/archive"
	"github.com/gostate/gostate/modules/cmd"
	"github.com/gostate/gostate/modules/codec"
	"github.com/gostate/gostate/modules/cron"
	"github.com/gostate/gostate/modules/data"
	"github.com/gostate/gostate/modules/debconf"
	"github.com/gostate/gostate/modules/diagnose"
	"github.com/gostate/gostate/modules/fetch"
	"github.com/gostate/gostate/modules/file"
	"github.com/gostate/gostate/modules/gem"
	"github.com/gostate/gostate/modules/git"
	"github.com/gostate/gostate/modules/group"
	"github.com/gostate/gostate/modules/hosts"
	"github.com/gostate/gostate/modules/ini"
	"github.com/gostate/gostate/modules/kmod"
	"github.com/gostate/gostate/modules/locale"
	"github.com/gostate/gostate/modules/module"
	"github.com/gostate/gostate/modules/mount"
	"github.com/gostate/gostate/modules/npm"
	"github.com/gostate/gostate/modules/pip"
	"github.com/gostate/gostate/modules/pkg"
	"github.com/gostate/gostate/modules/pkgrepo"
	"github.com/gostate/gostate/modules/service"
	"github.com/gostate/gostate/modules/ssh"
	"github.com/gostate/gostate/modules/sysctl"
	"github.com/gostate/gostate/modules/system"
	"github.com/gostate/gostate/modules/test"
	"github.com/gostate/gostate/modules/timezone"
	"github.com/gostate/gostate/modules/user"
)

// Sources make the families, each under its name.
func Sources() []modules.Source {
	return []modules.Source{
		{Name: "alias", Make: alias.Family},
		{Name: "alternatives", Make: alternatives.Family},
		{Name: "apache", Make: apache.Family},
		{Name: "archive", Make: archive.Family},
		{Name: "cmd", Make: cmd.Family},
		{Name: "codec", Make: codec.Family},
		{Name: "cron", Make: cron.Family},
		{Name: "data", Make: data.Family},
		{Name: "debconf", Make: debconf.Family},
		{Name: "diagnose", Make: diagnose.Family},
		{Name: "fetch", Make: fetch.Family},
		{Name: "file", Make: file.Family},
		{Name: "gem", Make: gem.Family},
		{Name: "git", Make: git.Family},
		{Name: "group", Make: group.Family},
		{Name: "host", Make: hosts.Family},
		{Name: "ini", Make: ini.Family},
		{Name: "kmod", Make: kmod.Family},
		{Name: "locale", Make: locale.Family},
		{Name: "module", Make: module.Family},
		{Name: "mount", Make: mount.Family},
		{Name: "npm", Make: npm.Family},
		{Name: "pip", Make: pip.Family},
		{Name: "pkg", Make: pkg.Family},
		{Name: "pkgrepo", Make: pkgrepo.Family},
		{Name: "service", Make: service.Family},
		{Name: "ssh", Make: ssh.Family},
		{Name: "sysctl", Make: sysctl.Family},
		{Name: "system", Make: system.Family},
		{Name: "test", Make: test.Family},
		{Name: "timezone", Make: timezone.Family},
		{Name: "user", Make: user.Family},
	}
}

// Families are all families of functions.
func Families() []modules.Family {
	var out []modules.Family
	for _, s := range Sources() {
		out = append(out, s.Make())
	}
	return out
}
