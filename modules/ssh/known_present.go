package ssh

import (
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// KnownPresent keeps a host's key known.
type KnownPresent struct {
	Known
	Key        string        `arg:"key" doc:"The key; asked of the host when not given, and then fingerprint has to be given."`
	Fingerpr   string        `arg:"fingerprint,word" doc:"The fingerprint that the host's key has to have."`
	Enc        string        `arg:"enc" doc:"The type of the key: ssh-rsa, ed25519, ..."`
	HashNames  bool          `arg:"hash_known_hosts" default:"true" doc:"Write the name of the host hashed."`
	Timeout    time.Duration `arg:"timeout" default:"5" doc:"Seconds to wait for the host."`
	FingerHash string        `arg:"fingerprint_hash_type,word" choices:"md5|sha1|sha256|sha384|sha512" doc:"Sha256 or md5; seen from the fingerprint itself."`
}

func knownPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "ssh_known_hosts.present",
		Doc:  "Keeps a host's key known. The key is given, or asked of the host and compared with a fingerprint.",
		Example: `github.com:
  ssh_known_hosts.present:
    - user: root
    - enc: ed25519
    - fingerprint: SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU`,
		New: func() modules.StateFunc { return &KnownPresent{} },
	}
}

// Validate wants a key, or what tells that a key is the right one. Salt differs: it takes any key of a host that it
// does not know.
func (k *KnownPresent) Validate() []modules.Fault {
	if words := strings.Fields(k.Key); len(words) == 1 && k.Enc == "" {
		return []modules.Fault{{Arg: "key", Msg: `Required argument "enc" if using "key" argument.`}}
	}
	if faults := k.Known.Validate(); faults != nil {
		return faults
	}
	if k.Key == "" && k.Fingerpr == "" {
		return []modules.Fault{{Arg: "key", Msg: "a key or a fingerprint is needed: a key that nobody vouches for is not " +
			"taken"}}
	}
	return nil
}

// have says whether the file knows the host with the wanted key.
func (k *KnownPresent) have(f *keyFile) bool {
	for _, l := range f.lines {
		known, ok := parseKnown(l)
		if !ok || !known.is(k.pattern()) || k.Enc != "" && known.kind != kindOf(k.Enc) {
			continue
		}
		if k.Key != "" && known.key == bare(k.Key) || k.Key == "" && matchesFingerprint(known.key, k.Fingerpr) {
			return true
		}
	}
	return false
}

// bare is the body of a key that may be given with its type and a comment.
func bare(key string) string {
	for _, w := range strings.Fields(key) {
		if strings.HasPrefix(w, "AAAA") {
			return w
		}
	}
	return strings.TrimSpace(key)
}

func matchesFingerprint(key, want string) bool {
	raw, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return false
	}
	want = strings.TrimSpace(want)
	sum := sha256.Sum256(raw)
	if strings.TrimRight(strings.TrimPrefix(want, "SHA256:"), "=") == base64.RawStdEncoding.EncodeToString(sum[:]) {
		return true
	}
	plain := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(strings.TrimPrefix(want, "MD5:"), "SHA256:"), ":", ""))
	old := md5.Sum(raw)
	return plain == hex.EncodeToString(old[:]) || plain == hex.EncodeToString(sum[:])
}

// Act writes the key in place of those of its type that the host had. Salt differs: it writes all keys that the host
// tells, of which one has the fingerprint; it hashes all names of the file; and it refuses a port together with hashed
// names.
func (k *KnownPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Effect{}, err
	}
	if k.have(f) {
		return state.Settled(fmt.Sprintf("Host %s is already in %s", k.Name, f.path)), nil
	}
	kind, key := kindOf(k.Enc), bare(k.Key)
	if words := strings.Fields(k.Key); len(words) > 1 && isKind(words[0]) {
		kind = words[0]
	}
	if key == "" {
		if kind, key, err = k.ask(ctx, h); err != nil {
			return state.Effect{}, err
		}
	}
	old, named := k.entries(f), value.DictOf("hostname", value.Str(k.Name), "enc", value.Str(kind), "key", value.Str(key))
	if k.Key == "" {
		named.SetStr("fingerprint", value.Str(fingerprint(key)))
	}
	if k.pattern() != k.Name {
		named.SetStr("port", value.Int(k.Port))
	}
	f.lines = slices.DeleteFunc(f.lines, func(l string) bool {
		known, ok := parseKnown(l)
		return ok && known.is(k.pattern()) && known.kind == kind
	})
	name := k.pattern()
	if k.HashNames {
		if name, err = hashed(name); err != nil {
			return state.Effect{}, err
		}
	}
	f.lines = append(f.lines, name+" "+kind+" "+key)
	return state.Effect{
		Changes: value.DictOf("old", old, "new", value.NewList(named)),
		Comment: fmt.Sprintf("%s's key saved to %s", k.Name, f.path),
		Preview: fmt.Sprintf("Key for %s is set to be added to %s", k.Name, f.path),
	}, f.write(h)
}

// ask scans the host for the key that has the fingerprint.
func (k *KnownPresent) ask(ctx context.Context, h host.Host) (kind, key string, err error) {
	args := []string{"ssh-keyscan", "-T", fmt.Sprint(max(1, int(k.Timeout.Seconds())))}
	if k.Port != 0 {
		args = append(args, "-p", fmt.Sprint(k.Port))
	}
	if k.Enc != "" {
		args = append(args, "-t", strings.TrimPrefix(strings.TrimPrefix(kindOf(k.Enc), "ssh-"), "ecdsa-sha2-nistp256"))
	}
	if k.Enc == "ecdsa" {
		args[len(args)-1] = "ecdsa"
	}
	out, err := h.Query(ctx, host.Cmd{Args: append(args, k.Name)})
	if err != nil {
		return "", "", fmt.Errorf("ask %s for its keys: %w", k.Name, err)
	}
	seen := 0
	for line := range strings.Lines(string(out.Stdout)) {
		known, ok := parseKnown(line)
		if !ok {
			continue
		}
		seen++
		if matchesFingerprint(known.key, k.Fingerpr) {
			return known.kind, known.key, nil
		}
	}
	if seen == 0 {
		return "", "", fmt.Errorf("%s did not tell its keys: %s", k.Name, strings.TrimSpace(string(out.Stderr)))
	}
	return "", "", errors.New("Remote host public key found but its fingerprint does not match one you have provided")
}
