package git

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Latest keeps a checkout at a revision of its remote.
type Latest struct {
	Name      string      `arg:"name,required" doc:"The address of the repository."`
	Target    string      `arg:"target,required,path" doc:"The folder of the checkout."`
	Rev       string      `arg:"rev,word" default:"HEAD" doc:"The branch, tag or commit; HEAD leaves the tracking branch as it is."`
	Branch    string      `arg:"branch,word" doc:"The local branch; what is checked out stays when not given."`
	User      string      `arg:"user,word" doc:"Who runs git."`
	Identity  []string    `arg:"identity,path" doc:"Private keys for ssh, paths on the machine."`
	Remote    string      `arg:"remote,word" default:"origin" doc:"The name of the remote."`
	Reset     value.Value `arg:"force_reset" doc:"Throw away local changes and commits; remote-changes: only when the remote changed."`
	Clone     bool        `arg:"force_clone" doc:"Replace the contents of a folder that is no checkout."`
	Discard   bool        `arg:"force_checkout" doc:"Throw away local changes when another branch is checked out."`
	Force     bool        `arg:"force_fetch" doc:"Fetch though history was rewritten."`
	Modules   bool        `arg:"submodules" doc:"Update submodules too."`
	Depth     int         `arg:"depth" doc:"Clone only so many commits of a branch or tag, which rev names."`
	Bare      bool        `arg:"bare" doc:"A repository without checkout, of no revision."`
	Mirror    bool        `arg:"mirror" doc:"A bare copy of all references."`
	Update    bool        `arg:"update_head" default:"true" doc:"False fetches and leaves the checkout as it is."`
	FetchTags bool        `arg:"fetch_tags" default:"true" doc:"Fetch all branches and tags; false fetches what git fetches by itself."`
	SyncTags  bool        `arg:"sync_tags" default:"true" doc:"Delete tags that the remote has not."`
	Branches  string      `arg:"refspec_branch,word" default:"*" doc:"The branches that a fetch brings, with one star."`
	Tags      string      `arg:"refspec_tag,word" default:"*" doc:"The tags that a fetch brings, with one star."`
	HTTPSUser string      `arg:"https_user" doc:"The account for an https address."`
	HTTPSPass string      `arg:"https_pass,secret" doc:"Its password; it is not written to the repository."`
	Password  value.Value `arg:"password,secret" doc:"No effect."`
	Ignored   value.Value `arg:"output_encoding" doc:"No effect."`
}

func latestSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "git.latest",
		Doc:  "Keeps a checkout at a revision of its remote.",
		Example: "https://github.com/example/app.git:\n  git.latest:\n    - target: /srv/app\n    - rev: v1.2\n    - user: " +
			"app",
		New: func() modules.StateFunc { return &Latest{} },
	}
}

// Validate refuses contradictions.
func (l *Latest) Validate() (out []modules.Fault) {
	refuse := func(arg, format string, args ...any) {
		out = append(out, modules.Fault{Arg: arg, Msg: fmt.Sprintf(format, args...)})
	}
	if !path.IsAbs(l.Target) {
		refuse("target", "target '%s' is not an absolute path", l.Target)
	}
	if l.Reset != nil && !isBool(l.Reset) && !l.resetsForRemote() {
		refuse("force_reset", "'force_reset' must be one of True, False, or 'remote-changes'")
	}
	if l.Rev != "HEAD" && l.bare() {
		refuse("rev", "'rev' is not compatible with the 'mirror' and 'bare' arguments")
	}
	for _, key := range l.Identity {
		if !path.IsAbs(key) {
			refuse("identity", "identity '%s' is not an absolute path", key)
		}
	}
	return append(out, refuseAccount(l.Name, l.HTTPSUser, l.HTTPSPass)...)
}

// refuseAccount refuses one for an address that cannot have it.
func refuseAccount(url, user, password string) []modules.Fault {
	if (user == "" && password == "") || strings.HasPrefix(url, "https://") {
		return nil
	}
	return []modules.Fault{{Arg: "https_user", Msg: "Basic Auth only supported for HTTPS"}}
}

func isBool(v value.Value) bool { _, ok := v.(value.Bool); return ok }

func (l *Latest) bare() bool { return l.Bare || l.Mirror }

// resets says whether local changes or commits may be thrown away.
func (l *Latest) resets() bool { return l.Reset != nil && value.Truth(l.Reset) }

func (l *Latest) resetsForRemote() bool {
	return l.Reset == value.Value(value.Str("remote-changes"))
}

// repo is the checkout; outside is git in no folder.
func (l *Latest) repo() repo {
	r := l.outside()
	r.dir = l.Target
	return r
}

func (l *Latest) outside() repo {
	return repo{user: l.User, identity: l.Identity, account: accountFor(l.Name, l.HTTPSUser, l.HTTPSPass)}
}

// Act asks the remote, and clones or updates where that is due.
func (l *Latest) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := l.look(ctx, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !s.there:
		return l.cloned(ctx, env, h, s)
	case l.bare():
		return l.refreshed(ctx, env, h, s)
	}
	return l.updated(ctx, env, h, s)
}

// work does a deed on the checkout that tells what it did as it goes. What is said and changed is the effect's; beside
// an error, the error says it.
func (l *Latest) work(ctx context.Context, env *modules.Env, h host.Host, e state.Effect, do func(d *doing) error) (
	state.Effect, error) {
	d := &doing{ctx: ctx, h: h, repo: l.repo(), changes: value.NewDict(2)}
	e.Pending = true
	err := change(ctx, h, "git fetch "+l.Name, l.Target, func() error {
		env.Progress("git fetch " + l.Name)
		err := do(d)
		e.Comment, e.Changes, e.Warnings = joined(d.said), d.changes, d.warnings
		return d.failed(err)
	})
	return state.Done(e, err)
}

// A doing is what was done to a checkout so far.
type doing struct {
	ctx      context.Context
	h        host.Host
	repo     repo
	said     []string
	changes  *value.Dict
	warnings []string
}

// git runs git, and says what that did, "" for nothing.
func (d *doing) git(said string, args ...string) error {
	err := d.repo.do(d.ctx, d.h, args...)
	if err == nil && said != "" {
		d.said = append(d.said, said)
	}
	return err
}

func (d *doing) say(format string, args ...any) {
	d.said = append(d.said, fmt.Sprintf(format, args...))
}

// failed is an error with what was done before it.
func (d *doing) failed(err error) error {
	if err == nil || len(d.said) == 0 {
		return err
	}
	return fmt.Errorf("%w\n\nChanges already made: %s", err, joined(d.said))
}

// joined are sentences, the last of several with its full stop.
func joined(said []string) string {
	text := strings.Join(said, ". ")
	if len(said) > 1 {
		text += "."
	}
	return text
}

func shorten(commit string) string { return commit[:min(7, len(commit))] }

// submodules brings those of the checkout.
func (l *Latest) submodules(d *doing) error {
	if !l.Modules {
		return nil
	}
	if err := d.git("", "submodule", "update", "--init", "--recursive"); err != nil {
		return fmt.Errorf("Failed to update submodules: %w", err)
	}
	return nil
}
