package cron

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
)

func TestConformance(t *testing.T) {
	const backup = "/usr/bin/backup"
	with := func(text string) func(*testing.T) host.Host {
		return func(*testing.T) host.Host {
			h := machine(text)
			h.AddUser("joe", 1000)
			return h
		}
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"no cron":    modtest.Memory(nil, nil),
			"no crontab": with(""),
			"by hand":    with("0 1 * * * /bin/hand\n"),
			"managed":    with(crontab),
		},
		Deeds: []modtest.Deed{
			modtest.State("cron.present", backup, "minute", 30, "hour", 2),
			modtest.State("cron.present", backup, "identifier", "backup", "comment", "nightly"),
			modtest.State("cron.present", "/usr/bin/boot", "identifier", "boot", "special", "@reboot", "user", "joe"),
			modtest.State("cron.present", backup, "commented", true, "minute", "random").Untold("the minute is left to chance"),
			modtest.State("cron.present", backup, "user", "nobody-here"),
			modtest.State("cron.absent", backup, "identifier", "backup"),
			modtest.State("cron.absent", "/usr/bin/plain"),
			modtest.State("cron.env_present", "MAILTO", "value", "ops"),
			modtest.State("cron.env_absent", "MAILTO"),
		},
	}.Run(t)
}
