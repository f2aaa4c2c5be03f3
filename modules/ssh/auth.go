package ssh

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
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
	Name    string   `arg:"name,required" doc:"The key: alone, or a whole line with type and comment."`
	User    string   `arg:"user,required" doc:"Whose account."`
	Enc     string   `arg:"enc" doc:"The type of the key: ssh-rsa, ed25519, ..."`
	Comment string   `arg:"comment" doc:"What is written behind the key."`
	Source  string   `arg:"source" doc:"A file with keys, in place of name."`
	Options []string `arg:"options" doc:"What the key may do: no-pty, command=\"...\"."`
	Config  string   `arg:"config" default:".ssh/authorized_keys" doc:"The file, below the home directory; %h and %u are replaced."`
	Hash    string   `arg:"fingerprint_hash_type" doc:"No effect."`
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
