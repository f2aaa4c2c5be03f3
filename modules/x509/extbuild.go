package x509

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1"
	cx "crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// usages are the bits of keyUsage, and purposes the numbers of extendedKeyUsage, each with the names that openssl
// shows.
func usages() [][2]string {
	return [][2]string{{"digitalSignature", "Digital Signature"}, {"nonRepudiation", "Non Repudiation"},
		{"keyEncipherment", "Key Encipherment"}, {"dataEncipherment", "Data Encipherment"},
		{"keyAgreement", "Key Agreement"}, {"keyCertSign", "Certificate Sign"}, {"cRLSign", "CRL Sign"},
		{"encipherOnly", "Encipher Only"}, {"decipherOnly", "Decipher Only"}}
}

func purposes() [][3]string {
	return [][3]string{{"serverAuth", "TLS Web Server Authentication", "1.3.6.1.5.5.7.3.1"},
		{"clientAuth", "TLS Web Client Authentication", "1.3.6.1.5.5.7.3.2"},
		{"codeSigning", "Code Signing", "1.3.6.1.5.5.7.3.3"},
		{"emailProtection", "E-mail Protection", "1.3.6.1.5.5.7.3.4"},
		{"timeStamping", "Time Stamping", "1.3.6.1.5.5.7.3.8"}, {"OCSPSigning", "OCSP Signing", "1.3.6.1.5.5.7.3.9"},
		{"ipsecIKE", "ipsec Internet Key Exchange", "1.3.6.1.5.5.7.3.17"},
		{"ipsecEndSystem", "IPSec End System", "1.3.6.1.5.5.7.3.5"}, {"ipsecTunnel", "IPSec Tunnel", "1.3.6.1.5.5.7.3.6"},
		{"ipsecUser", "IPSec User", "1.3.6.1.5.5.7.3.7"}, {"msSGC", "Microsoft Server Gated Crypto",
			"1.3.6.1.4.1.311.10.3.3"},
		{"msSmartcardLogin", "Microsoft Smartcard Login", "1.3.6.1.4.1.311.20.2.2"},
		{"anyExtendedKeyUsage", "Any Extended Key Usage", "2.5.29.37.0"}}
}

func certTypes() []string {
	return []string{"client", "server", "email", "objsign", "reserved", "sslCA", "emailCA", "objCA"}
}

// buildExtension makes an extension of the text that openssl.cnf has for it. Without a value there is nothing to add.
func buildExtension(name, text string, k keys) (pkix.Extension, error) {
	i := slices.IndexFunc(extensionKinds(), func(x kind) bool { return x.name == name })
	e := pkix.Extension{Id: oid(extensionKinds()[i].oid)}
	if rest, ok := strings.CutPrefix(text, "critical"); ok {
		e.Critical, text = true, strings.TrimLeft(rest, ", ")
	}
	var words []string
	for w := range strings.SplitSeq(text, ",") {
		if w = strings.TrimSpace(w); w != "" {
			words = append(words, w)
		}
	}
	var v any
	var err error
	switch name {
	case "basicConstraints":
		v, err = constraints(words)
	case "keyUsage":
		v, err = bits(name, words, func(w string) int {
			if w == "contentCommitment" {
				w = "nonRepudiation"
			}
			return slices.IndexFunc(usages(), func(u [2]string) bool { return u[0] == w || u[1] == w })
		})
	case "nsCertType":
		v, err = bits(name, words, func(w string) int { return slices.Index(certTypes(), w) })
	case "extendedKeyUsage":
		v, err = purposesOf(words)
	case "subjectKeyIdentifier":
		v, err = mark(text, k.own)
	case "authorityKeyIdentifier":
		return authority(e, words, k.issuer)
	case "subjectAltName", "issuerAltName":
		v, err = names(words)
	case "authorityInfoAccess":
		v, err = accesses(words)
	case "crlDistributionPoints":
		v, err = points(words)
	case "certificatePolicies":
		v, err = policies(words)
	case "inhibitAnyPolicy":
		v, err = strconv.Atoi(text)
		if err != nil {
			err = unknownWord(name, text)
		}
	case "noCheck":
		v = asn1.NullRawValue
	case "nsComment":
		v = asn1.RawValue{Tag: asn1.TagIA5String, Bytes: []byte(text)}
	}
	if err == nil {
		e.Value, err = asn1.Marshal(v)
	}
	return e, err
}

type basicConstraints struct {
	CA      bool `asn1:"optional"`
	PathLen int  `asn1:"optional,default:-1"`
}

func constraints(words []string) (any, error) {
	c := basicConstraints{PathLen: -1}
	for _, w := range words {
		k, v, _ := strings.Cut(w, ":")
		v = strings.ToLower(strings.TrimSpace(v))
		var err error
		switch strings.ToLower(k) {
		case "ca":
			c.CA = v == "true" || v == "yes" || v == "1"
		case "pathlen":
			c.PathLen, err = strconv.Atoi(v)
		default:
			err = fmt.Errorf("no")
		}
		if err != nil {
			return nil, unknownWord("basicConstraints", w)
		}
	}
	return c, nil
}

// bits are the bits of words, the first one the highest.
func bits(name string, words []string, of func(w string) int) (any, error) {
	raw, last := []byte{0, 0}, 0
	for _, w := range words {
		n := of(w)
		if n < 0 {
			return nil, unknownWord(name, w)
		}
		raw[n/8] |= 0x80 >> (n % 8)
		last = max(last, n)
	}
	return asn1.BitString{Bytes: raw[:last/8+1], BitLength: last + 1}, nil
}

