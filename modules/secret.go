package modules

import (
	"strings"

	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// SecretName says whether what is called so is a secret by its name: a parameter of an execution function, a key of a
// map among the arguments, a variable of a command's environment. Arguments of state functions say so themselves
// (`arg:"password,secret"`).
func SecretName(name string) bool {
	if name == "" {
		return false
	}
	switch lettered(name[len(name)-1]) { // what most names do not end in
	case 'd', 'e', 'h', 'k', 'n', 's', 't', 'y':
	default:
		return false
	}
	for _, end := range [...]string{"password", "passwd", "passphrase", "secret", "secret_key", "private_key", "api_key",
		"apikey", "access_key", "token", "_pass"} {
		if endsIn(name, end) {
			return true
		}
	}
	for _, word := range [...]string{"pass", "pwd", "psk", "wpa_psk", "passwd_hash", "password_hash", "pw_hash", "mysql_pwd",
		"authorization", "cookie", "ppa_auth"} {
		if len(name) == len(word) && endsIn(name, word) {
			return true
		}
	}
	return false
}

// endsIn says whether a name ends in a word, whatever its case and whether dashes or blanks part it.
func endsIn(name, word string) bool {
	from := len(name) - len(word)
	if from < 0 {
		return false
	}
	for i := range len(word) {
		if lettered(name[from+i]) != word[i] {
			return false
		}
	}
	return true
}

// lettered is a byte in lower case, what parts words as an underscore.
func lettered(c byte) byte {
	switch {
	case c >= 'A' && c <= 'Z':
		return c + 'a' - 'A'
	case c == '-' || c == ' ':
		return '_'
	}
	return c
}

// MarkSecret registers the value of an argument as secret. A private key may also be given as the file that it is in,
// which is none.
func MarkSecret(s *secret.Store, name string, v value.Value) {
	if text, ok := v.(value.Str); ok && strings.HasSuffix(name, "private_key") && !strings.Contains(string(text), "\n") {
		return
	}
	if text, ok := v.(value.Str); ok {
		markWords(s, string(text))
		return
	}
	s.Mark(v)
}

// IsSecret says whether an argument of the function is secret: declared so, or by its name where the function takes it
// for something else or does not know it.
func (s *StateSpec) IsSecret(arg string) bool {
	p := s.planOf()
	if !p.secrets && !SecretName(arg) {
		return false // most arguments of most functions
	}
	a := p.byName[arg]
	return a != nil && a.Secret || (a == nil || a.Name != arg) && SecretName(arg)
}

// MarkArg registers the secrets in an argument of a state: all of it where the function declares it secret, else what
// maps in it hold under such names, and what stands in URLs.
func (s *StateSpec) MarkArg(store *secret.Store, name string, v value.Value) {
	if s.IsSecret(name) {
		MarkSecret(store, name, v)
		return
	}
	MarkNamed(store, v)
}

// MarkNamed registers the secrets in a value: what maps in it hold under the name of a secret, and what stands in URLs.
func MarkNamed(store *secret.Store, v value.Value) {
	switch v := v.(type) {
	case value.Str:
		store.MarkURLs(string(v))
	case *value.List:
		for _, it := range v.Items {
			markPair(store, it)
			MarkNamed(store, it)
		}
	case *value.Dict:
		for i := range v.Len() {
			e := v.At(i)
			name, _ := e.Key.(value.Str)
			if SecretName(string(name)) || name == "value" && isPassword(v) {
				MarkSecret(store, string(name), e.Val)
			} else {
				MarkNamed(store, e.Val)
			}
		}
	}
}

// markPair registers the value of an item of a list as `NAME=value` or `Name: value`: the environment of a container,
// the header of a request.
func markPair(store *secret.Store, item value.Value) {
	text, _ := item.(value.Str)
	i := strings.IndexAny(string(text), "=:")
	if i <= 0 || !SecretName(strings.TrimSpace(string(text[:i]))) {
		return
	}
	markWords(store, strings.TrimSpace(string(text[i+1:])))
}

// markWords registers a text, and the token behind the kind of it: "Bearer TOKEN".
func markWords(store *secret.Store, text string) {
	store.MarkText(text)
	if kind, token, ok := strings.Cut(text, " "); ok && (kind == "Bearer" || kind == "Basic" || kind == "Token") {
		store.MarkText(token)
	}
}

// isPassword says whether a map is the answer to a question of debconf that asks for a password.
func isPassword(d *value.Dict) bool {
	t, ok := d.GetStr("type")
	return ok && t == value.Value(value.Str("password"))
}

// mark registers the secrets of a call.
func (c *Call) mark() {
	if c.Env == nil || c.Secrets == nil {
		return
	}
	for i, p := range c.spec.Params {
		if v := c.params[i]; v != nil {
			if name, _ := paramName(p); SecretName(name) {
				MarkSecret(c.Secrets, name, v)
			} else {
				MarkNamed(c.Secrets, v)
			}
		}
	}
	for _, v := range c.rest {
		MarkNamed(c.Secrets, v)
	}
	MarkNamed(c.Secrets, c.extra)
}
