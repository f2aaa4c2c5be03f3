package ssh

import "github.com/gostate/gostate/modules"

// keyEnd is how much of a key tells it from others.
const keyEnd = 20

// keeps tells of the key that the state names, in a file of the user's. What a source holds is not known yet.
func (a *Auth) keeps(c *modules.Claims, what string) {
	k, err := a.keyOf(a.Name)
	if a.Source != "" || err != nil {
		return
	}
	if c.Thing("ssh key", a.User+" "+a.Config+" "+k.key[max(0, len(k.key)-keyEnd):]) {
		c.Is("", what)
		c.Wants("options", k.options)
	}
}

// Claim tells that it keeps the key.
func (a *AuthPresent) Claim(c *modules.Claims) { a.keeps(c, "present") }

// Claim tells that it keeps the key away.
func (a *AuthAbsent) Claim(c *modules.Claims) { a.keeps(c, "absent") }
