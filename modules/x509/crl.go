package x509

import (
	"context"
	"crypto/rand"
	cx "crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Revocation is what a list of revoked certificates is to be like.
type Revocation struct {
	SigningKey     string      `arg:"signing_private_key,required,text,secret" doc:"The key of who signs."`
	SigningPass    string      `arg:"signing_private_key_passphrase,secret" doc:"Its passphrase."`
	SigningCert    string      `arg:"signing_cert,text" doc:"The certificate of who signs."`
	Revoked        value.Value `arg:"revoked,text" doc:"The certificates: a list of names, each with certificate or serial_number, revocation_date, reason and not_after."`
	DaysValid      int         `arg:"days_valid" default:"100" doc:"How many days the list is valid."`
	Digest         string      `arg:"digest" default:"sha256" choices:"sha1|sha256|sha384|sha512" doc:"The digest that is signed."`
	IncludeExpired bool        `arg:"include_expired" doc:"Also certificates that are no longer valid."`
}

// CRL keeps a list of revoked certificates.
type CRL struct {
	Name string `arg:"name,required,path" doc:"The file of the list."`
	Revocation
	Placed
	DaysRemaining int `arg:"days_remaining" default:"30" doc:"It is made anew when it is valid for fewer days; 0 for never."`
}

func crlSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "x509.crl_managed", Doc: "Keeps a list of revoked certificates.",
		Example: "/etc/pki/ca.crl:\n  x509.crl_managed:\n    - signing_private_key: /etc/pki/ca.key\n    - signing_cert: " +
			"/etc/pki/ca.crt\n    - revoked:\n      - lost_key:\n        - serial_number: D6:D2:DC:D8:4D:5C:C0:F4\n        " +
			"- reason: keyCompromise",
		New: func() modules.StateFunc { return &CRL{} }, AnyArgs: true,
	}
}

// Validate finds what cannot be.
func (c *CRL) Validate() (out []modules.Fault) {
	if _, err := c.items(); err != nil {
		out = append(out, modules.Fault{Arg: "revoked", Msg: err.Error()})
	}
	if c.SigningCert == "" {
		out = append(out, modules.Fault{Arg: "signing_cert", Msg: "the certificate of who signs is needed"})
	}
	if c.DaysValid < 1 || c.DaysValid > 400_000 {
		out = append(out, modules.Fault{Arg: "days_valid", Msg: "a list is not valid for so many days"})
	}
	return out
}

// items are the properties of what is revoked.
func (r *Revocation) items() (out []*value.Dict, err error) {
	var list []value.Value
	switch v := r.Revoked.(type) {
	case nil:
		return nil, nil
	case *value.List:
		list = v.Items
	default:
		return nil, errors.New("revoked takes a list")
	}
	for _, it := range list {
		d, ok := it.(*value.Dict)
		if ok && d.Len() == 1 {
			if inner, err := modules.Map(d.At(0).Val); err == nil && inner.Len() > 0 {
				d = inner
			}
		}
		if !ok {
			return nil, errors.New("revoked takes a list of names with their properties")
		}
		for k := range d.All() {
			if !slices.Contains([]string{"certificate", "serial_number", "revocation_date", "not_after", "reason",
				"extensions"}, value.String(k)) {
				return nil, fmt.Errorf("revoked: %q means nothing", value.String(k))
			}
		}
		out = append(out, d)
	}
	return out, nil
}

func text(d *value.Dict, key string) string {
	v, ok := d.GetStr(key)
	if !ok {
		return ""
	}
	return value.String(v)
}

// entries are what is revoked. Where no date is given, it is that of the list that is there, or now.
func (r *Revocation) entries(now time.Time, h host.Reader, old *cx.RevocationList) ([]cx.RevocationListEntry, error) {
	items, err := r.items()
	if err != nil {
		return nil, err
	}
	var out []cx.RevocationListEntry
	for _, d := range items {
		e, until, err := r.entry(h, d)
		switch {
		case err != nil:
			return nil, err
		case !r.IncludeExpired && !until.IsZero() && now.After(until):
			continue
		case e.RevocationTime.IsZero():
			e.RevocationTime = now.UTC().Truncate(time.Second)
			e.RevocationTime = dated(old, e)
		}
		out = append(out, e)
	}
	return out, nil
}

// dated is when an entry without a date was revoked first.
// Salt differs: it takes the time of the run, and so makes a new list in every run.
func dated(old *cx.RevocationList, e cx.RevocationListEntry) time.Time {
	if old != nil {
		for _, o := range old.RevokedCertificateEntries {
			if o.SerialNumber.Cmp(e.SerialNumber) == 0 {
				return o.RevocationTime
			}
		}
	}
	return e.RevocationTime
}

