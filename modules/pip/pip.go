// Package pip keeps Python packages installed, or not, and virtual environments there, through pip and venv.
package pip

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "pip", States: []modules.StateSpec{installedSpec(), removedSpec(), managedSpec()},
		Execs: append(execSpecs(), venvSpecs()...)}
}

// Common are the arguments that say which pip, and as whom.
type Common struct {
	BinEnv  string      `arg:"bin_env,path" doc:"The virtual environment, or the pip to use."`
	PipBin  string      `arg:"pip_bin,path" doc:"The pip to use."`
	User    string      `arg:"user,word" doc:"Who runs pip."`
	Cwd     string      `arg:"cwd,path" doc:"Where pip runs."`
	EnvVars *value.Dict `arg:"env_vars,env" doc:"The environment of pip."`
	Proxy   string      `arg:"proxy" doc:"A proxy."`
	Timeout string      `arg:"timeout" doc:"Seconds that pip waits for a connection."`
}

// command is the pip to use: of the virtual environment, or the one that is named, or pip3.
func (c *Common) command(h host.Reader) ([]string, error) {
	if c.PipBin != "" {
		return []string{c.PipBin}, nil
	}
	if c.BinEnv != "" {
		if i, err := h.Stat(c.BinEnv); err == nil && !i.IsDir() {
			return []string{c.BinEnv}, nil
		}
		for _, p := range []string{"/bin/pip", "/bin/pip3"} {
			if _, err := h.Stat(c.BinEnv + p); err == nil {
				return []string{c.BinEnv + p}, nil
			}
		}
		if !strings.Contains(c.BinEnv, "/") {
			if p, err := h.LookPath(c.BinEnv); err == nil {
				return []string{p}, nil
			}
		}
		return nil, host.Missing("there is no pip in %s", c.BinEnv)
	}
	for _, p := range []string{"pip3", "pip"} {
		if _, err := h.LookPath(p); err == nil {
			return []string{p}, nil
		}
	}
	return nil, host.Missing("pip is not installed")
}

func (c *Common) environ() []string {
	env := []string{"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "LC_ALL=C.UTF-8"}
	if c.EnvVars != nil {
		for k, v := range c.EnvVars.All() {
			env = append(env, value.String(k)+"="+value.String(v))
		}
	}
	return env
}

func (c *Common) cmd(h host.Reader, args ...string) (host.Cmd, error) {
	pip, err := c.command(h)
	if c.Proxy != "" {
		args = append(args, "--proxy", c.Proxy)
	}
	if c.Timeout != "" {
		args = append(args, "--timeout", c.Timeout)
	}
	args, private := unseen(args)
	return host.Cmd{Args: append(pip, args...), Env: append(c.environ(), private...), RunAs: c.User, Dir: c.Cwd}, err
}

// unseen takes options with an address that holds a password out of the words, which all users of the machine can see,
// and gives them to pip's environment, which they cannot.
func unseen(words []string) (seen, env []string) {
	options := []string{"--index-url", "--extra-index-url", "--find-links", "--proxy"}
	for i := 0; i < len(words); i++ {
		if i+1 < len(words) && slices.Contains(options, words[i]) && hasPassword(words[i+1]) {
			name := strings.ReplaceAll(strings.TrimPrefix(words[i], "--"), "-", "_")
			env = append(env, "PIP_"+strings.ToUpper(name)+"="+words[i+1])
			i++
			continue
		}
		seen = append(seen, words[i])
	}
	return seen, env
}

func hasPassword(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.User != nil || err != nil && strings.Contains(address, "@")
}

// ask runs a pip that only looks: it keeps neither compiled modules nor what it fetched.
func (c *Common) ask(ctx context.Context, h host.Reader, args ...string) (*host.Output, error) {
	cmd, err := c.cmd(h, args...)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, "PYTHONDONTWRITEBYTECODE=1", "PIP_NO_CACHE_DIR=1")
	out, err := h.Query(ctx, cmd)
	if err == nil && out.Code != 0 {
		err = errors.New(reason(out))
	}
	if err != nil {
		return nil, fmt.Errorf("ask pip what is installed: %w", err)
	}
	return out, nil
}

// have are the installed packages by their normal names, and what earlier states of a preview promised.
func (c *Common) have(ctx context.Context, h host.Reader) (map[string]string, error) {
	if _, err := h.Lstat(c.lib(h)); host.IsUnknown(err) {
		return nil, err
	}
	out, err := c.ask(ctx, h, "list", "--format=freeze")
	if err != nil {
		return nil, err
	}
	m := map[string]string{}
	for line := range strings.Lines(string(out.Stdout)) {
		if n, v, ok := strings.Cut(strings.TrimSpace(line), "=="); ok {
			m[normal(n)] = v
		}
	}
	modules.Promised(h, c.fact(h, ""), m)
	return m, nil
}

// lib is where pip installs to.
func (c *Common) lib(h host.Reader) string {
	if pip, err := c.command(h); err == nil && path.IsAbs(pip[0]) {
		return path.Join(path.Dir(pip[0]), "../lib")
	}
	return "/usr/local/lib"
}

