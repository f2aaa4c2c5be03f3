// Package random is the execution functions whose answers are random, or derived as if they were.
package random

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"math/big"
	"strings"

	"github.com/GehirnInc/crypt"
	_ "github.com/GehirnInc/crypt/md5_crypt" // registers the scheme
	_ "github.com/GehirnInc/crypt/sha256_crypt"
	_ "github.com/GehirnInc/crypt/sha512_crypt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/pyrandom"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "random", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("random.get_str", "get_str(length=20, chars=None, ...): a random text.", getStr, "length:int=20",
			"chars=None", "lowercase=true", "uppercase=true",
			"digits=true", "punctuation=true", "whitespace=false", "printable=false"),
		modules.NewExec("random.hash", "hash(value, algorithm='sha512'): the hash of a value in hex.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				s, err := modules.Digest(c.Str("algorithm"), value.BytesOf(c.Arg("value")))
				return value.Str(s), err
			}, "value", "algorithm=sha512"),
		modules.NewExec("random.str_encode", "str_encode(value, encoder='base64'): a text in base64.", strEncode, "value",
			"encoder=base64"),
		modules.NewExec("random.rand_int", "rand_int(start=1, end=10, seed=None): a random whole number; the same one for "+
			"a seed each time.", randInt, "start:int=1", "end:int=10", "seed=None"),
		modules.NewExec("random.seed", "seed(range=10, hash=None): a whole number below range that is always the same for "+
			"this machine.", seed, "range:int=10", "hash=None"),
		modules.NewExec("random.shadow_hash", "shadow_hash(crypt_salt=None, password=None, algorithm='sha512'): a password "+
			"as /etc/shadow holds it.", shadowHash,
			"crypt_salt=None", "password=None", "algorithm=sha512"),
		modules.NewExec("random.shuffle", "shuffle(value, seed=None): a list in a random order; the same one for a seed "+
			"each time.", shuffle, "value", "seed=None"),
		modules.NewExec("random.sample", "sample(value, size, seed=None): so many items of a list, in a random order.",
			shuffle, "value", "size:int", "seed=None"),
	}
}

const (
	lowercase   = "abcdefghijklmnopqrstuvwxyz"
	digits      = "0123456789"
	punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	whitespace  = " \t\n\r\v\f"
)

// alphabet is the characters that the arguments allow.
func alphabet(c *modules.Call) string {
	if s := c.Str("chars"); s != "" {
		return s
	}
	all := ""
	for _, set := range [][2]string{{"lowercase", lowercase}, {"uppercase", strings.ToUpper(lowercase)},
		{"digits", digits}, {"punctuation", punctuation},
		{"whitespace", whitespace}} {
		if c.Bool(set[0]) || c.Bool("printable") {
			all += set[1]
		}
	}
	return all
}

const maxLength = 8192 // Salt's limit

func getStr(_ context.Context, c *modules.Call) (value.Value, error) {
	n := c.Int("length", -1)
	if n < 1 || n > maxLength {
		return nil, value.Raise("SaltInvocationError", "length must be an integer from 1 to %d", maxLength)
	}
	chars := []rune(alphabet(c))
	if len(chars) == 0 {
		return nil, value.Raise("SaltInvocationError", "no characters to choose from")
	}
	out := make([]rune, n)
	for i := range out {
		j, err := below(int64(len(chars)))
		if err != nil {
			return nil, err
		}
		out[i] = chars[j]
	}
	return value.Str(string(out)), nil
}

func below(n int64) (int64, error) {
	i, err := rand.Int(rand.Reader, big.NewInt(n))
	if err != nil {
		return 0, err
	}
	return i.Int64(), nil
}

func strEncode(_ context.Context, c *modules.Call) (value.Value, error) {
	switch e := strings.ToLower(c.Str("encoder")); e {
	case "base64", "base_64", "base64_codec":
		s := value.EncodeBase64Lines(value.BytesOf(c.Arg("value")))
		if s == "" {
			s = base64.StdEncoding.EncodeToString(nil)
		}
		return value.Str(s), nil
	default:
		return nil, value.Raise("SaltInvocationError", "encoder '%s' is not supported; use base64", e)
	}
}

// randInt is a number from start to end. With a seed it is the one that Python gives.
func randInt(_ context.Context, c *modules.Call) (value.Value, error) {
	start, end := c.Int("start", 1), c.Int("end", 10)
	width := int64(end-start) + 1
	if end < start || width <= 0 { // or so far apart that it cannot be counted
		return nil, value.Raise("ValueError", "empty range for randrange() (%d, %d, %d)", start, end+1, end+1-start)
	}
	if c.Arg("seed") != value.None {
		return value.Int(int64(start) + pyrandom.New(c.Arg("seed")).Below(width)), nil
	}
	n, err := below(width)
	return value.Int(int64(start) + n), err
}

// shuffle is also sample, which has a size.
func shuffle(_ context.Context, c *modules.Call) (value.Value, error) {
	items, err := value.ToList(c.Arg("value"))
	if err != nil {
		return nil, err
	}
	n := c.Int("size", len(items))
	items, err = pyrandom.Pick(items, n, c.Arg("seed"))
	return value.NewList(items...), err
}

// seed is the machine's number, from its id, below a range.
func seed(_ context.Context, c *modules.Call) (value.Value, error) {
	n := c.Int("range", 10)
	if n < 1 {
		return nil, value.Raise("ValueError", "empty range for randrange()")
	}
	of := c.Arg("hash")
	if of == value.None {
		of, _ = c.Grains.Dict().GetStr("id")
	}
	if of == nil {
		of = value.Str("")
	}
	return value.Int(pyrandom.New(of).Below(int64(n))), nil
}

// shadowHash encrypts a password, a random one when none is given.
func shadowHash(_ context.Context, c *modules.Call) (value.Value, error) {
	var scheme crypt.Crypt
	prefix := ""
	switch name := c.Str("algorithm"); name {
	case "sha512":
		scheme, prefix = crypt.SHA512, "$6$"
	case "sha256":
		scheme, prefix = crypt.SHA256, "$5$"
	case "md5":
		scheme, prefix = crypt.MD5, "$1$"
	default:
		return nil, value.Raise("SaltInvocationError", "Unknown algorithm '%s'", name)
	}
	password := value.BytesOf(c.Arg("password"))
	if c.Arg("password") == value.None {
		password = []byte(rand.Text())
	}
	salt := c.Str("crypt_salt")
	if salt == "" {
		salt = rand.Text()[:8]
	}
	if !strings.HasPrefix(salt, "$") {
		salt = prefix + salt
	}
	hashed, err := scheme.New().Generate(password, []byte(salt))
	return value.Str(hashed), err
}
