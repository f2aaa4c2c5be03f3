package pkg

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A sourcer has its sources in files of sections.
type sourcer interface {
	// RepoDirs are the directories of the files.
	RepoDirs(h host.Reader) []string
	// Shown is what is told of a source, from its options.
	Shown(id string, options *value.Dict) *value.Dict
	// Written is an option as its file has it, from an argument; ok is false for one that is none.
	Written(key string, v value.Value) (name, text string, ok bool)
}

// RepoDirs are those of the configuration (reposdir), else the usual one.
func (d *dnf) RepoDirs(h host.Reader) []string {
	for _, file := range []string{"/etc/dnf/dnf.conf", "/etc/yum/yum.conf", "/etc/yum.conf"} {
		data, _ := h.ReadFile(file)
		f := &repoFile{lines: strings.Split(string(data), "\n")}
		if o := f.options("main"); o != nil {
			if v, ok := o.GetStr("reposdir"); ok {
				return strings.FieldsFunc(value.String(v), func(r rune) bool { return strings.ContainsRune(", \n", r) })
			}
		}
	}
	return []string{"/etc/yum/repos.d", "/etc/yum.repos.d"}
}

// Shown is the options.
func (d *dnf) Shown(_ string, options *value.Dict) *value.Dict { return options }

// Written is any argument, as Salt writes it.
func (d *dnf) Written(key string, v value.Value) (name, text string, ok bool) {
	return strings.ToLower(key), optionText(v), true
}

// optionText is a value in a file of sources: 1 and 0 for true and false, and a list on several lines.
func optionText(v value.Value) string {
	switch v := v.(type) {
	case value.Bool:
		return map[value.Bool]string{true: "1", false: "0"}[v]
	case *value.List:
		words, _ := modules.Texts(v)
		return strings.Join(words, "\n")
	}
	if v == nil || v == value.Value(value.None) {
		return ""
	}
	return value.String(v)
}

// RepoDirs is zypp's.
func (z *zypper) RepoDirs(host.Reader) []string { return []string{"/etc/zypp/repos.d"} }

// Shown has the alias, and truths for 0 and 1.
func (z *zypper) Shown(id string, options *value.Dict) *value.Dict {
	out := value.NewDict(options.Len() + 1)
	for k, v := range options.All() {
		switch value.String(v) {
		case "0", "1":
			v = value.Bool(value.String(v) == "1")
		case "NONE":
			v = value.None
		}
		out.SetStr(value.String(k), v)
	}
	out.SetStr("alias", value.Str(id))
	return out
}

// Written are the options that zypper itself changes, under the names of its files.
func (z *zypper) Written(key string, v value.Value) (name, text string, ok bool) {
	name = map[string]string{"url": "baseurl", "baseurl": "baseurl", "mirrorlist": "mirrorlist", "enabled": "enabled",
		"name": "name", "refresh": "autorefresh", "cache": "keeppackages", "gpgcheck": "gpgcheck",
		"priority": "priority"}[key]
	switch name {
	case "enabled", "autorefresh", "keeppackages", "gpgcheck":
		v = value.Bool(value.Truth(v) && value.String(v) != "0")
	}
	return name, optionText(v), name != ""
}

// A repoEntry is a source and the file in which it stands.
type repoEntry struct {
	id   string
	file *repoFile
}

func (s *session) sourcer() (sourcer, error) {
	if p, ok := s.provider.(sourcer); ok {
		return p, nil
	}
	return nil, host.Sure(errors.New("Repo management not implemented on this platform")) //nolint:staticcheck // Salt's words
}

// repos are all sources.
func (s *session) repos(h host.Reader) ([]repoEntry, error) {
	p, err := s.sourcer()
	if err != nil {
		return nil, err
	}
	var out []repoEntry
	for _, dir := range p.RepoDirs(h) {
		files, err := repoFiles(h, dir)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			for _, id := range f.sections() {
				out = append(out, repoEntry{id, f})
			}
		}
	}
	return out, nil
}

func (s *session) repo(h host.Reader, id string) (*repoFile, error) {
	all, err := s.repos(h)
	for _, r := range all {
		if r.id == id {
			return r.file, err
		}
	}
	return nil, err
}

// listRepos gives the sources with their options: by their names, or those of apt by their places.
func listRepos(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	if _, ok := s.provider.(*apt); ok {
		return listSources(c.Host), nil
	}
	all, err := s.repos(c.Host)
	if err != nil {
		return nil, err
	}
	p, _ := s.sourcer()
	out := value.NewDict(len(all))
	for _, r := range all {
		one := p.Shown(r.id, r.file.options(r.id))
		if _, ok := p.(*dnf); ok {
			one.SetStr("file", value.Str(r.file.path))
		}
		out.SetStr(r.id, one)
	}
	return out, nil
}

func getRepo(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	p, err := s.sourcer()
	if err != nil {
		return nil, err
	}
	f, err := s.repo(c.Host, c.Str("repo"))
	if err != nil || f == nil {
		return value.NewDict(0), err
	}
	return p.Shown(c.Str("repo"), f.options(c.Str("repo"))), nil
}

