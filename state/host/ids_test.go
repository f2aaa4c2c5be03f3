package host_test

import (
	"fmt"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// TestNextID has the answers of Debian 12's useradd and groupadd.
func TestNextID(t *testing.T) {
	tests := []struct {
		name   string
		kind   host.Kind
		used   []int
		system bool
		prefer int
		want   int
	}{
		{"the first user", host.FactUser, []int{0, 998, 65534}, false, -1, 1000},
		{"above the highest", host.FactUser, []int{1000, 1500, 70000}, false, -1, 1501},
		{"the last is taken", host.FactUser, []int{1000, 60000}, false, -1, 1001},
		{"system, from the top", host.FactUser, []int{0, 100}, true, -1, 999},
		{"system, below the lowest", host.FactUser, []int{998, 999, 500, 990}, true, -1, 499},
		{"system, the lowest is taken", host.FactUser, []int{101, 999, 997}, true, -1, 998},
		{"a group by the user's number", host.FactGroup, []int{1000}, false, 1500, 1500},
		{"a number that is taken", host.FactGroup, []int{1502, 1501}, false, 1502, 1503},
		{"a number that is out of range", host.FactGroup, []int{100}, false, 500, 1000},
		{"a number above the range", host.FactGroup, []int{1000}, false, 70000, 1001},
		{"system, a low number", host.FactGroup, []int{499}, true, 77, 77},
		{"system group", host.FactGroup, []int{102, 998, 999}, true, -1, 101},
	}
	for _, tt := range tests {
		m := hosttest.NewMemory()
		m.MustWrite("/etc/login.defs", "# x\nUID_MIN\t\t\t 1000\nUID_MAX 60000\nGID_MIN 1000\nGID_MAX 60000\n", 0o644)
		file, end := "/etc/passwd", "0::/:/bin/sh\n"
		if tt.kind == host.FactGroup {
			file, end = "/etc/group", "\n"
		}
		for _, id := range tt.used {
			old, _ := m.ReadFile(file)
			m.MustWrite(file, string(old)+fmt.Sprintf("u%d:x:%d:%s", id, id, end), 0o644)
		}
		if got := host.NextID(m, tt.kind, tt.system, tt.prefer); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestAccountName(t *testing.T) {
	debian, other := hosttest.NewMemory(), hosttest.NewMemory()
	debian.MustWrite("/etc/debian_version", "12\n", 0o644)
	for name, want := range map[string][2]bool{
		"alice": {true, true}, "A.b-c_1": {true, true}, "pc$": {true, true}, "a@b": {true, false}, "a b": {}, "-x": {},
		"a:b": {}, "a,b": {}, "": {},
		"x23456789012345678901234567890123": {}, "x2345678901234567890123456789012": {true, true},
	} {
		if got := [2]bool{host.AccountName(debian, name), host.AccountName(other, name)}; got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
}
