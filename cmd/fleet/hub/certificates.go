package hub

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"time"
)

// certificates are those of a new authority and of its server, as PEM.
type certificates struct{ caKey, ca, key, cert []byte }

// lasting is how long the hub's own certificates are good: machines have pinned the authority.
const lasting = 10 * 365 * 24 * time.Hour

func newCertificates(names []string) (*certificates, error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	ca := template("gostate hub authority")
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage = true, true, x509.KeyUsageCertSign|x509.KeyUsageCRLSign
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, caKey.Public(), caKey)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	server := template(names[0])
	server.KeyUsage = x509.KeyUsageDigitalSignature
	// A server of a cluster is a client of the others.
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			server.IPAddresses = append(server.IPAddresses, ip)
		} else {
			server.DNSNames = append(server.DNSNames, name)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, server, ca, key.Public(), caKey)
	if err != nil {
		return nil, err
	}
	c := &certificates{ca: encoded("CERTIFICATE", caDER),
		cert: append(encoded("CERTIFICATE", der), encoded("CERTIFICATE", caDER)...)}
	if c.caKey, err = encodedKey(caKey); err != nil {
		return nil, err
	}
	c.key, err = encodedKey(key)
	return c, err
}

func template(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	begin := time.Now().Add(-time.Hour) // of machines whose clock is behind
	return &x509.Certificate{SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: begin,
		NotAfter: begin.Add(lasting)}
}

func encoded(kind string, data []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data})
}

func encodedKey(k *ecdsa.PrivateKey) ([]byte, error) {
	data, err := x509.MarshalPKCS8PrivateKey(k)
	return encoded("PRIVATE KEY", data), err
}

// Fingerprint is that of a certificate of authority: what a machine is told, so that it knows its hub.
func Fingerprint(ca []byte) (string, error) {
	block, _ := pem.Decode(ca)
	if block == nil {
		return "", errors.New("it is no certificate as PEM")
	}
	sum := sha256.Sum256(block.Bytes)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
