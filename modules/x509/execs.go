package x509

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	cx "crypto/x509"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("x509.create_private_key", "Makes a private key, in the file path or as text.", createKey,
			"path=None", "text=false", "bits:int=2048", "passphrase=None", "cipher=aes_128_cbc", "verbose=true", "algo=rsa",
			"keysize:int=None"),
		modules.NewExec("x509.create_csr", "Makes a request for a certificate, with the arguments of x509.csr_managed.",
			createCSR, "path:path=None", "text=false", "**kwargs:text"),
		modules.NewExec("x509.create_certificate", "Makes a certificate, with the arguments of x509.certificate_managed.",
			createCertificate, "path:path=None", "text=false", "overwrite=true", "ca_server=None", "**kwargs:text"),
		modules.NewExec("x509.create_crl", "Makes a list of revoked certificates.", createCRL, "path=None", "text=false",
			"signing_private_key:text=None", "signing_private_key_passphrase=None", "signing_cert:text=None",
			"revoked:text=None",
			"include_expired=false", "days_valid:int=100", "digest="),
		modules.NewExec("x509.write_pem", "Writes the entry of a text to the file path.", writePEM, "text:text", "path:path",
			"overwrite=true", "pem_type=None"),
	), []modules.ExecSpec{
		modules.NewExec("x509.get_pem_entry", "Gives the entry of a text or file, in the usual layout.", getEntry, "text",
			"pem_type=None"),
		modules.NewExec("x509.get_pem_entries", "Gives the entries of the files of a pattern.", each(getEntry), "glob_path"),
		modules.NewExec("x509.read_certificate", "Tells what a certificate says.", readCert, "certificate"),
		modules.NewExec("x509.read_certificates", "Tells what the certificates of a pattern say.", each(readCert),
			"glob_path"),
		modules.NewExec("x509.read_csr", "Tells what a request says.", readCSR, "csr"),
		modules.NewExec("x509.read_crl", "Tells what a list of revoked certificates says.", readCRL, "crl"),
		modules.NewExec("x509.get_public_key", "Gives the public key of a certificate, a request or a key.", getPublic, "key",
			"passphrase=None", "asObj=false"),
		modules.NewExec("x509.get_private_key_size", "Gives the bits of a private key.", keySize, "private_key",
			"passphrase=None"),
		modules.NewExec("x509.get_signing_policy", "Gives the arguments of a signing policy, without its key.", getPolicy,
			"signing_policy_name"),
		modules.NewExec("x509.verify_private_key", "Says whether a private key belongs to a public one.", verifyKey,
			"private_key", "public_key", "passphrase=None"),
		modules.NewExec("x509.verify_signature", "Says whether a certificate is signed by a key.", verifySignature,
			"certificate", "signing_pub_key=None", "signing_pub_key_passphrase=None"),
		modules.NewExec("x509.verify_crl", "Says whether a list is signed by a certificate.", verifyCRL, "crl", "cert"),
		modules.NewExec("x509.expired", "Says whether a certificate is no longer valid.", expiry("expired"), "certificate"),
		modules.NewExec("x509.will_expire", "Says whether a certificate is no longer valid in some days.",
			expiry("will_expire"), "certificate", "days:int"),
		modules.NewExec("x509.expires", "Says whether a certificate is no longer valid in some days.", expires, "certificate",
			"days:int=0"),
	}...)
}

// bad is a wrong argument, as Salt raises it.
func bad(err error) error {
	if err == nil || host.IsUnknown(err) {
		return err
	}
	return value.Raise("SaltInvocationError", "%v", err)
}

// placed finds a call that says nowhere to put what it makes, or two places.
func placed(c *modules.Call) error {
	switch file := c.Str("path"); {
	case file == "" && !c.Bool("text"):
		return bad(errors.New("Either path or text must be specified.")) //nolint:staticcheck // Salt's words
	case file != "" && c.Bool("text"):
		return bad(errors.New("Either path or text must be specified, not both.")) //nolint:staticcheck // as above
	}
	return nil
}

// out gives a text, or writes it where a path is asked for.
func out(c *modules.Call, text string) (value.Value, error) {
	if file := c.Str("path"); file != "" {
		return value.Str("PEM written to " + file), c.Host.WriteFile(file, strings.NewReader(text),
			host.Attr{Mode: 0o600, HasMode: true, UID: -1, GID: -1})
	}
	return value.Str(text), nil
}

func createKey(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := placed(c); err != nil {
		return nil, err
	}
	algo, size := c.Str("algo"), c.Int("bits", 2048)
	if algo != "rsa" {
		size = 0
	}
	key, err := generate(algo, c.Int("keysize", size))
	if err != nil {
		return nil, bad(err)
	}
	text, err := encode(key, c.Str("passphrase"), c.Str("cipher"))
	if err != nil {
		return nil, bad(err)
	}
	return out(c, text)
}

