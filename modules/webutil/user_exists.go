package webutil

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Exists keeps a user in a file of passwords.
type Exists struct {
	Name     string `arg:"name,required,word" not:":" doc:"The user."`
	Password string `arg:"password,secret" doc:"The password."`
	File     string `arg:"htpasswd_file,required,path" doc:"The file."`
	Options  string `arg:"options" doc:"Options of htpasswd, by their letters: 'B' for bcrypt."`
	Force    bool   `arg:"force" doc:"Sets the password in every run."`
	RunAs    string `arg:"runas,word" doc:"Who runs htpasswd."`
	Update   bool   `arg:"update" doc:"Sets the password where the user has another one."`
}

func existsSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "webutil.user_exists", Doc: "Keeps a user in a file of passwords for a web server.",
		Example: "larry:\n  webutil.user_exists:\n    - password: secret\n    - htpasswd_file: /etc/nginx/htpasswd\n    - " +
			"options: B",
		New: func() modules.StateFunc { return &Exists{} },
	}
}

// Validate finds what htpasswd would take for something else.
func (e *Exists) Validate() (out []modules.Fault) {
	if strings.ContainsAny(e.Name, ":") || strings.HasPrefix(e.Name, "-") {
		out = append(out, modules.Fault{Arg: "name", Msg: "a user of a file of passwords has no colon in the name, and no " +
			"dash before it"})
	}
	if strings.Trim(e.Options, "mBdps25r") != "" {
		out = append(out, modules.Fault{Arg: "options", Msg: "options are the letters of htpasswd's ways to hash: m, B, d, " +
			"s, " +
			"p, 2 and 5"})
	}
	return out
}

// Act sets the password.
func (e *Exists) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t := &table{e.File, e.RunAs}
	hash, there, err := t.hashOf(h, e.Name)
	if err != nil {
		return state.Effect{}, err
	}
	same := there && !e.Force
	if same && e.Update && hash != unmade {
		if same, err = t.verify(ctx, h, e.Name, e.Password, e.Options); err != nil {
			return state.Effect{}, err
		}
	}
	if same {
		return state.Settled("User already known"), nil
	}
	out, err := t.set(ctx, h, e.Name, e.Password, e.Options)
	effect, err := effect(e.Name, out, err, "added to")
	effect.Once = e.Force
	return effect, err
}
