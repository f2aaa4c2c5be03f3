package x509

import (
	"encoding/pem"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// The types of entries.
const (
	typeCertificate = "CERTIFICATE"
	typeRequest     = "CERTIFICATE REQUEST"
	typeCRL         = "X509 CRL"
	typeKey         = "(?:RSA |EC |ENCRYPTED )?PRIVATE KEY"
	typeAny         = "[0-9A-Z ]+"
)

// entry is the first entry of a type in a text, in the layout that all programs read: lost line breaks are mended.
func entry(text, kind string) (string, error) {
	if kind == "" {
		kind = typeAny
	}
	text = strings.ReplaceAll(text, `\n`, "\n")
	re, err := regexp.Compile(`(?s)-----BEGIN (` + kind + `)-----(.+?)-----END (` + kind + `)-----`)
	if err != nil {
		return "", fmt.Errorf("%q is no type of an entry", kind)
	}
	m := re.FindStringSubmatch(text)
	if m == nil || m[1] != m[3] {
		if kind == typeAny {
			return "", errors.New("PEM text not valid") // without the text, which may be a secret
		}
		return "", fmt.Errorf("PEM does not contain a single entry of type %s", kind)
	}
	return layout(m[1], m[2]), nil
}

// layout writes an entry, its headers first, in lines of 64.
func layout(kind, body string) string {
	var b strings.Builder
	b.WriteString("-----BEGIN " + kind + "-----\n")
	headers := regexp.MustCompile(`(Proc-Type: 4,ENCRYPTED)\s*(DEK-Info: [A-Z0-9-]+,[0-9A-Fa-f]+)\s*`)
	if m := headers.FindStringSubmatch(body); m != nil {
		b.WriteString(m[1] + "\n" + m[2] + "\n\n")
		body = strings.Replace(body, m[0], "", 1)
	}
	body = strings.Join(strings.Fields(body), "")
	for len(body) > 64 {
		b.WriteString(body[:64] + "\n")
		body = body[64:]
	}
	b.WriteString(body + "\n-----END " + kind + "-----\n")
	return b.String()
}

// block is the first entry of a type, decoded.
func block(text, kind string) (*pem.Block, error) {
	one, err := entry(text, kind)
	if err != nil {
		return nil, err
	}
	b, _ := pem.Decode([]byte(one))
	if b == nil {
		return nil, errors.New("PEM text not valid")
	}
	return b, nil
}

func armor(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}
