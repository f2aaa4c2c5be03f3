package sealed

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
	"filippo.io/age/agessh"
	"filippo.io/age/armor"
	"golang.org/x/crypto/ssh"

	"github.com/gostate/gostate/state/host"
)

// identities are the age keys of a run, read once.
type identities struct {
	all []age.Identity
	err error
}

// maxPlain bounds a value that is decrypted.
const maxPlain = 16 << 20

// unage decrypts an age file, armored or on one line. The caller holds the lock.
func (k *Keys) unage(_ context.Context, cipher string) ([]byte, error) {
	var r io.Reader = armor.NewReader(strings.NewReader(cipher))
	if text, ok := strings.CutPrefix(cipher, oneLine); ok {
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(text, "]"))
		if err != nil {
			return nil, damaged("it is no base64")
		}
		r = bytes.NewReader(raw)
	}
	keys := k.identities()
	if keys.err != nil {
		return nil, keys.err
	}
	plain, err := age.Decrypt(r, keys.all...)
	if err == nil {
		var out []byte
		if out, err = io.ReadAll(io.LimitReader(plain, maxPlain)); err == nil {
			return out, nil
		}
	}
	var none *age.NoIdentityMatchError
	if errors.As(err, &none) {
		return nil, &hint{fmt.Errorf("cannot decrypt an age value: no key in %s opens it", strings.Join(k.AgeFiles, ", ")),
			"encrypt it for a key of this machine, or name the key that it is for in age_keyfile"}
	}
	return nil, damaged(strings.ReplaceAll(err.Error(), "\n", " "))
}

func damaged(why string) error {
	return &hint{errors.New("cannot decrypt an age value: it is damaged or cut short: " + why),
		"encrypt the value again: gostate pillar encrypt KEY --age RECIPIENT"}
}

// Identities are the age keys of the machine.
func (k *Keys) Identities() ([]age.Identity, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	ids := k.identities()
	return ids.all, ids.err
}

func (k *Keys) identities() *identities {
	if k.age != nil {
		return k.age
	}
	k.age = &identities{}
	for _, file := range k.AgeFiles {
		ids, err := k.identitiesOf(file)
		if err != nil {
			k.age.err = err
			break
		}
		k.age.all = append(k.age.all, ids...)
	}
	return k.age
}

// identitiesOf reads a file of age identities, or an SSH key.
func (k *Keys) identitiesOf(file string) ([]age.Identity, error) {
	if err := private(k.Host, file); err != nil {
		return nil, err
	}
	data, err := k.Host.ReadFile(file)
	if err != nil {
		return nil, noKey(file, err)
	}
	if bytes.HasPrefix(data, []byte("age-encryption.org/")) || bytes.Contains(data, []byte(armor.Header)) {
		return nil, &hint{fmt.Errorf("the age key %s is protected by a passphrase, and gostate asks for none", file),
			"decrypt it: age -d FILE > KEY, with the mode 0600; the file system or a TPM may protect it"}
	}
	if !bytes.Contains(data, []byte("-----BEGIN ")) {
		// What the library says of a line that it does not know holds the line.
		ids, err := age.ParseIdentities(bytes.NewReader(data))
		if err != nil {
			return nil, &hint{fmt.Errorf("%s is no file of age keys", file), "make one: age-keygen -o " + file}
		}
		return ids, nil
	}
	id, err := agessh.ParseIdentity(data)
	var locked *ssh.PassphraseMissingError
	switch {
	case errors.As(err, &locked):
		return nil, &hint{fmt.Errorf("the SSH key %s is protected by a passphrase, and gostate asks for none", file),
			"give a key without one that only root can read"}
	case err != nil:
		return nil, &hint{fmt.Errorf("%s is no SSH key that age can use", file), "age takes ed25519 and RSA keys"}
	}
	return []age.Identity{id}, nil
}

func noKey(file string, err error) error {
	return &hint{fmt.Errorf("cannot read the age key %s: %w", file, err),
		"age_keyfile names the file with the keys of this machine"}
}

// private refuses a key that others can read or change.
func private(h host.Reader, file string) error {
	i, err := h.Stat(file)
	switch {
	case err != nil:
		return noKey(file, err)
	case !i.IsRegular():
		return noKey(file, errors.New("it is no regular file"))
	case i.Mode.Perm()&0o077 != 0:
		return &hint{fmt.Errorf("the key %s is open to others (mode %04o)", file, i.Mode.Perm()), "chmod 0600 " + file}
	case i.UID != 0 && i.UID != os.Geteuid():
		return &hint{fmt.Errorf("the key %s belongs to another user (uid %d)", file, i.UID), "chown root " + file}
	}
	return nil
}
