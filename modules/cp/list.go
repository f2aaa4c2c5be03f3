package cp

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func listSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("cp.list_master", "list_master(saltenv=None, prefix=''): the files of the file roots.", listMaster,
			"saltenv=None", "prefix=''"),
		modules.NewExec("cp.list_master_dirs", "list_master_dirs(saltenv=None, prefix=''): the directories of the file roots.", listDirs, "saltenv=None", "prefix=''"),
		modules.NewExec("cp.list_master_symlinks", "list_master_symlinks(saltenv=None, prefix=''): the links of the file "+
			"roots and where they point.", listLinks, "saltenv=None", "prefix=''"),
		modules.NewExec("cp.list_states", "list_states(saltenv=None): the names of all SLS.", listStates, "saltenv=None"),
		modules.NewExec("cp.envs", "envs(): the environments.", envs),
	}
}

// files are the files of an environment below a prefix, sorted. An environment without roots has none.
func files(c *modules.Call) []modules.SourceFile {
	all, err := c.Files.List("salt://", c.ChosenEnv())
	if err != nil {
		c.Log("debug", err.Error())
		return nil
	}
	prefix := strings.Trim(strings.TrimPrefix(c.Str("prefix"), "salt://"), "/")
	if prefix == "" {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(f modules.SourceFile) bool {
		return f.Path != prefix && !strings.HasPrefix(f.Path, prefix+"/")
	})
}

func listMaster(_ context.Context, c *modules.Call) (value.Value, error) {
	var out []string
	for _, f := range files(c) {
		if !strings.HasSuffix(f.Path, "/") {
			out = append(out, f.Path)
		}
	}
	return modules.TextList(out), nil
}

func listDirs(_ context.Context, c *modules.Call) (value.Value, error) {
	seen := map[string]bool{".": true}
	out := []string{"."}
	prefix := strings.Trim(strings.TrimPrefix(c.Str("prefix"), "salt://"), "/")
	if prefix != "" {
		out = nil
	}
	for _, f := range files(c) {
		d := path.Dir(f.Path)
		if strings.HasSuffix(f.Path, "/") {
			d = strings.TrimSuffix(f.Path, "/")
		}
		for ; !seen[d]; d = path.Dir(d) {
			seen[d] = true
			if strings.HasPrefix(d, prefix) {
				out = append(out, d)
			}
		}
	}
	slices.Sort(out)
	return modules.TextList(out), nil
}

func listLinks(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	for _, f := range files(c) {
		if f.Link != "" {
			out.SetStr(f.Path, value.Str(f.Link))
		}
	}
	return out, nil
}

// listStates names each .sls file as include does: a/b.sls and a/b/init.sls are a.b.
func listStates(_ context.Context, c *modules.Call) (value.Value, error) {
	var out []string
	for _, f := range files(c) {
		name, ok := strings.CutSuffix(f.Path, ".sls")
		if !ok {
			continue
		}
		name = strings.TrimSuffix(name, "/init")
		out = append(out, strings.ReplaceAll(name, "/", "."))
	}
	slices.Sort(out)
	return modules.TextList(slices.Compact(out)), nil
}

func envs(_ context.Context, c *modules.Call) (value.Value, error) {
	v, _ := c.Opts.Dict().GetStr("file_roots")
	var out []string
	if d, ok := v.(*value.Dict); ok {
		for k := range d.All() {
			out = append(out, value.String(k))
		}
	}
	if l, ok := c.Files.(modules.EnvLister); ok {
		for _, env := range l.Envs() {
			if !slices.Contains(out, env) {
				out = append(out, env)
			}
		}
	}
	return modules.TextList(out), nil
}

// listMinion names the files below the cache of an environment, and those of the machine that were copied, relative to
// each.
func listMinion(_ context.Context, c *modules.Call) (value.Value, error) {
	var out []string
	for _, dir := range []string{path.Join(c.CacheDir(), "files", c.ChosenEnv()), path.Join(c.CacheDir(), "localfiles")} {
		out = walk(c.Host, dir, "", out)
	}
	slices.Sort(out)
	return modules.TextList(slices.Compact(out)), nil
}

// walk adds the files below a directory, which need not be there.
func walk(h host.Reader, dir, rel string, out []string) []string {
	infos, _ := h.ReadDir(path.Join(dir, rel))
	for _, i := range infos {
		p := path.Join(rel, path.Base(i.Path))
		if i.IsDir() {
			out = walk(h, dir, p, out)
			continue
		}
		out = append(out, p)
	}
	return out
}
