// Package pkcs7 opens what hiera-eyaml encrypted: CMS enveloped data for an RSA key, with AES in CBC mode. It encrypts
// nothing, and knows no other form.
package pkcs7

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// A Key is a private key.
type Key struct{ rsa *rsa.PrivateKey }

// ReadKey reads a private key in PEM; file is what errors call it.
func ReadKey(file string, text []byte) (*Key, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s holds no key in PEM", file)
	}
	if k, err := x509.ParsePKCS1PrivateKey(block.Bytes); err == nil {
		return &Key{k}, nil
	}
	k, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s holds no private key that can be read: %w", file, err)
	}
	r, ok := k.(*rsa.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%s holds no RSA key", file)
	}
	return &Key{r}, nil
}

// The parts of RFC 5652 that are needed.
type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"explicit,tag:0"`
}

type envelopedData struct {
	Version    int
	Recipients []recipient `asn1:"set"`
	Encrypted  struct {
		Type      asn1.ObjectIdentifier
		Algorithm pkix.AlgorithmIdentifier
		Content   asn1.RawValue `asn1:"tag:0,optional"`
	}
}

type recipient struct {
	Version int
	Issuer  struct {
		Name   asn1.RawValue
		Serial *big.Int
	}
	Algorithm pkix.AlgorithmIdentifier
	Key       []byte
}

// Open decrypts base64 text.
func Open(text string, key *Key) (string, error) {
	der, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return "", fmt.Errorf("the text is no base64: %w", err)
	}
	var info contentInfo
	if _, err := asn1.Unmarshal(der, &info); err != nil {
		return "", fmt.Errorf("it is no PKCS7: %w", err)
	}
	var data envelopedData
	if _, err := asn1.Unmarshal(info.Content.Bytes, &data); err != nil {
		return "", fmt.Errorf("it is no enveloped data of PKCS7: %w", err)
	}
	for _, r := range data.Recipients {
		//lint:ignore SA1019 it is the padding that eyaml writes; whoever can make this try texts reads the answer anyway
		session, err := rsa.DecryptPKCS1v15(nil, key.rsa, r.Key)
		if err != nil {
			continue
		}
		return data.open(session)
	}
	return "", errors.New("it is encrypted for another key")
}

// open decrypts the content with the key that was in the envelope.
func (d *envelopedData) open(session []byte) (string, error) {
	block, err := aes.NewCipher(session)
	iv := d.Encrypted.Algorithm.Parameters.Bytes
	if err != nil || len(iv) != aes.BlockSize || !strings.HasPrefix(d.Encrypted.Algorithm.Algorithm.String(),
		"2.16.840.1.101.3.4.1.") {
		return "", fmt.Errorf("the cipher %s is not known (AES in CBC mode is)", d.Encrypted.Algorithm.Algorithm)
	}
	body := d.Encrypted.Content.Bytes
	if len(body) == 0 || len(body)%aes.BlockSize != 0 {
		return "", errors.New("the encrypted text is cut")
	}
	plain := make([]byte, len(body))
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(plain, body)
	n := int(plain[len(plain)-1])
	if n == 0 || n > aes.BlockSize {
		return "", errors.New("the encrypted text is broken")
	}
	for _, b := range plain[len(plain)-n:] {
		if int(b) != n {
			return "", errors.New("the encrypted text is broken")
		}
	}
	return string(plain[:len(plain)-n]), nil
}
