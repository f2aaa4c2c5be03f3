package git

import (
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A function is one of git's execution functions that is one call of git: the words that its parameters come to, and
// what is made of the output.
type function struct {
	name, doc string
	params    string // in Salt's order
	class     modules.Class
	words     func(w *words)
	both      bool // its errors are a part of the output
	// give makes the answer of the output; nil leaves it as it is.
	give func(w *words, out string) (value.Value, error)
}

// The last parameters of most functions.
const (
	asWhom  = " user= password= ignore_retcode=False output_encoding="
	keyed   = " user= password= identity= ignore_retcode=False saltenv=base output_encoding="
	keyedIn = " user= password= identity= ignore_retcode=False output_encoding="
	https   = " user= password= identity= https_user= https_pass= ignore_retcode=False"
	opts    = " opts= git_opts="
)

func (f function) spec() modules.ExecSpec {
	return modules.ExecSpec{Name: "git." + f.name, Doc: f.doc, Class: f.class, Params: strings.Fields(f.params),
		Fn: f.call}
}

func (f function) call(ctx context.Context, c *modules.Call) (value.Value, error) {
	w := &words{c: c, look: f.class == modules.Looks}
	if w.options("git_opts"); w.list != nil {
		w.look = false // they may name programs
	}
	if f.words(w); w.err != nil {
		return nil, w.err
	}
	out, err := w.run(ctx, f.both)
	if err != nil {
		return nil, err
	}
	if f.give != nil {
		return f.give(w, out)
	}
	return value.Str(out), nil
}

// run runs git with the words in the folder of the parameter cwd; git's no is an error.
func (w *words) run(ctx context.Context, both bool) (string, error) {
	r, err := repoOf(w.c)
	if err != nil {
		return "", err
	}
	if w.nowhere {
		r.dir = ""
	}
	out, err := r.call(ctx, w.c.Host, w.look, both, w.list)
	if err != nil {
		return "", err
	}
	if w.code = out.Code; w.lenient {
		return text(out), nil
	}
	return text(out), mishap(w.list, out, both)
}

// repoOf is the folder, the user and the keys of a call.
func repoOf(c *modules.Call) (repo, error) {
	r := repo{user: c.Str("user")}
	if dir := c.Str("cwd"); dir != "" {
		r.dir = inHome(c, dir)
	}
	for _, key := range c.Strs("identity") {
		if i, err := c.Host.Stat(key); err != nil || i.IsDir() {
			return r, failed("Unable to authenticate using identity file:\n\nThe following identity file(s) were not found: %s",
				key)
		}
		r.identity = append(r.identity, key)
	}
	return r, nil
}

// inHome is a path; a relative one is below the home of the user who runs git.
func inHome(c *modules.Call, name string) string {
	if path.IsAbs(name) {
		return name
	}
	u, err := c.Host.User(c.Str("user"))
	if c.Str("user") == "" {
		u, err = c.Host.UserByID(host.IdentityOf(c.Host).UID)
	}
	if err != nil {
		return name
	}
	return path.Join(u.Home, name)
}

// call runs git, in a preview only where it looks.
func (r repo) call(ctx context.Context, h host.Host, look, both bool, words []string) (out *host.Output, err error) {
	if err := modules.Needs(h, "git"); err != nil {
		return nil, err
	}
	if i, err := h.Stat(r.dir); r.dir != "" && (err != nil || !i.IsDir()) {
		if host.IsUnknown(err) {
			return nil, err
		}
		return nil, failed("Specified cwd '%s' either not absolute or does not exist", r.dir)
	}
	if look {
		_, cmd := r.looking().cmd(h, words)
		cmd.Combine = both
		return h.Query(ctx, cmd)
	}
	_, cmd := r.cmd(h, words)
	cmd.Combine = both
	err = h.Do(ctx, host.Deed{What: "git " + words[0], On: host.Anything, Do: func(ctx context.Context) (err error) {
		out, err = h.Run(ctx, cmd)
		return err
	}})
	return out, err
}

// text is the output without the white space at its end.
func text(out *host.Output) string { return strings.TrimRight(string(out.Stdout), " \t\r\n\v\f") }

// mishap is git's no, in Salt's words.
func mishap(words []string, out *host.Output, both bool) error {
	if out.Code == 0 {
		return nil
	}
	said := text(&host.Output{Stdout: out.Stderr})
	if both {
		said = text(out)
	}
	if said != "" {
		said = ": " + said
	}
	return failed("%s", redacted("Command 'git "+strings.Join(words, " ")+"' failed"+said))
}

// redacted is a text without the passwords of its addresses.
func redacted(text string) string {
	return regexp.MustCompile(`(?i)(https?)://.*@`).ReplaceAllString(text, "$1://<redacted>@")
}

func failed(format string, args ...any) error {
	return value.Raise("CommandExecutionError", format, args...)
}

func refused(format string, args ...any) error {
	return value.Raise("SaltInvocationError", format, args...)
}

// words are those of a command line, as they are put together.
type words struct {
	c       *modules.Call
	list    []string
	look    bool // it only looks
	nowhere bool // in no folder
	lenient bool // git's no is an answer, too
	code    int  // git's exit code, once it ran
	err     error
}

func (w *words) add(list ...string) *words {
	w.list = append(w.list, list...)
	return w
}

// refuse keeps the first fault.
func (w *words) refuse(err error) *words {
	if w.err == nil {
		w.err = err
	}
	return w
}

// options adds those that a parameter holds, but for the ones that are there already.
func (w *words) options(param string, but ...string) *words {
	list, err := optionsOf(w.c, param)
	if err != nil {
		return w.refuse(err)
	}
	for _, o := range list {
		drop := false
		for _, b := range but {
			drop = drop || o == b
		}
		if !drop {
			w.add(o)
		}
	}
	return w
}

// opts adds the options of the user's, with which a command may do more than look.
func (w *words) opts(but ...string) *words {
	n := len(w.list)
	if w.options("opts", but...); len(w.list) > n {
		w.look = false
	}
	return w
}

// optionsOf are options as a list or in one text; a "--" at their end is left away.
func optionsOf(c *modules.Call, param string) ([]string, error) {
	var list []string
	var err error
	switch v := c.Arg(param).(type) {
	case value.NoneType:
	case *value.List:
		list, err = modules.Texts(v)
	default:
		list, err = modules.Words(value.String(v))
	}
	if err != nil {
		return nil, refused("%s: %v", param, err)
	}
	if n := len(list); n > 0 && list[n-1] == "--" {
		list = list[:n-1]
	}
	return list, nil
}

// operand adds a parameter that is given, which is no option.
func (w *words) operand(params ...string) *words {
	for _, p := range params {
		if v := w.c.Str(p); v != "" {
			w.noOption(p, v).add(v)
		}
	}
	return w
}

// noOption refuses what git would take for an option.
//
// Salt differs: it hands a revision such as --upload-pack=PROGRAM to git, which runs the program.
func (w *words) noOption(param, v string) *words {
	if strings.HasPrefix(v, "-") && v != "-" {
		return w.refuse(refused("'%s' argument '%s' would be read as an option; options go into 'opts'", param, v))
	}
	return w
}

// operands adds a list, or a text with commas.
func (w *words) operands(param string) *words {
	for _, v := range w.c.Strs(param) {
		w.noOption(param, v).add(v)
	}
	return w
}

// flag adds an option where the parameter is true.
func (w *words) flag(param, option string) *words {
	if w.c.Bool(param) {
		w.add(option)
	}
	return w
}

// url adds an address, with the account for https.
func (w *words) url(param string) *words {
	u, err := withAccount(w.c.Str(param), w.c.Arg("https_user"), w.c.Arg("https_pass"))
	if err != nil {
		return w.refuse(err)
	}
	return w.noOption(param, u).add(u)
}

func withAccount(url string, user, password value.Value) (string, error) {
	if user == value.Value(value.None) && password == value.Value(value.None) {
		return url, nil
	}
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		return "", refused("Basic Auth only supported for HTTPS")
	}
	account := value.String(user)
	if password != value.Value(value.None) {
		account += ":" + value.String(password)
	}
	return "https://" + account + "@" + rest, nil
}