// fact is the name of what is promised of a package.
func (c *Common) fact(h host.Reader, name string) string {
	pip, _ := c.command(h)
	return "pip " + strings.Join(pip, "") + " " + c.User + " " + name
}

// promise notes the packages with their versions, "" for none, and that they may bring commands.
func (c *Common) promise(o host.Host, versions map[string]string) {
	modules.PromiseLibraries(o, c.fact(o, ""), versions)
}

// run runs pip.
func (c *Common) run(ctx context.Context, h host.Host, args ...string) (*host.Output, error) {
	cmd, err := c.cmd(h, args...)
	if err != nil {
		return nil, err
	}
	out, err := h.Run(ctx, cmd)
	if err == nil && out.Code != 0 {
		err = errors.New(reason(out))
	}
	return out, err
}

// normal is the spelling under which Python holds names for one: Foo.Bar is foo-bar.
func normal(name string) string {
	return strings.ToLower(regexp.MustCompile(`[-_.]+`).ReplaceAllString(strings.TrimSpace(name), "-"))
}

// reason is pip's last error line.
func reason(out *host.Output) string {
	why := ""
	for line := range strings.Lines(string(out.Stderr)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "ERROR:") || strings.HasPrefix(line, "error:") {
			return strings.TrimSpace(line[6:])
		}
		if line != "" {
			why = line
		}
	}
	if why == "" {
		return fmt.Sprintf("it ended with exit code %d", out.Code)
	}
	return why
}

// promised is the version of a package that is not there yet: whatever is asked for.
const promised = "installed"

// A requirement is what a line of requirements asks for.
type requirement struct {
	text  string
	shown string // the name as Salt shows it
	name  string // normal; "" where only pip can tell, as for URLs
	specs []spec
}

type spec struct{ op, version string }

func parseRequirement(text string) requirement {
	r := requirement{text: strings.TrimSpace(text)}
	plain, _, _ := strings.Cut(r.text, ";")
	m := regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(\[[^\]]*\])?\s*([<>=!~].*)?$`).FindStringSubmatch(strings.TrimSpace(plain))
	if m == nil || strings.Contains(plain, "://") || strings.Contains(plain, "/") {
		return r
	}
	r.name, r.shown = normal(m[1]), regexp.MustCompile(`[^A-Za-z0-9.]+`).ReplaceAllString(m[1], "-")
	for _, part := range strings.Split(m[3], ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		op := part[:len(part)-len(strings.TrimLeft(part, "<>=!~"))]
		r.specs = append(r.specs, spec{op, strings.TrimSpace(part[len(op):])})
	}
	return r
}

// met says whether the version is one that is asked for.
func (r requirement) met(version string) bool {
	if version == promised {
		return true
	}
	for _, s := range r.specs {
		want, star := strings.CutSuffix(s.version, ".*")
		d := compare(version, want)
		prefix := version == want || strings.HasPrefix(version, want+".")
		ok := false
		switch s.op {
		case "==", "===":
			ok = d == 0 || star && prefix
		case "!=":
			ok = d != 0 && !(star && prefix)
		case "<":
			ok = d < 0
		case "<=":
			ok = d <= 0
		case ">":
			ok = d > 0
		case ">=":
			ok = d >= 0
		case "~=":
			base := want[:max(strings.LastIndexByte(want, '.'), 0)]
			ok = d >= 0 && (version == base || strings.HasPrefix(version, base+"."))
		}
		if !ok {
			return false
		}
	}
	return true
}

// compare orders versions by their numbers; what comes before a release (a, b, rc, dev) is smaller than it, post is
// greater.
func compare(a, b string) int {
	as, bs := parts(a), parts(b)
	for i := range max(len(as), len(bs)) {
		x, y := part(as, i), part(bs, i)
		if x != y {
			if x < y {
				return -1
			}
			return 1
		}
	}
	return 0
}

// parts are the numbers of a version with marks for what is no number, on a scale where the end of a version is 0.
func parts(v string) []int {
	var out []int
	v, _, _ = strings.Cut(strings.TrimPrefix(strings.ToLower(v), "v"), "+")
	for _, w := range regexp.MustCompile(`\d+|[a-z]+`).FindAllString(v, -1) {
		switch {
		case w[0] >= '0' && w[0] <= '9':
			n := 0
			for _, c := range w {
				n = min(n*10+int(c-'0'), min(1<<40, math.MaxInt/16)) // an int of 32 bits holds ten times that, too
			}
			out = append(out, n)
		case w == "post" || w == "r" || w == "rev":
			out = append(out, 1)
		case w == "rc" || w == "c" || w == "pre" || w == "preview":
			out = append(out, -1)
		case w == "b" || w == "beta":
			out = append(out, -2)
		case w == "a" || w == "alpha":
			out = append(out, -3)
		default: // dev
			out = append(out, -4)
		}
	}
	return out
}

func part(p []int, i int) int {
	if i < len(p) {
		return p[i]
	}
	return 0
}
