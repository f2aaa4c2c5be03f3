package host

import (
	"fmt"
	"strings"
	"testing"
)

// FuzzAccounts: of passwd and group only whole lines are accounts, each as it is written there.
func FuzzAccounts(f *testing.F) {
	for _, s := range []string{"root:x:0:0:root:/root:/bin/sh\n", "a:x:1:1:::", "+::::::\n-b:x:1:1:g:h:s\n",
		"g:x:5:a,b,,c\r\n", "#c:x:1:\n:x:1:1:::\n",
		"x:x:99999999999999999999:1:a:b:c\ny:x:-1:+2:a:b:c:d", "\x00:\x00:0:\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, u := range parsePasswd(text) {
			if u.Name == "" || strings.ContainsAny(u.Name+u.Gecos+u.Home+u.Shell, ":\n") ||
				!strings.Contains("\n"+text, "\n"+u.Name+":") {
				t.Fatalf("%q has the user %+v", text, u)
			}
			again := parsePasswd(fmt.Sprintf("%s:x:%d:%d:%s:%s:%s\n", u.Name, u.UID, u.GID, u.Gecos, u.Home, u.Shell))
			if len(again) != 1 || strings.TrimRight(u.Shell, "\r") != again[0].Shell || again[0].UID != u.UID ||
				again[0].Name != u.Name {
				t.Fatalf("%+v is read as %+v", u, again)
			}
		}
		for _, g := range parseGroup(text) {
			if g.Name == "" || strings.ContainsAny(g.Name, ":\n") || strings.ContainsAny(strings.Join(g.Members, ""), ":\n,") {
				t.Fatalf("%q has the group %+v", text, g)
			}
		}
	})
}
