package session

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// messages are the places in a text of what it holds encrypted.
func messages(text string) (places [][2]int) {
	const begin, end = "-----BEGIN PGP MESSAGE-----", "-----END PGP MESSAGE-----"
	for at := 0; ; {
		from := strings.Index(text[at:], begin)
		if from < 0 {
			return places
		}
		from += at
		to := strings.Index(text[from:], end)
		if to < 0 {
			return places
		}
		at = from + to + len(end)
		places = append(places, [2]int{from, at})
	}
}

// decrypted is a value in whose texts PGP messages are decrypted, by the system's gpg with the keys of gpg_keydir
// (gpgkeys beside the configuration).
// Salt differs: what cannot be decrypted stays as it is there, unless gpg_decrypt_must_succeed is set; here that is the
// default.
func (s *Session) decrypted(ctx context.Context, v value.Value) (_ value.Value, err error) {
	switch v := v.(type) {
	case value.Str:
		return s.decryptedText(ctx, string(v))
	case *value.List:
		for i := range v.Items {
			if v.Items[i], err = s.decrypted(ctx, v.Items[i]); err != nil {
				return nil, err
			}
		}
	case *value.Dict:
		for k, item := range v.All() {
			if item, err = s.decrypted(ctx, item); err != nil {
				return nil, fmt.Errorf("%s: %w", value.String(k), err)
			}
			if err := v.Set(k, item); err != nil {
				return nil, err
			}
		}
	}
	return v, nil
}

func (s *Session) decryptedText(ctx context.Context, text string) (value.Value, error) {
	places := messages(text)
	if len(places) == 0 {
		return value.Str(text), nil
	}
	var out bytes.Buffer
	end := 0
	for _, p := range places {
		plain, err := s.gpg(ctx, text[p[0]:p[1]])
		if err != nil {
			return nil, err
		}
		out.WriteString(text[end:p[0]])
		out.Write(plain)
		end = p[1]
	}
	out.WriteString(text[end:])
	return value.TextOf(bytes.TrimRight(out.Bytes(), "\n")), nil
}

func (s *Session) gpg(ctx context.Context, cipher string) ([]byte, error) {
	dir := s.config.Dir
	if s.config.Inside { // gpg runs in that tree
		dir = strings.TrimPrefix(dir, s.config.Root)
	}
	dir = s.config.Str("gpg_keydir", filepath.Join(dir, "gpgkeys"))
	out, err := s.machine.Query(ctx, host.Cmd{Args: []string{"gpg", "--homedir", dir, "--status-fd", "2", "--no-tty",
		"-d"},
		Stdin: []byte(strings.ReplaceAll(cipher, `\n`, "\n"))})
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot decrypt a PGP message: %w", err)
	case len(out.Stdout) > 0:
		return out.Stdout, nil
	case !s.config.Bool("gpg_decrypt_must_succeed", true):
		s.log("warning", "cannot decrypt a PGP message: "+said(out.Stderr))
		return []byte(cipher), nil
	}
	return nil, fmt.Errorf("cannot decrypt a PGP message with the keys in %s: %s", dir, said(out.Stderr))
}

// said is what gpg says for people.
func said(stderr []byte) string {
	var lines []string
	for _, line := range strings.Split(string(stderr), "\n") {
		if line != "" && !strings.HasPrefix(line, "[GNUPG:]") {
			lines = append(lines, strings.TrimPrefix(line, "gpg: "))
		}
	}
	return strings.Join(lines, "; ")
}