// bindTo binds the keywords of a call to a state function's arguments.
func bindTo(c *modules.Call, spec modules.StateSpec) (modules.StateFunc, error) {
	args := c.Extra().Copy()
	for k := range c.Extra().All() {
		if strings.HasPrefix(value.String(k), "__") {
			_ = args.Delete(k)
		}
	}
	module, function, _ := strings.Cut(spec.Name, ".")
	fn, faults := modules.Bind(&spec, &state.Low{ID: "x", Name: "/x", Module: module, Func: function, Args: args})
	for _, f := range faults {
		return nil, bad(errors.New(f.Msg)) // a slip, too
	}
	return fn, nil
}

func createCSR(_ context.Context, c *modules.Call) (value.Value, error) {
	fn, err := bindTo(c, csrSpec())
	if err == nil {
		err = placed(c)
	}
	if err != nil {
		return nil, err
	}
	r, err := fn.(*CSR).make(c.Host)
	if err != nil {
		return nil, bad(err)
	}
	return out(c, armor(typeRequest, r.Raw))
}

func createCertificate(_ context.Context, c *modules.Call) (value.Value, error) {
	fn, err := bindTo(c, certificateSpec())
	if err == nil {
		err = placed(c)
	}
	if err != nil {
		return nil, err
	}
	w := &fn.(*Certificate).Wish
	w.CAServer = c.Str("ca_server")
	if w, err = w.bound(c.Env, c.Extra()); err != nil {
		return nil, bad(err)
	}
	d, err := w.draft(c.Env, c.Host)
	if err != nil {
		return nil, bad(err)
	}
	made, err := d.sign()
	if err != nil {
		return nil, bad(err)
	}
	text := armor(typeCertificate, made.Raw)
	if err := w.copy(c.Host, made, text); err != nil {
		return nil, err
	}
	return out(c, text)
}

func createCRL(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := placed(c); err != nil {
		return nil, err
	}
	r := &Revocation{SigningKey: c.Str("signing_private_key"), SigningPass: c.Str("signing_private_key_passphrase"),
		SigningCert: c.Str("signing_cert"), Revoked: c.Arg("revoked"), DaysValid: c.Int("days_valid", 100),
		Digest: c.Str("digest"), IncludeExpired: c.Bool("include_expired")}
	if r.Revoked == value.Value(value.None) {
		r.Revoked = nil
	}
	l, err := r.make(c.Time(), c.Host, nil)
	if err != nil {
		return nil, bad(err)
	}
	return out(c, armor(typeCRL, l.Raw))
}

func writePEM(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := textOf(c.Host, c.Str("text"))
	if err != nil {
		return nil, bad(err)
	}
	one, err := entry(text, c.Str("pem_type"))
	if err != nil {
		return nil, bad(err)
	}
	if old, ok, err := there(c.Host, c.Str("path")); err == nil && ok && !c.Bool("overwrite") &&
		c.Str("pem_type") == typeCertificate {
		if key, err := entry(old, typeKey); err == nil {
			one = key + one
		}
		if params, err := entry(old, "DH PARAMETERS"); err == nil {
			one += params
		}
	}
	return value.Str("PEM written to " + c.Str("path")), c.Host.WriteFile(c.Str("path"), strings.NewReader(one),
		host.Attr{Mode: 0o600, HasMode: true, UID: -1, GID: -1})
}

// given is the text of the first parameter, a file or the text itself.
func given(c *modules.Call, name, kind string) (string, error) {
	text, err := textOf(c.Host, c.Str(name))
	if err == nil {
		text, err = entry(text, kind)
	}
	return text, bad(err)
}

func getEntry(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := given(c, "text", c.Str("pem_type"))
	return value.Str(text), err
}

func readCert(_ context.Context, c *modules.Call) (value.Value, error) {
	cert, err := readCertificate(c.Host, c.Str("certificate"))
	if err != nil {
		return nil, bad(err)
	}
	return certificateInfo(cert), nil
}

func readCSR(_ context.Context, c *modules.Call) (value.Value, error) {
	r, err := readRequest(c.Host, c.Str("csr"))
	if err != nil {
		return nil, bad(err)
	}
	return requestInfo(r), nil
}

func crlOf(c *modules.Call) (*cx.RevocationList, error) {
	text, err := given(c, "crl", typeCRL)
	if err != nil {
		return nil, err
	}
	b, err := block(text, typeCRL)
	if err != nil {
		return nil, bad(err)
	}
	l, err := cx.ParseRevocationList(b.Bytes)
	if err != nil {
		return nil, bad(unread(c.Str("crl"), err))
	}
	return l, nil
}

func readCRL(_ context.Context, c *modules.Call) (value.Value, error) {
	l, err := crlOf(c)
	if err != nil {
		return nil, err
	}
	return crlInfo(l), nil
}

