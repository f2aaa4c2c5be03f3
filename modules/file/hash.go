package file

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A digest is a hash with its kind. The zero digest is none.
type digest struct{ kind, hex string }

// newHash makes the hash of a kind.
func newHash(kind string) (hash.Hash, error) {
	if sum := value.NewHash(strings.ToLower(cmp.Or(kind, "sha256"))); sum != nil {
		return sum, nil
	}
	return nil, fmt.Errorf("Invalid hash type: %s", kind)
}

// hashFile hashes a file of the machine without holding it in memory.
func hashFile(h host.Reader, name, kind string) (string, error) {
	return hashSized(h, name, kind, copySize)
}

// copySize is how much of a file is read at once.
const copySize = 32 << 10

// hashSized is hashFile for a file that is about size bytes long: thousands of small files do without large buffers.
func hashSized(h host.Reader, name, kind string, size int64) (string, error) {
	f, err := h.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum, err := hashRead(f, kind, size)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return sum, nil
}

// hashRead hashes what is read, about size bytes.
func hashRead(r io.Reader, kind string, size int64) (string, error) {
	sum, err := newHash(kind)
	if err != nil {
		return "", err
	}
	buf := make([]byte, min(max(size, 0)+1, copySize))
	if _, err := io.CopyBuffer(sum, struct{ io.Reader }{r}, buf); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func hashBytes(data []byte, kind string) (string, error) {
	sum, err := newHash(kind)
	if err != nil {
		return "", err
	}
	sum.Write(data)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// verify says whether a source has the digest.
func (d digest) verify(source string, from host.Source) error {
	r, err := from.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	actual, err := hashRead(r, d.kind, copySize)
	if err == nil && !strings.EqualFold(actual, d.hex) {
		err = d.mismatch(source, actual)
	}
	return err
}

func (d digest) mismatch(source, actual string) error {
	return fmt.Errorf("Specified %s checksum for %s (%s) does not match actual checksum (%s). If the 'source_hash' "+
		"value refers to a remote file with "+
		"multiple possible matches, then it may be necessary to set 'source_hash_name'.", d.kind, redact(source), d.hex,
		actual)
}

// sourceDigest reads a source_hash: kind=hex, a bare hex, or the address of a file that lists hashes.
func sourceDigest(ctx context.Context, env *modules.Env, h host.Reader,
	text, name, source, hashName string) (digest, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return digest{}, nil
	}
	if strings.Contains(text, "://") || strings.HasPrefix(text, "/") {
		list, err := readSource(ctx, env, h, text)
		if err != nil {
			return digest{}, fmt.Errorf("Source hash file %s not found: %w", redact(text), err)
		}
		if d, ok := findDigest(string(list), name, source, hashName); ok {
			return d, nil
		}
		return digest{}, fmt.Errorf("Source hash file %s contains no hash for %s", redact(text), name)
	}
	kind, sum, ok := strings.Cut(text, "=")
	if !ok {
		if kind, sum, ok = strings.Cut(text, ":"); !ok {
			kind, sum = "", text
		}
	}
	kind, sum = strings.ToLower(strings.TrimSpace(kind)), strings.ToLower(strings.TrimSpace(sum))
	known := value.HashByLength(len(sum))
	if _, err := hex.DecodeString(sum); err != nil || known == "" || (kind != "" && kind != known) {
		return digest{}, fmt.Errorf("Source hash %s format is invalid. The supported formats are: 1) a hash, 2) an "+
			"expression in the format <hash_type>=<hash>, "+
			"or 3) either a path to a local file containing hashes, or a URI of a remote hash file.", text)
	}
	return digest{known, sum}, nil
}

// readSource reads a source of any kind.
func readSource(ctx context.Context, env *modules.Env, h host.Reader, source string) ([]byte, error) {
	if local, ok := localPath(source); ok {
		return h.ReadFile(local)
	}
	return env.Files.Fetch(ctx, source, envOf(env))
}

// findDigest finds the hash of a file in a list such as sha256sum writes. A line that ends in the wanted name counts
// before one that ends in the file's own name, that before one with the source's name, that before the first hash of
// all.
func findDigest(list, name, source, hashName string) (digest, bool) {
	word := regexp.MustCompile(`(?i)(?:^|[^a-z0-9])([a-f0-9]{32,128})(?:[^a-z0-9]|$)`)
	wants := []string{hashName, path.Base(name), sourceName(source)}
	found := make([]digest, len(wants)+1)
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		m := word.FindStringSubmatch(line)
		if m == nil || value.HashByLength(len(m[1])) == "" {
			continue
		}
		d := digest{value.HashByLength(len(m[1])), strings.ToLower(m[1])}
		for i, w := range wants {
			if found[i].hex == "" && w != "" && namesFile(line, w) {
				found[i] = d
			}
		}
		if found[len(wants)].hex == "" {
			found[len(wants)] = d
		}
	}
	for _, d := range found {
		if d.hex != "" {
			return d, true
		}
	}
	return digest{}, false
}

// namesFile says whether a line of a hash list is about the file: the name is its last word or its first.
func namesFile(line, name string) bool {
	if before, ok := strings.CutSuffix(line, name); ok && before != "" {
		return strings.ContainsRune(" \t\\/*", rune(before[len(before)-1]))
	}
	rest, ok := strings.CutPrefix(line, name)
	return ok && rest != "" && (rest[0] == ' ' || rest[0] == '\t')
}

// reader is data as a file that is being read. An overlay keeps it as it is (host.Source).
type reader struct {
	*bytes.Reader
	data []byte
}

func newReader(data []byte) reader { return reader{bytes.NewReader(data), data} }

func (reader) Close() error                   { return nil }
func (r reader) Open() (io.ReadCloser, error) { return newReader(r.data), nil }

func (r reader) Size() int64 {
	if r.Len() < len(r.data) {
		return -1
	}
	return int64(len(r.data))
}
