// Package svn keeps working copies of Subversion repositories, with the svn command.
package svn

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "svn", States: []modules.StateSpec{latestSpec(), exportSpec(), dirtySpec()},
		Execs: execs()}
}

// Login is who runs svn, and who it says that it is.
type Login struct {
	User     string `arg:"user,word" doc:"Who runs svn."`
	Username string `arg:"username,line" doc:"The name at the repository."`
	Password string `arg:"password,secret" doc:"The password at the repository."`
}

// cmd is a call of svn. The password goes through standard input: everybody may read the words of a command.
//
// Salt differs: it is one of these.
func (l Login) cmd(dir, verb string, options ...string) host.Cmd {
	c := host.Cmd{Args: []string{"svn", "--non-interactive", verb}, Dir: dir, RunAs: l.User,
		Env: []string{"LC_ALL=C.UTF-8"}}
	if l.Username != "" {
		c.Args = append(c.Args, "--username", l.Username)
	}
	if l.Password != "" {
		c.Args, c.Stdin = append(c.Args, "--password-from-stdin"), []byte(l.Password)
	}
	c.Args = append(c.Args, options...)
	return c
}

// ask runs svn where it only looks: it keeps no password, and makes no ~/.subversion. In a preview it sees what earlier
// states would leave.
func (l Login) ask(ctx context.Context, h host.Reader, dir, verb string, options ...string) (string, error) {
	words := []string{"--no-auth-cache"}
	if !l.configured(h) {
		words = append(words, "--config-dir", "/proc/none")
	}
	c := l.cmd(dir, verb, append(words, options...)...)
	c.Users = true
	return told(h.Query(ctx, c))
}

// configured says whether the user has a configuration of svn's, which svn would make otherwise.
func (l Login) configured(h host.Reader) bool {
	u, err := h.User(l.User)
	if l.User == "" {
		u, err = h.UserByID(host.IdentityOf(h).UID)
	}
	if err != nil {
		return false
	}
	_, err = h.Stat(path.Join(u.Home, ".subversion"))
	return err == nil
}

// do runs svn where it may change something.
func (l Login) do(ctx context.Context, h host.Host, dir, verb string, options ...string) (string, error) {
	return told(h.Run(ctx, l.cmd(dir, verb, options...)))
}

func told(out *host.Output, err error) (string, error) {
	if err != nil {
		return "", fmt.Errorf("run svn: %w", err)
	}
	if out.Code != 0 {
		return "", errors.New(strings.TrimSpace(string(out.Stderr)))
	}
	return strings.TrimRight(string(out.Stdout), "\n"), nil
}

// fields are what svn info says of one thing: "Revision: 3".
func fields(text string) [][2]string {
	var out [][2]string
	for line := range strings.Lines(text) {
		name, is, ok := strings.Cut(strings.TrimRight(line, "\n"), ":")
		if is = strings.TrimLeft(is, " \t"); ok && is != "" && name != "" {
			out = append(out, [2]string{name, is})
		}
	}
	return out
}

func field(text, name string) string {
	for _, f := range fields(text) {
		if f[0] == name {
			return f[1]
		}
	}
	return ""
}

// Tree are the arguments of what brings files from a repository.
type Tree struct {
	Name   string `arg:"name,required,line" doc:"The address in the repository."`
	Target string `arg:"target,required,line" doc:"Where its files go."`
	Rev    string `arg:"rev,word" doc:"The revision; the newest where none is given."`
	Login
	Force         bool   `arg:"force" doc:"Goes on where files are in the way."`
	Externals     bool   `arg:"externals" default:"true" doc:"False leaves externals out."`
	Trust         bool   `arg:"trust" doc:"Takes a server's certificate that nobody vouches for."`
	TrustFailures string `arg:"trust_failures,word" doc:"Faults of a certificate that are taken: unknown-ca,cn-mismatch."`
}

// Validate wants a path, and addresses that are no options.
func (t *Tree) Validate() []modules.Fault {
	for _, a := range [][2]string{{"name", t.Name}, {"rev", t.Rev}} {
		if strings.HasPrefix(a[1], "-") {
			return []modules.Fault{{Arg: a[0], Msg: fmt.Sprintf("'%s' begins with a dash", a[1])}}
		}
	}
	if !path.IsAbs(t.Target) {
		return []modules.Fault{{Arg: "target", Msg: fmt.Sprintf("target '%s' is not an absolute path", t.Target)}}
	}
	return nil
}

// options are those that the arguments come to, without the revision.
func (t *Tree) options() (words []string) {
	if t.Force {
		words = append(words, "--force")
	}
	if !t.Externals {
		words = append(words, "--ignore-externals")
	}
	return append(words, t.trusting()...)
}

func (t *Tree) trusting() (words []string) {
	if t.Trust {
		words = append(words, "--trust-server-cert")
	}
	if t.TrustFailures != "" {
		words = append(words, "--trust-server-cert-failures", t.TrustFailures)
	}
	return words
}

// place is the directory above the target, and the target's name there.
func (t *Tree) place() (dir, name string) {
	dir, name = path.Dir(path.Clean(t.Target)), path.Base(t.Target)
	if strings.ContainsRune(name, '@') {
		name += "@" // else what follows is a revision
	}
	return dir, name
}

// there says what is at the target: nothing, a directory or something else.
func (t *Tree) there(h host.Reader) (is, dir bool, err error) {
	if err := modules.Needs(h, "svn"); err != nil {
		return false, false, err
	}
	i, err := h.Stat(t.Target)
	if errors.Is(err, fs.ErrNotExist) {
		return false, false, nil
	}
	return true, err == nil && i.IsDir(), err
}

// bring runs what puts files at the target; a preview cannot tell them.
func (t *Tree) bring(ctx context.Context, h host.Host, what string, do func(ctx context.Context) error) error {
	return h.Do(ctx, host.Deed{What: what + " " + t.Name, On: host.FactPath, Do: do, Foretell: func(o host.Host) error {
		dir, _ := t.place()
		if _, err := o.Stat(dir); err != nil {
			return fmt.Errorf("look at %s: %w", dir, err)
		}
		o.Promise(host.Fact{Kind: host.FactPath, Name: t.Target, Value: "unknown"})
		return nil
	}})
}
