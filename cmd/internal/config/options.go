package config

import (
	"os"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/value"
)

// Defaults are what a run adds to the configuration for opts, as templates see it.
type Defaults struct {
	ID, SaltEnv, PillarEnv, Root string
	Test                         bool
	FileRoots                    []roots.EnvDirs
	PillarRoots                  []roots.EnvDirs
}

// Options are the options as templates and config.get see them: the configuration over Salt's defaults. `__cli` is
// salt-call, because formulas ask whether they run without a master.
func (c *Config) Options(d Defaults) *value.Dict {
	o := value.NewDict(c.Opts.Len() + 32)
	set := func(k string, v value.Value) { o.SetStr(k, v) }
	set("id", value.Str(d.ID))
	set("root_dir", value.Str(d.Root))
	set("conf_file", value.Str(c.Dir+"/minion"))
	set("config_dir", value.Str(c.Dir))
	set("cachedir", value.Str("/var/cache/salt/minion"))
	set("extension_modules", value.Str("/var/cache/salt/minion/extmods"))
	set("pki_dir", value.Str(c.Dir+"/pki/minion"))
	set("log_level", value.Str("warning"))
	set("master", value.Str("salt"))
	set("master_type", value.Str("str"))
	set("file_client", value.Str("local"))
	set("local", value.Bool(true))
	set("__cli", value.Str("salt-call"))
	set("__role", value.Str("minion"))
	set("user", value.Str(userName()))
	set("renderer", value.Str("jinja|yaml"))
	set("hash_type", value.Str("sha256"))
	set("state_top", value.Str("top.sls"))
	set("top_file_merging_strategy", value.Str("merge"))
	set("default_top", value.Str("base"))
	set("env_order", value.NewList())
	set("state_auto_order", value.Bool(true))
	set("state_aggregate", value.Bool(false))
	set("state_verbose", value.Bool(true))
	set("state_output", value.Str("full"))
	set("failhard", value.Bool(false))
	set("pillar_source_merging_strategy", value.Str("smart"))
	set("pillar_merge_lists", value.Bool(false))
	set("jinja_trim_blocks", value.Bool(false))
	set("jinja_lstrip_blocks", value.Bool(false))
	set("jinja_env", value.NewDict(0))
	set("jinja_sls_env", value.NewDict(0))
	set("nodegroups", value.NewDict(0))
	for k, v := range c.Opts.All() {
		_ = o.Set(k, v)
	}
	set("id", value.Str(d.ID))
	set("test", value.Bool(d.Test))
	set("saltenv", orNone(d.SaltEnv))
	set("pillarenv", orNone(d.PillarEnv))
	set("file_roots", rootsDict(d.FileRoots))
	set("pillar_roots", rootsDict(d.PillarRoots))
	return o
}

func orNone(s string) value.Value {
	if s == "" {
		return value.None
	}
	return value.Str(s)
}

func rootsDict(envs []roots.EnvDirs) *value.Dict {
	d := value.NewDict(len(envs))
	for _, e := range envs {
		l := value.NewList()
		for _, dir := range e.Dirs {
			l.Items = append(l.Items, value.Str(dir))
		}
		d.SetStr(e.Env, l)
	}
	return d
}

func userName() string {
	if os.Geteuid() == 0 {
		return "root"
	}
	return os.Getenv("USER")
}
