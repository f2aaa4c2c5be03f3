package join

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
)

// trustBy is a way to connect to a hub of which the fingerprint of its authority is known: the authority is in the
// chain that the hub shows. What it is, found gives afterwards, as PEM.
func trustBy(fingerprint, server string, found *[]byte) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS13, ServerName: server,
		InsecureSkipVerify: true, // VerifyConnection does it, with an authority that is not known before
		VerifyConnection: func(s tls.ConnectionState) error {
			for _, c := range s.PeerCertificates[min(1, len(s.PeerCertificates)):] {
				sum := sha256.Sum256(c.Raw)
				if "sha256:"+hex.EncodeToString(sum[:]) != fingerprint {
					continue
				}
				pool := x509.NewCertPool()
				pool.AddCert(c)
				_, err := s.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: pool, DNSName: s.ServerName})
				if err != nil {
					return fmt.Errorf("the hub's certificate: %w", err)
				}
				*found = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
				return nil
			}
			return errors.New("this is another hub: its authority has not the fingerprint " + fingerprint)
		},
	}
}
