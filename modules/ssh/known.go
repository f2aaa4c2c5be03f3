package ssh

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
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

// Known are the arguments that say which host and where.
type Known struct {
	Name   string `arg:"name,required" doc:"the host"`
	User   string `arg:"user" doc:"whose known hosts; the machine's own when not given"`
	Config string `arg:"config" doc:"the file; .ssh/known_hosts of the user, or /etc/ssh/ssh_known_hosts"`
	Port   int    `arg:"port" doc:"the port, where it is not 22"`
}

// Locks keeps other changes of the files out.
func (*Known) Locks() []string { return []string{"ssh"} }

func (k *Known) open(h host.Reader) (*keyFile, error) {
	switch {
	case k.User == "" && k.Config == "":
		return readFile(h, "/etc/ssh/ssh_known_hosts", host.User{UID: -1, GID: -1})
	case k.User == "":
		return readFile(h, k.Config, host.User{UID: -1, GID: -1})
	case k.Config == "":
		return open(h, k.User, ".ssh/known_hosts")
	}
	return open(h, k.User, k.Config)
}

// pattern is how the file names the host.
func (k *Known) pattern() string {
	if k.Port != 0 && k.Port != 22 {
		return fmt.Sprintf("[%s]:%d", k.Name, k.Port)
	}
	return k.Name
}

// A knownKey is one line: names type key.
type knownKey struct{ names, kind, key string }

func parseKnown(line string) (k knownKey, ok bool) {
	f := strings.Fields(line)
	if len(f) < 3 || strings.HasPrefix(f[0], "#") || strings.HasPrefix(f[0], "@") {
		return k, false
	}
	return knownKey{f[0], f[1], f[2]}, true
}

// is says whether the line names the host; hashed names are recomputed.
func (k knownKey) is(pattern string) bool {
	if rest, ok := strings.CutPrefix(k.names, "|1|"); ok {
		salt64, sum64, _ := strings.Cut(rest, "|")
		salt, err1 := base64.StdEncoding.DecodeString(salt64)
		sum, err2 := base64.StdEncoding.DecodeString(sum64)
		return err1 == nil && err2 == nil && hmac.Equal(sum, nameHash(salt, pattern))
	}
	return slices.Contains(strings.Split(k.names, ","), pattern)
}

func nameHash(salt []byte, pattern string) []byte {
	m := hmac.New(sha1.New, salt)
	m.Write([]byte(pattern))
	return m.Sum(nil)
}

func hashed(pattern string) (string, error) {
	salt := make([]byte, sha1.Size)
	if _, err := rand.Read(salt); err != nil {
		return "", fmt.Errorf("make a salt: %w", err)
	}
	e := base64.StdEncoding.EncodeToString
	return "|1|" + e(salt) + "|" + e(nameHash(salt, pattern)), nil
}

// KnownPresent keeps a host's key known. It is no FileEffect: its Apply may ask the host, which a preview does not.
type KnownPresent struct {
	Known
	Key        string        `arg:"key" doc:"the key; asked of the host when not given, and then fingerprint has to be given"`
	Fingerpr   string        `arg:"fingerprint" doc:"the fingerprint that the host's key has to have"`
	Enc        string        `arg:"enc" doc:"the type of the key: ssh-rsa, ed25519, ..."`
	HashNames  bool          `arg:"hash_known_hosts" default:"true" doc:"write the name of the host hashed"`
	Timeout    time.Duration `arg:"timeout" default:"5" doc:"seconds to wait for the host"`
	FingerHash string        `arg:"fingerprint_hash_type" doc:"sha256 or md5; seen from the fingerprint itself"`
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

// Validate wants a key, or what tells that a key is the right one.
func (k *KnownPresent) Validate() []modules.Fault {
	if k.Key == "" && k.Fingerpr == "" {
		return []modules.Fault{{Arg: "key", Msg: "a key or a fingerprint is needed: a key that nobody vouches for is not taken"}}
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

// Check says whether the key would be added or replaced.
func (k *KnownPresent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if k.have(f) {
		return state.Forecast{Comment: fmt.Sprintf("Host %s is already in %s", k.Name, f.path)}, nil
	}
	return state.Forecast{Pending: true, Comment: fmt.Sprintf("Key for %s is set to be added to %s", k.Name, f.path),
		Changes: value.DictOf(k.Name, value.Str("set to be added"))}, nil
}

// Apply writes the key in place of those of its type that the host had.
func (k *KnownPresent) Apply(ctx context.Context, _ *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Applied{}, err
	}
	kind, key := kindOf(k.Enc), bare(k.Key)
	if words := strings.Fields(k.Key); len(words) > 1 && isKind(words[0]) {
		kind = words[0]
	}
	if key == "" {
		if kind, key, err = k.ask(ctx, h); err != nil {
			return state.Applied{}, err
		}
	}
	f.lines = slices.DeleteFunc(f.lines, func(l string) bool {
		known, ok := parseKnown(l)
		return ok && known.is(k.pattern()) && known.kind == kind
	})
	name := k.pattern()
	if k.HashNames {
		if name, err = hashed(name); err != nil {
			return state.Applied{}, err
		}
	}
	f.lines = append(f.lines, name+" "+kind+" "+key)
	changes := value.DictOf("old", value.None, "new", value.NewList(value.DictOf("hostname", value.Str(k.Name), "enc", value.Str(kind), "key", value.Str(key))))
	return state.Applied{Changes: changes, Comment: fmt.Sprintf("%s's key saved to %s", k.Name, f.path)}, f.write(h)
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

// KnownAbsent keeps a host unknown.
type KnownAbsent struct{ Known }

func knownAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "ssh_known_hosts.absent",
		Doc:     "Keeps a host's keys out of the known ones.",
		Example: "old.example.org:\n  ssh_known_hosts.absent:\n    - user: root",
		New:     func() modules.StateFunc { return &KnownAbsent{} },
	}
}

// OnlyFiles: known hosts are a file.
func (*KnownAbsent) OnlyFiles() {}

// drop removes the host's lines and says how many there were.
func (k *KnownAbsent) drop(f *keyFile) int {
	n := len(f.lines)
	f.lines = slices.DeleteFunc(f.lines, func(l string) bool { known, ok := parseKnown(l); return ok && known.is(k.pattern()) })
	return n - len(f.lines)
}

// Check says whether keys would be removed.
func (k *KnownAbsent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if k.drop(f) == 0 {
		return state.Forecast{Comment: "Host is already absent"}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(k.Name, value.Str("removed")), Comment: fmt.Sprintf("Key for %s is set to be removed from %s", k.Name, f.path)}, nil
}

// Apply removes them.
func (k *KnownAbsent) Apply(_ context.Context, _ *modules.Env, h host.Host, fc state.Forecast) (state.Applied, error) {
	f, err := k.open(h)
	if err != nil {
		return state.Applied{}, err
	}
	k.drop(f)
	return state.Applied{Changes: fc.Changes, Comment: fmt.Sprintf("%s's key removed from %s", k.Name, f.path)}, f.write(h)
}
