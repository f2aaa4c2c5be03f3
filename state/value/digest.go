package value

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/base64"
	"hash"
	"strings"
	"unicode/utf8"
)

// NewHash makes a hash by its name in Python's hashlib, in small letters; nil for one that is not known.
func NewHash(name string) hash.Hash {
	switch name {
	case "md5":
		return md5.New()
	case "sha1":
		return sha1.New()
	case "sha224":
		return sha256.New224()
	case "sha256":
		return sha256.New()
	case "sha384":
		return sha512.New384()
	case "sha512":
		return sha512.New()
	case "sha3_256":
		return sha3.New256()
	case "sha3_512":
		return sha3.New512()
	}
	return nil
}

// HashByLength is the name of the hash that is so long in hex, "" where Salt knows none.
func HashByLength(hex int) string {
	return map[int]string{32: "md5", 40: "sha1", 56: "sha224", 64: "sha256", 96: "sha384", 128: "sha512"}[hex]
}

// TextOf is bytes as text where they are that, else as bytes.
func TextOf(b []byte) Value {
	if utf8.Valid(b) {
		return Str(b)
	}
	return Bytes(b)
}

// BytesOf are bytes themselves, else those of a value's text.
func BytesOf(v Value) []byte {
	if b, ok := v.(Bytes); ok {
		return []byte(b)
	}
	return []byte(String(v))
}

// EncodeBase64Lines is base64 in lines of 76 characters, each ended, as Python's base64.encodebytes.
func EncodeBase64Lines(b []byte) string {
	s := base64.StdEncoding.EncodeToString(b)
	var out strings.Builder
	for len(s) > 0 {
		n := min(76, len(s))
		out.WriteString(s[:n] + "\n")
		s = s[n:]
	}
	return out.String()
}
