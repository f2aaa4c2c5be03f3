package hg

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("hg.archive", "Writes the files of a revision to an archive.", archive, "cwd", "output", "rev=tip",
			"fmt=None", "prefix=None", "user=None"),
		modules.NewExec("hg.pull", "Fetches what another repository has.", pull, "cwd", "opts=None", "user=None",
			"identity=None", "repository=None"),
		modules.NewExec("hg.update", "Moves a checkout to a revision.", update, "cwd", "rev", "force=False", "user=None"),
		modules.NewExec("hg.clone", "Makes a checkout of a repository.", clone, "cwd", "repository", "opts=None",
			"user=None", "identity=None"),
	),
		modules.NewExec("hg.revision", "The hash of a revision, empty where there is none.", revision, "cwd", "rev=tip",
			"short=False", "user=None"),
		modules.NewExec("hg.describe", "A name for a revision by the newest tag before it.", describe, "cwd", "rev=tip",
			"user=None"),
		modules.NewExec("hg.status", "The files of a checkout that are not as committed, by what they are.", status, "cwd",
			"opts=None", "user=None"))
}

func of(c *modules.Call, dir string) repo {
	return repo{dir: dir, user: c.Str("user"), identity: c.Str("identity"), opts: strings.Fields(c.Str("opts"))}
}

// change runs hg; what it leaves nobody can foretell.
func change(ctx context.Context, c *modules.Call, r repo, words ...string) (value.Value, error) {
	text := ""
	err := c.Host.Do(ctx, host.Deed{What: "hg " + words[0], On: host.Anything, Do: func(ctx context.Context) (err error) {
		text, err = r.do(ctx, c.Host, words...)
		return err
	}})
	return value.Str(text), modules.Failed(err)
}

func archive(ctx context.Context, c *modules.Call) (value.Value, error) {
	words := []string{"archive", "--rev", c.Str("rev")}
	for _, o := range [][2]string{{"--type", c.Str("fmt")}, {"--prefix", c.Str("prefix")}} {
		if o[1] != "" {
			words = append(words, o[0], o[1])
		}
	}
	return change(ctx, c, of(c, c.Str("cwd")), append(words, "--", c.Str("output"))...)
}

func pull(ctx context.Context, c *modules.Call) (value.Value, error) {
	r := of(c, c.Str("cwd"))
	words := append([]string{"pull"}, r.keyed()...)
	if from := c.Str("repository"); from != "" {
		words = append(words, "--", from)
	}
	return change(ctx, c, r, words...)
}

func update(ctx context.Context, c *modules.Call) (value.Value, error) {
	words := []string{"update", "-r", c.Str("rev")}
	if c.Bool("force") {
		words = append(words, "-C")
	}
	return change(ctx, c, of(c, c.Str("cwd")), words...)
}

func clone(ctx context.Context, c *modules.Call) (value.Value, error) {
	r := of(c, "/")
	return change(ctx, c, r, append(append([]string{"clone"}, r.keyed()...), "--", c.Str("repository"),
		c.Str("cwd"))...)
}

func revision(ctx context.Context, c *modules.Call) (value.Value, error) {
	id, err := of(c, c.Str("cwd")).revision(ctx, c.Host, c.Str("rev"), !c.Bool("short"))
	return value.Str(id), err
}

// describe names a revision by the newest tag before it.
//
// Salt differs: the braces of its template are doubled, so that it answers the same for each, with quotes.
func describe(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, _, err := of(c, c.Str("cwd")).ask(ctx, c.Host, "log", "-r", c.Str("rev"), "--template",
		"{latesttag}-{latesttagdistance}-{node|short}")
	return value.Str(text), modules.Failed(err)
}

func status(ctx context.Context, c *modules.Call) (value.Value, error) {
	if _, one := c.Arg("cwd").(value.Str); one {
		return statusOf(ctx, c, c.Str("cwd"))
	}
	dirs, err := modules.Texts(c.Arg("cwd"))
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "cwd %v", err)
	}
	all := value.NewDict(len(dirs))
	for _, dir := range dirs {
		d, err := statusOf(ctx, c, dir)
		if err != nil {
			return nil, err
		}
		all.SetStr(dir, d)
	}
	return all, nil
}

func statusOf(ctx context.Context, c *modules.Call, dir string) (*value.Dict, error) {
	r := of(c, dir)
	text, _, err := r.ask(ctx, c.Host, append([]string{"status"}, r.opts...)...)
	if err != nil {
		return nil, modules.Failed(err)
	}
	words := map[string]string{"M": "modified", "A": "added", "R": "removed", "C": "clean", "!": "missing",
		"?": "not tracked", "I": "ignored", " ": "origin of the previous file"}
	d := value.NewDict(2)
	for line := range strings.Lines(text) {
		kind := words[line[:1]]
		if kind == "" || len(line) < 3 {
			continue
		}
		l, _ := d.GetStr(kind)
		if l == nil {
			l = value.NewList()
			d.SetStr(kind, l)
		}
		l.(*value.List).Items = append(l.(*value.List).Items, value.Str(strings.TrimRight(line[2:], "\n")))
	}
	return d, nil
}
