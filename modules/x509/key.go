package x509

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	cx "crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// errPassphrase is what a wrong passphrase gives, or none where one is needed.
var errPassphrase = errors.New("The provided passphrase cannot decrypt the private key.") //nolint:staticcheck // Salt's words

// generate makes a key.
func generate(algo string, bits int) (crypto.Signer, error) {
	switch algo {
	case "ec":
		curve, ok := map[int]elliptic.Curve{0: elliptic.P256(), 256: elliptic.P256(), 384: elliptic.P384(),
			521: elliptic.P521()}[bits]
		if !ok {
			return nil, fmt.Errorf("a key of the algorithm ec has 256, 384 or 521 bits, not %d", bits)
		}
		return ecdsa.GenerateKey(curve, rand.Reader)
	case "ed25519":
		_, key, err := ed25519.GenerateKey(rand.Reader)
		return key, err
	}
	if bits == 0 {
		bits = 2048
	}
	if bits < 1024 || bits > 16384 {
		return nil, fmt.Errorf("an RSA key has 1024 to 16384 bits, not %d", bits)
	}
	return rsa.GenerateKey(rand.Reader, bits)
}

// sizeOf is the number of bits of a key.
func sizeOf(pub crypto.PublicKey) int {
	switch k := pub.(type) {
	case *rsa.PublicKey:
		return k.N.BitLen()
	case *ecdsa.PublicKey:
		return k.Curve.Params().BitSize
	case ed25519.PublicKey:
		return 256
	}
	return 0
}

func algoOf(pub crypto.PublicKey) string {
	switch pub.(type) {
	case *ecdsa.PublicKey:
		return "ec"
	case ed25519.PublicKey:
		return "ed25519"
	}
	return "rsa"
}

// ciphers are those of an encrypted key, by the names that Salt has for them.
func cipherOf(name string) (cx.PEMCipher, bool) {
	c, ok := map[string]cx.PEMCipher{"": cx.PEMCipherAES128, "aes_128_cbc": cx.PEMCipherAES128,
		"aes_192_cbc": cx.PEMCipherAES192, "aes_256_cbc": cx.PEMCipherAES256, "des_cbc": cx.PEMCipherDES,
		"des_ede3_cbc": cx.PEMCipher3DES, "des3": cx.PEMCipher3DES}[name]
	return c, ok
}

// encode writes a key, encrypted where there is a passphrase.
func encode(key crypto.Signer, passphrase, cipher string) (string, error) {
	var b pem.Block
	var err error
	switch k := key.(type) {
	case *rsa.PrivateKey:
		b = pem.Block{Type: "RSA PRIVATE KEY", Bytes: cx.MarshalPKCS1PrivateKey(k)}
	case *ecdsa.PrivateKey:
		if passphrase != "" {
			b.Type = "EC PRIVATE KEY"
			b.Bytes, err = cx.MarshalECPrivateKey(k)
			break
		}
		b.Type = "PRIVATE KEY"
		b.Bytes, err = cx.MarshalPKCS8PrivateKey(key)
	default:
		if passphrase != "" {
			return "", errors.New("an encrypted key is of the algorithm rsa or ec")
		}
		b.Type = "PRIVATE KEY"
		b.Bytes, err = cx.MarshalPKCS8PrivateKey(key)
	}
	if err != nil {
		return "", err
	}
	if passphrase == "" {
		return string(pem.EncodeToMemory(&b)), nil
	}
	c, _ := cipherOf(cipher)
	//lint:ignore SA1019 the traditional encryption is weak, and it is what Salt's x509 and every openssl read
	sealed, err := cx.EncryptPEMBlock(rand.Reader, b.Type, b.Bytes, []byte(passphrase), c)
	if err != nil {
		return "", err
	}
	sealed.Headers["DEK-Info"] = strings.ToUpper(sealed.Headers["DEK-Info"]) // as Salt wants to read it
	return string(pem.EncodeToMemory(sealed)), nil
}

