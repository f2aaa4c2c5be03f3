package webutil

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Absent keeps a user out of a file of passwords.
type Absent struct {
	Name  string `arg:"name,required,word" not:":" doc:"The user."`
	File  string `arg:"htpasswd_file,required,path" doc:"The file."`
	RunAs string `arg:"runas,word" doc:"Who runs htpasswd."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "webutil.user_absent", Doc: "Keeps a user out of a file of passwords for a web server.",
		Example: "larry:\n  webutil.user_absent:\n    - htpasswd_file: /etc/nginx/htpasswd",
		New:     func() modules.StateFunc { return &Absent{} },
	}
}

// Act takes the user away.
func (a *Absent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t := &table{a.File, a.RunAs}
	if _, there, err := t.hashOf(h, a.Name); err != nil || !there {
		return state.Settled("User already not in file"), err
	}
	out, err := t.drop(ctx, h, a.Name)
	return effect(a.Name, out, err, "removed from")
}
