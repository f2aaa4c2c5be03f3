// Package archive keeps archives extracted: tar (plain, gzip, bzip2, xz, zstd) and zip.
//
// Archives are read here and written file by file through the host, so that a preview shows later states what they
// would hold, and nothing of an archive lands outside its folder.
package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "archive", States: []modules.StateSpec{extractedSpec()}, Execs: execSpecs()}
}

// A member is one entry of an archive. Its name is clean and relative.
type member struct {
	name string
	raw  string // as the archive has it, without a slash at the end
	own  owner
	mode fs.FileMode
	data []byte
	link string // the target of a symbolic link
	hard string // the member that a hard link is to
}

// An owner is who the archive says a member belongs to, by names where this machine knows them.
type owner struct {
	user, group string
	uid, gid    int
}

func (m member) isDir() bool { return m.mode.IsDir() }

// formatOf tells the format from the name: "tar", "zip", or "" when it does not.
func formatOf(source string) string {
	name := strings.ToLower(source)
	if i := strings.IndexAny(name, "?#"); i >= 0 && strings.Contains(name, "://") {
		name = name[:i]
	}
	switch {
	case strings.HasSuffix(name, ".zip"), strings.HasSuffix(name, ".jar"), strings.HasSuffix(name, ".war"):
		return "zip"
	case strings.HasSuffix(name, ".rar"):
		return "rar"
	}
	for _, s := range []string{".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz", ".tar.xz", ".txz", ".tar.zst",
		".tar.lzma", ".tlz"} {
		if strings.HasSuffix(name, s) {
			return "tar"
		}
	}
	return ""
}

// read gives the members, with the first components of their names stripped.
func read(ctx context.Context, h host.Reader, data []byte, format string, strip int) ([]member, error) {
	var out []member
	var err error
	switch format {
	case "zip":
		out, err = readZip(data)
	case "tar":
		var plain io.Reader
		if plain, err = unpack(ctx, h, data); err == nil {
			out, err = readTar(plain)
		}
	case "rar":
		return nil, errors.New("rar archives are not offered")
	default:
		return nil, fmt.Errorf("the format %q is none of tar, zip", format)
	}
	if err != nil {
		return nil, err
	}
	return tidy(out, strip)
}

// unpack undoes the compression, which the first bytes tell. What Go cannot is asked of the tools.
func unpack(ctx context.Context, h host.Reader, data []byte) (io.Reader, error) {
	has := func(magic string) bool { return bytes.HasPrefix(data, []byte(magic)) }
	switch {
	case has("\x1f\x8b"):
		return gzip.NewReader(bytes.NewReader(data))
	case has("BZh"):
		return bzip2.NewReader(bytes.NewReader(data)), nil
	case has("\xfd7zXZ\x00"):
		return filter(ctx, h, data, "xz", "-dc")
	case has("\x28\xb5\x2f\xfd"):
		return filter(ctx, h, data, "zstd", "-dcq")
	case has("\x5d\x00\x00"):
		return filter(ctx, h, data, "xz", "--format=lzma", "-dc")
	}
	return bytes.NewReader(data), nil
}

func filter(ctx context.Context, h host.Reader, data []byte, args ...string) (io.Reader, error) {
	out, err := h.Query(ctx, host.Cmd{Args: args, Stdin: data, MaxOutput: 4 << 30})
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", args[0], err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("%s: %s", args[0], strings.TrimSpace(string(out.Stderr)))
	}
	return bytes.NewReader(out.Stdout), nil
}

func readTar(r io.Reader) ([]member, error) {
	var out []member
	t := tar.NewReader(r)
	for {
		hd, err := t.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the archive: %w", err)
		}
		m := member{name: hd.Name, mode: hd.FileInfo().Mode(), own: owner{hd.Uname, hd.Gname, hd.Uid, hd.Gid}}
		switch hd.Typeflag {
		case tar.TypeReg:
			if m.data, err = io.ReadAll(t); err != nil {
				return nil, fmt.Errorf("read %s in the archive: %w", hd.Name, err)
			}
		case tar.TypeSymlink:
			m.link = hd.Linkname
		case tar.TypeLink:
			m.hard = path.Clean(hd.Linkname)
		case tar.TypeDir:
		default: // devices, pipes and what tar notes for itself
			continue
		}
		out = append(out, m)
	}
}

func readZip(data []byte) ([]member, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("read the archive: %w", err)
	}
	var out []member
	for _, f := range z.File {
		m := member{name: f.Name, mode: f.Mode()}
		switch {
		case m.mode.Perm() != 0:
		case m.isDir():
			m.mode |= 0o755
		default:
			m.mode |= 0o644
		}
		if !m.mode.IsDir() {
			r, err := f.Open()
			if err != nil {
				return nil, fmt.Errorf("read %s in the archive: %w", f.Name, err)
			}
			m.data, err = io.ReadAll(r)
			r.Close()
			if err != nil {
				return nil, fmt.Errorf("read %s in the archive: %w", f.Name, err)
			}
		}
		if m.mode&fs.ModeSymlink != 0 {
			m.link, m.data = string(m.data), nil
		}
		out = append(out, m)
	}
	return out, nil
}

// tidy cleans the names and refuses those that would land outside, be it through a link that the archive brings.
func tidy(in []member, strip int) ([]member, error) {
	links := map[string]bool{}
	var out []member
	for _, m := range in {
		name := path.Clean("/" + m.name)[1:]
		if slices.Contains(strings.Split(m.name, "/"), "..") {
			return nil, fmt.Errorf("the archive holds %q, which is outside of it", m.name)
		}
		parts := strings.Split(name, "/")
		if name == "" || len(parts) <= strip {
			continue
		}
		m.raw = strings.TrimRight(m.name, "/")
		m.name = strings.Join(parts[strip:], "/")
		if m.hard != "" {
			h := strings.Split(m.hard, "/")
			m.hard = strings.Join(h[min(strip, len(h)):], "/")
		}
		for dir := path.Dir(m.name); dir != "."; dir = path.Dir(dir) {
			if links[dir] {
				return nil, fmt.Errorf("the archive holds %q below the link %q", m.name, dir)
			}
		}
		if m.link != "" {
			links[m.name] = true
		}
		out = append(out, m)
	}
	return out, nil
}

// topKinds are the tops that are folders, and those that are files.
func topKinds(ms []member) (dirs, files []string) {
	for _, top := range tops(ms) {
		i := slices.IndexFunc(ms, func(m member) bool { return m.name == top && !m.isDir() })
		switch {
		case i < 0:
			dirs = append(dirs, top)
		case ms[i].link == "":
			files = append(files, top)
		}
	}
	return dirs, files
}

// tops are the first components of the names, in order, each once.
func tops(ms []member) []string {
	var out []string
	for _, m := range ms {
		top, _, _ := strings.Cut(m.name, "/")
		if !slices.Contains(out, top) {
			out = append(out, top)
		}
	}
	return out
}
