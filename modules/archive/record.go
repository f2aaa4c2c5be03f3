package archive

import (
	"cmp"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A record is a file below cachedir with the hash of the archive that was extracted last from a source.
type record struct{ file, text string }

// recordOf is the record of an archive, nil where none is kept.
func (e *Extracted) recordOf(env *modules.Env, source string, data []byte) *record {
	if !e.SkipList || !e.HashUpdate || e.Hash == "" {
		return nil
	}
	sum, err := modules.Digest("sha256", data)
	if err != nil {
		return nil
	}
	dir := cmp.Or(env.Opts.Text("cachedir"), "/var/cache/salt/minion")
	where := path.Clean("/" + strings.ReplaceAll(source, "://", "/"))
	return &record{path.Join(dir, "archive_hash", "local", where), "sha256:" + sum}
}

// noted says whether the archive is that of the record.
func (r *record) noted(h host.Reader) bool {
	old, err := h.ReadFile(r.file)
	return err == nil && strings.TrimSpace(string(old)) == r.text
}

// note writes the record down.
func (r *record) note(h host.Host) error {
	if r == nil {
		return nil
	}
	return modules.WriteLinesAs(h, r.file, []string{r.text}, host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1})
}
