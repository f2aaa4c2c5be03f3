package archive

import (
	"context"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// contents are the names in an archive; those of folders end in a slash.
type contents struct{ dirs, files, links []string }

func list(ctx context.Context, c *modules.Call) (value.Value, error) {
	strip := c.Int("strip_components", 0)
	if c.Arg("strip_components") != value.Value(value.None) && strip <= 0 {
		return nil, failed("'strip_components' must be a positive integer")
	}
	format := c.Str("archive_format")
	if format == "" {
		if format = formatOf(c.Str("name")); format == "" {
			return nil, failed("Unable to guess archive format, please pass an 'archive_format' argument.")
		}
	}
	p, err := fetched(ctx, c)
	if err != nil {
		return nil, err
	}
	defer p.close()
	all, err := contentsOf(ctx, c, p, format)
	if err != nil {
		return nil, err
	}
	for _, l := range []*[]string{&all.dirs, &all.files, &all.links} {
		*l = stripped(*l, strip)
		slices.Sort(*l)
	}
	if c.Bool("verbose") {
		return all.verbose(), nil
	}
	names := slices.Concat(all.dirs, all.files, all.links)
	slices.Sort(names)
	return modules.TextList(names), nil
}

// stripped are the names without their first components.
func stripped(names []string, n int) []string {
	var out []string
	for _, name := range names {
		parts := strings.SplitN(name, "/", n+1)
		if len(parts) > n && parts[n] != "" {
			out = append(out, parts[n])
		}
	}
	return out
}

func contentsOf(ctx context.Context, c *modules.Call, p *pack, format string) (contents, error) {
	switch format {
	case "zip":
		return listZip(c.Str("name"), p)
	case "rar":
		return listRar(ctx, c)
	case "tar":
		return listTar(ctx, c, p)
	}
	return contents{}, failed("Unsupported archive format '%s'", format)
}

func listTar(ctx context.Context, c *modules.Call, p *pack) (contents, error) {
	var all contents
	if _, err := p.rewound(); err != nil {
		return all, err
	}
	err := p.eachTar(ctx, p.ReadSeeker, newTidy(rules{}, p.size), func(m member, _ io.Reader) error {
		switch name := strings.TrimRight(m.name, "/"); m.kind() {
		case "folder":
			all.dirs = append(all.dirs, name+"/")
		case "link":
			all.links = append(all.links, name)
		default:
			all.files = append(all.files, name)
		}
		return ctx.Err()
	})
	if err != nil {
		return all, failed("Unable to list contents of %s: %v", c.Str("name"), err)
	}
	return all, nil
}

// listZip lists the folders of the files, too, which a zip archive need not have.
func listZip(name string, p *pack) (contents, error) {
	var all contents
	z, err := zipOf(p.ReadSeeker, p.size)
	if err != nil {
		return all, failed("%s is not a ZIP file", name)
	}
	for _, f := range z.File {
		switch {
		case f.Mode()&fs.ModeSymlink != 0:
			all.links = append(all.links, f.Name)
			continue
		case f.Mode().IsDir():
			all.dirs = append(all.dirs, f.Name)
			continue
		}
		all.files = append(all.files, f.Name)
		if i := strings.LastIndexByte(f.Name, '/'); i >= 0 {
			all.dirs = append(all.dirs, f.Name[:i+1])
		}
	}
	slices.Sort(all.dirs)
	all.dirs = slices.Compact(all.dirs)
	return all, nil
}

// listRar asks the command rar, which wants a file of the machine.
func listRar(ctx context.Context, c *modules.Call) (contents, error) {
	var all contents
	name := strings.TrimPrefix(c.Str("name"), "file://")
	if _, err := c.Host.LookPath("rar"); err != nil || !path.IsAbs(name) {
		return all, failed("rar command not available, is it installed?")
	}
	out, err := c.Host.Query(ctx, host.Cmd{Args: []string{"rar", "lt", name}})
	if err != nil {
		return all, err
	}
	entry := regexp.MustCompile(`Name:\s*([^\n]+)\s*Type:\s*([^\n]+)`)
	for _, m := range entry.FindAllStringSubmatch(string(out.Stdout), -1) {
		if strings.TrimSpace(m[2]) == "Directory" {
			all.dirs = append(all.dirs, m[1]+"/")
		} else {
			all.files = append(all.files, m[1])
		}
	}
	if all.dirs == nil && all.files == nil {
		return all, failed("Failed to list %s, is it a rar file?", name)
	}
	return all, nil
}

// verbose is the answer by kinds, and what of each is at the top.
func (all contents) verbose() *value.Dict {
	top := func(names []string, slashes int) []string {
		var out []string
		for _, n := range names {
			if strings.Count(n, "/") == slashes {
				out = append(out, n)
			}
		}
		return out
	}
	tops := top(all.dirs, 1)
	if dir, _, ok := strings.Cut(commonPrefix(all.dirs), "/"); ok && !slices.Contains(tops, dir+"/") {
		tops = append(tops, dir+"/")
	}
	texts := modules.TextList
	return value.DictOf("dirs", texts(all.dirs), "files", texts(all.files), "links", texts(all.links),
		"top_level_dirs", texts(tops), "top_level_files", texts(top(all.files, 0)),
		"top_level_links", texts(top(all.links, 0)))
}

// commonPrefix is the beginning that all sorted texts share.
func commonPrefix(sorted []string) string {
	if len(sorted) == 0 {
		return ""
	}
	first, last := sorted[0], sorted[len(sorted)-1]
	n := 0
	for n < min(len(first), len(last)) && first[n] == last[n] {
		n++
	}
	return first[:n]
}
