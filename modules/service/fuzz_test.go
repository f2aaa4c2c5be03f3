package service

import (
	"strings"
	"testing"
)

// FuzzShow: what systemctl says of a unit is read line by line, whatever else is there.
func FuzzShow(f *testing.F) {
	for _, s := range []string{"Id=a.service\nLoadState=loaded\nActiveState=active\nNeedDaemonReload=yes\n", "=\nId",
		"Id=x=y\r\nId=z", "\x00"} {
		f.Add(s, "a@b")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		u := parseShow(text)
		if u.ID != "" && !strings.Contains(text, "Id="+u.ID) {
			t.Fatalf("%q is the unit %q", text, u.ID)
		}
		if full := canonical(name); canonical(full) != full || short(full) != short(short(full)) &&
			!strings.HasSuffix(short(full), ".service") {
			t.Fatalf("%q is called %q, and that %q", name, full, canonical(full))
		}
		template(name)
	})
}
