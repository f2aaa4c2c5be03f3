package cron

import (
	"context"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
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
		Env:    tab,
		Situations: modtest.Situations{
			"no cron":    modtest.Memory(nil, nil),
			"no crontab": with(""),
			"by hand":    with("0 1 * * * /bin/hand\n"),
			"managed":    with(head + crontab),
			"no head":    with(crontab),
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
			modtest.State("cron.env_absent", "MAILTO", "user", "nobody-here"),
			modtest.State("cron.present", backup, "identifier", "backup", "special", "weekly"),
			modtest.State("cron.absent", "/usr/bin/boot", "identifier", "boot", "special", "@reboot"),
			modtest.State("cron.file", "salt://tab"),
			modtest.State("cron.file", "salt://tab", "user", "joe"),
			modtest.State("cron.file", "salt://tab", "replace", false),
			modtest.State("cron.file", "https://example.org/tab"),
			modtest.State("cron.file", "salt://tab", "user", "nobody-here"),
		},
	}.Run(t)
}

// A source is the one file of the file roots.
type source struct{ modules.Files }

func (source) Fetch(context.Context, string, string) ([]byte, error) {
	return []byte("1 2 * * * /bin/all\n"), nil
}

func tab(*testing.T) *modules.Env {
	none := func(string) (value.Value, bool) { return nil, false }
	return &modules.Env{Files: source{}, Opts: none, Grains: none, Pillar: none, Cache: modules.NewCache(),
		Progress: func(string) {}}
}