func purposesOf(words []string) (any, error) {
	var out []asn1.ObjectIdentifier
	for _, w := range words {
		i := slices.IndexFunc(purposes(), func(p [3]string) bool { return p[0] == w || p[1] == w })
		switch {
		case i >= 0:
			out = append(out, oid(purposes()[i][2]))
		case isNumber(w):
			out = append(out, oid(w))
		default:
			return nil, unknownWord("extendedKeyUsage", w)
		}
	}
	return out, nil
}

// isNumber says whether a text is the number of an object: 1.3.6.1.
func isNumber(text string) bool {
	return strings.Contains(text, ".") && strings.Trim(text, "0123456789.") == "" && !strings.Contains(text, "..") &&
		len(text) < 60 && text[0] <= '2' && text[1] == '.'
}

// mark is the identifier of a key: its hash, or what is given.
func mark(text string, pub crypto.PublicKey) (any, error) {
	if strings.Contains(text, "hash") {
		if pub == nil {
			return []byte{}, nil
		}
		return ownMark(pub), nil
	}
	raw, err := hex.DecodeString(strings.ReplaceAll(text, ":", ""))
	if err != nil {
		return nil, unknownWord("subjectKeyIdentifier", text)
	}
	return raw, nil
}

// ownMark is the mark that Salt gives to a key: of the digits of its modulus, or of the key where it has none.
func ownMark(pub crypto.PublicKey) []byte {
	if k, ok := pub.(*rsa.PublicKey); ok {
		sum := sha1.Sum([]byte(fmt.Sprintf("%X", k.N.Bytes())))
		return sum[:]
	}
	return usualMark(pub)
}

// usualMark is the mark that everybody else gives to a key.
func usualMark(pub crypto.PublicKey) []byte {
	der, err := cx.MarshalPKIXPublicKey(pub)
	if err != nil {
		return nil
	}
	var info struct {
		Algo pkix.AlgorithmIdentifier
		Key  asn1.BitString
	}
	if _, err := asn1.Unmarshal(der, &info); err != nil {
		return nil
	}
	sum := sha1.Sum(info.Key.Bytes)
	return sum[:]
}

func keyIDOf(e pkix.Extension) (raw []byte) {
	_, _ = asn1.Unmarshal(e.Value, &raw)
	return raw
}

type authorityKeyID struct {
	KeyID  []byte          `asn1:"optional,tag:0"`
	Issuer []asn1.RawValue `asn1:"optional,tag:1"`
	Serial asn1.RawValue   `asn1:"optional"`
}

func authority(e pkix.Extension, words []string, by *issuer) (pkix.Extension, error) {
	var id authorityKeyID
	if by == nil {
		return e, nil
	}
	for _, w := range words {
		switch what, always, _ := strings.Cut(w, ":"); {
		case what == "keyid":
			id.KeyID = by.keyID
		case what == "issuer" && (always == "always" || id.KeyID == nil) && by.name != nil:
			id.Issuer = []asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: 4, IsCompound: true, Bytes: by.name}}
			id.Serial = asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 2, Bytes: by.serial}
		case what != "issuer":
			return e, unknownWord("authorityKeyIdentifier", w)
		}
	}
	if id.KeyID == nil && id.Issuer == nil {
		return e, nil
	}
	var err error
	e.Value, err = asn1.Marshal(id)
	return e, err
}

// name is one other name: DNS:x, IP:1.2.3.4.
func name(word string) (asn1.RawValue, error) {
	k, v, _ := strings.Cut(word, ":")
	out := asn1.RawValue{Class: asn1.ClassContextSpecific, Bytes: []byte(v)}
	switch strings.ToLower(strings.TrimSpace(k)) {
	case "email":
		out.Tag = 1
	case "dns":
		out.Tag = 2
	case "uri":
		out.Tag = 6
	case "ip", "ip address":
		a, err := netip.ParseAddr(v)
		if err != nil {
			return out, fmt.Errorf("%q is no address", v)
		}
		out.Tag, out.Bytes = 7, a.AsSlice()
	case "rid":
		if !isNumber(v) {
			return out, unknownWord("subjectAltName", word)
		}
		der, err := asn1.Marshal(oid(v))
		if err != nil {
			return out, unknownWord("subjectAltName", word)
		}
		out.Tag, out.Bytes = 8, der[2:]
	default:
		return out, unknownWord("subjectAltName", word)
	}
	return out, nil
}

func names(words []string) (any, error) {
	var out []asn1.RawValue
	for _, w := range words {
		n, err := name(w)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

type access struct {
	Method asn1.ObjectIdentifier
	Where  asn1.RawValue
}

func accesses(words []string) (any, error) {
	var out []access
	for _, w := range words {
		how, where, ok := strings.Cut(w, ";")
		number := map[string]string{"OCSP": "1.3.6.1.5.5.7.48.1", "caIssuers": "1.3.6.1.5.5.7.48.2"}[how]
		if !ok || number == "" {
			return nil, unknownWord("authorityInfoAccess", w)
		}
		n, err := name(where)
		if err != nil {
			return nil, err
		}
		out = append(out, access{oid(number), n})
	}
	return out, nil
}

type point struct {
	Name pointName `asn1:"optional,tag:0"`
}

type pointName struct {
	Full []asn1.RawValue `asn1:"optional,tag:0"`
}

func points(words []string) (any, error) {
	var out []point
	for _, w := range words {
		n, err := name(w)
		if err != nil {
			return nil, err
		}
		out = append(out, point{pointName{[]asn1.RawValue{n}}})
	}
	return out, nil
}

func policies(words []string) (any, error) {
	var out [][]asn1.ObjectIdentifier
	for _, w := range words {
		if !isNumber(w) {
			return nil, unknownWord("certificatePolicies", w)
		}
		out = append(out, []asn1.ObjectIdentifier{oid(w)})
	}
	return out, nil
}
