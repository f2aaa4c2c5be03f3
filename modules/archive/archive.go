// Package archive keeps archives extracted: tar (plain, gzip, bzip2, xz, zstd) and zip.
//
// Archives are read here, bit by bit, and written file by file through the host, so that a preview shows later states
// what they would hold, nothing of an archive lands outside its folder, and none is held in memory.
package archive

import (
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "archive", States: []modules.StateSpec{extractedSpec()}, Execs: execSpecs()}
}

// A member is one entry of an archive. Its name is clean and relative.
type member struct {
	name   string
	raw    string // as the archive has it, without a slash at the end
	own    owner
	mode   fs.FileMode
	size   int64
	link   string // the target of a symbolic link
	hard   string // the member that a hard link is to
	device [2]uint32
	index  int // its place in the archive
}

// An owner is who the archive says a member belongs to, by names where this machine knows them.
type owner struct {
	user, group string
	uid, gid    int
}

func (m member) isDir() bool { return m.mode.IsDir() }

// special says whether it is a device or a fifo.
func (m member) special() bool { return m.mode&(fs.ModeDevice|fs.ModeNamedPipe) != 0 }

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
