package x509

import (
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	cx "crypto/x509"
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/state/value"
)

// stamp is how Salt writes times.
const stamp = "2006-01-02 15:04:05"

func moment(t time.Time) value.Str { return value.Str(t.UTC().Format(stamp)) }

// certificateInfo is what Salt tells of a certificate.
func certificateInfo(c *cx.Certificate) *value.Dict {
	long, short, old := sha256.Sum256(c.Raw), sha1.Sum(c.Raw), md5.Sum(c.Raw)
	out := value.DictOf("Version", value.Int(c.Version), "Key Size", value.Int(sizeOf(c.PublicKey)),
		"Serial Number", value.Str(serialText(c.SerialNumber)), "SHA-256 Finger Print", value.Str(hexed(long[:])),
		"SHA1 Finger Print", value.Str(hexed(short[:])), "Subject", nameOf(c.RawSubject),
		"Subject Hash", value.Str(nameHash(c.RawSubject)), "Issuer", nameOf(c.RawIssuer),
		"Issuer Hash", value.Str(nameHash(c.RawIssuer)), "Not Before", moment(c.NotBefore), "Not After", moment(c.NotAfter),
		"Public Key", value.Str(publicText(c.PublicKey)), "MD5 Finger Print", value.Str(hexed(old[:])))
	if len(c.Extensions) > 0 {
		out.SetStr("X509v3 Extensions", showExtensions(c.Extensions, shortOf))
	}
	return out
}

// requestInfo is what Salt tells of a request.
func requestInfo(r *cx.CertificateRequest) *value.Dict {
	sum := usualMark(r.PublicKey)
	if k, ok := r.PublicKey.(*rsa.PublicKey); ok {
		digits := sha1.Sum([]byte(fmt.Sprintf("%X", k.N.Bytes())))
		sum = digits[:]
	}
	return value.DictOf("Version", value.Int(r.Version+1), "Subject", nameOf(r.RawSubject),
		"Subject Hash", value.Str(nameHash(r.RawSubject)),
		"Public Key Hash", value.Str(strings.ToLower(strings.ReplaceAll(hexed(sum), ":", ""))),
		"X509v3 Extensions", showExtensions(r.Extensions, shortOf))
}

// reasons are those of a revocation, by their numbers: as openssl.cnf and as openssl has them.
func reasons() [][2]string {
	return [][2]string{{"unspecified", "Unspecified"}, {"keyCompromise", "Key Compromise"},
		{"CACompromise", "CA Compromise"}, {"affiliationChanged", "Affiliation Changed"}, {"superseded", "Superseded"},
		{"cessationOfOperation", "Cessation Of Operation"}, {"certificateHold", "Certificate Hold"}, {"", ""},
		{"removeFromCRL", "Remove From CRL"}, {"privilegeWithdrawn", "Privilege Withdrawn"},
		{"aACompromise", "AA Compromise"}}
}

// crlInfo is what Salt tells of a list of revoked certificates.
func crlInfo(l *cx.RevocationList) *value.Dict {
	revoked := value.NewList()
	for _, r := range l.RevokedCertificateEntries {
		one := value.DictOf("Revocation Date", moment(r.RevocationTime))
		if n := r.ReasonCode; n > 0 && n < len(reasons()) {
			one.SetStr("CRL entry extensions", value.DictOf("X509v3 CRL Reason Code", value.Str(reasons()[n][1])))
		}
		revoked.Items = append(revoked.Items,
			value.DictOf(strings.ReplaceAll(serialText(r.SerialNumber), ":", ""), one))
	}
	algorithm := strings.ToLower(strings.ReplaceAll(l.SignatureAlgorithm.String(), "-", "")) + "WithRSAEncryption"
	if a, hash, ok := strings.Cut(l.SignatureAlgorithm.String(), "-"); ok && a == "ECDSA" {
		algorithm = "ecdsa-with-" + hash
	} else if ok {
		algorithm = strings.ToLower(a) + "WithRSAEncryption"
	}
	return value.DictOf("Version", value.Str("2 (0x1)"), "Signature Algorithm", value.Str(algorithm),
		"Issuer", nameOf(l.RawIssuer), "Last Update", moment(l.ThisUpdate), "Next Update", moment(l.NextUpdate),
		"Revoked Certificates", revoked)
}