func delRepo(_ context.Context, c *modules.Call, s *session) (value.Value, error) {
	id := c.Str("repo")
	f, err := s.repo(c.Host, id)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return value.Str(fmt.Sprintf("Error: the %s repo does not exist", id)), nil
	}
	f.remove(id)
	said := fmt.Sprintf("Repo %s has been removed from %s", id, f.path)
	if len(f.sections()) == 0 {
		said = fmt.Sprintf("File %s containing repo %s has been removed", f.path, id)
	}
	return value.Str(said), f.write(c.Host)
}

// modRepo changes options of a source, or makes it in a file of its own, and gives what it then is.
func modRepo(ctx context.Context, c *modules.Call, s *session) (value.Value, error) {
	p, err := s.sourcer()
	if err != nil {
		return nil, err
	}
	id, f, err := c.Str("repo"), (*repoFile)(nil), error(nil)
	if f, err = s.repo(c.Host, id); err != nil {
		return nil, err
	}
	options := value.NewDict(0)
	for k, v := range c.Extra().All() {
		if name, text, ok := p.Written(value.String(k), v); ok {
			options.SetStr(name, value.Str(text))
		}
	}
	fresh := f == nil
	if fresh {
		if f, err = s.newRepo(c, p, id, options); err != nil {
			return nil, err
		}
	}
	was := slices.Clone(f.lines)
	if err := consistent(options, f.options(id)); err != nil {
		return nil, err
	}
	now := f.options(id)
	for k, v := range options.All() {
		key := value.String(k)
		if old, ok := now.GetStr(key); key != "comments" && !(ok && value.Equal(old, v)) {
			f.set(id, key, value.String(v))
		}
	}
	if v, ok := c.Extra().GetStr("comments"); ok {
		words, err := modules.Texts(v)
		if err != nil {
			return nil, err
		}
		f.comment(id, words)
	}
	if fresh || !slices.Equal(was, f.lines) {
		if err := f.write(c.Host); err != nil {
			return nil, err
		}
	}
	return getRepo(ctx, c, s)
}

// newRepo begins a source in a file of its own.
func (s *session) newRepo(c *modules.Call, p sourcer, id string, options *value.Dict) (*repoFile, error) {
	has := func(key string) bool {
		v, ok := options.GetStr(key)
		return ok && value.String(v) != ""
	}
	switch _, isDNF := p.(*dnf); {
	case isDNF && !has("name"):
		return nil, errors.New("The repo does not exist and needs to be created, but a name was not given") //nolint:staticcheck // Salt's words
	case isDNF && !has("baseurl") && !has("mirrorlist") && !has("metalink"):
		return nil, errors.New("The repo does not exist and needs to be created, but either a baseurl or a mirrorlist needs to be given") //nolint:staticcheck // Salt's words
	case !isDNF && !has("baseurl") && !has("mirrorlist"):
		return nil, fmt.Errorf("Repository '%s' not found, and neither 'baseurl' nor 'mirrorlist' was specified", id) //nolint:staticcheck // Salt's words
	}
	file, dir := c.Str("file"), ""
	for _, d := range p.RepoDirs(c.Host) {
		if i, err := c.Host.Stat(d); err == nil && i.IsDir() && dir == "" {
			dir = d
		}
	}
	if file == "" && dir == "" {
		return nil, fmt.Errorf("The repo does not exist and needs to be created, but none of the following basedir directories exist: %s", strings.Join(p.RepoDirs(c.Host), ", ")) //nolint:staticcheck // Salt's words
	}
	if file == "" {
		file = path.Join(dir, strings.ReplaceAll(id, "/", "_")+".repo")
	}
	f := &repoFile{path: file}
	if data, err := c.Host.ReadFile(file); err == nil && len(data) > 0 && !c.Bool("clean_file") {
		f.lines = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	f.add(id)
	return f, nil
}

// consistent checks where a source is to be found: at a place or on a list of mirrors, and not at none. The one that is
// given takes the place of the other.
func consistent(options, now *value.Dict) error {
	get := func(d *value.Dict, key string) (string, bool) {
		if v, ok := d.GetStr(key); ok {
			return value.String(v), true
		}
		return "", false
	}
	base, hasBase := get(options, "baseurl")
	mirrors, hasMirrors := get(options, "mirrorlist")
	if base != "" && mirrors != "" {
		return errors.New("Only one of 'mirrorlist' and 'baseurl' can be specified") //nolint:staticcheck // Salt's words
	}
	if _, there := get(now, "mirrorlist"); hasBase && base == "" && mirrors == "" && !there {
		return errors.New("Cannot delete baseurl without specifying mirrorlist") //nolint:staticcheck // Salt's words
	}
	if _, there := get(now, "baseurl"); hasMirrors && mirrors == "" && base == "" && !there {
		return errors.New("Cannot delete mirrorlist without specifying baseurl") //nolint:staticcheck // Salt's words
	}
	if v, ok := options.GetStr("name"); ok && value.String(v) == "" {
		return errors.New("The repo name cannot be deleted") //nolint:staticcheck // Salt's words
	}
	if mirrors != "" {
		options.SetStr("baseurl", value.Str(""))
	}
	if base != "" {
		options.SetStr("mirrorlist", value.Str(""))
	}
	return nil
}
