// Package gitroots gives the branches and tags of remote git repositories as file roots and as pillar roots: what Salt
// calls gitfs and git_pillar.
//
// A repository is fetched by the git of the system into a cache, and what is read of it is written out of git's
// objects, a commit at a time, into directories of the cache that never change. No hook, filter or program of a
// repository runs, and no path or link of it leads out of its directory. What cannot be fetched is used as it was
// fetched last, with a warning; where it never was, that is an error.
//
// Salt differs: it leaves remotes, branches and roots that there are not out, with a line in its log.
package gitroots

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A remote is one entry of gitfs_remotes or of an external pillar `git`.
type remote struct {
	role string
	pos  diag.Pos
	id   string // as it is written, without what is secret in it
	address
	branch string // of a pillar

	root, mountpoint, base, fallback, env, name string
	all                                         string // all_saltenvs, "" without
	refTypes, refspecs, whitelist, blacklist    []string
	unmapped, insecure, noVerify                bool
	key                                         string // a private key for ssh
	// saltenv is what is said of single environments: ref, root and mountpoint, over what general says for all remotes.
	saltenv, general map[string]perEnv
}

// perEnv is what is said of one environment, by parameter.
type perEnv map[string]string

const (
	fileRole   = "gitfs"
	pillarRole = "git_pillar"
)

// paramsOf are the parameters of a remote: those with a default in the configuration, and those without.
func paramsOf(role string) (defaulted, own []string) {
	auth := []string{"user", "password", "pubkey", "privkey", "passphrase", "insecure_auth"}
	defaulted = append(auth, "base", "fallback", "root", "ssl_verify", "refspecs")
	if role == pillarRole {
		return append(defaulted, "env"), []string{"name", "mountpoint", "all_saltenvs"}
	}
	return append(defaulted, "mountpoint", "saltenv_whitelist", "saltenv_blacklist", "disable_saltenv_mapping",
		"ref_types",
		"update_interval"), []string{"name", "all_saltenvs", "saltenv"}
}

// remotes reads a list of remotes. What is wrong with them goes to faults.
func (c *Cache) remotes(role string, list *value.List, key string, faults *diag.List) []*remote {
	var out []*remote
	for i, it := range list.Items {
		pos := c.place(key, list.MarkAt(i))
		r, err := c.remote(role, it, pos)
		if err != nil {
			faults.AddErr(err)
			continue
		}
		twin := slices.IndexFunc(out, func(o *remote) bool { return o.cacheName() == r.cacheName() })
		if twin >= 0 {
			faults.Add(diag.Errorf(pos, "the remotes '%s' and '%s' of %s have the same name", out[twin].id, r.id, role).
				WithHint("give one of them a `name`"))
			continue
		}
		out = append(out, r)
	}
	return out
}

// place is that of a mark in the file that a key was given in.
func (c *Cache) place(key string, m value.Mark) diag.Pos {
	p := c.Config.Pos(key)
	if m.Line > 0 {
		p.Line, p.Col = int(m.Line), int(m.Col)
	}
	return p
}

func (r *remote) cacheName() string {
	if r.name != "" {
		return "name " + r.name
	}
	return "id " + r.branch + " " + r.url + " " + r.user
}

// remote reads one.
func (c *Cache) remote(role string, it value.Value, pos diag.Pos) (*remote, error) {
	r := &remote{role: role, pos: pos}
	text, given := value.String(it), value.NewDict(0)
	if d, ok := it.(*value.Dict); ok {
		if d.Len() != 1 {
			return nil, diag.Errorf(pos, "a remote of %s is one address with its parameters below it", role).
				WithHint("- https://git.example.com/states.git: [{root: salt}]")
		}
		text = value.String(d.At(0).Key)
		var err error
		if given, err = settings(d.At(0).Val); err != nil || given.Len() == 0 {
			return nil, diag.Errorf(pos, "the remote '%s' of %s has no parameters", hidden(text), role).
				WithHint("take the colon after it away, or write them below it: - root: salt")
		}
	} else if _, ok := it.(value.Str); !ok {
		return nil, diag.Errorf(pos, "a remote of %s is %s, not an address", role, value.Repr(it)).
			WithHint("- https://git.example.com/states.git")
	}
	if role == pillarRole {
		r.branch, text = c.branchOf(text)
	}
	addr, err := parseAddress(text)
	if err != nil {
		return nil, diag.Errorf(pos, "the remote of %s %v", role, err)
	}
	r.address, r.id = addr, strings.TrimSpace(r.branch+" "+addr.url)
	return r, c.fill(r, given)
}

// branchOf takes the branch off an entry of a pillar, `BRANCH URL`.
func (c *Cache) branchOf(text string) (branch, url string) {
	if f := strings.Fields(text); len(f) > 1 {
		return f[0], strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), f[0]))
	}
	return c.Config.Str("git_pillar_branch", "master"), text
}

