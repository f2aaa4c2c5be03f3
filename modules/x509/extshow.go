package x509

import (
	"bytes"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// showExtensions are extensions by name, in openssl's words.
func showExtensions(all []pkix.Extension, name func(pkix.Extension) string) *value.Dict {
	out := value.NewDict(len(all))
	for _, e := range all {
		text := showExtension(e)
		if e.Critical {
			text = "critical " + text
		}
		out.SetStr(name(e), value.Str(text))
	}
	return out
}

// showExtension is the value of an extension in openssl's words; its bytes where it is of a kind that is not known.
func showExtension(e pkix.Extension) string {
	read := func(v any) bool {
		_, err := asn1.Unmarshal(e.Value, v)
		return err == nil
	}
	switch shortOf(e) {
	case "basicConstraints":
		c := basicConstraints{PathLen: -1}
		if read(&c) {
			return showConstraints(c)
		}
	case "keyUsage", "nsCertType":
		var b asn1.BitString
		if read(&b) {
			return showBits(b, shortOf(e))
		}
	case "extendedKeyUsage":
		var ids []asn1.ObjectIdentifier
		if read(&ids) {
			return showPurposes(ids)
		}
	case "subjectKeyIdentifier":
		var raw []byte
		if read(&raw) {
			return hexed(raw)
		}
	case "authorityKeyIdentifier":
		var id authorityKeyID
		if read(&id) {
			return showAuthority(id)
		}
	case "subjectAltName", "issuerAltName":
		var ns []asn1.RawValue
		if read(&ns) {
			return showNames(ns, ", ")
		}
	case "authorityInfoAccess":
		var as []access
		if read(&as) {
			return showAccesses(as)
		}
	case "crlDistributionPoints":
		var ps []point
		if read(&ps) {
			return showPoints(ps)
		}
	case "certificatePolicies":
		var ps [][]asn1.RawValue
		if read(&ps) {
			return showPolicies(ps)
		}
	case "inhibitAnyPolicy":
		var n int
		if read(&n) {
			return strconv.Itoa(n)
		}
	case "noCheck":
		return ""
	case "nsComment":
		var text asn1.RawValue
		if read(&text) {
			return string(text.Bytes)
		}
	}
	return hexed(e.Value)
}

func showConstraints(c basicConstraints) string {
	out := "CA:FALSE"
	if c.CA {
		out = "CA:TRUE"
	}
	if c.PathLen >= 0 {
		out += ", pathlen:" + strconv.Itoa(c.PathLen)
	}
	return out
}

func showBits(b asn1.BitString, kind string) string {
	var out []string
	if kind == "nsCertType" {
		long := []string{"SSL Client", "SSL Server", "S/MIME", "Object Signing", "Unused", "SSL CA", "S/MIME CA",
			"Object Signing CA"}
		for i, w := range long {
			if b.At(i) == 1 {
				out = append(out, w)
			}
		}
		return strings.Join(out, ", ")
	}
	for i, u := range usages() {
		if b.At(i) == 1 {
			out = append(out, u[1])
		}
	}
	return strings.Join(out, ", ")
}

func showPurposes(ids []asn1.ObjectIdentifier) string {
	var out []string
	for _, id := range ids {
		word := id.String()
		for _, p := range purposes() {
			if p[2] == word {
				word = p[1]
				break
			}
		}
		out = append(out, word)
	}
	return strings.Join(out, ", ")
}

func showAuthority(id authorityKeyID) string {
	var lines []string
	if id.KeyID != nil {
		prefix := ""
		if id.Issuer != nil {
			prefix = "keyid:"
		}
		lines = append(lines, prefix+hexed(id.KeyID))
	}
	for _, n := range id.Issuer {
		lines = append(lines, "DirName:"+oneLine(n.Bytes))
	}
	if len(id.Serial.Bytes) > 0 {
		lines = append(lines, "serial:"+hexed(bytes.TrimLeft(id.Serial.Bytes, "\x00")))
	}
	return strings.Join(lines, "\n")
}

func showNames(ns []asn1.RawValue, between string) string {
	var out []string
	for _, n := range ns {
		out = append(out, showName(n))
	}
	return strings.Join(out, between)
}

func showName(n asn1.RawValue) string {
	switch n.Tag {
	case 1:
		return "email:" + string(n.Bytes)
	case 2:
		return "DNS:" + string(n.Bytes)
	case 4:
		return "DirName:" + oneLine(n.Bytes)
	case 6:
		return "URI:" + string(n.Bytes)
	case 7:
		return "IP Address:" + showIP(n.Bytes)
	}
	return "othername:<unsupported>"
}

// showIP writes an address as openssl does: the parts of version 6 in full.
func showIP(raw []byte) string {
	if len(raw) != net16 {
		return joinBytes(raw)
	}
	var out []string
	for i := 0; i < net16; i += 2 {
		out = append(out, fmt.Sprintf("%X", int(raw[i])<<8|int(raw[i+1])))
	}
	return strings.Join(out, ":")
}

const net16 = 16

func joinBytes(raw []byte) string {
	out := make([]string, len(raw))
	for i, b := range raw {
		out[i] = strconv.Itoa(int(b))
	}
	return strings.Join(out, ".")
}

func showAccesses(as []access) string {
	var out []string
	for _, a := range as {
		how := map[string]string{"1.3.6.1.5.5.7.48.1": "OCSP", "1.3.6.1.5.5.7.48.2": "CA Issuers"}[a.Method.String()]
		if how == "" {
			how = a.Method.String()
		}
		out = append(out, how+" - "+showName(a.Where))
	}
	return strings.Join(out, "\n")
}

func showPoints(ps []point) string {
	var out []string
	for _, p := range ps {
		out = append(out, "Full Name:\n  "+showNames(p.Name.Full, "\n  "))
	}
	return strings.Join(out, "\n\n")
}

func showPolicies(ps [][]asn1.RawValue) string {
	var out []string
	for _, p := range ps {
		var id asn1.ObjectIdentifier
		if len(p) > 0 {
			if _, err := asn1.Unmarshal(p[0].FullBytes, &id); err == nil {
				out = append(out, "Policy: "+id.String())
			}
		}
	}
	return strings.Join(out, "\n")
}

// serialText is a serial number as Salt shows it.
func serialText(n *big.Int) string {
	if n.Sign() == 0 {
		return "00"
	}
	return hexed(n.Bytes())
}
