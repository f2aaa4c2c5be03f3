// Package x509 makes and keeps keys, certificates, requests for them and lists of those that are revoked, and reads
// them, with the standard library: no openssl is asked.
//
// A private key is a secret: it never appears in changes or comments, and a new one can be read by its owner only.
package x509

import (
	"github.com/gostate/gostate/modules"
)

// Salt differs: its x509_v2 has results of its own; here the arguments of both are taken.

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "x509", States: []modules.StateSpec{privateKeySpec(), csrSpec(), certificateSpec(),
		crlSpec(), pemSpec()}, Execs: execSpecs()}
}
