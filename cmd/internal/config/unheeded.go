package config

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/gostate/gostate/state/value"
)

// An Unheeded key of a Salt minion's configuration would change what a run does, and gostate does not know it.
type Unheeded struct{ Key, Why string }

// UnheededKeys are those keys, each with what is done instead, or why nothing is. A key that only a minion which
// listens to a master needs (master, publish_port, mine_interval, ...) is none: its configuration is read without a
// word.
func UnheededKeys() []Unheeded {
	return []Unheeded{
		{"beacons", "nothing runs between two runs; a timer of systemd can"},
		{"cache_jobs", "there is no cache of jobs"},
		{"decrypt_pillar_default", "decrypt_pillar names each renderer; it is gpg otherwise"},
		{"disable_modules", "all modules can be called"},
		{"enable_fqdns_grains", "grains are asked for one by one"},
		{"engines", "nothing runs between two runs"},
		{"event_return", "there are no events"},
		{"fileserver_ignoresymlinks", "links in the roots are followed"},
		{"file_ignore_glob", "all files of the roots are served"},
		{"file_ignore_regex", "all files of the roots are served"},
		{"global_state_conditions", "give the states an onlyif"},
		{"hgfs_remotes", "check it out, and name the directory in file_roots"},
		{"mine_functions", "there is no mine without a master"},
		{"minionfs_env", "there are no files of other minions"},
		{"module_executors", "functions are called directly"},
		{"pillar_cache", "the pillar is compiled at each run"},
		{"reactor", "there are no events"},
		{"return", "there are no returners: --out-file keeps results, --out json is for programs"},
		{"returner", "there are no returners: --out-file keeps results, --out json is for programs"},
		{"s3.buckets", "copy the files, and name the directory in file_roots"},
		{"schedule", "nothing runs between two runs; a timer of systemd can"},
		{"startup_states", "there is no start: run gostate at boot from a unit of systemd"},
		{"state_queue", "give --wait TIME, or queue=True"},
		{"svnfs_remotes", "check it out, and name the directory in file_roots"},
		{"whitelist_modules", "all modules can be called"},
	}
}

// Unheeded are the keys of this configuration that say something which nobody hears.
func (c *Config) Unheeded() (out []Unheeded) {
	for _, u := range UnheededKeys() {
		if v, ok := c.Opts.GetStr(u.Key); ok && value.Truth(v) {
			out = append(out, u)
		}
	}
	backends := c.Backends()
	for _, b := range backends {
		if !slices.Contains([]string{"roots", "file", "file_roots", "gitfs"}, b) {
			out = append(out, Unheeded{"fileserver_backend", b + " is none that gostate has, which are roots and gitfs"})
		}
	}
	if v, ok := c.Opts.GetStr("gitfs_remotes"); ok && value.Truth(v) && !slices.Contains(backends, "gitfs") {
		out = append(out, Unheeded{"gitfs_remotes", "fileserver_backend does not name gitfs"})
	}
	return out
}

// Backends are the sources of files in their order.
func (c *Config) Backends() []string {
	out := c.Strings("fileserver_backend")
	if len(out) == 1 {
		out = SplitCommas(out)
	}
	for i, b := range out {
		if b == "git" {
			out[i] = "gitfs"
		}
	}
	if len(out) == 0 {
		return []string{"roots"}
	}
	return slices.Compact(out)
}

// Salts is the directory of a Salt minion's configuration beside this one, "" where this one is there or that is not.
func (c *Config) Salts() string {
	if c.File != "" || len(c.places) > 0 {
		return ""
	}
	dir := filepath.Join(filepath.Dir(c.Dir), "salt")
	for _, f := range []string{"minion", "minion.d"} {
		if _, err := os.Stat(filepath.Join(dir, f)); err == nil && dir != c.Dir {
			return dir
		}
	}
	return ""
}
