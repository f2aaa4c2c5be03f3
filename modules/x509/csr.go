package x509

import (
	"context"
	"crypto"
	"crypto/rand"
	cx "crypto/x509"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Asked is what a request is to be like.
type Asked struct {
	Subject
	Extensions
	PrivateKey  string      `arg:"private_key,text,secret" doc:"The key that the request is for."`
	PrivatePass string      `arg:"private_key_passphrase,secret" doc:"Its passphrase."`
	PublicKey   string      `arg:"public_key,text" doc:"The key, where private_key is not given."`
	PublicPass  string      `arg:"public_key_passphrase,secret" doc:"Its passphrase."`
	Digest      string      `arg:"algorithm" alias:"digest" default:"sha256" choices:"sha1|sha256|sha384|sha512" doc:"The digest that is signed."`
	NoEffect    value.Value `arg:"version,text" alias:"days_valid,serial_bits,serial_number,text" doc:"No effect."`
}

// CSR keeps a request for a certificate.
type CSR struct {
	Name string `arg:"name,required,path" doc:"The file of the request."`
	Asked
	Placed
}

func csrSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "x509.csr_managed", Doc: "Keeps a request for a certificate.",
		Example: "/etc/pki/www.csr:\n  x509.csr_managed:\n    - private_key: /etc/pki/www.key\n    - CN: www.example.com",
		New:     func() modules.StateFunc { return &CSR{} }, AnyArgs: true,
	}
}

// Validate finds what cannot be.
func (c *CSR) Validate() []modules.Fault {
	out := c.Extensions.validate()
	if c.PrivateKey == "" && c.PublicKey == "" {
		out = append(out, modules.Fault{Arg: "private_key", Msg: "private_key is required"})
	}
	return out
}

// template reads the key and makes what is to be signed.
func (a *Asked) template(h host.Reader) (*cx.CertificateRequest, crypto.Signer, error) {
	source, pass := a.PrivateKey, a.PrivatePass
	if source == "" {
		source = a.PublicKey
	}
	if pass == "" {
		pass = a.PublicPass
	}
	if source == "" {
		return nil, nil, errors.New("private_key is required")
	}
	key, err := privateKey(h, source, pass)
	if err != nil {
		return nil, nil, err
	}
	t := &cx.CertificateRequest{}
	if t.RawSubject, err = a.der(nil); err != nil {
		return nil, nil, err
	}
	x := a.Extensions
	x.AuthorityKeyID = nil // only who signs can tell
	if t.ExtraExtensions, err = x.build(keys{own: key.Public()}, nil); err != nil {
		return nil, nil, err
	}
	t.SignatureAlgorithm, err = digestOf(key.Public(), a.Digest)
	return t, key, err
}

// make signs the request.
// Salt differs: it gives it a version that no standard knows.
func (a *Asked) make(h host.Reader) (*cx.CertificateRequest, error) {
	t, key, err := a.template(h)
	if err != nil {
		return nil, err
	}
	der, err := cx.CreateCertificateRequest(rand.Reader, t, key)
	if err != nil {
		return nil, fmt.Errorf("sign the request: %w", err)
	}
	return cx.ParseCertificateRequest(der)
}

// Act makes the request where it is not right.
func (c *CSR) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	text, ok, err := there(h, c.Name)
	if err != nil {
		return state.Effect{}, err
	}
	old := value.Value(value.Str(c.Name + " is not a valid csr."))
	t, key, err := c.template(h)
	if err != nil {
		return state.Effect{}, err
	}
	if now, err := readRequest(h, text); ok && err == nil {
		old = requestInfo(now)
		if same(now.PublicKey, key.Public()) && value.Equal(nameOf(now.RawSubject), nameOf(t.RawSubject)) &&
			now.SignatureAlgorithm == t.SignatureAlgorithm && alike(now.Extensions, t.ExtraExtensions, key.Public()) {
			return c.keep(ctx, env, h, c.Name)
		}
	}
	made, err := c.make(h)
	if err != nil {
		return state.Effect{}, err
	}
	e, err := c.write(ctx, env, h, c.Name, armor(typeRequest, made.Raw), false)
	if e.Alters() {
		e.Changes = value.DictOf("Old", old, "New", requestInfo(made))
		e.Foretold = e.Changes
	}
	return e, err
}
