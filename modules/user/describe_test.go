package user

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

// grown has accounts as they grow by hand: odd names and comments, a number that two have, a group without a name, a
// locked and an empty password, a home that is missing.
func grown(t *testing.T) *hosttest.Memory {
	h := machine(t)
	h.MustWrite("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nalice:x:1000:1000:Odd; \"G\" # {{ x }},Room "+
		"7,,,a,b:/home/alice:/bin/sh\n"+
		"yes:x:1001:1001::/home/yes:\ntwin:x:1001:50:é: "+
		"no\n0644:x:1002:4242::/:/bin/sh\nlocked:x:1003:50::/home/alice:/bin/sh\n"+
		"twin:x:1001:50:é:/home/alice:/bin/sh\n", 0o644)
	h.MustWrite("/etc/group", "root:x:0:\nadm:x:4:alice\nstaff:x:50:alice\nalice:x:1000:\nyes:x:1001:twin\n", 0o644)
	h.MustWrite("/etc/shadow", "alice:"+hash+":19000:1:90:7:14:21000:\nyes::19000:0:99999:7:::\n0644:!:19000:0:99999:7:::\n"+
		"locked:!"+hash+":19000:0:99999:7:::\n", 0o640)
	h.Invalidate("accounts")
	return h
}

func TestDescribe(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"people", nil, []string{
			"# the hash of its password is left out: --show-secrets tells it",
			`user.present alice uid=1000 gid=1000 groups=['adm', 'staff'] home='/home/alice' shell='/bin/sh' ` +
				`fullname='Odd; "G" # {{ x }}' roomnumber='Room 7' other='a,b' mindays=1 maxdays=90 inactdays=14 expire=21000 ` +
				`after group alice after group adm after group staff`,
			`user.present yes uid=1001 gid=1001 unique=False home='/home/yes' createhome=False empty_password=True after group yes`,
			"# its group 4242 has no name",
			`user.present 0644 uid=1002 home='/' shell='/bin/sh'`,
			"# the hash of its password is left out: --show-secrets tells it",
			`user.present locked uid=1003 gid=50 home='/home/alice' shell='/bin/sh' password_lock=True after group staff`,
			"# its entry of /etc/shadow is missing, or cannot be read",
			`user.present twin uid=1001 gid=50 unique=False groups=['yes'] home='/home/alice' shell='/bin/sh' fullname='é' ` +
				`after group staff after group yes`,
		}},
		{"secrets", func(l *modules.Look) { l.Names, l.Secrets = []string{"locked"}, true }, []string{
			`user.present locked uid=1003 gid=50 home='/home/alice' shell='/bin/sh' password='` + hash +
				`' password_lock=True after group staff`}},
		{"by name, of the system, absent", func(l *modules.Look) { l.Names = []string{"ro*", "nobody", "x*"} }, []string{
			"# its entry of /etc/shadow is missing, or cannot be read",
			`user.present root uid=0 gid=0 home='/root' shell='/bin/bash' fullname='root' after group root`,
			"user.absent nobody", "missing: nobody"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), grown(t), "user", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}
