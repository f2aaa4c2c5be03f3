package pkgrepo

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A key is a key of a source that has to be in a file.
type key struct {
	file string
	data []byte
}

// keyOf fetches the key of the source, nil when it has none. It goes where signed-by says, else to apt's trusted keys.
// Salt differs: it calls apt-key where it is there, which newer systems have not.
func (m *Managed) keyOf(ctx context.Context, env *modules.Env, want source) (*key, error) {
	var data []byte
	var err error
	name := ""
	switch {
	case m.KeyText != "":
		data, name = []byte(m.KeyText), want.uri
	case m.KeyURL != "":
		data, err = env.Files.Fetch(ctx, m.KeyURL, env.Low.SourceEnv())
		name = m.KeyURL
	case m.KeyID != "":
		data, err = fetchByID(ctx, env, m.KeyServer, m.KeyID)
		name = m.KeyID
	default:
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("fetch the key of %s: %w", want.uri, err)
	}
	file := want.option("signed-by")
	if !strings.HasPrefix(file, "/") {
		file = "/etc/apt/trusted.gpg.d/" + slug(name) + suffix(data)
	}
	if armored(data) && strings.HasSuffix(file, ".gpg") {
		if data, err = dearmor(data); err != nil {
			return nil, fmt.Errorf("the key of %s: %w", want.uri, err)
		}
	}
	return &key{file, data}, nil
}

// fetchByID asks a key server over HTTP.
func fetchByID(ctx context.Context, env *modules.Env, server, id string) ([]byte, error) {
	if server == "" {
		return nil, errors.New("keyid needs a keyserver")
	}
	server = strings.TrimSuffix(strings.Replace(server, "hkp://", "http://", 1), "/")
	server = strings.Replace(server, "hkps://", "https://", 1)
	if !strings.Contains(server, "://") {
		server = "https://" + server
	}
	var all []byte
	for _, one := range strings.FieldsFunc(id, func(r rune) bool { return r == ',' || r == ' ' }) {
		if !strings.HasPrefix(one, "0x") {
			one = "0x" + one
		}
		data, err := env.Files.Fetch(ctx, server+"/pks/lookup?op=get&options=mr&search="+one, env.Low.SourceEnv())
		if err != nil {
			return nil, err
		}
		all = append(all, data...)
	}
	return all, nil
}

func armored(data []byte) bool {
	return bytes.Contains(data, []byte("-----BEGIN PGP PUBLIC KEY BLOCK-----"))
}

func suffix(data []byte) string {
	if armored(data) {
		return ".asc"
	}
	return ".gpg"
}

// dearmor gives the binary form of the armored blocks.
func dearmor(data []byte) ([]byte, error) {
	var out []byte
	inside, body := false, false
	var b strings.Builder
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "-----BEGIN PGP"):
			inside, body = true, false
			b.Reset()
		case strings.HasPrefix(line, "-----END PGP"):
			raw, err := base64.StdEncoding.DecodeString(b.String())
			if err != nil {
				return nil, fmt.Errorf("it is damaged: %w", err)
			}
			out, inside = append(out, raw...), false
		case inside && line == "":
			body = true // headers end at an empty line
		case inside && body && !strings.HasPrefix(line, "="):
			b.WriteString(line)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("it holds no key")
	}
	return out, nil
}

// slug makes a name of a file of an address: "https://example.org/a/key.asc" is "key-example-org".
func slug(text string) string {
	base := path.Base(text)
	for _, end := range []string{".asc", ".gpg", ".key", ".pub"} {
		base = strings.TrimSuffix(base, end)
	}
	text = strings.TrimSuffix(base+"-"+hostOf(text), "-")
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, text)
}

// hostOf is the host of an address, "" when it has none.
func hostOf(text string) string {
	_, rest, ok := strings.Cut(text, "://")
	name, _, is := strings.Cut(rest, "/")
	if !ok || !is || strings.HasPrefix(text, "salt://") {
		return ""
	}
	return name
}

// differs says whether the file does not hold the key.
func (k *key) differs(h host.Reader) (bool, error) {
	if k == nil {
		return false, nil
	}
	now, err := h.ReadFile(k.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("read the key %s: %w", k.file, err)
	}
	return !bytes.Equal(now, k.data), nil
}

func (k *key) write(h host.Host) error {
	dir := path.Dir(k.file)
	if _, err := h.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := h.Mkdir(dir, host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
			return fmt.Errorf("make %s: %w", dir, err)
		}
	}
	if err := h.WriteFile(k.file, bytes.NewReader(k.data),
		host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}); err != nil {
		return fmt.Errorf("write the key %s: %w", k.file, err)
	}
	return nil
}
