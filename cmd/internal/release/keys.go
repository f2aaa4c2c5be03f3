package release

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
	"filippo.io/age/armor"

	"github.com/gostate/gostate/state/diag"
)

// A PublicKey is an ed25519 key that signs releases; as a text "ed25519:" and its base64.
type PublicKey ed25519.PublicKey

const keyPrefix = "ed25519:"

func (k PublicKey) String() string { return keyPrefix + base64.StdEncoding.EncodeToString(k) }

// ID is a short name of the key: the first 16 digits of its sha256.
func (k PublicKey) ID() string {
	sum := sha256.Sum256(k)
	return hex.EncodeToString(sum[:8])
}

// ParseKey reads a key's text.
func ParseKey(text string) (PublicKey, error) {
	b, ok := strings.CutPrefix(strings.TrimSpace(text), keyPrefix)
	raw, err := base64.StdEncoding.DecodeString(b)
	if !ok || err != nil || len(raw) != ed25519.PublicKeySize {
		return nil, diag.Errorf(diag.Pos{}, "%.80q is no key that signs releases", text).
			WithHint("it is the line that gostate pack keygen prints, ed25519:...")
	}
	return PublicKey(raw), nil
}

// NewKey makes a key and the file for it: PKCS#8 in PEM, as openssl genpkey -algorithm ed25519 makes one. With a
// passphrase that is encrypted by age.
func NewKey(passphrase string) (file []byte, public PublicKey, err error) {
	return newKey(passphrase, 18) // age's own
}

// newKey takes 2 to the power of work as the cost of trying a passphrase.
func newKey(passphrase string, work int) (file []byte, public PublicKey, err error) {
	pub, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	file = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if passphrase != "" {
		file, err = lockKey(file, passphrase, work)
	}
	return file, PublicKey(pub), err
}

func lockKey(plain []byte, passphrase string, work int) ([]byte, error) {
	to, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, err
	}
	to.SetWorkFactor(work)
	var out bytes.Buffer
	text := armor.NewWriter(&out)
	w, err := age.Encrypt(text, to)
	if err != nil {
		return nil, err
	}
	if _, err = w.Write(plain); err == nil {
		err = errors.Join(w.Close(), text.Close())
	}
	return out.Bytes(), err
}

// KeyFile is where the operator's key is: in the file that is given, else where `gostate pack keygen` puts it.
func KeyFile(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", diag.Errorf(diag.Pos{}, "there is no folder for the key that signs: %v", err).
			WithHint("--key FILE names the key")
	}
	return filepath.Join(dir, "gostate", "release.key"), nil
}

// ReadKey reads the file of a private key; ask gives the passphrase of a locked one.
func ReadKey(path string, ask func(path string) (string, error)) (ed25519.PrivateKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: path}, "cannot read the key that signs releases: %v", err).
			WithHint("gostate pack keygen makes one; --key names another file")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, diag.Errorf(diag.Pos{File: path}, "the key is open to others (mode %04o)", info.Mode().Perm()).
			WithHint("chmod 0600 %s", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte(armor.Header)) {
		if data, err = unlockKey(path, data, ask); err != nil {
			return nil, err
		}
	}
	return parsePrivate(path, data)
}

func unlockKey(path string, data []byte, ask func(string) (string, error)) ([]byte, error) {
	passphrase, err := ask(path)
	if err != nil {
		return nil, err
	}
	id, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: path}, "the key needs its passphrase")
	}
	r, err := age.Decrypt(armor.NewReader(bytes.NewReader(data)), id)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: path}, "the passphrase does not open the key")
	}
	return io.ReadAll(io.LimitReader(r, MaxPointer))
}

func parsePrivate(path string, data []byte) (ed25519.PrivateKey, error) {
	block, _ := pem.Decode(data)
	if block != nil {
		if k, err := x509.ParsePKCS8PrivateKey(block.Bytes); err == nil {
			if private, ok := k.(ed25519.PrivateKey); ok {
				return private, nil
			}
		}
	}
	return nil, diag.Errorf(diag.Pos{File: path}, "it is no ed25519 key in PEM").
		WithHint("gostate pack keygen makes one, as does openssl genpkey -algorithm ed25519")
}

// lower says whether version a is below b, by its numbers. One that is not known is not.
func lower(a, b string) bool {
	var x, y [3]int
	if n, _ := fmt.Sscanf(strings.TrimPrefix(a, "v"), "%d.%d.%d", &x[0], &x[1], &x[2]); n == 0 || b == "" {
		return false
	}
	_, _ = fmt.Sscanf(strings.TrimPrefix(b, "v"), "%d.%d.%d", &y[0], &y[1], &y[2])
	for i := range x {
		if x[i] != y[i] {
			return x[i] < y[i]
		}
	}
	return false
}
