package x509

import (
	"crypto"
	"crypto/rand"
	cx "crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Wish is what a certificate is to be like.
type Wish struct {
	Subject
	Extensions
	Version     int         `arg:"version" default:"3" doc:"The version: 3."`
	Serial      string      `arg:"serial_number" doc:"The serial number in hexadecimal digits; a random one when not given."`
	SerialBits  int         `arg:"serial_bits" default:"64" doc:"The bits of a random serial number."`
	DaysValid   int         `arg:"days_valid" default:"365" doc:"How many days it is valid."`
	NotBefore   string      `arg:"not_before" doc:"From when it is valid: YYYY-MM-DD hh:mm:ss."`
	NotAfter    string      `arg:"not_after" doc:"Until when it is valid: YYYY-MM-DD hh:mm:ss."`
	Digest      string      `arg:"algorithm" alias:"digest" default:"sha256" choices:"sha1|sha256|sha384|sha512" doc:"The digest that is signed."`
	PublicKey   string      `arg:"public_key,text" doc:"The public key: a file or text with a key, request or certificate."`
	PublicPass  string      `arg:"public_key_passphrase,secret" doc:"The passphrase of public_key, where that is an encrypted private key."`
	PrivateKey  string      `arg:"private_key,text,secret" doc:"The private key that belongs to the certificate."`
	PrivatePass string      `arg:"private_key_passphrase,secret" doc:"Its passphrase."`
	SigningKey  string      `arg:"signing_private_key,text,secret" doc:"The key that signs."`
	SigningPass string      `arg:"signing_private_key_passphrase,secret" doc:"Its passphrase."`
	SigningCert string      `arg:"signing_cert,text" doc:"The certificate of who signs; without it the certificate signs itself."`
	CSR         string      `arg:"csr,text" doc:"The request that brings subject, public key and extensions."`
	Policy      string      `arg:"signing_policy" doc:"The name of arguments in x509_signing_policies of pillar or configuration, which override these."`
	CAServer    string      `arg:"ca_server" doc:"The machine that signs: only this one, since gostate asks no other."`
	CopyPath    string      `arg:"copypath,path" doc:"A folder for a copy, which is named by the serial number."`
	PrependCN   bool        `arg:"prepend_cn" doc:"The common name begins the name of the copy."`
	NoEffect    value.Value `arg:"testrun,text" alias:"text,listen_in_sls,minions,timeout_" doc:"No effect."`
}

// validate finds what cannot be.
func (w *Wish) validate() []modules.Fault {
	out := w.Extensions.validate()
	add := func(bad bool, arg, msg string) {
		if bad {
			out = append(out, modules.Fault{Arg: arg, Msg: msg})
		}
	}
	add(w.CAServer != "" && w.Policy == "", "ca_server", "signing_policy must be specified if ca_server is")
	add(w.PublicKey == "" && w.SigningKey == "" && w.CSR == "" && w.PrivateKey == "" && w.Policy == "", "public_key",
		"public_key, signing_private_key, or csr must be specified")
	add(w.Version != 3, "version", "the version of a certificate is 3")
	for _, t := range []struct{ arg, text string }{{"not_before", w.NotBefore}, {"not_after", w.NotAfter}} {
		_, err := time.Parse(stamp, t.text)
		add(t.text != "" && err != nil, t.arg, fmt.Sprintf("%q is no time like 2030-12-31 23:59:59", t.text))
	}
	add(w.DaysValid < 0 || w.DaysValid > 400_000, "days_valid", "a certificate is not valid for so many days")
	_, err := w.serial()
	add(err != nil, "serial_number", fmt.Sprintf("%q is no number in hexadecimal digits", w.Serial))
	add(w.SerialBits < 8 || w.SerialBits > 159, "serial_bits", "a serial number has 8 to 159 bits")
	return out
}

// serial is the serial number that is asked for, nil for a random one.
func (w *Wish) serial() (*big.Int, error) {
	if w.Serial == "" {
		return nil, nil
	}
	n, ok := new(big.Int).SetString(strings.ReplaceAll(w.Serial, ":", ""), 16)
	if !ok || n.Sign() <= 0 || n.BitLen() > 159 {
		return nil, errors.New("no serial number")
	}
	return n, nil
}

// bound is the wish with the arguments of its signing policy, as Salt merges them.
// Salt differs: it asks the machine ca_server through the master.
func (w *Wish) bound(env *modules.Env, args *value.Dict) (*Wish, error) {
	if w.CAServer != "" && w.CAServer != env.Grains.Text("id") {
		return nil, host.Sure(fmt.Errorf("the certificate is to be signed by the machine %s: gostate asks no other "+
			"machine; sign it there and hand it over as a file", w.CAServer))
	}
	if w.Policy == "" {
		return w, nil
	}
	policy, err := signingPolicy(env, w.Policy)
	if err != nil {
		return nil, err
	}
	given := args.Copy()
	for k, v := range policy.All() {
		_ = given.Set(k, v)
	}
	_ = given.Delete(value.Str("signing_policy"))
	return wishOf(given)
}

// wishOf binds arguments.
func wishOf(args *value.Dict) (*Wish, error) {
	spec := certificateSpec()
	fn, faults := modules.Bind(&spec, &state.Low{ID: "x", Name: "/x", Module: "x509", Func: "certificate_managed",
		Args: args})
	if fn == nil {
		return nil, errors.New(faults[0].Msg)
	}
	return &fn.(*Certificate).Wish, nil
}

// signingPolicy are the arguments under a name in pillar or configuration.
func signingPolicy(env *modules.Env, name string) (*value.Dict, error) {
	for _, data := range []modules.Data{env.Pillar, env.Opts} {
		if data == nil {
			continue
		}
		all, _ := data("x509_signing_policies")
		d, ok := all.(*value.Dict)
		if !ok {
			continue
		}
		if v, ok := d.GetStr(name); ok {
			return modules.Map(v)
		}
	}
	return nil, fmt.Errorf("Signing policy %s does not exist.", name) //nolint:staticcheck // Salt's words
}

// A draft is a certificate before it is signed.
type draft struct {
	template *cx.Certificate
	parent   *cx.Certificate // nil: itself
	pub      crypto.PublicKey
	signer   crypto.Signer
}

// draft reads keys, request and the certificate that signs.
func (w *Wish) draft(env *modules.Env, h host.Reader) (*draft, error) {
	d := &draft{template: &cx.Certificate{}}
	var err error
	signing, pass := w.SigningKey, w.SigningPass
	if signing == "" {
		signing, pass = w.PrivateKey, w.PrivatePass
	}
	if signing == "" {
		return nil, errors.New("signing_private_key is missing")
	}
	if d.signer, err = privateKey(h, signing, pass); err != nil {
		return nil, err
	}
	if w.SigningCert != "" {
		if d.parent, err = readCertificate(h, w.SigningCert); err != nil {
			return nil, err
		}
	}
	brought, over, err := w.request(h, d)
	if err != nil {
		return nil, err
	}
	if d.template.RawSubject, err = w.Subject.der(over); err != nil {
		return nil, err
	}
	if d.template.SerialNumber, err = w.serialOrRandom(); err != nil {
		return nil, err
	}
	by := d.parentKey()
	if !same(by, d.signer.Public()) {
		return nil, fmt.Errorf("signing_private_key: %s does no match signing_cert: %s", named(signing), w.SigningCert)
	}
	if d.template.ExtraExtensions, err = w.Extensions.build(keys{d.pub, d.issuer(), d.parent == nil},
		brought); err != nil {
		return nil, err
	}
	d.template.SignatureAlgorithm, err = digestOf(d.signer.Public(), w.Digest)
	w.times(env, d.template)
	return d, err
}

// request reads the public key, and what a request brings beside it.
func (w *Wish) request(h host.Reader, d *draft) (brought []pkix.Extension, over pkix.RDNSequence, err error) {
	switch {
	case w.CSR != "":
		r, err := readRequest(h, w.CSR)
		if err != nil {
			return nil, nil, err
		}
		d.pub = r.PublicKey
		return r.Extensions, sequence(r.RawSubject), nil
	case w.PublicKey != "":
		d.pub, err = publicKey(h, w.PublicKey, w.PublicPass)
	case w.PrivateKey != "":
		d.pub, err = publicKey(h, w.PrivateKey, w.PrivatePass)
	default:
		d.pub = d.signer.Public()
	}
	return nil, nil, err
}

func (w *Wish) times(env *modules.Env, t *cx.Certificate) {
	t.NotBefore = env.Time().UTC()
	t.NotAfter = t.NotBefore.AddDate(0, 0, w.DaysValid)
	if at, err := time.Parse(stamp, w.NotBefore); err == nil {
		t.NotBefore = at
	}
	if at, err := time.Parse(stamp, w.NotAfter); err == nil {
		t.NotAfter = at
	}
}

func (d *draft) parentKey() crypto.PublicKey {
	if d.parent != nil {
		return d.parent.PublicKey
	}
	return d.pub
}

// issuer is what the certificate that signs says of itself: this one, where there is no other.
func (d *draft) issuer() *issuer {
	if d.parent == nil {
		return &issuer{name: d.template.RawSubject, serial: integer(d.template.SerialNumber)}
	}
	return &issuer{keyID: d.parent.SubjectKeyId, name: d.parent.RawSubject, serial: integer(d.parent.SerialNumber)}
}

// integer are the bytes of a number as ASN.1 has them: one whose first bit is set would be a negative number.
func integer(n *big.Int) []byte {
	raw := n.Bytes()
	if len(raw) > 0 && raw[0]&0x80 != 0 {
		raw = append([]byte{0}, raw...)
	}
	return raw
}

// serialOrRandom is the serial number of a new certificate.
func (w *Wish) serialOrRandom() (*big.Int, error) {
	n, err := w.serial()
	if err != nil || n != nil {
		return n, err
	}
	n, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), uint(w.SerialBits)))
	if err == nil {
		n.Add(n, big.NewInt(1))
	}
	return n, err
}

