package x509

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha1"
	cx "crypto/x509"
)

func algorithmOf(pub crypto.PublicKey) cx.PublicKeyAlgorithm {
	switch pub.(type) {
	case *rsa.PublicKey:
		return cx.RSA
	case *ecdsa.PublicKey:
		return cx.ECDSA
	case ed25519.PublicKey:
		return cx.Ed25519
	}
	return cx.UnknownPublicKeyAlgorithm
}

// verifies says whether a certificate is signed by a key.
func verifies(c *cx.Certificate, pub crypto.PublicKey) bool {
	by := &cx.Certificate{PublicKey: pub, PublicKeyAlgorithm: algorithmOf(pub)}
	if c.SignatureAlgorithm == cx.SHA1WithRSA || c.SignatureAlgorithm == cx.ECDSAWithSHA1 {
		return verifySHA1(c.RawTBSCertificate, c.Signature, pub)
	}
	return by.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}

// verifySHA1 checks a signature with SHA-1. What is compared with it is not trusted but kept: a certificate that a
// machine has must not be made anew because its digest is old.
func verifySHA1(signed, signature []byte, pub crypto.PublicKey) bool {
	sum := sha1.Sum(signed)
	switch k := pub.(type) {
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(k, crypto.SHA1, sum[:], signature) == nil
	case *ecdsa.PublicKey:
		return ecdsa.VerifyASN1(k, sum[:], signature)
	}
	return false
}
