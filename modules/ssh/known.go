package ssh

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Known are the arguments that say which host and where.
type Known struct {
	Name   string `arg:"name,required,word" doc:"The host."`
	User   string `arg:"user,file" doc:"Whose known hosts; the machine's own when not given."`
	Config string `arg:"config,path" doc:"The file; .ssh/known_hosts of the user, or /etc/ssh/ssh_known_hosts."`
	Port   int    `arg:"port" doc:"The port, where it is not 22."`
}

// Validate refuses a path that is nobody's.
func (k *Known) Validate() []modules.Fault {
	if k.User == "" && k.Config != "" && !path.IsAbs(k.Config) {
		return []modules.Fault{{Arg: "config", Msg: `If not specifying a "user", specify an absolute "config".`}}
	}
	return nil
}

// entries are what the file has of the host, as Salt shows it; None for nothing.
func (k *Known) entries(f *keyFile) value.Value {
	out := value.NewList()
	for _, l := range f.lines {
		if known, ok := parseKnown(l); ok && known.is(k.pattern()) {
			out.Items = append(out.Items, value.DictOf("hostname", value.Str(known.names), "key", value.Str(known.key), "enc",
				value.Str(known.kind),
				"fingerprint", value.Str(fingerprint(known.key))))
		}
	}
	if len(out.Items) == 0 {
		return value.None
	}
	return out
}

// fingerprint is the SHA-256 of a key, with colons.
func fingerprint(key string) string {
	raw, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(raw)
	return strings.ReplaceAll(fmt.Sprintf("% x", sum), " ", ":")
}

// open reads the file. A new one is closed to others, the machine's own not more than that.
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