// sign makes the certificate.
func (d *draft) sign() (*cx.Certificate, error) {
	t := *d.template
	parent := &cx.Certificate{RawSubject: t.RawSubject}
	if d.parent != nil {
		parent = &cx.Certificate{RawSubject: d.parent.RawSubject}
	}
	der, err := cx.CreateCertificate(rand.Reader, &t, parent, d.pub, d.signer)
	if err != nil {
		return nil, fmt.Errorf("sign the certificate: %w", err)
	}
	return cx.ParseCertificate(der)
}

func readCertificate(h host.Reader, source string) (*cx.Certificate, error) {
	text, err := textOf(h, source)
	if err != nil {
		return nil, err
	}
	b, err := block(text, typeCertificate)
	if err != nil {
		return nil, unread(source, err)
	}
	c, err := cx.ParseCertificate(b.Bytes)
	if err != nil {
		return nil, unread(source, err)
	}
	return c, nil
}

func readRequest(h host.Reader, source string) (*cx.CertificateRequest, error) {
	text, err := textOf(h, source)
	if err != nil {
		return nil, err
	}
	b, err := block(text, typeRequest)
	if err != nil {
		return nil, unread(source, err)
	}
	r, err := cx.ParseCertificateRequest(b.Bytes)
	if err != nil {
		return nil, unread(source, err)
	}
	return r, nil
}
