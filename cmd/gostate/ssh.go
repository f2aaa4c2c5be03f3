package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/cmd/internal/ssh"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/report"
)

const sshUsage = `gostate ssh TARGET [highstate|sls NAME...|single FUNCTION...|call FUNCTION...|plan [NAME...]] [--test] [FLAGS]

Without a command it is highstate. The tree and the pillar are this machine's; each host renders its own states.

Examples:
  gostate ssh web1 --test                            what would change on web1
  gostate ssh 'web*' highstate                       all hosts of the roster whose name begins so
  gostate ssh 'N@web and not web3' sls nginx --batch 10%
  gostate ssh 'G@role:db' single pkg.installed name=htop
  gostate ssh '*' call cmd.run uptime
  gostate ssh --roster inventory.ini web --out json`

func sshCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "ssh", Usage: "bring other machines to their top.sls, over ssh", Category: catApply,
		ArgsUsage: "TARGET [COMMAND...]", UsageText: sshUsage,
		Flags: append(sshFlags(),
			&cli.StringFlag{Name: "batch", Usage: "work on `N` hosts, or a share such as 10%, before the next are begun; stops " +
				"after a batch with failures unless --max-fail says otherwise"},
			&cli.StringFlag{Name: "max-fail", Usage: "begin no other host when more than `N` hosts, or a share such as 2%, have " +
				"failed"},
			&cli.StringSliceFlag{Name: "id", Usage: "with sls: apply only the states of this `ID`"}),
		Action: func(c *cli.Context) error { return p.ssh(c) },
	}
}

// sshFlags say which hosts there are and how they are reached.
func sshFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "roster", Aliases: []string{"r"},
			Usage: "take the hosts from `FILE`: nodes.yaml, a Salt " +
				"roster, an Ansible inventory, a ssh_config, or - for names on standard input (repeatable; default: " +
				"nodes.yaml, else /etc/salt/roster, and ~/.ssh/config)"},
		&cli.IntFlag{Name: "jobs", Value: 25, Action: checkJobs, Usage: "work on up to `N` hosts at once"},
		&cli.BoolFlag{Name: "ask-sudo-password", Usage: "ask for the password that sudo wants; it is read from the " +
			"terminal, else from the first line of standard input"},
		&cli.BoolFlag{Name: "no-sudo", Usage: "run as the user who logs in, though that is not root"},
		&cli.StringFlag{Name: "user", Aliases: []string{"u"}, Usage: "log in as `USER`"},
		&cli.DurationFlag{Name: "connect-timeout", Value: sshTimeout, Usage: "give a host up that does not answer within " +
			"`TIME`"},
		&cli.StringFlag{Name: "binaries", Usage: "send hosts of another kind the gostate of `DIR`, named as in a release " +
			"(gostate-VERSION-linux-arm64; default: the directory of this one)"},
	}
}

// sshTimeout is how long a host may take to answer.
const sshTimeout = 10 * time.Second

func sshServeCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "ssh-serve", Usage: "the far side of gostate ssh", Hidden: true, Category: catApply, ArgsUsage: "MARK",
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("ssh-serve is for gostate ssh, which starts it on other machines\nhint: gostate ssh HOST --test")
			}
			return ssh.Serve(c.Context, &p.Process, os.Stdin, os.Stdout, c.Args().First())
		},
	}
}

func (p *program) ssh(c *cli.Context) error {
	if c.NArg() == 0 {
		return usagef("ssh needs a target\nhint: gostate ssh HOST --test")
	}
	o := optionsOf(c)
	if err := oneMachines(o); err != nil {
		return err
	}
	work, err := sshWork(c, o)
	if err != nil {
		return err
	}
	hosts, err := roster.Load(c.StringSlice("roster"), p.In, c.Args().First())
	if err != nil {
		return err
	}
	s, err := session.Look(&p.Process, o)
	if err != nil {
		return err
	}
	if t := s.Preview(); t {
		work.Options.Test, work.Options.TestSet = true, true
	}
	return p.sshAll(c, s, o, hosts, work)
}

