package mysql

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// UserPresent keeps a user.
type UserPresent struct {
	Name              string `arg:"name" doc:"The user; '' for the anonymous one."`
	Host              string `arg:"host" default:"localhost" doc:"Where the user connects from."`
	Password          string `arg:"password,secret" doc:"The password, which counts before the hash."`
	PasswordHash      string `arg:"password_hash,secret" doc:"The hash of the password, in quotes: '*6C89...'."`
	AllowPasswordless bool   `arg:"allow_passwordless" doc:"Lets the user in without a password where none is given."`
	UnixSocket        bool   `arg:"unix_socket" doc:"Lets the user of the machine of that name in."`
	PasswordColumn    string `arg:"password_column" doc:"The column of old servers that holds the hash; it is found without."`
	AuthPlugin        string `arg:"auth_plugin" default:"mysql_native_password" doc:"The plugin that checks the password. Only for mysql_native_password the password can be looked at."`
	access
}

func userPresentSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_user.present", Doc: "Keeps a user with a password.",
		Example: "app:\n  mysql_user.present:\n    - host: localhost\n    - password: secret",
		New:     func() modules.StateFunc { return &UserPresent{} }}
}

func (u *UserPresent) passwordless() bool { return u.Password == "" && u.PasswordHash == "" }

// Validate refuses what contradicts itself.
func (u *UserPresent) Validate() []modules.Fault {
	switch {
	case u.passwordless() && !u.AllowPasswordless && !u.UnixSocket:
		return []modules.Fault{{Arg: "password", Msg: "Either password or password_hash must be specified, unless " +
			"allow_passwordless is True", Hint: "give one, or allow_passwordless: true, or unix_socket: true"}}
	case u.UnixSocket && !u.passwordless():
		return []modules.Fault{{Arg: "unix_socket", Msg: "a password and unix_socket exclude each other",
			Hint: "leave one out"}}
	case u.UnixSocket && u.Host != "localhost":
		return []modules.Fault{{Arg: "unix_socket", Msg: "Auth via unix_socket can be set only for host=localhost",
			Hint: "leave host out"}}
	}
	return nil
}

// Act makes the user, or changes how one logs in. Salt differs: it cannot go from a password to the socket, nor back.
func (u *UserPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	var own string
	if u.access.User == u.Name {
		own = u.Password
	}
	c, err := u.catalog(ctx, env, h, own)
	if err != nil {
		return state.Effect{}, err
	}
	defer c.close()
	l := login{user: u.Name, host: u.Host, password: u.Password, hash: u.PasswordHash, plugin: u.AuthPlugin,
		socket: u.UnixSocket}
	was, err := c.get(users, l.key())
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.DictOf(u.Name, value.Str("Present")), Foretold: value.NewDict(0)}
	id := u.Name + "@" + u.Host
	if was == nil {
		e.Comment = "The user " + id + " has been added" + u.how()
		e.Preview = "User " + id + " is set to be added" + u.how()
		return outcome(e, failed(c.enter(l, nil), "Failed to create user "+id))
	}
	if same, told := c.matches(l, was); same {
		return state.Settled("User " + id + " is already present" + u.found(told)), nil
	}
	done, verb := "changed", "change"
	if u.passwordless() {
		done, verb = "cleared", "clear"
	}
	e.Changes = value.DictOf(u.Name, value.Str("Updated"))
	e.Comment = fmt.Sprintf("Password for user %s has been %s", id, done)
	e.Preview = fmt.Sprintf("Password for user %s is set to be %s", id, done)
	return outcome(e, failed(c.enter(l, was), fmt.Sprintf("Failed to %s password for user %s", verb, id)))
}

// how says how a new user logs in.
func (u *UserPresent) how() (text string) {
	if u.AllowPasswordless {
		text = " with passwordless login"
	}
	if u.UnixSocket {
		text += " using unix_socket"
	}
	return text
}

// found says how a user who is there logs in.
func (u *UserPresent) found(told bool) string {
	switch {
	case u.passwordless() && u.AllowPasswordless:
		return " with passwordless login"
	case u.passwordless():
		return ""
	case !told:
		return ". Unable to verify password."
	case u.Password == "":
		return " with the desired password hash"
	}
	return " with the desired password"
}
