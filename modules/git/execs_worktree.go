package git

import (
	"context"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func worktreeSpecs() []modules.ExecSpec {
	add := function{name: "worktree_add", doc: "Makes a worktree, on a new branch unless it is detached.",
		params: "cwd worktree_path ref= reset_branch= force= detach=False" + opts + asWhom + " branch=",
		class:  modules.Writes, both: true, words: worktreeAdd}
	return []modules.ExecSpec{
		add.spec(),
		{Name: "git.is_worktree", Doc: "Whether a folder is a worktree.",
			Params: strings.Fields("cwd user= password= output_encoding="),
			Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
				ok, err := isWorktree(ctx, c)
				return value.Bool(ok), err
			}},
		{Name: "git.list_worktrees", Doc: "The worktrees, with stale those that are gone, with all both.",
			Params: strings.Fields("cwd stale=False user= password= output_encoding= all=False"), Fn: listWorktrees},
		{Name: "git.worktree_rm", Doc: "Removes the folder of a worktree.", Class: modules.Writes,
			Params: strings.Fields("cwd user= output_encoding="), Fn: worktreeRemove},
	}
}

func worktreeAdd(w *words) {
	c := w.c
	branch := c.Str("branch")
	w.add("worktree", "add")
	switch {
	case branch != "" && c.Bool("detach"):
		w.refuse(refused("Only one of 'branch' and 'detach' is allowed"))
	case c.Bool("detach"):
		w.add("--detach")
	default:
		if branch == "" {
			branch = path.Base(c.Str("worktree_path"))
		}
		flag := "-b"
		if c.Bool("reset_branch") {
			flag = "-B"
		}
		w.add(flag, branch).flag("force", "--force")
	}
	w.opts().operand("worktree_path", "ref")
}

func prune(w *words) {
	w.add("worktree", "prune").flag("dry_run", "--dry-run").flag("verbose", "--verbose")
	if e := w.c.Str("expire"); e != "" {
		w.add("--expire", e)
	}
	w.opts()
}

// isWorktree says whether the top of a folder has a file .git that names an absolute path.
func isWorktree(ctx context.Context, c *modules.Call) (bool, error) {
	top, err := other(ctx, c, "rev-parse", "--show-toplevel")
	if host.IsUnknown(err) {
		return false, err
	}
	if err != nil {
		return false, nil
	}
	data, err := c.Host.ReadFile(path.Join(top, ".git"))
	if err != nil {
		return false, nil // a folder: the repository itself
	}
	line, _, _ := strings.Cut(string(data), "\n")
	label, dir, ok := strings.Cut(line, " ")
	return ok && label == "gitdir:" && path.IsAbs(strings.TrimLeft(dir, " ")), nil
}

func listWorktrees(ctx context.Context, c *modules.Call) (value.Value, error) {
	all, stale := c.Bool("all"), c.Bool("stale")
	if all && stale {
		return nil, failed("'all' and 'stale' cannot both be set to True")
	}
	out, err := other(ctx, c, "worktree", "list", "--porcelain")
	if err != nil {
		return nil, err
	}
	found := value.NewDict(0)
	for _, entry := range strings.Split(out, "\n\n") {
		about := map[string]string{}
		for line := range strings.Lines(entry) {
			key, v, _ := strings.Cut(strings.TrimSpace(line), " ")
			about[key] = v
		}
		_, detached := about["detached"]
		if about["worktree"] == "" || about["HEAD"] == "" || about["branch"] == "" && !detached {
			continue
		}
		i, err := c.Host.Stat(about["worktree"])
		gone := err != nil || !i.IsDir()
		if gone != stale && !all {
			continue
		}
		d := value.DictOf("stale", value.Bool(gone), "HEAD", value.Str(about["HEAD"]), "detached", value.Bool(detached))
		found.SetStr(about["worktree"], d)
		if !detached {
			d.SetStr("branch", value.Str(strings.Replace(about["branch"], "refs/heads/", "", 1)))
			continue
		}
		d.SetStr("branch", value.None)
		tags, err := other(ctx, c, "tag", "--points-at", about["HEAD"])
		if err != nil {
			return nil, err
		}
		if tags != "" {
			l, _ := lines(nil, tags)
			d.SetStr("tags", l)
		}
	}
	return found, nil
}

func worktreeRemove(ctx context.Context, c *modules.Call) (value.Value, error) {
	dir := inHome(c, c.Str("cwd"))
	if _, err := c.Host.Stat(dir); err != nil {
		if host.IsUnknown(err) {
			return nil, err
		}
		return nil, failed("%s does not exist", dir)
	}
	if ok, err := isWorktree(ctx, c); err != nil || !ok {
		if err != nil {
			return nil, err
		}
		return nil, failed("%s is not a git worktree", dir)
	}
	if err := c.Host.RemoveAll(dir); err != nil {
		return nil, failed("Unable to remove %s: %v", dir, err)
	}
	return value.Bool(true), nil
}
