package sealed

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// gpg decrypts a PGP message with the system's gpg. The caller holds the lock.
// Salt differs: it takes whatever gpg printed, also before gpg found that the message is damaged, and nothing for a
// failure; what cannot be decrypted stays as it is there, unless gpg_decrypt_must_succeed is set, which is the default
// here. What is decrypted is kept by no gpg_cache.
func (k *Keys) gpg(ctx context.Context, cipher string) ([]byte, error) {
	plain, err := k.gpgKey(ctx, cipher)
	if err != nil && k.Lenient {
		k.Warn(err.Error())
		return []byte(cipher), nil
	}
	return plain, err
}

// gpgKey is gpg for what cannot stay as it is.
func (k *Keys) gpgKey(ctx context.Context, cipher string) ([]byte, error) {
	out, err := k.Host.Query(ctx, host.Cmd{Args: []string{"gpg", "--homedir", k.GPGDir, "--status-fd", "2", "--no-tty",
		"-d"}, Stdin: []byte(cipher)})
	if err != nil {
		return nil, fmt.Errorf("cannot decrypt a PGP message: %w", err)
	}
	if strings.Contains(string(out.Stderr), "[GNUPG:] DECRYPTION_OKAY") {
		return out.Stdout, nil
	}
	return nil, k.gpgFailure(string(out.Stderr))
}

// gpgFailure is why gpg could not decrypt a message.
func (k *Keys) gpgFailure(stderr string) error {
	const what = "cannot decrypt a PGP message"
	var ids []string
	for line := range strings.Lines(stderr) {
		if id, ok := strings.CutPrefix(line, "[GNUPG:] NO_SECKEY "); ok {
			ids = append(ids, strings.TrimSpace(id))
		}
	}
	switch {
	case len(ids) > 0:
		return &hint{fmt.Errorf("%s: %s has no secret key for it (it is for %s)", what, k.GPGDir, strings.Join(ids, ", ")),
			"import the secret key: gpg --homedir " + k.GPGDir + " --import FILE; or set gpg_keydir"}
	case strings.Contains(stderr, "[GNUPG:] NODATA"), strings.Contains(stderr, "[GNUPG:] BADMDC"),
		strings.Contains(stderr, "CRC error"), strings.Contains(stderr, "[GNUPG:] DECRYPTION_FAILED"),
		strings.Contains(stderr, "invalid armor"):
		return &hint{fmt.Errorf("%s with the keys in %s: it is damaged or cut short: %s", what, k.GPGDir, said(stderr)),
			"encrypt the value again: gostate pillar encrypt KEY --gpg RECIPIENT"}
	}
	return &hint{fmt.Errorf("%s with the keys in %s: %s", what, k.GPGDir, said(stderr)),
		"gpg_keydir names the directory of the keys"}
}

// said is what gpg says for people.
func said(stderr string) string {
	var lines []string
	for _, line := range strings.Split(stderr, "\n") {
		if line != "" && !strings.HasPrefix(line, "[GNUPG:]") {
			lines = append(lines, strings.TrimPrefix(line, "gpg: "))
		}
	}
	return strings.Join(lines, "; ")
}

// gpgEncrypt encrypts a value for recipients. Keys need not be trusted: who asks for it names them.
func (k *Keys) gpgEncrypt(ctx context.Context, plain []byte, to []string) (string, error) {
	args := []string{"gpg", "--homedir", k.GPGDir, "--batch", "--no-tty", "--trust-model", "always", "--armor"}
	for _, r := range to {
		args = append(args, "--recipient", r)
	}
	out, err := k.Host.Query(ctx, host.Cmd{Args: append(args, "--encrypt"), Stdin: plain})
	if err != nil {
		return "", fmt.Errorf("cannot encrypt: %w", err)
	}
	if out.Code != 0 {
		return "", &hint{errors.New("gpg cannot encrypt: " + said(string(out.Stderr))),
			"import the public key: gpg --homedir " + k.GPGDir + " --import FILE"}
	}
	return string(out.Stdout), nil
}
