package sealed

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"

	"github.com/gostate/gostate/state/diag"
)

// Encrypt encrypts a value for gpg's recipients or for age's (keys, SSH keys, or files of them), as the text that a
// pillar file takes: a PGP message, or an age file on one line. The error may be a *diag.Diagnostic.
func (k *Keys) Encrypt(ctx context.Context, plain []byte, forAge, forGPG []string) (string, error) {
	text, err := "", error(nil)
	if len(forGPG) > 0 {
		text, err = k.gpgEncrypt(ctx, plain, forGPG)
	} else {
		text, err = ageEncrypt(plain, forAge)
	}
	if err != nil {
		return "", k.fault(diag.Pos{}, err)
	}
	return text, nil
}

func ageEncrypt(plain []byte, to []string) (string, error) {
	var all []age.Recipient
	for _, r := range to {
		found, err := Recipients(r)
		if err != nil {
			return "", err
		}
		all = append(all, found...)
	}
	var b bytes.Buffer
	w, err := age.Encrypt(&b, all...)
	if err == nil {
		_, err = w.Write(plain)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return "", fmt.Errorf("age cannot encrypt: %w", err)
	}
	return oneLine + base64.StdEncoding.EncodeToString(b.Bytes()) + "]", nil
}

// Recipients are those that a word names: one of age or SSH, or those of a file, one on each line.
func Recipients(word string) (out []age.Recipient, err error) {
	text, file := word, "the recipient"
	if data, err := os.ReadFile(word); err == nil {
		text, file = string(data), word
	}
	if strings.Contains(text, "SECRET-KEY-") || strings.Contains(text, "PRIVATE KEY") {
		return nil, &hint{errors.New(file + " is a secret key: a value is encrypted for the public one"),
			"age-keygen -y FILE shows it; of an SSH key it is in FILE.pub"}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "ssh-") {
			r, err := agessh.ParseRecipient(line)
			if err != nil {
				return nil, fmt.Errorf("%s holds an SSH key that age cannot use: %w", file, err)
			}
			out = append(out, r)
			continue
		}
		found, err := age.ParseRecipients(strings.NewReader(line))
		if err != nil {
			return nil, &hint{fmt.Errorf("%q is no recipient of age, and no file with some", line),
				"a recipient is age1..., ssh-ed25519 ... or ssh-rsa ...; age-keygen -y FILE shows that of a key"}
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no recipients", file)
	}
	return out, nil
}
