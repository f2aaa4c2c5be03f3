package catalog

import (
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// A source is where a file comes from: a path on this machine, or an address.
type source struct {
	uri, path string
	dir       bool
}

// address is how states read a file.
func (o *Options) address(file string) string {
	if o.Address == nil {
		return file
	}
	return o.Address(file)
}

// source is the first source that there is. One that nobody can find is a fault.
func (a *attrs) source() *source {
	list := a.texts("source")
	for _, uri := range list {
		if strings.HasPrefix(uri, "http://") || strings.HasPrefix(uri, "https://") {
			return &source{uri: uri}
		}
		if a.m.opts.Source == nil {
			break
		}
		if p, dir, ok := a.m.opts.Source(uri); ok {
			return &source{uri: uri, path: p, dir: dir}
		}
	}
	if len(list) > 0 && !a.lost {
		a.lost = true
		a.m.fault(a.r, "there is no source %s", strings.Join(list, ", ")).
			WithHint("puppet:///modules/NAME/FILE is looked for in --modulepath, a path on this machine")
	}
	return nil
}

// directory keeps a directory, with recurse what is in it, too.
func (a *attrs) directory(name string) []*call {
	c := of("file.directory", name)
	a.owner(c, true)
	recurse := a.text("recurse")
	if recurse != "" && !slices.Contains([]string{"true", "false", "remote", "inf"}, recurse) {
		a.wrong("recurse", "true, false or remote", value.Str(recurse))
	}
	deep := recurse == "true" || recurse == "inf"
	if a.isTrue("force") {
		c.truth("force", true)
	}
	if _, limited := a.number("recurselimit"); limited && recurse != "" {
		a.m.fault(a.r, "recurselimit is not supported")
	}
	a.ignore("links", "replace", "show_diff", "checksum", "target")
	calls := []*call{c}
	if src := a.source(); src != nil && recurse != "" && recurse != "false" {
		a.word("sourceselect", "first")
		calls = append(calls, a.copies(name, src)...)
	}
	purge := a.isTrue("purge")
	if !deep {
		return calls
	}
	own := append(a.m.keptBelow(name, calls[1:]), globs(a.texts("ignore"))...)
	a.below(c, len(own) > 0)
	if purge {
		c.truth("clean", true)
	}
	if purge || c.has("recurse") {
		c.texts("exclude_pat", own)
	}
	return calls
}

// below keeps owner, group and mode of all that is in a directory, but for what is a resource itself.
func (a *attrs) below(c *call, own bool) {
	var kinds []string
	if a.has("owner") {
		kinds = append(kinds, "user")
	}
	if a.has("group") {
		kinds = append(kinds, "group")
	}
	if mode, ok := a.mode(false); ok {
		kinds = append(kinds, "mode")
		c.text("file_mode", mode)
	}
	if len(kinds) > 0 && own {
		kinds = append(kinds, "ignore_excluded")
	}
	c.texts("recurse", kinds)
}

// keptBelow are globs of what other resources keep below a directory, and of the directories between.
func (m *maker) keptBelow(dir string, copies []*call) (out []string) {
	all := slices.Clip(m.paths())
	for _, c := range copies {
		all = append(all, value.String(c.args[0].Val))
	}
	seen := map[string]bool{}
	for _, p := range all {
		rest, below := strings.CutPrefix(p, strings.TrimRight(dir, "/")+"/")
		for below && rest != "." && !seen[rest] {
			seen[rest] = true
			out = append(out, literal(rest))
			rest = path.Dir(rest)
		}
	}
	return out
}

// paths are those that resources of the catalog keep.
func (m *maker) paths() (out []string) {
	if m.kept != nil {
		return m.kept
	}
	m.kept = []string{}
	for _, r := range m.native {
		a := &attrs{m: m, r: r, used: map[string]bool{}}
		switch strings.ToLower(r.Type) {
		case "file", "concat_file", "file_line", "ini_setting":
			if p := a.title("path"); strings.HasPrefix(p, "/") {
				m.kept = append(m.kept, path.Clean(p))
			}
		}
	}
	return m.kept
}

// literal is a glob that only the text is like.
func literal(s string) string {
	return strings.NewReplacer("[", "[[]", "*", "[*]", "?", "[?]").Replace(s)
}

// globs are Puppet's patterns of names, wherever they are below the directory.
func globs(patterns []string) (out []string) {
	for _, p := range patterns {
		out = append(out, p, "*/"+p, p+"/*", "*/"+p+"/*")
	}
	return out
}

// copies are the calls for what is in a source that is a directory, but for what the catalog has as a resource.
func (a *attrs) copies(name string, src *source) (out []*call) {
	if !src.dir || a.m.opts.List == nil {
		a.m.fault(a.r, "source %s is no directory on this machine, as recurse needs it", src.uri)
		return nil
	}
	entries, err := a.m.opts.List(src.path)
	if err != nil {
		a.m.fault(a.r, "%v", err)
		return nil
	}
	ignored := a.texts("ignore")
	for _, e := range entries {
		to := path.Join(name, e.Name)
		if a.m.cat.Find("File["+to+"]") == nil && !matched(ignored, e.Name) {
			c := a.copied(to, path.Join(src.path, e.Name), e)
			c.id, c.deaf = "File["+to+"]", true
			out = append(out, c)
		}
	}
	return out
}

func matched(patterns []string, name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		for _, p := range patterns {
			if ok, _ := path.Match(p, part); ok {
				return true
			}
		}
	}
	return false
}

// copied is the call for one entry of a source.
func (a *attrs) copied(name, from string, e Entry) *call {
	c := of("file.managed", name)
	switch {
	case e.Dir:
		c = of("file.directory", name)
	case e.Target != "" && a.text("links") != "follow":
		return of("file.symlink", name).text("target", e.Target)
	default:
		c.text("source", a.m.opts.address(from))
	}
	a.owner(c, e.Dir)
	return c
}
