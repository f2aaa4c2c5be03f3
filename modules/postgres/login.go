package postgres

import (
	"crypto/md5"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgproto3"
)

// A login answers what a server asks of who connects.
type login struct {
	wire           *pgproto3.Frontend
	user, password string
	scram          *scram
}

var errMethod = errors.New("the server asks for a kind of login that gostate does not know: give it a password, or " +
	"peer " +
	"authentication")

func (l *login) answer(m pgproto3.BackendMessage) error {
	var say pgproto3.FrontendMessage
	var err error
	switch m := m.(type) {
	case *pgproto3.AuthenticationOk:
		return nil
	case *pgproto3.AuthenticationCleartextPassword:
		say = &pgproto3.PasswordMessage{Password: l.password}
	case *pgproto3.AuthenticationMD5Password:
		say = &pgproto3.PasswordMessage{Password: "md5" + md5Hex(md5Hex(l.password+l.user)+string(m.Salt[:]))}
	case *pgproto3.AuthenticationSASL:
		if !slices.Contains(m.AuthMechanisms, scramName) {
			return errMethod
		}
		l.scram = &scram{password: l.password, nonce: rand.Text()}
		say = l.scram.begin()
	case *pgproto3.AuthenticationSASLContinue:
		say, err = l.scram.respond(string(m.Data))
	case *pgproto3.AuthenticationSASLFinal:
		return l.scram.verify(string(m.Data))
	default:
		err = errMethod
	}
	if err != nil {
		return err
	}
	if l.password == "" {
		return errors.New("the server asks " + l.user + " for a password, and none is given")
	}
	l.wire.Send(say)
	return l.wire.Flush()
}

func md5Hex(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}
