package render

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

// newHash gives Python's hashlib by name; nil for one that is not known.
func newHash(name string) func() hash.Hash {
	switch name {
	case "md5":
		return md5.New
	case "sha1":
		return sha1.New
	case "sha224":
		return sha256.New224
	case "sha256":
		return sha256.New
	case "sha384":
		return sha512.New384
	case "sha512":
		return sha512.New
	}
	return nil
}

func hashFilters() []filter {
	out := []filter{
		text1("base64_encode", func(s string) (value.Value, error) {
			return value.Str(base64.StdEncoding.EncodeToString([]byte(s))), nil
		}),
		text1("base64_decode", func(s string) (value.Value, error) {
			b, err := value.DecodeBase64(s)
			if err != nil {
				return nil, err
			}
			if !utf8.Valid(b) {
				return value.Bytes(b), nil
			}
			return value.Str(b), nil
		}),
		with("hmac", "shared_secret challenge_hmac", func(v value.Value, a []value.Value) (value.Value, error) {
			sum, err := hmacSum(v, a[0])
			if err != nil {
				return nil, err
			}
			want := base64.StdEncoding.EncodeToString(sum)
			return value.Bool(want == value.String(a[1])), nil
		}),
		with("hmac_compute", "shared_secret", func(v value.Value, a []value.Value) (value.Value, error) {
			sum, err := hmacSum(v, a[0])
			return value.Str(hex.EncodeToString(sum)), err
		}),
		{name: "random_hash", params: []string{"hash_type"}, fn: randomHash},
		{name: "rand_str", params: []string{"hash_type"}, fn: randomHash},
	}
	for _, name := range []string{"md5", "sha1", "sha256", "sha512"} {
		out = append(out, simple(name, func(v value.Value) (value.Value, error) {
			s, err := textOf(name, v)
			if err != nil {
				return nil, err
			}
			h := newHash(name)()
			h.Write([]byte(s))
			return value.Str(hex.EncodeToString(h.Sum(nil))), nil
		}))
	}
	return out
}

func hmacSum(v, secret value.Value) ([]byte, error) {
	msg, err := textOf("hmac", v)
	if err != nil {
		return nil, err
	}
	key, err := textOf("hmac", secret)
	if err != nil {
		return nil, err
	}
	h := hmac.New(sha256.New, []byte(key))
	h.Write([]byte(msg))
	return h.Sum(nil), nil
}

// randomHash hashes a random number below the value.
func randomHash(_ context.Context, r *Renderer, v value.Value, a []value.Value) (value.Value, error) {
	name := "sha256"
	if t, ok := r.cfg.Opts.GetStr("hash_type"); ok {
		name = value.String(t)
	}
	name = strOr(a[0], name)
	n, err := value.ToInt(v, nil)
	if err != nil {
		return nil, err
	}
	limit, ok := n.(value.Int)
	if !ok || limit < 1 {
		return nil, value.Raise("ValueError", "random_hash() needs a number above 0")
	}
	make := newHash(name)
	if make == nil {
		return nil, value.Raise("ValueError", "unsupported hash type %s", name)
	}
	pick, err := rand.Int(rand.Reader, big.NewInt(int64(limit)))
	if err != nil {
		return nil, err
	}
	h := make()
	h.Write([]byte(strconv.FormatInt(pick.Int64()+1, 10)))
	return value.Str(hex.EncodeToString(h.Sum(nil))), nil
}
