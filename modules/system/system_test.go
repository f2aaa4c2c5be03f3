package system

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// now is in the zone that the machine has.
func now() time.Time {
	return time.Date(2023, 3, 4, 15, 6, 7, 0, time.FixedZone("CET", 3600))
}

// ran are the commands that a machine ran, and that all end well but those with "fail".
func ran(m *hosttest.Memory) *[]string {
	var out []string
	m.Script = func(c host.Cmd) (*host.Output, error) {
		text := strings.Join(c.Args, " ")
		out = append(out, text)
		if strings.Contains(text, "2099") {
			return &host.Output{Code: 1, Stderr: []byte("date: cannot set date\n")}, nil
		}
		return &host.Output{Stdout: []byte("done\n")}, nil
	}
	return &out
}

func TestClock(t *testing.T) {
	m := hosttest.NewMemory()
	commands := ran(m)
	x := modtest.Execs{Family: Family(), Host: m, Env: &modules.Env{Now: now}}
	x.Table(t, [][4]string{
		{"system.get_system_time", `[]`, "", "'03:06:07 PM'"},
		{"system.get_system_date", `[]`, "", "'Sat 03/04/2023'"},
		{"system.get_system_date_time", `[]`, "", "'2023-03-04 15:06:07'"},
		{"system.get_system_date_time", `["+0000"]`, "", "'2023-03-04 14:06:07'"},
		{"system.get_system_date_time", `["-0530"]`, "", "'2023-03-04 08:36:07'"},
		{"system.get_system_date_time", `["1400"]`, "", "'2023-03-05 04:06:07'"},
		{"system.get_system_date_time", `["5"]`, "", "error: Invalid UTC offset"},
		{"system.has_settable_hwclock", `[]`, "", "False"},
		{"system.set_system_time", `["11:20"]`, "", "True"},
		{"system.set_system_time", `["1:02:03 pm"]`, "", "True"},
		{"system.set_system_time", `["25:00"]`, "", "False"},
		{"system.set_system_time", `["11:20", "+0000"]`, "", "True"},
		{"system.set_system_date", `["2024-2-29"]`, "", "True"},
		{"system.set_system_date", `["12/31/98"]`, "", "True"},
		{"system.set_system_date", `["2023-02-29"]`, "", "error: Invalid date format"},
		{"system.set_system_date_time", `[2015, 5, 12, 11, 37, 53, "-0500"]`, "", "True"},
		{"system.set_system_date_time", `[]`, `{"hours": 1, "minutes": 0}`, "True"},
		{"system.set_system_date_time", `[2015, 2, 30]`, "", "error: there is no 2015-2-30 15:6:7"},
		{"system.set_system_date_time", `["x"]`, "", "error: years: an integer is required"},
		{"system.set_system_date_time", `[2099]`, "", "error: date failed: date: cannot set date"},
	})
	want := []string{"date 030411202023.00", "date 030413022023.03", "date -u 030411202023.00", "date 022915062024.07",
		"date 123115061998.07",
		"date -u 051216372015.53", "date 030401002023.07", "date 030415062099.07"}
	if diff := cmp.Diff(want, *commands); diff != "" {
		t.Errorf("commands (-want +got)\n%s", diff)
	}
}

func TestHardwareClock(t *testing.T) {
	m := hosttest.NewMemory()
	commands := ran(m)
	m.MustWrite("/usr/bin/hwclock", "", 0o755)
	modtest.Execs{Family: Family(), Host: m, Env: &modules.Env{Now: now}}.Table(t,
		[][4]string{{"system.set_system_time", `["11:20"]`, "", "True"}})
	if diff := cmp.Diff([]string{"date 030411202023.00", "hwclock --test --systohc", "hwclock --systohc"},
		*commands); diff != "" {
		t.Errorf("commands (-want +got)\n%s", diff)
	}
}

func TestDescription(t *testing.T) {
	m := hosttest.NewMemory()
	x := modtest.Execs{Family: Family(), Host: m}
	x.Table(t, [][4]string{{"system.get_computer_desc", `[]`, "", "False"}})
	m.MustWrite("/usr/bin/hostnamectl", "", 0o755)
	x.Table(t, [][4]string{
		{"system.get_computer_desc", `[]`, "", "''"},
		{"system.set_computer_desc", `["It's \"one\"\n\ttwo C:\\new"]`, "", "True"},
		{"system.get_computer_desc", `[]`, "", `'It\'s "one"\n\ttwo C:\\new'`},
		{"system.set_computer_desc", `["plain"]`, "", "True"},
	})
	if b, _ := m.ReadFile(machineInfo); string(b) != "PRETTY_HOSTNAME=\"plain\"\n" {
		t.Errorf("machine-info is %q", b)
	}
	m.MustWrite(machineInfo, "ICON_NAME=x\n PRETTY_HOSTNAME='a b'\nCHASSIS=vm\n", 0o644)
	x.Table(t, [][4]string{{"system.get_computer_desc", `[]`, "", "'a b'"},
		{"system.set_computer_desc", `["c"]`, "", "True"}})
	if b, _ := m.ReadFile(machineInfo); string(b) != "ICON_NAME=x\nPRETTY_HOSTNAME=\"c\"\nCHASSIS=vm\n" {
		t.Errorf("machine-info is %q", b)
	}
}

func TestEnds(t *testing.T) {
	m := hosttest.NewMemory()
	commands := ran(m)
	rows := [][4]string{
		{"system.halt", `[]`, "", "'done'"}, {"system.poweroff", `[]`, "", "'done'"}, {"system.reboot", `[]`, "", "'done'"},
		{"system.reboot", `[5]`, "", "'done'"},
		{"system.shutdown", `[]`, "", "'done'"}, {"system.init", `[3]`, "", "'done'"},
	}
	modtest.Execs{Family: Family(), Host: m}.Table(t, rows)
	want := []string{"halt", "poweroff", "shutdown -r now", "shutdown -r 5", "shutdown -h now", "init 3"}
	if diff := cmp.Diff(want, *commands); diff != "" {
		t.Errorf("commands (-want +got)\n%s", diff)
	}
	// a preview refuses them all, and the clock
	*commands = nil
	x := modtest.Execs{Family: Family(), Host: host.NewOverlay(m), Env: &modules.Env{Now: now}}
	for _, r := range append(rows, [4]string{"system.set_system_time", `["11:20"]`},
		[4]string{"system.set_system_date", `["2024-1-1"]`}, [4]string{"system.set_system_date_time", `[]`}) {
		if _, err := x.Value(t, r[0], modtest.JSON(t, r[1]).(*value.List).Items, nil); !errors.Is(err, host.ErrPreview) {
			t.Errorf("%s in a preview: %v", r[0], err)
		}
	}
	if len(*commands) > 0 {
		t.Errorf("a preview ran %q", *commands)
	}
}

// named says which function was called with what.
type named struct{}

func (named) Has(string) bool { return true }
func (named) Call(_ context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	return value.NewList(value.Str(name), value.NewList(args...), kwargs), nil
}

func TestNames(t *testing.T) {
	modtest.Execs{Family: Family(), Host: hosttest.NewMemory(), Env: &modules.Env{Exec: named{}}}.Table(t, [][4]string{
		{"system.get_computer_name", `[]`, "", "['network.get_hostname', [], {}]"},
		{"system.set_computer_name", `["a"]`, "", "['network.mod_hostname', ['a'], {}]"},
	})
}