// oneMachines refuses flags that are about one machine, or about this one.
func oneMachines(o session.Options) error {
	for _, f := range []struct {
		given bool
		name  string
	}{{o.ID != "", "id"}, {o.GrainsFile != "", "grains-file"}, {o.Root != "/", "root"}, {o.Metrics != "", "metrics"},
		{o.JUnit != "", "junit"}, {o.ShowSecrets, "show-secrets"}} {
		if f.given {
			return usagef("--%s is about one machine, and does not go with ssh\nhint: leave it out", f.name)
		}
	}
	if !slices.Contains([]string{"highstate", "json", "quiet"}, o.Out) {
		return usagef("ssh prints text, or JSON with one object a host, not %q\nhint: --out json", o.Out)
	}
	return nil
}

// sshWork is what the words behind the target ask for.
func sshWork(c *cli.Context, o session.Options) (ssh.Work, error) {
	words := c.Args().Tail()
	command := "highstate"
	if len(words) > 0 {
		command, words = words[0], words[1:]
	}
	w := ssh.Work{Command: command, Options: farOptions(o)}
	var err error
	switch command {
	case "plan":
		w.Options.Test, w.Options.TestSet = true, true
		w.Request, err = statesOf(command, words, len(words) == 0)
	case "highstate":
		w.Request, err = statesOf(command, words, true)
	case "sls", "apply":
		w.Request, err = statesOf(command, words, command == "apply" && len(words) == 0)
	case "single":
		w.Single, err = singleOf(words)
	case "call":
		w.Call, err = callOf(words)
	default:
		return w, usagef("ssh does not know the command %q\nhint: highstate, sls NAME, single FUNCTION, call FUNCTION or "+
			"plan", command)
	}
	if ids := c.StringSlice("id"); err == nil && len(ids) > 0 {
		if w.Request == nil || w.Request.Top {
			return w, usagef("--id goes with sls\nhint: gostate ssh TARGET sls NAME --id ID")
		}
		w.Request.IDs = ids
	}
	if w.Request != nil && len(w.Request.SLS) > 0 {
		w.Command += " " + strings.Join(w.Request.SLS, ",")
	}
	return w, err
}

// farOptions are the options of a run over there: the tree, the pillar and the configuration come from here, and what a
// run leaves is where that machine keeps it.
func farOptions(o session.Options) session.Options {
	o.ConfigDir, o.ConfigDirSet, o.FileRoots, o.PillarRoots, o.Pillar, o.StateDir = "/etc/gostate", false, nil, nil, "", ""
	if o.StateOutput == "" {
		o.StateOutput = "brief"
	}
	o.Out, o.OutSet = "highstate", true
	return o
}

// statesOf is the request of words behind a command: SLS files, or top.sls.
func statesOf(command string, words []string, top bool) (*session.Request, error) {
	exclude, rest := takeKeyword(words, "exclude")
	if err := noKeyword(command, rest, "exclude"); err != nil {
		return nil, err
	}
	names := config.SplitCommas(rest)
	switch {
	case top && len(names) > 0:
		return nil, usagef("highstate takes no names: it applies what top.sls says\nhint: gostate ssh TARGET sls %s",
			strings.Join(names, " "))
	case !top && len(names) == 0:
		return nil, usagef("sls needs a name\nhint: gostate ssh TARGET sls NAME")
	}
	return &session.Request{SLS: names, Top: top, Exclude: exclude}, nil
}

func singleOf(words []string) (*ssh.Single, error) {
	if len(words) == 0 {
		return nil, usagef("single needs a state function\nhint: gostate ssh TARGET single file.managed name=/etc/motd " +
			"contents=hi")
	}
	mod, name, body, err := readSingle(words[0], words[1:])
	if err != nil {
		return nil, err
	}
	text, err := yaml.Encode(body, yaml.EncodeOptions{AllowUnicode: true, Width: -1})
	return &ssh.Single{Module: mod, Name: name, Body: text}, err
}

func callOf(words []string) (*ssh.Call, error) {
	if len(words) == 0 {
		return nil, usagef("call needs a function\nhint: gostate ssh TARGET call cmd.run uptime")
	}
	args, kwargs := readCall(words[0], words[1:], nil)
	return ssh.NewCall(words[0], args, kwargs)
}

