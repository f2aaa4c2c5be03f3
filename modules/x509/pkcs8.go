package x509

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"hash"
)

type sealedKey struct {
	Algo pkix.AlgorithmIdentifier
	Data []byte
}

type pbes2 struct{ KDF, Cipher pkix.AlgorithmIdentifier }

type pbkdf2Params struct {
	Salt []byte
	Iter int
	Len  int                      `asn1:"optional"`
	PRF  pkix.AlgorithmIdentifier `asn1:"optional"`
}

// openPKCS8 decrypts a key as newer programs write it: PBES2 with PBKDF2 and AES.
func openPKCS8(der []byte, passphrase string) ([]byte, error) {
	var s sealedKey
	var scheme pbes2
	var kdf pbkdf2Params
	var iv []byte
	read := func(der []byte, out any) bool {
		_, err := asn1.Unmarshal(der, out)
		return err == nil
	}
	if !read(der, &s) || !read(s.Algo.Parameters.FullBytes, &scheme) || !read(scheme.KDF.Parameters.FullBytes, &kdf) ||
		!read(scheme.Cipher.Parameters.FullBytes, &iv) || kdf.Iter > 100_000_000 {
		return nil, errors.New("it is encrypted in a way that is not known")
	}
	size, ok := map[string]int{"2.16.840.1.101.3.4.1.2": 16, "2.16.840.1.101.3.4.1.22": 24,
		"2.16.840.1.101.3.4.1.42": 32}[scheme.Cipher.Algorithm.String()]
	if !ok || len(iv) != aes.BlockSize {
		return nil, errors.New("it is encrypted in a way that is not known")
	}
	return decrypt(s.Data, iv, size, kdf, passphrase)
}

func decrypt(data, iv []byte, size int, kdf pbkdf2Params, passphrase string) ([]byte, error) {
	digest := func() hash.Hash { return sha1.New() }
	if kdf.PRF.Algorithm.String() == "1.2.840.113549.2.9" {
		digest = sha256.New
	}
	key, err := pbkdf2.Key(digest, passphrase, kdf.Salt, kdf.Iter, size)
	if err != nil || len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return nil, errPassphrase
	}
	b, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(data))
	cipher.NewCBCDecrypter(b, iv).CryptBlocks(out, data)
	pad := int(out[len(out)-1])
	if pad == 0 || pad > aes.BlockSize {
		return nil, errPassphrase
	}
	return out[:len(out)-pad], nil
}
