package x509

import "github.com/gostate/gostate/state"

// relate says of a state that it makes a file out of others: each a path, or the text itself, which is none.
func (p *Placed) relate(r *state.Relations, name string, from ...string) {
	r.Make(state.ThingPath, name)
	r.Need(state.TieDirectory, name)
	r.Need(state.TieOwner, p.User)
	r.Need(state.TieGroup, p.Group)
	for _, file := range from {
		r.Need(state.TieGiven, file)
	}
}

// Relate says what x509.private_key_managed makes and stands on.
func (k *PrivateKey) Relate(r *state.Relations) { k.relate(r, k.Name) }

// Relate says what x509.certificate_managed makes and stands on.
func (c *Certificate) Relate(r *state.Relations) {
	c.relate(r, c.Name, append([]string{c.PublicKey, c.PrivateKey, c.SigningKey, c.SigningCert, c.CSR},
		c.AppendCerts...)...)
}

// Relate says what x509.csr_managed makes and stands on.
func (c *CSR) Relate(r *state.Relations) { c.relate(r, c.Name, c.PrivateKey, c.PublicKey) }

// Relate says what x509.crl_managed makes and stands on.
func (c *CRL) Relate(r *state.Relations) { c.relate(r, c.Name, c.SigningKey, c.SigningCert) }

// Relate says what x509.pem_managed makes and stands on.
func (p *PEM) Relate(r *state.Relations) { p.relate(r, p.Name, p.Text) }
