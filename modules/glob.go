package modules

import (
	"path"
	"strings"

	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
)

// Glob are the paths of the machine that match a glob, sorted. A pattern without special characters is itself,
// where it is there.
func Glob(h host.Reader, pattern string) []string {
	if !fnmatch.HasMeta(pattern) {
		if _, err := h.Lstat(pattern); err != nil {
			return nil
		}
		return []string{pattern}
	}
	dir, base := path.Split(pattern)
	if dir == "" || dir == pattern {
		return nil
	}
	parents := []string{path.Clean(dir)}
	if fnmatch.HasMeta(dir) {
		parents = Glob(h, path.Clean(dir))
	}
	var out []string
	for _, p := range parents {
		infos, err := h.ReadDir(p)
		if err != nil {
			continue
		}
		for _, i := range infos {
			if hidden := strings.HasPrefix(i.Path, ".") && !strings.HasPrefix(base, "."); !hidden &&
				fnmatch.Match(base, i.Path) {
				out = append(out, path.Join(p, i.Path))
			}
		}
	}
	return out
}