// each calls a function for the files of a pattern; those that it cannot read are left out.
func each(f modules.ExecFunc) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		pattern := c.Str("glob_path")
		infos, err := c.Host.ReadDir(path.Dir(pattern))
		if err != nil {
			return value.NewDict(0), nil
		}
		all := value.NewDict(0)
		for _, i := range infos {
			name := path.Join(path.Dir(pattern), i.Path)
			if !i.IsRegular() || !fnmatch.Match(path.Base(pattern), i.Path) {
				continue
			}
			spec := modules.NewExec("x509.one", "", f, "text", "certificate=None", "pem_type=None")
			one, err := modules.NewCall(&spec, c.Env, c.Host, nil, value.DictOf("text", value.Str(name), "certificate",
				value.Str(name)))
			if err != nil {
				return nil, err
			}
			if v, err := f(ctx, one); err == nil {
				all.SetStr(name, v)
			}
		}
		return all, nil
	}
}

func getPublic(_ context.Context, c *modules.Call) (value.Value, error) {
	pub, err := publicKey(c.Host, c.Str("key"), c.Str("passphrase"))
	if err != nil {
		return nil, bad(err)
	}
	return value.Str(publicText(pub)), nil
}

func keySize(_ context.Context, c *modules.Call) (value.Value, error) {
	key, err := privateKey(c.Host, c.Str("private_key"), c.Str("passphrase"))
	if err != nil {
		return nil, bad(err)
	}
	return value.Int(sizeOf(key.Public())), nil
}

func getPolicy(_ context.Context, c *modules.Call) (value.Value, error) {
	policy, err := signingPolicy(c.Env, c.Str("signing_policy_name"))
	if err != nil {
		return value.Str(err.Error()), nil
	}
	policy = policy.Copy()
	_ = policy.Delete(value.Str("signing_private_key"))
	if cert := text(policy, "signing_cert"); cert != "" {
		t, err := textOf(c.Host, cert)
		if err == nil {
			t, err = entry(t, typeCertificate)
		}
		if err != nil {
			return nil, bad(err)
		}
		policy.SetStr("signing_cert", value.Str(t))
	}
	return policy, nil
}

func verifyKey(_ context.Context, c *modules.Call) (value.Value, error) {
	key, err := privateKey(c.Host, c.Str("private_key"), c.Str("passphrase"))
	if err != nil {
		return nil, bad(err)
	}
	pub, err := publicKey(c.Host, c.Str("public_key"), "")
	return value.Bool(err == nil && same(key.Public(), pub)), bad(err)
}

func verifySignature(_ context.Context, c *modules.Call) (value.Value, error) {
	cert, err := readCertificate(c.Host, c.Str("certificate"))
	if err != nil {
		return nil, bad(err)
	}
	by := &cx.Certificate{PublicKey: cert.PublicKey}
	if c.Str("signing_pub_key") != "" {
		if by.PublicKey, err = publicKey(c.Host, c.Str("signing_pub_key"), c.Str("signing_pub_key_passphrase")); err != nil {
			return nil, bad(err)
		}
	}
	return value.Bool(verifies(cert, by.PublicKey)), nil
}

func verifyCRL(_ context.Context, c *modules.Call) (value.Value, error) {
	l, err := crlOf(c)
	if err != nil {
		return nil, err
	}
	by, err := readCertificate(c.Host, c.Str("cert"))
	if err != nil {
		return nil, bad(err)
	}
	return value.Bool(l.CheckSignatureFrom(signsLists(by)) == nil), nil
}

// expiry tells of a certificate in a file; of what is no file, or no certificate, little or nothing.
func expiry(key string) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		told := value.NewDict(4)
		if _, ok, err := there(c.Host, c.Str("certificate")); err != nil || !ok {
			return told, nil
		}
		told.SetStr("path", value.Str(c.Str("certificate")))
		at := c.Time()
		if key == "will_expire" {
			told.SetStr("check_days", c.Arg("days"))
			at = ahead(at, c)
		}
		cert, err := readCertificate(c.Host, c.Str("certificate"))
		if err != nil {
			return nil, bad(err)
		}
		told.SetStr("cn", value.Str(text(nameOf(cert.RawSubject), "CN")))
		told.SetStr(key, value.Bool(!cert.NotAfter.After(at)))
		return told, nil
	}
}

// ahead is some days later.
func ahead(at time.Time, c *modules.Call) time.Time {
	return at.AddDate(0, 0, min(max(c.Int("days", 0), -400_000), 400_000))
}

func expires(_ context.Context, c *modules.Call) (value.Value, error) {
	cert, err := readCertificate(c.Host, c.Str("certificate"))
	if err != nil {
		return nil, bad(err)
	}
	return value.Bool(!cert.NotAfter.After(ahead(c.Time(), c))), nil
}
