package archive

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A record is a file below cachedir with the hash of the archive that was extracted last from a source.
type record struct{ file, text string }

// recordOf is the record of an archive, nil where none is kept.
func (e *Extracted) recordOf(env *modules.Env, source string, p *pack) (*record, error) {
	if !e.SkipList || !e.HashUpdate || e.Hash == "" {
		return nil, nil
	}
	r, err := p.rewound()
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, r); err != nil {
		return nil, err
	}
	dir := cmp.Or(env.Opts.Text("cachedir"), "/var/cache/salt/minion")
	where := path.Clean("/" + strings.ReplaceAll(source, "://", "/"))
	return &record{path.Join(dir, "archive_hash", "local", where), "sha256:" + hex.EncodeToString(sum.Sum(nil))}, nil
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
