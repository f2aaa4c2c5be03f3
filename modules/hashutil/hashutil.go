// Package hashutil is the execution functions that hash and encode texts and files.
package hashutil

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "hashutil", Execs: execs()} }

func execs() []modules.ExecSpec {
	text := func(f func(b []byte) (string, error)) modules.ExecFunc {
		return func(_ context.Context, c *modules.Call) (value.Value, error) {
			s, err := f(value.BytesOf(c.Arg("instr")))
			return value.Str(s), err
		}
	}
	sum := func(name string) modules.ExecFunc {
		return text(func(b []byte) (string, error) { return modules.Digest(name, b) })
	}
	encode := text(func(b []byte) (string, error) { return base64.StdEncoding.EncodeToString(b), nil })
	return append(modules.Writing(
		modules.NewExec("hashutil.base64_decodefile", "base64_decodefile(instr, outfile): writes what base64 encodes to a "+
			"file; True.", decodeFile, "instr:text", "outfile:path"),
	), []modules.ExecSpec{
		modules.NewExec("hashutil.digest", "digest(instr, checksum='md5'): the hash of a text in hex.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				s, err := modules.Digest(c.Str("checksum"), value.BytesOf(c.Arg("instr")))
				return value.Str(s), err
			}, "instr", "checksum=md5"),
		modules.NewExec("hashutil.digest_file", "digest_file(infile, checksum='md5'): the hash of a file in hex.", digestFile,
			"infile", "checksum=md5"),
		modules.NewExec("hashutil.md5_digest", "md5_digest(instr): the MD5 of a text.", sum("md5"), "instr"),
		modules.NewExec("hashutil.sha256_digest", "sha256_digest(instr): the SHA-256 of a text.", sum("sha256"), "instr"),
		modules.NewExec("hashutil.sha512_digest", "sha512_digest(instr): the SHA-512 of a text.", sum("sha512"), "instr"),
		modules.NewExec("hashutil.base64_b64encode", "base64_b64encode(instr): base64 on one line.", encode, "instr"),
		modules.NewExec("hashutil.base64_b64decode", "base64_b64decode(instr): what base64 encodes.", decode64, "instr"),
		modules.NewExec("hashutil.base64_encodestring", "base64_encodestring(instr): base64 in lines of 76 characters.",
			text(func(b []byte) (string, error) { return value.EncodeBase64Lines(b), nil }), "instr"),
		modules.NewExec("hashutil.base64_decodestring", "base64_decodestring(instr): what base64 in lines encodes.", decode64,
			"instr"),
		modules.NewExec("hashutil.base64_encodefile", "base64_encodefile(fname): a file in base64, in lines of 76 characters.", encodeFile, "fname"),
		modules.NewExec("hashutil.hmac_signature", "hmac_signature(string, shared_secret, challenge_hmac): whether the "+
			"challenge is the text's HMAC-SHA-256 in base64.", hmacSignature,
			"string", "shared_secret", "challenge_hmac"),
		modules.NewExec("hashutil.hmac_compute", "hmac_compute(string, shared_secret): the HMAC-SHA-256 in hex.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.Str(hex.EncodeToString(mac(value.BytesOf(c.Arg("shared_secret")), value.BytesOf(c.Arg("string"))))),
					nil
			}, "string", "shared_secret"),
		modules.NewExec("hashutil.github_signature", "github_signature(string, shared_secret, challenge_hmac): whether a "+
			"GitHub webhook is genuine.", githubSignature,
			"string", "shared_secret", "challenge_hmac"),
	}...)
}

// readFile reads a file of the machine; one that is not there is a CommandExecutionError in Salt's words.
func readFile(c *modules.Call, path string) ([]byte, error) {
	b, err := c.Host.ReadFile(path)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "File not found %s: %v", path, err)
	}
	return b, nil
}

func digestFile(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := readFile(c, c.Str("infile"))
	if err != nil {
		return nil, err
	}
	s, err := modules.Digest(c.Str("checksum"), b)
	return value.Str(s), err
}

func encodeFile(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := readFile(c, c.Str("fname"))
	return value.Str(value.EncodeBase64Lines(b)), err
}

func decoded(c *modules.Call) ([]byte, error) {
	b, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(c.Str("instr")), ""))
	if err != nil {
		return nil, value.Raise("Error", "Incorrect padding")
	}
	return b, nil
}

func decode64(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := decoded(c)
	return value.TextOf(b), err
}

func decodeFile(_ context.Context, c *modules.Call) (value.Value, error) {
	b, err := decoded(c)
	if err != nil {
		return nil, err
	}
	return value.Bool(true), c.Host.WriteFile(c.Str("outfile"), bytes.NewReader(b), host.KeepAttr())
}

func mac(key, text []byte) []byte {
	m := hmac.New(sha256.New, key)
	m.Write(text)
	return m.Sum(nil)
}

func hmacSignature(_ context.Context, c *modules.Call) (value.Value, error) {
	challenge, err := base64.StdEncoding.DecodeString(c.Str("challenge_hmac"))
	return value.Bool(err == nil && hmac.Equal(challenge,
		mac(value.BytesOf(c.Arg("shared_secret")), value.BytesOf(c.Arg("string"))))), nil
}

func githubSignature(_ context.Context, c *modules.Call) (value.Value, error) {
	name, want, ok := strings.Cut(c.Str("challenge_hmac"), "=")
	challenge, err := hex.DecodeString(want)
	if !ok || err != nil || value.NewHash(name) == nil {
		return value.Bool(false), nil
	}
	m := hmac.New(func() hash.Hash { return value.NewHash(name) }, value.BytesOf(c.Arg("shared_secret")))
	m.Write(value.BytesOf(c.Arg("string")))
	return value.Bool(hmac.Equal(challenge, m.Sum(nil))), nil
}