// sshAll carries the work out and shows what came of it.
func (p *program) sshAll(c *cli.Context, s *session.Session, o session.Options, hosts []*roster.Host,
	work ssh.Work) error {
	lim, err := limitsOf(c, len(hosts))
	if err != nil {
		return err
	}
	job, err := p.sshJob(c, hosts)
	if err != nil {
		return err
	}
	if err := p.Begin(); err != nil {
		return err
	}
	job.Source, job.Work = ssh.NewSource(s, ssh.Pillars(o)), work
	b := p.board(o)
	b.Begin(hosts)
	results := job.All(c.Context, hosts, lim, b.Watch, func(r *ssh.Result) {
		b.Done(r)
		if o.Out == "json" {
			if line, err := r.JSON(); err == nil {
				fmt.Fprintf(p.Out, "%s\n", line)
			}
		}
	})
	b.End()
	if o.Out == "highstate" {
		ssh.Details(p.Out, results, o.StateOutput != "")
		fmt.Fprintf(p.Out, "\n%s\n", ssh.Summary(results))
	}
	p.Code = ssh.Code(results)
	return nil
}

// sshJob is how hosts are reached, as the flags say; what is to be done there is for others to say.
func (p *program) sshJob(c *cli.Context, hosts []*roster.Host) (*ssh.Job, error) {
	sudo, err := p.sudo(c)
	if err != nil {
		return nil, err
	}
	dir, err := ssh.Sockets()
	if err != nil {
		return nil, fmt.Errorf("make a directory for connections: %w", err)
	}
	for _, h := range hosts {
		if u := c.String("user"); u != "" {
			h.User = u
		}
	}
	return &ssh.Job{Programs: &ssh.Programs{Dir: c.String("binaries")},
		Settings: ssh.Settings{Batch: len(hosts) > 1 || !session.IsTerminal(p.Err), Dir: dir,
			Timeout: c.Duration("connect-timeout")},
		Sudo: sudo, Abort: p.Abort}, nil
}

// board shows where the hosts are: live on a terminal.
func (p *program) board(o session.Options) *ssh.Board {
	b := &ssh.Board{}
	if o.Out == "highstate" {
		b.Lines = p.Out
	}
	if f, ok := report.Under(p.Err).(*os.File); ok && o.Out != "quiet" && session.IsTerminal(p.Err) {
		b.Live, b.Width, b.Height = f, 80, 24
		if w, h, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
			b.Width, b.Height = w, h
		}
	}
	return b
}

// limitsOf are the limits that the flags set for so many hosts.
func limitsOf(c *cli.Context, hosts int) (ssh.Limits, error) {
	lim := ssh.Limits{Jobs: c.Int("jobs"), MaxFail: -1}
	if text := c.String("batch"); text != "" {
		n, err := ssh.Share(text, hosts)
		if err != nil || n == 0 {
			return lim, usagef("--batch %q is neither a number nor a share\nhint: --batch 5, --batch 10%%", text)
		}
		lim.Batch, lim.MaxFail = n, 0
	}
	if text := c.String("max-fail"); text != "" {
		n, err := ssh.Share(text, hosts)
		if err != nil {
			return lim, usagef("--max-fail %v\nhint: --max-fail 2, --max-fail 2%%", err)
		}
		lim.MaxFail = n
	}
	return lim, nil
}

// sudo is how root is asked for, with the password that the user types.
func (p *program) sudo(c *cli.Context) (ssh.Sudo, error) {
	s := ssh.Sudo{Never: c.Bool("no-sudo")}
	if !c.Bool("ask-sudo-password") {
		return s, nil
	}
	word, err := p.typedPassword()
	s.Password = func() (string, error) { return word, nil }
	return s, err
}

// typedPassword reads a password from the terminal, without showing it, else the first line of standard input.
func (p *program) typedPassword() (string, error) {
	if f, ok := p.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(p.Err, "sudo password: ")
		word, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(p.Err)
		return string(word), err
	}
	word, err := firstLineOf(p.In)
	if word == "" || err != nil {
		return "", errors.Join(errors.New("no password came on standard input"), err)
	}
	return word, nil
}

// firstLineOf reads one line, byte by byte: what follows it is not for this.
func firstLineOf(in io.Reader) (string, error) {
	var line []byte
	for b := make([]byte, 1); len(line) < 4096; {
		n, err := in.Read(b)
		if n == 1 && b[0] == '\n' || errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		line = append(line, b[:n]...)
	}
	return strings.TrimSuffix(string(line), "\r"), nil
}
