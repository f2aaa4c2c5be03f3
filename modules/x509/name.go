package x509

import (
	"crypto/md5"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Subject are the parts of a name.
type Subject struct {
	C     string      `arg:"C" doc:"The country of the subject, two letters."`
	CN    string      `arg:"CN" alias:"commonName" doc:"The common name of the subject."`
	Email string      `arg:"Email" alias:"emailAddress" doc:"The mail address of the subject."`
	GN    string      `arg:"GN" alias:"givenName" doc:"The given name of the subject."`
	L     string      `arg:"L" alias:"localityName" doc:"The place of the subject."`
	O     string      `arg:"O" alias:"organizationName" doc:"The organisation of the subject."`
	OU    string      `arg:"OU" alias:"organizationUnitName" doc:"The part of the organisation."`
	SN    string      `arg:"SN" alias:"surname" doc:"The surname of the subject."`
	ST    string      `arg:"ST" alias:"SP,stateOrProvinceName" doc:"The state or province of the subject."`
	SNum  string      `arg:"serialNumber" doc:"The serial number of the subject, which is not the certificate's."`
	Whole value.Value `arg:"subject" doc:"The whole subject, as 'CN=a,O=b' or a list or map of its parts."`
}

// A part is a kind of attribute of a name: as Salt calls it, others, its number, and its place in what Salt shows.
type part struct {
	name  string
	other string
	oid   string
	rank  int
}

// parts are in the order in which Salt adds them.
func parts() []part {
	return []part{{"C", "countryName", "2.5.4.6", 14}, {"CN", "commonName", "2.5.4.3", 13},
		{"Email", "emailAddress", "1.2.840.113549.1.9.1", 48}, {"GN", "givenName", "2.5.4.42", 99},
		{"L", "localityName", "2.5.4.7", 15}, {"O", "organizationName", "2.5.4.10", 17},
		{"OU", "organizationUnitName", "2.5.4.11", 18}, {"SN", "surname", "2.5.4.4", 100},
		{"SP", "ST", "2.5.4.8", 16}, {"serialNumber", "", "2.5.4.5", 105}}
}

// pairs are what the subject holds: of whole, then of the single parts.
func (s *Subject) pairs() ([][2]string, error) {
	var out [][2]string
	for _, text := range subjectTexts(s.Whole) {
		k, v, ok := strings.Cut(text, "=")
		if !ok {
			return nil, fmt.Errorf("subject: %q is not NAME=TEXT", text)
		}
		out = append(out, [2]string{strings.TrimSpace(k), strings.TrimSpace(v)})
	}
	for i, text := range []string{s.C, s.CN, s.Email, s.GN, s.L, s.O, s.OU, s.SN, s.ST, s.SNum} {
		if text != "" {
			out = append(out, [2]string{parts()[i].name, text})
		}
	}
	return out, nil
}

// subjectTexts are the parts of a whole subject, each as NAME=TEXT.
func subjectTexts(v value.Value) (out []string) {
	switch v := v.(type) {
	case nil:
		return nil
	case *value.Dict:
		for k, t := range v.All() {
			out = append(out, value.String(k)+"="+value.String(t))
		}
		return out
	case value.Str:
		return splitDN(string(v))
	}
	out, _ = modules.Texts(v)
	return out
}

// splitDN splits at commas that no backslash comes before.
func splitDN(text string) (out []string) {
	text = strings.ReplaceAll(text, `\,`, "\x00")
	for p := range strings.SplitSeq(text, ",") {
		out = append(out, strings.TrimSpace(strings.ReplaceAll(p, "\x00", ",")))
	}
	return out
}

// der is the subject, over what a request brings.
func (s *Subject) der(over pkix.RDNSequence) ([]byte, error) {
	seq := slices.Clone(over)
	pairs, err := s.pairs()
	if err != nil {
		return nil, err
	}
	for _, p := range pairs {
		i := slices.IndexFunc(parts(), func(k part) bool { return k.name == p[0] || k.other == p[0] })
		if i < 0 {
			return nil, fmt.Errorf("subject: %q is no part of a name that is known", p[0])
		}
		kind := parts()[i]
		seq = slices.DeleteFunc(seq, func(r pkix.RelativeDistinguishedNameSET) bool {
			return s.Whole == nil && len(r) == 1 && r[0].Type.String() == kind.oid
		})
		seq = append(seq, pkix.RelativeDistinguishedNameSET{{Type: oid(kind.oid), Value: attribute(kind, p[1])}})
	}
	return asn1.Marshal(seq)
}

// attribute is a text in the encoding that openssl gives to its kind.
func attribute(kind part, text string) any {
	tag := map[string]int{"Email": asn1.TagIA5String, "C": asn1.TagPrintableString,
		"serialNumber": asn1.TagPrintableString}[kind.name]
	if tag == 0 {
		tag = asn1.TagUTF8String
	}
	return asn1.RawValue{Tag: tag, Bytes: []byte(text)}
}

func oid(text string) (out asn1.ObjectIdentifier) {
	for w := range strings.SplitSeq(text, ".") {
		n := 0
		for _, c := range w {
			n = n*10 + int(c-'0')
		}
		out = append(out, n)
	}
	return out
}

// nameOf is a name as Salt shows it: one text for each kind, the kinds by their numbers.
func nameOf(raw []byte) *value.Dict {
	seq := sequence(raw)
	known := parts()
	slices.SortFunc(known, func(a, b part) int { return a.rank - b.rank })
	out := value.NewDict(len(seq))
	for _, k := range known {
		for _, set := range seq {
			for _, a := range set {
				if _, has := out.GetStr(k.name); a.Type.String() == k.oid && !has {
					out.SetStr(k.name, value.Str(fmt.Sprint(a.Value)))
				}
			}
		}
	}
	return out
}

func sequence(raw []byte) (seq pkix.RDNSequence) {
	_, _ = asn1.Unmarshal(raw, &seq)
	return seq
}

// nameHash is openssl's old hash of a name, which Salt shows.
func nameHash(raw []byte) string {
	sum := md5.Sum(raw)
	return hexed([]byte{sum[3], sum[2], sum[1], sum[0]})
}

// oneLine is a name as openssl writes it: /C=US/CN=x.
func oneLine(raw []byte) string {
	var b strings.Builder
	for _, set := range sequence(raw) {
		for _, a := range set {
			name := a.Type.String()
			for _, k := range parts() {
				if k.oid == name {
					name = map[string]string{"SP": "ST", "Email": "emailAddress"}[k.name]
					if name == "" {
						name = k.name
					}
				}
			}
			fmt.Fprintf(&b, "/%s=%v", name, a.Value)
		}
	}
	return b.String()
}

// hexed are bytes as Salt shows them: AB:CD.
func hexed(raw []byte) string {
	out := make([]string, len(raw))
	for i, b := range raw {
		out[i] = fmt.Sprintf("%02X", b)
	}
	return strings.Join(out, ":")
}
