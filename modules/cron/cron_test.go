package cron

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const crontab = `# by hand
0 1 * * * /bin/hand
# Lines below here are managed by Salt, do not edit
MAILTO=root
# first line
# nightly SALT_CRON_IDENTIFIER:backup
30 2 * * * /usr/bin/backup --all  "x y"
# SALT_CRON_IDENTIFIER:boot
@reboot /usr/bin/boot
# SALT_CRON_IDENTIFIER:off
#DISABLED#* * * * * /usr/bin/off
*/5 * * * * /usr/bin/plain
`

const file = "/var/spool/cron/crontabs/root"

func machine(text string) *hosttest.Memory {
	h := hosttest.NewMemory()
	h.MustMkdir("/var/spool/cron/crontabs")
	if text != "" {
		h.MustWrite(file, text, 0o600)
	}
	return h
}

func bind(t *testing.T, spec modules.StateSpec, name string, args ...any) modules.StateFunc {
	t.Helper()
	fn, diags := modules.Bind(&spec, &state.Low{ID: name, Name: name, Args: value.DictOf(args...)})
	if fn == nil {
		t.Fatal(diags[0])
	}
	return fn
}

// converge checks, applies and checks again; it gives what was said and the crontab.
func converge(t *testing.T, h *hosttest.Memory, fn modules.StateFunc) (comment, text string) {
	t.Helper()
	ctx := context.Background()
	f, err := modtest.Of(fn).Check(ctx, nil, h)
	if err != nil {
		t.Fatal(err)
	}
	if f.Pending {
		a, err := modtest.Of(fn).Apply(ctx, nil, h, f)
		if err != nil {
			t.Fatal(err)
		}
		f.Comment = a.Comment
		if again, err := modtest.Of(fn).Check(ctx, nil, h); err != nil || again.Pending {
			t.Errorf("does not converge: %+v %v", again, err)
		}
	}
	data, _ := h.ReadFile(file)
	return f.Comment, string(data)
}

func TestParseKeepsTheText(t *testing.T) {
	if d := cmp.Diff(crontab, parse(crontab).String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := parse("").String(); got != "" {
		t.Errorf("an empty crontab is %q", got)
	}
}

func TestStates(t *testing.T) {
	head := "# Lines below here are managed by Salt, do not edit\n"
	tests := []struct {
		name    string
		before  string
		fn      modules.StateFunc
		comment string
		after   string // "" when it stays
	}{
		{"new", "", bind(t, presentSpec(), "/bin/a", "minute", value.Int(5)), "Cron /bin/a added to root's crontab",
			head + "# SALT_CRON_IDENTIFIER:/bin/a\n5 * * * * /bin/a\n"},
		{"new with comment", "0 1 * * * /bin/hand\n", bind(t, presentSpec(), "/bin/a", "identifier", value.Str("a"), "comment", value.Str("one\ntwo"), "special", value.Str("@daily")),
			"Cron /bin/a added to root's crontab", "0 1 * * * /bin/hand\n" + head + "# one\n# two SALT_CRON_IDENTIFIER:a\n@daily /bin/a\n"},
		{"there", crontab, bind(t, presentSpec(), `/usr/bin/backup --all  "x y"`, "identifier", value.Str("backup"), "minute", value.Str("30"), "hour", value.Int(2)),
			`Cron /usr/bin/backup --all  "x y" already present`, ""},
		{"random keeps", crontab, bind(t, presentSpec(), `/usr/bin/backup --all  "x y"`, "identifier", value.Str("backup"), "minute", value.Str("random"), "hour", value.Int(2)),
			`Cron /usr/bin/backup --all  "x y" already present`, ""},
		{"new command", head + "# SALT_CRON_IDENTIFIER:b\n* * * * * /bin/b\n1 1 1 1 1 /bin/c\n", bind(t, presentSpec(), "/bin/d", "identifier", value.Str("b")),
			"Cron /bin/d updated", head + "# SALT_CRON_IDENTIFIER:b\n* * * * * /bin/d\n1 1 1 1 1 /bin/c\n"},
		{"adopted by command", head + "* * * * * /bin/b\n", bind(t, presentSpec(), "/bin/b", "identifier", value.Str("b")), "Cron /bin/b updated",
			head + "# SALT_CRON_IDENTIFIER:b\n* * * * * /bin/b\n"},
		{"commented", head + "# SALT_CRON_IDENTIFIER:b\n* * * * * /bin/b\n", bind(t, presentSpec(), "/bin/b", "identifier", value.Str("b"), "commented", value.Bool(true)),
			"Cron /bin/b updated", head + "# SALT_CRON_IDENTIFIER:b\n#DISABLED#* * * * * /bin/b\n"},
		{"absent", head + "# SALT_CRON_IDENTIFIER:b\n* * * * * /bin/b\n1 1 1 1 1 /bin/c\n", bind(t, absentSpec(), "/bin/x", "identifier", value.Str("b")),
			"Cron /bin/x removed from root's crontab", head + "1 1 1 1 1 /bin/c\n"},
		{"absent already", crontab, bind(t, absentSpec(), "/bin/x"), "Cron /bin/x already absent", ""},
		{"by hand is not removed", crontab, bind(t, absentSpec(), "/bin/hand"), "Cron /bin/hand already absent", ""},
		{"variable", head + "* * * * * /bin/b\n", bind(t, envPresentSpec(), "PATH", "value", value.Str("/bin:/opt/bin")), "Cron env PATH added to root's crontab",
			head + "PATH=/bin:/opt/bin\n* * * * * /bin/b\n"},
		{"variable changes", head + "A=1\n", bind(t, envPresentSpec(), "A", "value", value.Int(2)), "Cron env A updated", head + "A=2\n"},
		{"variable goes", head + "A=1\n", bind(t, envAbsentSpec(), "A"), "Cron env A removed from root's crontab", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			comment, after := converge(t, machine(tt.before), tt.fn)
			want := tt.after
			if want == "" && tt.name != "variable goes" {
				want = tt.before
			}
			if d := cmp.Diff([]string{tt.comment, want}, []string{comment, after}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	if _, err := modtest.Of(bind(t, presentSpec(), "/bin/a", "user", value.Str("eve"))).Check(context.Background(), nil, machine("")); err == nil {
		t.Error("a user who does not exist has a crontab")
	}
	if _, err := modtest.Of(bind(t, presentSpec(), "/bin/a")).Check(context.Background(), nil, hosttest.NewMemory()); err == nil {
		t.Error("a machine without cron has crontabs")
	}
	spec := presentSpec()
	if fn, _ := modules.Bind(&spec, &state.Low{ID: "a", Name: "/bin/a", Args: value.DictOf("minute", value.Str("1 2"))}); fn != nil {
		t.Error("a time with a space was taken")
	}
}
