package plan

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A Digester makes the digests of one plan: under its key, so that nobody learns from two plans, or by trying words,
// what they are of.
type Digester struct{ Key []byte }

// Text is the digest of a text.
func (d Digester) Text(parts ...string) string {
	h := hmac.New(sha256.New, d.Key)
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Value is the digest of a value.
func (d Digester) Value(v value.Value) string { return d.Text(textOf(v)) }

func textOf(v value.Value) string {
	text, err := value.DumpsJSON(v, value.JSONOptions{SortKeys: true,
		Default: func(v value.Value) (value.Value, error) { return value.Str(value.Repr(v)), nil }})
	if err != nil {
		return value.Repr(v)
	}
	return text
}

// How a path was looked at stands before it in the keys of Plan.Files.
const (
	onlyLooked = "s:"
	wasRead    = "r:"
	wasListed  = "l:"
)

// Seen are the keys of what a state looked at; what changes by itself is left out.
func Seen(f *host.Footprint) (out []string) {
	for _, p := range f.Read {
		_, opened := slices.BinarySearch(f.Opened, p)
		_, listed := slices.BinarySearch(f.Listed, p)
		switch {
		case Moving(p):
		case opened:
			out = append(out, wasRead+p)
		case listed:
			out = append(out, wasListed+p)
		default:
			out = append(out, onlyLooked+p)
		}
	}
	return out
}

// Digest is the digest of what a key of Plan.Files is about.
func (d Digester) Digest(h host.Reader, seen string) string {
	how, path := seen[:len(onlyLooked)], seen[len(onlyLooked):]
	return d.File(h, path, how == wasRead, how == wasListed)
}

// Path is the path in a key of Plan.Files.
func Path(seen string) string { return seen[len(onlyLooked):] }

// File is the digest of what is at a path: its kind, mode and owner, its content if that was read, and its names if it
// was listed.
func (d Digester) File(h host.Reader, path string, opened, listed bool) string {
	i, err := h.Lstat(path)
	if err != nil {
		return absence(err)
	}
	parts := []string{i.Mode.String(), owner(h, i)}
	switch {
	case i.IsSymlink():
		to, _ := h.Readlink(path)
		parts = append(parts, to)
	case i.IsRegular() && opened:
		parts = append(parts, d.content(h, path))
	case i.IsDir() && listed:
		names, _ := h.ReadDir(path)
		for _, n := range names {
			parts = append(parts, n.Path)
		}
	}
	return d.Text(parts...)
}

func absence(err error) string {
	if host.IsUnknown(err) {
		return "unknown"
	}
	return "absent"
}

// owner are the names of owner and group: of accounts that are only promised nobody knows the numbers.
func owner(h host.Reader, i host.Info) string {
	u, err := h.UserByID(i.UID)
	if err != nil {
		u.Name = fmt.Sprint(i.UID)
	}
	g, err := h.GroupByID(i.GID)
	if err != nil {
		g.Name = fmt.Sprint(i.GID)
	}
	return u.Name + ":" + g.Name
}

func (d Digester) content(h host.Reader, path string) string {
	r, err := h.Open(path)
	if err != nil {
		return absence(err)
	}
	defer r.Close()
	sum := hmac.New(sha256.New, d.Key)
	if _, err := io.Copy(sum, r); err != nil {
		return "unreadable"
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Effect is the digest of what a state would do: its changes, and what it would leave at the paths that it writes.
func (d Digester) Effect(r *state.Result, over host.Reader, foot *host.Footprint) string {
	parts := []string{fmt.Sprint(r.Outcome == state.Failed)}
	if r.Changed() {
		parts = append(parts, textOf(r.Changes))
	}
	for _, p := range foot.Wrote {
		if !Moving(p) {
			parts = append(parts, p, d.File(over, p, true, false))
		}
	}
	for _, k := range foot.Deeds {
		parts = append(parts, fmt.Sprint(k))
	}
	return d.Text(parts...)
}

// Moving says whether what is at a path changes by itself, so that it says nothing of the machine: the kernel's and the
// running programs' files, caches, logs, and databases of which a state reads a line among others. What states make of
// these is compared all the same, as the changes that they would make.
func Moving(path string) bool {
	for _, dir := range []string{"/proc", "/sys", "/dev", "/run", "/var/run", "/var/cache", "/var/log", "/var/lib/dpkg",
		"/var/lib/apt", "/var/lib/rpm", "/usr/lib/sysimage/rpm", "/lib/apk", "/tmp", "/var/tmp", "/var/lib/gostate"} {
		if path == dir || dir != "/tmp" && dir != "/var/tmp" && strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return slices.Contains([]string{"/", "/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow", "/etc/mtab"}, path)
}
