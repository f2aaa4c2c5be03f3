package ssh

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
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

// String is the line as Salt writes it: a key without a comment ends in a space.
func (k authKey) String() string {
	text := k.kind + " " + k.key + " " + k.comment
	if k.options != "" {
		return k.options + " " + text
	}
	return text
}

// Auth are the arguments that say which keys and where.
type Auth struct {
	Name    string   `arg:"name,required,trimmed" doc:"The key: alone, or a whole line with type and comment."`
	User    string   `arg:"user,required,file" doc:"Whose account."`
	Enc     string   `arg:"enc" doc:"The type of the key: ssh-rsa, ed25519, ..."`
	Comment string   `arg:"comment" doc:"What is written behind the key."`
	Source  string   `arg:"source,path" doc:"A file with keys, in place of name."`
	Options []string `arg:"options" doc:"What the key may do: no-pty, command=\"...\"."`
	Config  string   `arg:"config,path" default:".ssh/authorized_keys" doc:"The file, below the home directory; %h and %u are replaced."`
	Hash    string   `arg:"fingerprint_hash_type,word" doc:"No effect."`
}

// keys are the keys that the state is about.
func (a *Auth) keys(ctx context.Context, env *modules.Env) ([]authKey, error) {
	if a.Source == "" {
		k, err := a.keyOf(a.Name)
		return []authKey{k}, err
	}
	data, err := env.Files.Fetch(ctx, a.Source, env.Low.SourceEnv())
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
		if len(words) == 0 {
			return k, errors.New("a key is empty")
		}
		k = authKey{kind: kindOf(a.Enc), key: words[0], comment: strings.Join(words[1:], " ")}
	}
	digits := regexp.MustCompile(`^[A-Za-z0-9+/]*={0,2}$`) // as Python takes base64: with padding that need not fit
	if _, err := value.DecodeBase64(k.key); err != nil || !digits.MatchString(k.key) {
		return k, errors.New("Invalid public ssh key, most likely has spaces or invalid syntax") //nolint:staticcheck // Salt's words
	}
	if !isKind(k.kind) {
		return k, fmt.Errorf("Incorrect encryption key type '%s'.", k.kind) //nolint:staticcheck // Salt's words
	}
	if a.Comment != "" && k.comment == "" {
		k.comment = a.Comment
	}
	if len(a.Options) > 0 && k.options == "" {
		k.options = strings.Join(a.Options, ",")
	}
	return k, nil
}

// told are the changes as Salt shows them: of the key, or of a source as a whole.
func (a *Auth) told(changes *value.Dict, greatest string) *value.Dict {
	if a.Source == "" || changes.Len() == 0 {
		return changes
	}
	word := changes.At(0).Val
	for _, v := range changes.All() {
		if value.String(v) == greatest {
			word = v
		}
	}
	return value.DictOf(a.Name, word)
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
