package codec

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/sha3"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func hashSpecs() []modules.ExecSpec {
	text := func(f func(b []byte) (string, error)) fn {
		return func(_ context.Context, c *modules.Call) (value.Value, error) {
			s, err := f(raw(c.Arg("instr")))
			return value.Str(s), err
		}
	}
	sum := func(name string) fn {
		return text(func(b []byte) (string, error) { return digest(name, b) })
	}
	encode := text(func(b []byte) (string, error) { return base64.StdEncoding.EncodeToString(b), nil })
	return []modules.ExecSpec{
		spec("hashutil.digest", "digest(instr, checksum='md5'): the hash of a text in hex.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			s, err := digest(c.Str("checksum"), raw(c.Arg("instr")))
			return value.Str(s), err
		}, "instr", "checksum=md5"),
		spec("hashutil.digest_file", "digest_file(infile, checksum='md5'): the hash of a file in hex.", digestFile, "infile", "checksum=md5"),
		spec("hashutil.md5_digest", "md5_digest(instr): the MD5 of a text.", sum("md5"), "instr"),
		spec("hashutil.sha256_digest", "sha256_digest(instr): the SHA-256 of a text.", sum("sha256"), "instr"),
		spec("hashutil.sha512_digest", "sha512_digest(instr): the SHA-512 of a text.", sum("sha512"), "instr"),
		spec("hashutil.base64_b64encode", "base64_b64encode(instr): base64 on one line.", encode, "instr"),
		spec("hashutil.base64_b64decode", "base64_b64decode(instr): what base64 encodes.", decode64, "instr"),
		spec("hashutil.base64_encodestring", "base64_encodestring(instr): base64 in lines of 76 characters.", text(func(b []byte) (string, error) { return lines64(b), nil }), "instr"),
		spec("hashutil.base64_decodestring", "base64_decodestring(instr): what base64 in lines encodes.", decode64, "instr"),
		spec("hashutil.base64_encodefile", "base64_encodefile(fname): a file in base64, in lines of 76 characters.", encodeFile, "fname"),
		spec("hashutil.hmac_signature", "hmac_signature(string, shared_secret, challenge_hmac): whether the challenge is the text's HMAC-SHA-256 in base64.", hmacSignature,
			"string", "shared_secret", "challenge_hmac"),
		spec("hashutil.hmac_compute", "hmac_compute(string, shared_secret): the HMAC-SHA-256 in hex.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			return value.Str(hex.EncodeToString(mac(raw(c.Arg("shared_secret")), raw(c.Arg("string"))))), nil
		}, "string", "shared_secret"),
		spec("hashutil.github_signature", "github_signature(string, shared_secret, challenge_hmac): whether a GitHub webhook is genuine.", githubSignature,
			"string", "shared_secret", "challenge_hmac"),
	}
}

// newHash makes the hash of a name as Python's hashlib has it, nil when it has none.
func newHash(name string) hash.Hash {
	switch strings.ToLower(name) {
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

func digest(name string, b []byte) (string, error) {
	h := newHash(name)
	if h == nil {
		return "", value.Raise("CommandExecutionError", "Hash func '%s' is not supported.", name)
	}
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readFile reads a file of the machine; one that is not there is a CommandExecutionError in Salt's words.
func readFile(h host.Reader, path string) ([]byte, error) {
	b, err := h.ReadFile(path)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "File not found %s: %v", path, err)
	}
	return b, nil
}

func digestFile(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := readFile(c.World.Host, c.Str("infile"))
	if err != nil {
		return nil, err
	}
	s, err := digest(c.Str("checksum"), b)
	return value.Str(s), err
}

func encodeFile(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := readFile(c.World.Host, c.Str("fname"))
	return value.Str(lines64(b)), err
}

// lines64 is base64 in lines of 76 characters, each ended.
func lines64(b []byte) string {
	s := base64.StdEncoding.EncodeToString(b)
	var out strings.Builder
	for len(s) > 0 {
		n := min(76, len(s))
		out.WriteString(s[:n] + "\n")
		s = s[n:]
	}
	return out.String()
}

func decode64(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(c.Str("instr")), ""))
	if err != nil {
		return nil, value.Raise("Error", "Incorrect padding")
	}
	if !utf8.Valid(b) {
		return value.Bytes(b), nil
	}
	return value.Str(b), nil
}

func mac(key, text []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(text)
	return m.Sum(nil)
}

func hmacSignature(_ context.Context, c *modules.Call) (value.Value, error) {
	challenge, err := base64.StdEncoding.DecodeString(c.Str("challenge_hmac"))
	return value.Bool(err == nil && hmac.Equal(challenge, mac(raw(c.Arg("shared_secret")), raw(c.Arg("string"))))), nil
}

func githubSignature(_ context.Context, c *modules.Call) (value.Value, error) {
	name, want, ok := strings.Cut(c.Str("challenge_hmac"), "=")
	challenge, err := hex.DecodeString(want)
	if !ok || err != nil || newHash(name) == nil {
		return value.Bool(false), nil
	}
	m := hmac.New(func() hash.Hash { return newHash(name) }, raw(c.Arg("shared_secret")))
	m.Write(raw(c.Arg("string")))
	return value.Bool(hmac.Equal(challenge, m.Sum(nil))), nil
}
