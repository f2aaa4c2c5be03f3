package cron

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

func TestDescribe(t *testing.T) {
	managed := marker + "\nMAILTO=\"\"\nPATH=/bin: /x\n# nightly SALT_CRON_IDENTIFIER:backup\n30 2 * * 1-5 /bin/backup " +
		"\"a: b\" % {{ x }}\n" +
		"# SALT_CRON_IDENTIFIER:/bin/self\n0 * * * * /bin/self\n@daily /bin/day\n# \n#DISABLED#*/5 * * * * /bin/off\n"
	for _, tt := range []struct {
		name, text string
		want       []string
	}{
		{"job by job", managed, []string{
			`cron.env_present root MAILTO (MAILTO) value='' user='root' after user root`,
			`cron.env_present root PATH (PATH) value='/bin: /x' user='root' after user root`,
			`cron.present root backup (/bin/backup "a: b" % {{ x }}) user='root' identifier='backup' minute='30' hour='2' ` +
				`dayweek='1-5' comment='nightly' after user root`,
			`cron.present root /bin/self (/bin/self) user='root' minute='0' after user root`,
			`cron.present root /bin/day (/bin/day) user='root' identifier='' special='@daily' after user root`,
			`cron.present root /bin/off (/bin/off) user='root' identifier='' minute='*/5' commented=True after user root`,
		}},
		{"by hand", "# mine\nMAILTO=me\n*/5 * * * * /bin/x\n", []string{
			"# written by hand: cron.present keeps only jobs below Salt's marker",
			`file.managed crontab of root (/var/spool/cron/crontabs/root) contents='# mine\nMAILTO=me\n*/5 * * * * /bin/x\n' ` +
				`user='root' group='root' mode='0600' after user root`}},
		{"only remarks above the marker", "# mine\n# m h dom\n" + marker + "\n1 2 3 4 5 /bin/x\n", []string{
			`cron.present root /bin/x (/bin/x) user='root' identifier='' minute='1' hour='2' daymonth='3' month='4' dayweek='5' ` +
				`after user root`}},
		{"times that are written otherwise", marker + "\n0 0 * * MON /bin/x\n", []string{
			"# written by hand: cron.present keeps only jobs below Salt's marker",
			`file.managed crontab of root (/var/spool/cron/crontabs/root) contents='` + marker + `\n0 0 * * MON /bin/x\n' ` +
				`user='root' group='root' mode='0600' after user root`}},
		{"control characters", "* * * * * /bin/x \a\n", []string{
			"# the crontab of root cannot be told: it holds control characters"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := describedOf(t, tt.text, nil)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
	none := describedOf(t, "1 * * * * x\n", func(l *modules.Look) { l.Names = []string{"alice", "bob"} })
	if d := cmp.Diff([]string{"missing: alice", "missing: bob"}, none); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// describedOf tells of root's crontab.
func describedOf(t *testing.T, text string, set func(*modules.Look)) []string {
	t.Helper()
	h := machine("")
	h.MustWrite("/var/spool/cron/crontabs/root", text, 0o600)
	return modtest.Describe(t, Family(), h, "cron", set)
}

// FuzzDescribe: whatever a crontab holds, what is told of it changes nothing, and each job is told.
func FuzzDescribe(f *testing.F) {
	f.Add(marker + "\n# a SALT_CRON_IDENTIFIER:b\n1 2 3 4 5 x\n@daily y\nA=b\n")
	f.Add("A=b\n1 2 3 4 5 x\n")
	f.Fuzz(func(t *testing.T, text string) {
		h := machine("")
		h.MustWrite("/var/spool/cron/crontabs/root", text, 0o600)
		got := modtest.Describe(t, Family(), h, "cron", nil)
		jobs := 0
		for _, m := range parse(text).managed {
			if _, ok := m.class(); ok {
				jobs++
			}
		}
		whole := len(got) > 0 && strings.Contains(strings.Join(got, "\n"), "crontab of root")
		if !whole && len(got) < jobs {
			t.Errorf("%d of %d jobs and variables are told", len(got), jobs)
		}
	})
}
