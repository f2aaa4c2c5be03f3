package user

import (
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/GehirnInc/crypt"
	_ "github.com/GehirnInc/crypt/md5_crypt"
	_ "github.com/GehirnInc/crypt/sha256_crypt"
	_ "github.com/GehirnInc/crypt/sha512_crypt"
)

// redacted stands for a password in changes, as in Salt.
const redacted = "XXX-REDACTED-XXX"

// matches says whether the hash is that of the clear password.
func matches(hash, clear string) bool {
	if !strings.HasPrefix(hash, "$") || !crypt.IsHashSupported(hash) {
		return false
	}
	return crypt.NewFromHash(hash).Verify(hash, []byte(clear)) == nil
}

// hashed makes a SHA-512 hash with a salt by chance.
func hashed(clear string) (string, error) { return hashedAs(clear, "$6$", "") }

// hashedAs makes a hash of the kind of a prefix, with a salt by chance where it is "".
func hashedAs(clear, prefix, salt string) (string, error) {
	const letters = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	if salt == "" {
		random := make([]byte, 16)
		if prefix == "$1$" {
			random = random[:8]
		}
		if _, err := rand.Read(random); err != nil {
			return "", fmt.Errorf("make a salt for a password: %w", err)
		}
		for _, b := range random {
			salt += string(letters[int(b)%len(letters)])
		}
	}
	hash, err := crypt.NewFromHash(prefix).Generate([]byte(clear), []byte(prefix+salt))
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return hash, nil
}
