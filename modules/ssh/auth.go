package ssh

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An authKey is one line of authorized_keys: [options] type key [comment].
type authKey struct{ options, kind, key, comment string }

// parseAuth reads a line; ok is false when it is no key.
func parseAuth(line string) (k authKey, ok bool) {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return k, false
	}
	words := splitQuoted(line)
	at := slices.IndexFunc(words, isKind)
	if at < 0 || at > 1 || at+1 >= len(words) {
		return k, false
	}
	k = authKey{kind: words[at], key: words[at+1], comment: strings.Join(words[at+2:], " ")}
	if at == 1 {
		k.options = words[0]
	}
	return k, true
}

// splitQuoted splits at spaces that are in no quotes.
func splitQuoted(line string) []string {
	var out []string
	var b strings.Builder
	quoted := false
	for _, r := range line {
		if r == '"' {
			quoted = !quoted
		}
		if (r == ' ' || r == '\t') && !quoted {
			if b.Len() > 0 {
				out = append(out, b.String())
				b.Reset()
			}
			continue
		}
		b.WriteRune(r)
	}
	if b.Len() > 0 {
		out = append(out, b.String())
	}
	return out
}

func (k authKey) String() string {
	var words []string
	for _, w := range []string{k.options, k.kind, k.key, k.comment} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// Auth are the arguments that say which keys and where.
type Auth struct {
	files
	Name    string   `arg:"name,required" doc:"the key: alone, or a whole line with type and comment"`
	User    string   `arg:"user,required" doc:"whose account"`
	Enc     string   `arg:"enc" doc:"the type of the key: ssh-rsa, ed25519, ..."`
	Comment string   `arg:"comment" doc:"what is written behind the key"`
	Source  string   `arg:"source" doc:"a file with keys, in place of name"`
	Options []string `arg:"options" doc:"what the key may do: no-pty, command=\"...\""`
	Config  string   `arg:"config" default:".ssh/authorized_keys" doc:"the file, below the home directory; %h and %u are replaced"`
	Hash    string   `arg:"fingerprint_hash_type" doc:"no effect"`
}

// keys are the keys that the state is about.
func (a *Auth) keys(ctx context.Context, env *modules.Env) ([]authKey, error) {
	if a.Source == "" {
		k, err := a.keyOf(a.Name)
		return []authKey{k}, err
	}
	data, err := env.Files.Fetch(ctx, a.Source, env.Low.Env)
	if err != nil {
		return nil, fmt.Errorf("fetch the keys: %w", err)
	}
	var out []authKey
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		k, err := a.keyOf(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.Source, err)
		}
		out = append(out, k)
	}
	return out, nil
}

func (a *Auth) keyOf(text string) (authKey, error) {
	k, ok := parseAuth(text)
	if !ok {
		words := strings.Fields(text)
		if len(words) == 0 || len(words) > 1 && !strings.HasPrefix(words[0], "AAAA") {
			return k, fmt.Errorf("%q is no key", text)
		}
		k = authKey{kind: kindOf(a.Enc), key: words[0], comment: strings.Join(words[1:], " ")}
	}
	if !strings.HasPrefix(k.key, "AAAA") {
		return k, fmt.Errorf("%q is no key: its body has to begin with AAAA", text)
	}
	if a.Comment != "" && k.comment == "" {
		k.comment = a.Comment
	}
	if len(a.Options) > 0 {
		k.options = strings.Join(a.Options, ",")
	}
	return k, nil
}

// findKey is the line of a key, -1 when the file does not have it.
func (f *keyFile) findKey(key string) (authKey, int) {
	for i, l := range f.lines {
		if k, ok := parseAuth(l); ok && k.key == key {
			return k, i
		}
	}
	return authKey{}, -1
}

// AuthPresent keeps keys in authorized_keys.
type AuthPresent struct{ Auth }

func authPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "ssh_auth.present",
		Doc:  "Keeps a key that may log in to an account.",
		Example: `alice's laptop:
  ssh_auth.present:
    - user: alice
    - name: ssh-ed25519 AAAAC3Nza... alice@laptop`,
		New: func() modules.StateFunc { return &AuthPresent{} },
	}
}

// put changes the lines and tells what it changed: {key: New or Updated}.
func (f *keyFile) put(keys []authKey) *value.Dict {
	changes := value.NewDict(0)
	for _, k := range keys {
		now, i := f.findKey(k.key)
		switch {
		case i < 0:
			f.lines = append(f.lines, k.String())
			changes.SetStr(k.key, value.Str("New"))
		case now.kind != k.kind || now.options != k.options || k.comment != "" && now.comment != k.comment:
			if k.comment == "" {
				k.comment = now.comment
			}
			f.lines[i] = k.String()
			changes.SetStr(k.key, value.Str("Updated"))
		}
	}
	return changes
}

