package x509

import (
	"bytes"
	"context"
	cx "crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Certificate keeps a certificate.
type Certificate struct {
	Name string `arg:"name,required,path" alias:"path?" doc:"The file of the certificate."`
	Wish
	Placed
	DaysRemaining int      `arg:"days_remaining" default:"90" doc:"It is made anew when it is valid for fewer days; 0 for never."`
	AppendCerts   []string `arg:"append_certs,text" doc:"Files of certificates that stand behind it."`
}

func certificateSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "x509.certificate_managed",
		Doc: "Keeps a certificate that is as the arguments say, signed by the key that they name. It is made anew when it is " +
			"not, or when its days run out.",
		Example: "/etc/pki/ca.crt:\n  x509.certificate_managed:\n    - signing_private_key: /etc/pki/ca.key\n    - CN: " +
			"ca.example.com\n    - basicConstraints: critical CA:true\n    - keyUsage: critical cRLSign, keyCertSign\n    " +
			"- subjectKeyIdentifier: hash\n    - days_valid: 3650",
		New: func() modules.StateFunc { return &Certificate{} }, AnyArgs: true,
	}
}

// Validate finds what cannot be.
func (c *Certificate) Validate() []modules.Fault { return c.validate() }

// Act makes it where it is not right.
func (c *Certificate) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	w, err := c.bound(env, env.Low.Args)
	if err != nil {
		return state.Effect{}, err
	}
	d, err := w.draft(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	old, why, err := c.wrong(env, h, w, d)
	if err != nil {
		return state.Effect{}, err
	}
	if why == "" {
		e, err := c.keep(ctx, env, h, c.Name)
		e.Comment, e.Preview = fmt.Sprintf("Certificate %s is valid and up to date", c.Name), ""
		if e.Alters() {
			e.Changes = value.DictOf("File", e.Changes)
		}
		return e, err
	}
	return c.renew(ctx, env, h, w, d, old, why)
}

// renew makes it.
func (c *Certificate) renew(ctx context.Context, env *modules.Env, h host.Host, w *Wish, d *draft,
	old *value.Dict, why string) (state.Effect, error) {
	chain, err := appended(h, c.AppendCerts)
	if err != nil {
		return state.Effect{}, err
	}
	var made *cx.Certificate
	e, err := c.anew(ctx, env, h, c.Name, false, func() (string, error) {
		if made, err = d.sign(); err != nil {
			return "", err
		}
		text := armor(typeCertificate, made.Raw)
		return text + chain, w.copy(h, made, text)
	})
	if err != nil || !e.Alters() {
		return e, err
	}
	file := e.Changes
	e.Foretold = value.DictOf("File", file, "Status", value.DictOf("Old", value.Str(why), "New",
		value.Str("Certificate will be valid and up to date")))
	e.Changes, e.Preview = e.Foretold, fmt.Sprintf("Certificate %s will be created", c.Name)
	if made != nil {
		e.Changes = value.DictOf("File", file, "Certificate", value.DictOf("Old", old, "New", certificateInfo(made)),
			"Status", value.DictOf("Old", value.Str(why), "New", value.Str("Certificate is valid and up to date")))
	}
	e.Comment = fmt.Sprintf("Certificate %s is valid and up to date", c.Name)
	return e, nil
}

// copy keeps a copy under the serial number.
func (w *Wish) copy(h host.Host, made *cx.Certificate, text string) error {
	if w.CopyPath == "" {
		return nil
	}
	name := serialText(made.SerialNumber) + ".crt"
	if w.PrependCN {
		name = w.CN + "-" + name
	}
	name = path.Join(w.CopyPath, strings.ReplaceAll(name, "/", "_"))
	if err := h.WriteFile(name, strings.NewReader(text), host.Attr{Mode: 0o600, HasMode: true, UID: -1,
		GID: -1}); err != nil {
		return fmt.Errorf("keep a copy of the certificate: %w", err)
	}
	return nil
}

// appended are the certificates of other files.
func appended(h host.Reader, files []string) (string, error) {
	var all strings.Builder
	for _, f := range files {
		text, err := textOf(h, f)
		if err != nil {
			return "", err
		}
		one, err := entry(text, typeCertificate)
		if err != nil {
			return "", fmt.Errorf("%s is not a valid certificate file, cannot append it: %w", named(f), err)
		}
		all.WriteString(one)
	}
	return all.String(), nil
}