// parseKey reads a private key.
func parseKey(text, passphrase string) (crypto.Signer, error) {
	b, err := block(text, typeKey)
	if err != nil {
		return nil, err
	}
	der := b.Bytes
	//lint:ignore SA1019 such keys exist
	old := cx.IsEncryptedPEMBlock(b)
	switch {
	case b.Type == "ENCRYPTED PRIVATE KEY":
		if der, err = openPKCS8(der, passphrase); err != nil {
			return nil, err
		}
		b.Type = "PRIVATE KEY"
	case old:
		//lint:ignore SA1019 as above
		if der, err = cx.DecryptPEMBlock(b, []byte(passphrase)); err != nil {
			return nil, errPassphrase
		}
	}
	var key any
	switch b.Type {
	case "RSA PRIVATE KEY":
		key, err = cx.ParsePKCS1PrivateKey(der)
	case "EC PRIVATE KEY":
		key, err = cx.ParseECPrivateKey(der)
	default:
		key, err = cx.ParsePKCS8PrivateKey(der)
	}
	signer, ok := key.(crypto.Signer)
	if err != nil || !ok {
		return nil, errors.New("it is no private key")
	}
	return signer, nil
}

// privateKey reads a private key from a file, or a text.
func privateKey(h host.Reader, source, passphrase string) (crypto.Signer, error) {
	text, err := textOf(h, source)
	if err != nil {
		return nil, err
	}
	key, err := parseKey(text, passphrase)
	if err != nil {
		return nil, fmt.Errorf("the private key %s: %w", named(source), err)
	}
	return key, nil
}

// named is how a source is called in a message: a text is a secret.
func named(source string) string {
	if len(source) > 0 && source[0] == '/' {
		return source
	}
	return "that is given"
}

// publicKey reads the public key of a certificate, a request, or a key.
func publicKey(h host.Reader, source, passphrase string) (crypto.PublicKey, error) {
	text, err := textOf(h, source)
	if err != nil {
		return nil, err
	}
	b, err := block(text, "")
	if err != nil {
		return nil, fmt.Errorf("the public key of %s: %w", named(source), err)
	}
	switch b.Type {
	case "PUBLIC KEY":
		return cx.ParsePKIXPublicKey(b.Bytes)
	case "RSA PUBLIC KEY":
		return cx.ParsePKCS1PublicKey(b.Bytes)
	case typeCertificate:
		c, err := cx.ParseCertificate(b.Bytes)
		if err != nil {
			return nil, unread(source, err)
		}
		return c.PublicKey, nil
	case typeRequest, "NEW CERTIFICATE REQUEST":
		r, err := cx.ParseCertificateRequest(b.Bytes)
		if err != nil {
			return nil, unread(source, err)
		}
		return r.PublicKey, nil
	}
	key, err := privateKey(h, source, passphrase)
	if err != nil {
		return nil, err
	}
	return key.Public(), nil
}

func unread(source string, err error) error { return fmt.Errorf("read %s: %w", named(source), err) }

// publicText is a public key as a PEM entry.
func publicText(pub crypto.PublicKey) string {
	der, err := cx.MarshalPKIXPublicKey(pub)
	if err != nil {
		return ""
	}
	return armor("PUBLIC KEY", der)
}

// same says whether two public keys are one.
func same(a, b crypto.PublicKey) bool {
	k, ok := a.(interface{ Equal(crypto.PublicKey) bool })
	return ok && k.Equal(b)
}

// digestOf is the algorithm of a signature by a key with a digest.
func digestOf(pub crypto.PublicKey, digest string) (cx.SignatureAlgorithm, error) {
	of := map[string]map[string]cx.SignatureAlgorithm{
		"rsa": {"sha1": cx.SHA1WithRSA, "sha256": cx.SHA256WithRSA, "sha384": cx.SHA384WithRSA, "sha512": cx.SHA512WithRSA},
		"ec": {"sha1": cx.ECDSAWithSHA1, "sha256": cx.ECDSAWithSHA256, "sha384": cx.ECDSAWithSHA384,
			"sha512": cx.ECDSAWithSHA512},
	}[algoOf(pub)]
	if of == nil {
		return cx.PureEd25519, nil
	}
	if a, ok := of[digest]; ok {
		return a, nil
	}
	return 0, fmt.Errorf("%q is no digest: sha256, sha384, sha512 and sha1 are", digest)
}
