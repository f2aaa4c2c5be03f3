package x509

import (
	"crypto"
	"crypto/x509/pkix"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Extensions are those of a certificate, as openssl.cnf has them.
type Extensions struct {
	BasicConstraints value.Value `arg:"basicConstraints" alias:"X509v3 Basic Constraints" doc:"Whether it signs others: 'critical CA:true, pathlen:0'."`
	KeyUsage         value.Value `arg:"keyUsage" alias:"X509v3 Key Usage" doc:"What the key may be used for: 'critical cRLSign, keyCertSign'."`
	ExtendedKeyUsage value.Value `arg:"extendedKeyUsage" alias:"X509v3 Extended Key Usage" doc:"What it is for: 'serverAuth, clientAuth'."`
	SubjectKeyID     value.Value `arg:"subjectKeyIdentifier" alias:"X509v3 Subject Key Identifier" doc:"The mark of the key: 'hash'."`
	AuthorityKeyID   value.Value `arg:"authorityKeyIdentifier" alias:"X509v3 Authority Key Identifier" doc:"The mark of the key that signs: 'keyid,issuer:always'."`
	IssuerAltName    value.Value `arg:"issuserAltName" alias:"issuerAltName,X509v3 Issuer Alternative Name" doc:"Other names of the issuer."`
	AuthorityInfo    value.Value `arg:"authorityInfoAccess" alias:"X509v3 Authority Info Access" doc:"Where the issuer is asked: 'OCSP;URI:http://ca/'."`
	SubjectAltName   value.Value `arg:"subjectAltName" alias:"X509v3 Subject Alternative Name" doc:"Other names of the subject: 'DNS:a.example, IP:192.0.2.1', or a list."`
	CRLPoints        value.Value `arg:"crlDistributionPoints" alias:"X509v3 CRL Distribution Points" doc:"Where revoked certificates are listed: 'URI:http://ca/crl'."`
	Policies         value.Value `arg:"certificatePolicies" alias:"X509v3 Certificate Policies" doc:"The numbers of policies."`
	InhibitAny       value.Value `arg:"inhibitAnyPolicy" alias:"X509v3 Inhibit Any Policy" doc:"The number of certificates from which on no policy counts."`
	NoCheck          value.Value `arg:"noCheck" alias:"X509v3 OCSP No Check" doc:"Answers that it signs are not checked for revocation."`
	NSComment        value.Value `arg:"nsComment,text" alias:"Netscape Comment" doc:"A comment."`
	NSCertType       value.Value `arg:"nsCertType" alias:"Netscape Certificate Type" doc:"What it is for, in old words: 'server, client'."`
	Unsupported      value.Value `arg:"issuingDistributionPoint" alias:"policyConstraints,nameConstraints,tlsfeature" doc:"Refused: gostate makes none of these."`
}

// given are those that are asked for, by name, as text, in Salt's order.
func (x *Extensions) given() (out [][2]string) {
	kinds := extensionKinds()
	for i, v := range []value.Value{x.BasicConstraints, x.KeyUsage, x.ExtendedKeyUsage, x.SubjectKeyID, x.AuthorityKeyID,
		x.IssuerAltName, x.AuthorityInfo, x.SubjectAltName, x.CRLPoints, x.Policies, x.InhibitAny, x.NoCheck, x.NSComment,
		x.NSCertType} {
		if v != nil {
			out = append(out, [2]string{kinds[i].name, specText(v)})
		}
	}
	return out
}

// specText is an extension as a text: lists and maps are its parts.
func specText(v value.Value) string {
	if d, ok := v.(*value.Dict); ok {
		var parts []string
		for k, val := range d.All() {
			if name := value.String(k); name == "critical" && value.Truth(val) {
				parts = append([]string{"critical"}, parts...)
			} else {
				parts = append(parts, strings.ToUpper(name[:min(2, len(name))])+name[min(2, len(name)):]+":"+value.String(val))
			}
		}
		return strings.Join(parts, ", ")
	}
	texts, err := modules.Texts(v)
	if err != nil {
		return value.String(v)
	}
	return strings.Join(texts, ", ")
}

// validate finds what cannot be made.
func (x *Extensions) validate() (out []modules.Fault) {
	if x.Unsupported != nil {
		out = append(out, modules.Fault{Arg: "issuingDistributionPoint",
			Msg:  "issuingDistributionPoint, policyConstraints, nameConstraints and tlsfeature cannot be made",
			Hint: "leave it out, or make the certificate with openssl"})
	}
	for _, g := range x.given() {
		if strings.HasSuffix(g[0], "KeyIdentifier") {
			continue // of keys, which are read in the run
		}
		if _, err := buildExtension(g[0], g[1], keys{}); err != nil {
			out = append(out, modules.Fault{Arg: g[0], Msg: err.Error()})
		}
	}
	return out
}

// A kind is an extension: its name, the one that openssl shows, and its number.
type kind struct{ name, long, oid string }

func extensionKinds() []kind {
	return []kind{
		{"basicConstraints", "X509v3 Basic Constraints", "2.5.29.19"}, {"keyUsage", "X509v3 Key Usage", "2.5.29.15"},
		{"extendedKeyUsage", "X509v3 Extended Key Usage", "2.5.29.37"},
		{"subjectKeyIdentifier", "X509v3 Subject Key Identifier", "2.5.29.14"},
		{"authorityKeyIdentifier", "X509v3 Authority Key Identifier", "2.5.29.35"},
		{"issuerAltName", "X509v3 Issuer Alternative Name", "2.5.29.18"},
		{"authorityInfoAccess", "Authority Information Access", "1.3.6.1.5.5.7.1.1"},
		{"subjectAltName", "X509v3 Subject Alternative Name", "2.5.29.17"},
		{"crlDistributionPoints", "X509v3 CRL Distribution Points", "2.5.29.31"},
		{"certificatePolicies", "X509v3 Certificate Policies", "2.5.29.32"},
		{"inhibitAnyPolicy", "X509v3 Inhibit Any Policy", "2.5.29.54"},
		{"noCheck", "OCSP No Check", "1.3.6.1.5.5.7.48.1.5"}, {"nsComment", "Netscape Comment", "2.16.840.1.113730.1.13"},
		{"nsCertType", "Netscape Cert Type", "2.16.840.1.113730.1.1"},
	}
}

// keys are those that a certificate is about.
type keys struct {
	own    crypto.PublicKey
	issuer *issuer // nil: nobody knows
	self   bool    // it signs itself
}

// An issuer is what an authority's certificate says of it.
type issuer struct{ keyID, name, serial []byte }

// build makes the extensions that are asked for, and those that a request brings where nothing else is said.
func (x *Extensions) build(k keys, brought []pkix.Extension) ([]pkix.Extension, error) {
	var out []pkix.Extension
	for _, g := range x.given() {
		e, err := buildExtension(g[0], g[1], k)
		if err != nil {
			return nil, err
		}
		if g[0] == "subjectKeyIdentifier" && k.self {
			k.issuer.keyID = keyIDOf(e)
		}
		if e.Value != nil {
			out = append(out, e)
		}
	}
	for _, b := range brought {
		if !slices.ContainsFunc(out, func(e pkix.Extension) bool { return e.Id.Equal(b.Id) }) && longOf(b) != "" {
			out = append(out, b)
		}
	}
	return out, nil
}

// longOf is openssl's name of an extension, "" for one that Salt does not know.
func longOf(e pkix.Extension) string {
	for _, k := range extensionKinds() {
		if k.oid == e.Id.String() {
			return k.long
		}
	}
	return ""
}

func shortOf(e pkix.Extension) string {
	for _, k := range extensionKinds() {
		if k.oid == e.Id.String() {
			return k.name
		}
	}
	return e.Id.String()
}

func unknownWord(ext, word string) error { return fmt.Errorf("%s: %q means nothing", ext, word) }
