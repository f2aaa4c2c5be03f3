// Package all is the explicit list of the families of functions that gostate has. A new family is one line here.
package all

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/alternatives"
	"github.com/gostate/gostate/modules/archive"
	"github.com/gostate/gostate/modules/cmd"
	"github.com/gostate/gostate/modules/codec"
	"github.com/gostate/gostate/modules/cron"
	"github.com/gostate/gostate/modules/data"
	"github.com/gostate/gostate/modules/debconf"
	"github.com/gostate/gostate/modules/diagnose"
	"github.com/gostate/gostate/modules/fetch"
	"github.com/gostate/gostate/modules/file"
	"github.com/gostate/gostate/modules/git"
	"github.com/gostate/gostate/modules/group"
	"github.com/gostate/gostate/modules/hosts"
	"github.com/gostate/gostate/modules/ini"
	"github.com/gostate/gostate/modules/kmod"
	"github.com/gostate/gostate/modules/locale"
	"github.com/gostate/gostate/modules/module"
	"github.com/gostate/gostate/modules/mount"
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

// Families are all families of functions.
func Families() []modules.Family {
	return []modules.Family{
		alternatives.Family(),
		archive.Family(),
		cmd.Family(),
		codec.Family(),
		cron.Family(),
		data.Family(),
		debconf.Family(),
		diagnose.Family(),
		fetch.Family(),
		file.Family(),
		git.Family(),
		group.Family(),
		hosts.Family(),
		ini.Family(),
		kmod.Family(),
		locale.Family(),
		module.Family(),
		mount.Family(),
		pkg.Family(),
		pkgrepo.Family(),
		service.Family(),
		ssh.Family(),
		sysctl.Family(),
		system.Family(),
		test.Family(),
		timezone.Family(),
		user.Family(),
	}
}