// Check says which keys would be added.
func (a *AuthPresent) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Forecast{}, err
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Forecast{}, err
	}
	changes := f.put(keys)
	if changes.Len() == 0 {
		return state.Forecast{Comment: fmt.Sprintf("The authorized host key %s is already present for user %s", a.Name, a.User)}, nil
	}
	return state.Forecast{Pending: true, Changes: changes, Comment: fmt.Sprintf("Key %s for user %s is set to be added", a.Name, a.User)}, nil
}

// Apply adds them.
func (a *AuthPresent) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Applied{}, err
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Applied{}, err
	}
	changes := f.put(keys)
	return state.Applied{Changes: changes, Comment: fmt.Sprintf("The authorized host key %s for user %s was added", a.Name, a.User)}, f.write(h)
}

// AuthAbsent keeps keys out of authorized_keys.
type AuthAbsent struct{ Auth }

func authAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ssh_auth.absent",
		Doc:     "Keeps a key from logging in to an account.",
		Example: "lost laptop:\n  ssh_auth.absent:\n    - user: alice\n    - name: AAAAC3Nza...",
		New:     func() modules.StateFunc { return &AuthAbsent{} },
	}
}

func (f *keyFile) take(keys []authKey) *value.Dict {
	changes := value.NewDict(0)
	for _, k := range keys {
		for _, i := f.findKey(k.key); i >= 0; _, i = f.findKey(k.key) {
			f.lines = slices.Delete(f.lines, i, i+1)
			changes.SetStr(k.key, value.Str("Removed"))
		}
	}
	return changes
}

// Check says which keys would be removed. An account that is not there has none.
func (a *AuthAbsent) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Forecast{}, err
	}
	if _, err := h.User(a.User); err != nil {
		return state.Forecast{Comment: fmt.Sprintf("User %s is not there, so it has no keys", a.User)}, nil
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Forecast{}, err
	}
	changes := f.take(keys)
	if changes.Len() == 0 {
		return state.Forecast{Comment: fmt.Sprintf("Key is already absent from user %s", a.User)}, nil
	}
	return state.Forecast{Pending: true, Changes: changes, Comment: fmt.Sprintf("Key %s for user %s is set for removal", a.Name, a.User)}, nil
}

// Apply removes them.
func (a *AuthAbsent) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	keys, err := a.keys(ctx, env)
	if err != nil {
		return state.Applied{}, err
	}
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return state.Applied{}, err
	}
	changes := f.take(keys)
	return state.Applied{Changes: changes, Comment: "Key removed"}, f.write(h)
}

// AuthManage keeps exactly the keys that are given.
type AuthManage struct {
	Auth
	Keys []string `arg:"ssh_keys,required" doc:"the keys, and no others"`
}

func authManageSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ssh_auth.manage",
		Doc:     "Keeps exactly the given keys of an account.",
		Example: "alice's keys:\n  ssh_auth.manage:\n    - user: alice\n    - ssh_keys:\n      - ssh-ed25519 AAAAC3Nza... alice@laptop",
		New:     func() modules.StateFunc { return &AuthManage{} },
	}
}

func (a *AuthManage) plan(h host.Reader) (*keyFile, *value.Dict, error) {
	f, err := open(h, a.User, a.Config)
	if err != nil {
		return nil, nil, err
	}
	var keys []authKey
	var errs []error
	for _, text := range a.Keys {
		k, err := a.keyOf(text)
		errs = append(errs, err)
		keys = append(keys, k)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, nil, err
	}
	changes := f.put(keys)
	var others []authKey
	for _, l := range f.lines {
		if k, ok := parseAuth(l); ok && !slices.ContainsFunc(keys, func(o authKey) bool { return o.key == k.key }) {
			others = append(others, k)
		}
	}
	gone := f.take(others)
	for k, v := range gone.All() {
		changes.SetStr(value.String(k), v)
	}
	return f, changes, nil
}

// Check says which keys would come and go.
func (a *AuthManage) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	_, changes, err := a.plan(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if changes.Len() == 0 {
		return state.Forecast{Comment: fmt.Sprintf("The keys of user %s are as they have to be", a.User)}, nil
	}
	return state.Forecast{Pending: true, Changes: changes, Comment: fmt.Sprintf("The keys of user %s are set to be changed", a.User)}, nil
}

// Apply writes the keys.
func (a *AuthManage) Apply(_ context.Context, _ *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	f, changes, err := a.plan(h)
	if err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: changes, Comment: fmt.Sprintf("The keys of user %s were changed", a.User)}, f.write(h)
}