// fill sets the parameters of a remote: the given ones over those of the configuration.
func (c *Cache) fill(r *remote, given *value.Dict) error {
	defaulted, own := paramsOf(r.role)
	known := append(slices.Clone(defaulted), own...)
	for k := range given.All() {
		name := value.String(k)
		if slices.Contains(known, name) {
			continue
		}
		d := diag.Errorf(r.pos, "the remote '%s' of %s has a parameter '%s', which there is not", r.id, r.role, name)
		if near := diag.Nearest(name, known); near != "" {
			return d.WithHint("did you mean '%s'?", near)
		}
		return d.WithHint("there are %s", strings.Join(slices.Sorted(slices.Values(known)), ", "))
	}
	for _, name := range known {
		v, ok := given.GetStr(name)
		if !ok && slices.Contains(defaulted, name) {
			v, ok = c.Config.Opts.GetStr(r.role + "_" + name)
		}
		if !ok || v == value.Value(value.None) {
			continue
		}
		if err := r.set(name, v); err != nil {
			return diag.Errorf(r.pos, "the remote '%s' of %s: %v", r.id, r.role, err)
		}
	}
	if r.password != "" {
		c.Secret(r.password)
	} else if r.scheme != "ssh" {
		c.Secret(r.user) // a token, say
	}
	general, _ := c.Config.Opts.GetStr("gitfs_saltenv")
	r.general, _ = perEnvs(general)
	return r.check(given)
}

// set sets one parameter.
func (r *remote) set(name string, v value.Value) (err error) {
	text := value.String(v)
	texts := map[string]*string{"root": &r.root, "mountpoint": &r.mountpoint, "base": &r.base, "fallback": &r.fallback,
		"env": &r.env, "name": &r.name, "all_saltenvs": &r.all, "privkey": &r.key, "user": &r.user,
		"password": &r.password}
	lists := map[string]*[]string{"refspecs": &r.refspecs, "ref_types": &r.refTypes, "saltenv_whitelist": &r.whitelist,
		"saltenv_blacklist": &r.blacklist}
	switch name {
	case "ssl_verify":
		r.noVerify = !value.Truth(v)
	case "insecure_auth":
		r.insecure = value.Truth(v)
	case "disable_saltenv_mapping":
		r.unmapped = value.Truth(v)
	case "saltenv":
		r.saltenv, err = perEnvs(v)
	case "passphrase":
		if text != "" {
			return fmt.Errorf("a passphrase of a key is for nobody to read: load the key into an ssh-agent, or use one " +
				"without, for this machine alone")
		}
	default:
		if t := texts[name]; t != nil && (text != "" || *t == "") {
			*t = text
		} else if l := lists[name]; l != nil {
			*l = words(v)
		}
	}
	return err
}

// check finds what is wrong with the parameters, and puts them into their form.
func (r *remote) check(given *value.Dict) error {
	if r.base == "" {
		r.base = "master"
	}
	if len(r.refTypes) == 0 {
		r.refTypes = []string{"branch", "tag", "sha"}
	}
	for i, t := range r.refTypes {
		if t = strings.ToLower(t); !slices.Contains([]string{"branch", "tag", "sha"}, t) {
			return diag.Errorf(r.pos, "the remote '%s' of %s has a type of reference '%s'", r.id, r.role, t).
				WithHint("ref_types are branch, tag and sha")
		}
		r.refTypes[i] = strings.ToLower(t)
	}
	if r.role == pillarRole && r.branch != envBranch && given.Has(value.Str("base")) {
		return diag.Errorf(r.pos, "the remote '%s' of git_pillar has a base, which only a remote of the branch __env__ has",
			r.id).WithHint("write '__env__ %s', or leave base out", r.url)
	}
	if _, ok := given.GetStr("pubkey"); ok && r.key == "" {
		return diag.Errorf(r.pos, "the remote '%s' of %s has a public key, and no private one", r.id, r.role).
			WithHint("privkey: PATH is all that ssh needs")
	}
	if err := r.address.check(r); err != nil {
		return diag.Errorf(r.pos, "the remote '%s' of %s: %v", r.id, r.role, err)
	}
	envs := []*string{&r.root, &r.mountpoint}
	for _, p := range envs {
		clean, ok := cleanPath(*p)
		if !ok {
			return diag.Errorf(r.pos, "the remote '%s' of %s has a path '%s', which leads out of it", r.id, r.role, *p)
		}
		*p = clean
	}
	return nil
}

// cleanPath is a root or a mountpoint without its scheme and the slashes around it.
func cleanPath(text string) (string, bool) {
	if _, rest, ok := strings.Cut(text, "://"); ok {
		text = rest
	}
	text = strings.Trim(text, "/")
	if text == "" {
		return "", true
	}
	text = path.Clean(text)
	if text == "." {
		return "", true
	}
	return text, text != ".." && !strings.HasPrefix(text, "../")
}
