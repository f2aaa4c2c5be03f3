package gitroots

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

// TestPillars: which commit is which environment of the pillar, and what stands beside it, by Salt's rules.
func TestPillars(t *testing.T) {
	at, dir := repos(t), filepath.Join(t.TempDir(), "git")
	short := map[string]string{}
	for _, ref := range []string{"dev", "v1", "master"} {
		short[gitIn(t, filepath.Join(at, "one"), "rev-parse", ref+"^{commit}")] = ref
	}
	for name, tt := range map[string]struct {
		config, remotes string
		envs            Envs
		want            string
	}{
		"a branch":           {"", "master ONE", Envs{}, "base:master"},
		"another":            {"", "dev ONE", Envs{}, "dev:dev"},
		"a tag":              {"", "v2 ONE", Envs{}, "v2:master"},
		"no branch":          {"", "ONE", Envs{}, "base:master"},
		"git_pillar_branch":  {"git_pillar_branch: dev", "ONE", Envs{}, "dev:dev"},
		"git_pillar_base":    {"git_pillar_base: dev", "dev ONE", Envs{}, "base:dev"},
		"env":                {"", "{dev ONE: [{env: prod}]}", Envs{}, "prod:dev"},
		"git_pillar_env":     {"git_pillar_env: base", "dev ONE", Envs{}, "base:dev"},
		"__env__":            {"", "__env__ ONE", Envs{}, "base:master"},
		"__env__ of dev":     {"", "__env__ ONE", Envs{Pillar: "dev"}, "dev:dev"},
		"__env__ of saltenv": {"", "__env__ ONE", Envs{Salt: "v1"}, "v1:v1"},
		"__env__ with base":  {"", "{__env__ ONE: [{base: v1}]}", Envs{}, "base:v1"},
		"all_saltenvs":       {"", "{__env__ ONE: [{all_saltenvs: v1}]}", Envs{Pillar: "qa"}, "qa:v1"},
		"fallback":           {"", "{__env__ ONE: [{fallback: dev}]}", Envs{Pillar: "qa"}, "qa:dev"},
		"another pillarenv":  {"", "dev ONE", Envs{Pillar: "qa"}, ""},
		"several": {"", "master ONE, v2 ONE, {v1 ONE: [{env: base}]}", Envs{},
			"base:master+v1 v2:master base:v1+master"},
		"no includes": {"git_pillar_includes: false", "master ONE, {v1 ONE: [{env: base}]}", Envs{},
			"base:master base:v1"},
		"mounted": {"", "master ONE, {v1 ONE: [{env: base}, {mountpoint: a/b}]}", Envs{},
			"base:master+v1"},
		"no such branch": {"", "mastre ONE", Envs{}, "'file://" + at + "/one' has no branch and no tag 'mastre'"},
		"a commit":       {"", "7178a5e ONE", Envs{}, "has no branch and no tag '7178a5e'"},
		"no such root":   {"", "{master ONE: [{root: pillr}]}", Envs{}, "has nothing below the root 'pillr' in 'master'"},
		"a stray base": {"", "{master ONE: [{base: dev}]}", Envs{},
			"has a base, which only a remote of the branch __env__ has"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(tt.remotes, "ONE", "file://"+at+"/one")
			c, conf := cache(t, tt.config+"\next_pillar: [{git: ["+text+"]}]\n")
			c.Dir, c.Since = dir, time.Now().Add(-time.Hour) // what one has fetched is new enough for all
			v, _ := conf.Opts.GetStr("ext_pillar")
			list, _ := v.(*value.List).Items[0].(*value.Dict).GetStr("git")
			all, err := c.Pillars(context.Background(), list.(*value.List), tt.envs)
			var got []string
			for _, e := range all {
				var refs []string
				for _, dir := range e.Dirs {
					commit, _, _ := strings.Cut(filepath.Base(dir), "-")
					refs = append(refs, short[commit])
				}
				got = append(got, e.Env+":"+strings.Join(refs, "+"))
			}
			if err != nil {
				got = []string{fmt.Sprint(err)}
				if strings.Contains(got[0], tt.want) && len(tt.want) > 20 {
					return
				}
			}
			if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}
