package hub

import (
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"

	"github.com/gostate/gostate/cmd/fleet/bus"
)

// documents are the files of the keys, and the claims that they sign: the operator's of both accounts, the accounts' of
// the users that the operator and the server are.
func (k keys) documents() (map[string][]byte, error) {
	operator := jwt.NewOperatorClaims(k.public("root"))
	operator.Name, operator.SystemAccount = "gostate", k.public("system")
	files := map[string][]byte{}
	for name, c := range map[string]jwt.Claims{"server/operator.jwt": operator, "server/system.jwt": k.system(),
		"server/account.jwt": k.account()} {
		text, err := c.Encode(k["root"])
		if err != nil {
			return nil, err
		}
		files[name] = []byte(text)
	}
	files["operator/account.jwt"] = files["server/account.jwt"]
	for name, account := range map[string]string{"operator/operator.creds": "account", "operator/system.creds": "system",
		"server/hub.creds": "account"} {
		creds, err := newCreds(userOf(name), k[account])
		if err != nil {
			return nil, err
		}
		files[name] = creds
	}
	for name, pair := range k {
		seed, err := pair.Seed()
		if err != nil {
			return nil, err
		}
		files["operator/"+name+".nk"] = append(seed, '\n')
	}
	return files, nil
}

// userOf is the name of the user of a file of credentials.
func userOf(file string) string {
	return map[string]string{"operator/operator.creds": operatorUser, "operator/system.creds": "system",
		"server/hub.creds": hubUser}[file]
}

// The users of the fleet's account that are no machines. No id has a "=" at its beginning.
const (
	operatorUser = "=operator"
	hubUser      = "=hub"
)

func (k keys) system() *jwt.AccountClaims {
	a := jwt.NewAccountClaims(k.public("system"))
	a.Name = "SYS"
	return a
}

// account is the fleet's, with a key for each role: who has such a key makes users of that role, and no others.
func (k keys) account() *jwt.AccountClaims {
	a := jwt.NewAccountClaims(k.public("account"))
	a.Name = "FLEET"
	a.Limits.JetStreamLimits = jwt.JetStreamLimits{MemoryStorage: jwt.NoLimit, DiskStorage: jwt.NoLimit,
		Streams: jwt.NoLimit, Consumer: jwt.NoLimit, MaxAckPending: jwt.NoLimit, MemoryMaxStreamBytes: jwt.NoLimit,
		DiskMaxStreamBytes: jwt.NoLimit}
	for _, role := range []string{"node", "join"} {
		s := jwt.NewUserScope()
		s.Key, s.Role = k.public(role), role
		s.Template.Pub.Allow, s.Template.Sub.Allow = bus.Permissions(role, "{{name()}}")
		s.Template.Subs, s.Template.Payload = 16, 1<<20
		s.Template.BearerToken = role == "join"
		s.Template.AllowedConnectionTypes.Add(jwt.ConnectionTypeStandard)
		a.SigningKeys.AddScopedSigner(s)
	}
	return a
}

// newCreds is a file of credentials of a new user with all rights in an account.
func newCreds(name string, account nkeys.KeyPair) ([]byte, error) {
	user, err := nkeys.CreateUser()
	if err != nil {
		return nil, err
	}
	public, err := user.PublicKey()
	if err != nil {
		return nil, err
	}
	c := jwt.NewUserClaims(public)
	c.Name = name
	text, err := c.Encode(account)
	if err != nil {
		return nil, err
	}
	seed, err := user.Seed()
	if err != nil {
		return nil, err
	}
	return jwt.FormatUserConfig(text, seed)
}

// newUser is the claim of a user of a role, which the role's key signs; until is zero for one that does not end.
func newUser(role nkeys.KeyPair, account, public, name string, until time.Time) (string, error) {
	c := jwt.NewUserClaims(public)
	c.Name, c.IssuerAccount = name, account
	c.SetScoped(true)
	if !until.IsZero() {
		c.Expires = until.Unix()
	}
	return c.Encode(role)
}
