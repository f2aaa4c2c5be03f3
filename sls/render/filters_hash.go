package render

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"strconv"

	"github.com/gostate/gostate/state/value"
)

func hashFilters() []filter {
	out := []filter{
		text1("base64_encode", func(s string) (value.Value, error) {
			return value.Str(base64.StdEncoding.EncodeToString([]byte(s))), nil
		}),
		text1("base64_decode", func(s string) (value.Value, error) {
			b, err := value.DecodeBase64(s)
			return value.TextOf(b), err
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
			h := value.NewHash(name)
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
	h := value.NewHash(name)
	if h == nil {
		return nil, value.Raise("ValueError", "unsupported hash type %s", name)
	}
	pick, err := rand.Int(rand.Reader, big.NewInt(int64(limit)))
	if err != nil {
		return nil, err
	}
	h.Write([]byte(strconv.FormatInt(pick.Int64()+1, 10)))
	return value.Str(hex.EncodeToString(h.Sum(nil))), nil
}
