package user

import (
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/GehirnInc/crypt"
	_ "github.com/GehirnInc/crypt/md5_crypt"
	_ "github.com/GehirnInc/crypt/sha256_crypt"
	"github.com/GehirnInc/crypt/sha512_crypt"
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
func hashed(clear string) (string, error) {
	const letters = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", fmt.Errorf("make a salt for a password: %w", err)
	}
	for i, b := range salt {
		salt[i] = letters[int(b)%len(letters)]
	}
	hash, err := sha512_crypt.New().Generate([]byte(clear), append([]byte("$6$"), salt...))
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return hash, nil
}