func (r *Revocation) entry(h host.Reader, d *value.Dict) (e cx.RevocationListEntry, until time.Time, err error) {
	if source := text(d, "certificate"); source != "" {
		c, err := readCertificate(h, source)
		if err != nil {
			return e, until, err
		}
		e.SerialNumber, until = c.SerialNumber, c.NotAfter
	} else {
		n, ok := new(big.Int).SetString(strings.ReplaceAll(text(d, "serial_number"), ":", ""), 16)
		if !ok {
			return e, until, fmt.Errorf("revoked: %q is no serial number", text(d, "serial_number"))
		}
		e.SerialNumber = n
	}
	for _, t := range []struct {
		key string
		to  *time.Time
	}{{"not_after", &until}, {"revocation_date", &e.RevocationTime}} {
		given := text(d, t.key)
		if given == "" {
			continue
		}
		if *t.to, err = time.Parse(stamp, given); err != nil {
			return e, until, fmt.Errorf("revoked: %s: %q is no time like 2030-12-31 23:59:59", t.key, given)
		}
	}
	if why := text(d, "reason"); why != "" {
		e.ReasonCode = slices.IndexFunc(reasons(), func(r [2]string) bool { return strings.EqualFold(r[0], why) })
		if e.ReasonCode < 0 {
			return e, until, fmt.Errorf("revoked: %q is no reason", why)
		}
	}
	return e, until, nil
}

// make signs a list.
func (r *Revocation) make(now time.Time, h host.Reader, old *cx.RevocationList) (*cx.RevocationList, error) {
	key, err := privateKey(h, r.SigningKey, r.SigningPass)
	if err != nil {
		return nil, err
	}
	by, err := readCertificate(h, r.SigningCert)
	if err != nil {
		return nil, err
	}
	if !same(by.PublicKey, key.Public()) {
		return nil, fmt.Errorf("signing_private_key: %s does no match signing_cert: %s", named(r.SigningKey),
			named(r.SigningCert))
	}
	t := &cx.RevocationList{Number: big.NewInt(1), ThisUpdate: now.UTC(), NextUpdate: now.UTC().AddDate(0, 0, r.DaysValid)}
	if old != nil && old.Number != nil {
		t.Number.Add(old.Number, t.Number)
	}
	if t.RevokedCertificateEntries, err = r.entries(now, h, old); err != nil {
		return nil, err
	}
	digest := r.Digest
	if digest == "" {
		digest = "sha256"
	}
	if t.SignatureAlgorithm, err = digestOf(key.Public(), digest); err != nil {
		return nil, err
	}
	signs := *by
	signs.KeyUsage |= cx.KeyUsageCRLSign // that of an authority that does not say what its key is for
	if len(signs.SubjectKeyId) == 0 {
		signs.SubjectKeyId = usualMark(by.PublicKey)
	}
	der, err := cx.CreateRevocationList(rand.Reader, t, &signs, key)
	if err != nil {
		return nil, fmt.Errorf("sign the list: %w", err)
	}
	return cx.ParseRevocationList(der)
}

// Act makes the list where it is not right.
func (c *CRL) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	raw, ok, err := there(h, c.Name)
	if err != nil {
		return state.Effect{}, err
	}
	was := value.Value(value.Str(c.Name + " does not exist."))
	var old *cx.RevocationList
	if ok {
		was = value.Str(c.Name + " is not a valid CRL.")
		if b, err := block(raw, typeCRL); err == nil {
			if old, err = cx.ParseRevocationList(b.Bytes); err == nil {
				was = crlInfo(old)
			}
		}
	}
	made, err := c.make(env.Time(), h, old)
	if err != nil {
		return state.Effect{}, err
	}
	if old != nil && c.stays(env.Time(), h, old, made) {
		return c.keep(ctx, env, h, c.Name)
	}
	e, err := c.anew(ctx, env, h, c.Name, false, func() (string, error) { return armor(typeCRL, made.Raw), nil })
	if e.Alters() {
		e.Changes = value.DictOf("Old", was, "New", crlInfo(made))
		e.Foretold = e.Changes
	}
	return e, err
}

// stays says whether the list that is there is right.
func (c *CRL) stays(now time.Time, h host.Reader, old, made *cx.RevocationList) bool {
	by, err := readCertificate(h, c.SigningCert)
	if err != nil || old.CheckSignatureFrom(signsLists(by)) != nil || old.SignatureAlgorithm != made.SignatureAlgorithm {
		return false
	}
	a, b := crlInfo(old), crlInfo(made)
	for _, d := range []*value.Dict{a, b} {
		for _, k := range []string{"Last Update", "Next Update"} {
			_ = d.Delete(value.Str(k))
		}
	}
	days := int(old.NextUpdate.Sub(now) / (24 * time.Hour))
	return value.Equal(a, b) && (c.DaysRemaining == 0 || days > c.DaysRemaining)
}

func signsLists(c *cx.Certificate) *cx.Certificate {
	out := *c
	out.KeyUsage |= cx.KeyUsageCRLSign
	out.BasicConstraintsValid, out.IsCA = true, true
	return &out
}
