package modules

import (
	"strings"

	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// SecretName says whether what is called so is a secret by its name: a parameter of an execution function. Arguments of
// state functions say so themselves (`arg:"password,secret"`).
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
// stands in URLs.
func (s *StateSpec) MarkArg(store *secret.Store, name string, v value.Value) {
	if s.IsSecret(name) {
		MarkSecret(store, name, v)
		return
	}
	MarkWithin(store, v)
}

// MarkWithin registers the secrets in a value that says so itself: the passwords in URLs, and the answers to questions
// of debconf that ask for one. What a map calls password need not be one (proxy_pass is none), and a tree's author says
// by `secrets:` what is.
func MarkWithin(store *secret.Store, v value.Value) {
	switch v := v.(type) {
	case value.Str:
		store.MarkURLs(string(v))
	case *value.List:
		for _, it := range v.Items {
			MarkWithin(store, it)
		}
	case *value.Dict:
		for i := range v.Len() {
			if e := v.At(i); e.Key == value.Value(value.Str("value")) && isPassword(v) {
				store.Mark(e.Val)
			} else {
				MarkWithin(store, e.Val)
			}
		}
	}
}

// MarkChanged registers what changes hold under the arguments that the function declares secret: the old password, as
// far as it is no ordinary word.
func (s *StateSpec) MarkChanged(store *secret.Store, changes *value.Dict) {
	for k, v := range changes.All() {
		if name, ok := k.(value.Str); ok && s.IsSecret(string(name)) {
			MarkSecret(store, string(name), v)
			continue
		}
		MarkWithin(store, v)
	}
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
	mark := func(name string, v value.Value) {
		if SecretName(name) {
			MarkSecret(c.Secrets, name, v)
			return
		}
		MarkWithin(c.Secrets, v)
	}
	for i, p := range c.spec.Params {
		if v := c.params[i]; v != nil {
			name, _ := paramName(p)
			mark(name, v)
		}
	}
	for _, v := range c.rest {
		MarkWithin(c.Secrets, v)
	}
	for k, v := range c.extra.All() {
		mark(value.String(k), v)
	}
}