// wrong says why the certificate that is there is not right, "" when it is, and what it is.
func (c *Certificate) wrong(env *modules.Env, h host.Reader, w *Wish, d *draft) (*value.Dict, string, error) {
	none := value.NewDict(0)
	text, ok, err := there(h, c.Name)
	if err != nil || !ok {
		return none, c.Name + " does not exist", err
	}
	b, err := block(text, typeCertificate)
	if err != nil {
		return none, fmt.Sprintf("%s is not a valid certificate: %v", c.Name, err), nil
	}
	cert, err := cx.ParseCertificate(b.Bytes)
	if err != nil {
		return none, fmt.Sprintf("%s is not a valid certificate: %v", c.Name, err), nil
	}
	info := certificateInfo(cert)
	days := int(cert.NotAfter.Sub(env.Time()) / (24 * time.Hour))
	if cert.NotAfter.Before(env.Time()) {
		days--
	}
	diff := d.differs(cert, w)
	switch {
	case !signedBy(cert, d):
		return info, "Certificate is not signed by private_signing_key", nil
	case len(diff) > 0:
		return info, "Certificate properties are different: " + strings.Join(diff, ", "), nil
	case c.DaysRemaining != 0 && days < c.DaysRemaining:
		return info, fmt.Sprintf("Certificate needs renewal: %d days remaining but it needs to be at least %d", days,
			c.DaysRemaining), nil
	}
	return info, "", nil
}

// signedBy says whether the key that is to sign did.
func signedBy(c *cx.Certificate, d *draft) bool { return verifies(c, d.signer.Public()) }

// differs are the properties in which a certificate is not as it is to be, in Salt's words.
func (d *draft) differs(c *cx.Certificate, w *Wish) (out []string) {
	add := func(differs bool, words ...string) {
		if differs {
			out = append(out, words...)
		}
	}
	t := d.template
	issuer := t.RawSubject
	if d.parent != nil {
		issuer = d.parent.RawSubject
	}
	n, _ := w.serial()
	add(c.Version != 3, "Version")
	add(sizeOf(c.PublicKey) != sizeOf(d.pub), "Key Size")
	add(n != nil && n.Cmp(c.SerialNumber) != 0, "Serial Number")
	add(!value.Equal(nameOf(c.RawSubject), nameOf(t.RawSubject)), "Subject", "Subject Hash")
	add(!value.Equal(nameOf(c.RawIssuer), nameOf(issuer)), "Issuer", "Issuer Hash")
	add(!same(c.PublicKey, d.pub), "Public Key")
	add(len(t.ExtraExtensions) > 0 && !alike(c.Extensions, t.ExtraExtensions, d.pub), "X509v3 Extensions")
	return out
}

// alike compares extensions: marks of keys may be Salt's or the usual ones, and who signed may be told in several ways.
func alike(have, want []pkix.Extension, pub any) bool {
	if len(have) != len(want) {
		return false
	}
	for _, w := range want {
		ok := false
		for _, x := range have {
			ok = ok || x.Id.Equal(w.Id) && x.Critical == w.Critical && (bytes.Equal(x.Value, w.Value) ||
				showExtension(x) == showExtension(w) || sameMark(x, w, pub))
		}
		if !ok {
			return false
		}
	}
	return true
}

func sameMark(x, w pkix.Extension, pub any) bool {
	switch shortOf(x) {
	case "subjectKeyIdentifier":
		return bytes.Equal(keyIDOf(w), ownMark(pub)) && bytes.Equal(keyIDOf(x), usualMark(pub))
	case "authorityKeyIdentifier":
		var a, b authorityKeyID
		_, errA := asn1.Unmarshal(x.Value, &a)
		_, errB := asn1.Unmarshal(w.Value, &b)
		return errA == nil && errB == nil && len(a.Issuer) == len(b.Issuer) &&
			sameIssuer(a.Issuer, b.Issuer) && (bytes.Equal(a.KeyID, b.KeyID) ||
			bytes.Equal(b.KeyID, ownMark(pub)) && bytes.Equal(a.KeyID, usualMark(pub)))
	}
	return false
}

// sameIssuer compares who signed by what is shown of the name: its encoding, and a serial number, may be others.
func sameIssuer(a, b []asn1.RawValue) bool {
	for i := range a {
		if showName(a[i]) != showName(b[i]) {
			return false
		}
	}
	return true
}
