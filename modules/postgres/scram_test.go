package postgres

import (
	"strings"
	"testing"
)

// TestScram: the exchange of RFC 7677, and a verifier as PostgreSQL writes it.
func TestScram(t *testing.T) {
	const nonce = "rOprNGfwEbeRWgbNEkqO"
	s := &scram{password: "pencil", nonce: nonce}
	if first := string(s.begin().Data); first != "n,,n=,r="+nonce {
		t.Errorf("begins with %q", first)
	}
	s.asked = "n=user,r=" + nonce
	challenge := "r=" + nonce + "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096"
	r, err := s.respond(challenge)
	if err != nil || !strings.HasSuffix(string(r.Data), ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=") {
		t.Errorf("%s %v", r.Data, err)
	}
	if err := s.verify("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="); err != nil {
		t.Error(err)
	}
	if s.verify("v=AAAA") == nil {
		t.Error("a server that does not know the password is believed")
	}
	for _, bad := range []string{"", "r=other,s=AA==,i=1", "r=" + nonce + ",s=!,i=1", "r=" + nonce + ",s=AA==,i=0"} {
		if _, err := s.respond(bad); err == nil {
			t.Errorf("the challenge %q is answered", bad)
		}
	}
}

// TestVerifiers: what the server keeps matches the password that it was made of, and no other.
func TestVerifiers(t *testing.T) {
	kept, err := scramVerifier("pencil", []byte("0123456789abcdef"), 4096)
	if err != nil {
		t.Fatal(err)
	}
	md5 := "md5" + md5Hex("pencilapp")
	for _, tt := range []struct {
		password string
		hashing  hashing
		kept     string
		same     bool
	}{
		{"pencil", scramHash, kept, true}, {"pen", scramHash, kept, false}, {kept, scramHash, kept, true},
		{"pencil", scramHash, md5, false}, {"pencil", scramHash, scramName + "$x", false}, {"pencil", scramHash, "", false},
		{"pencil", "", md5, true}, {"pencil", md5Hash, md5, true}, {"pen", "", md5, false}, {md5, "", md5, true},
		{"pencil", "", kept, false}, {"pencil", noHash, "pencil", true},
	} {
		w := wish{name: "app", password: tt.password, hashing: tt.hashing}
		if got := w.matches(tt.kept); got != tt.same {
			t.Errorf("%q as %q matches %q: %v", tt.password, tt.hashing, tt.kept, got)
		}
	}
}
