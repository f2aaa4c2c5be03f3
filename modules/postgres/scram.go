package postgres

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgproto3"
)

// scramName is the mechanism of RFC 7677, and how its verifiers begin.
const scramName = "SCRAM-SHA-256"

// scramKeys are the keys of RFC 5802 that a password leads to.
type scramKeys struct{ client, stored, server []byte }

func newScramKeys(password string, salt []byte, iterations int) (scramKeys, error) {
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		return scramKeys{}, err
	}
	client := mac(salted, "Client Key")
	stored := sha256.Sum256(client)
	return scramKeys{client, stored[:], mac(salted, "Server Key")}, nil
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// scramVerifier is what the server keeps of a password.
func scramVerifier(password string, salt []byte, iterations int) (string, error) {
	k, err := newScramKeys(password, salt, iterations)
	b64 := base64.StdEncoding.EncodeToString
	return scramName + "$" + strconv.Itoa(iterations) + ":" + b64(salt) + "$" + b64(k.stored) + ":" + b64(k.server), err
}

// scramMatches says whether a verifier is that of a password.
func scramMatches(verifier, password string) bool {
	rest, ok := strings.CutPrefix(verifier, scramName+"$")
	count, rest, cut := strings.Cut(rest, ":")
	text, _, cut2 := strings.Cut(rest, "$")
	iterations, err := strconv.Atoi(count)
	salt, err2 := base64.StdEncoding.DecodeString(text)
	if !ok || !cut || !cut2 || err != nil || err2 != nil || iterations < 1 {
		return false
	}
	made, err := scramVerifier(password, salt, iterations)
	return err == nil && made == verifier
}

// A scram is the client's side of a login by SCRAM-SHA-256 without channel binding.
type scram struct {
	password, nonce string
	asked           string // all that was said, as it is signed
	proof           []byte // of the server
}

// begin is what the client says first.
func (s *scram) begin() *pgproto3.SASLInitialResponse {
	s.asked = "n=,r=" + s.nonce
	return &pgproto3.SASLInitialResponse{AuthMechanism: scramName, Data: []byte("n,," + s.asked)}
}

// respond answers the server's challenge.
func (s *scram) respond(challenge string) (*pgproto3.SASLResponse, error) {
	said := map[string]string{}
	for part := range strings.SplitSeq(challenge, ",") {
		k, v, _ := strings.Cut(part, "=")
		said[k] = v
	}
	salt, err := base64.StdEncoding.DecodeString(said["s"])
	iterations, err2 := strconv.Atoi(said["i"])
	if err != nil || err2 != nil || iterations < 1 || !strings.HasPrefix(said["r"], s.nonce) {
		return nil, errors.New("the server's challenge is no SCRAM-SHA-256")
	}
	k, err := newScramKeys(s.password, salt, iterations)
	if err != nil {
		return nil, err
	}
	final := "c=biws,r=" + said["r"]
	signed := s.asked + "," + challenge + "," + final
	proof := mac(k.stored, signed)
	subtle.XORBytes(proof, proof, k.client)
	s.proof = mac(k.server, signed)
	return &pgproto3.SASLResponse{Data: []byte(final + ",p=" + base64.StdEncoding.EncodeToString(proof))}, nil
}

// verify finds a server that does not know the password.
func (s *scram) verify(final string) error {
	if final != "v="+base64.StdEncoding.EncodeToString(s.proof) {
		return errors.New("the server does not know the password that it asks for")
	}
	return nil
}
