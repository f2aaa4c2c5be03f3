package compile

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/gostate/gostate/sls/puppet/pkcs7"
	"github.com/gostate/gostate/sls/puppet/types"
)

var encrypted = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`ENC\[(\w+),([A-Za-z0-9+/=\s]+)\]`) })

// decrypted opens what is encrypted in a value: ENC[PKCS7,...], as hiera-eyaml writes it.
func (c *Compiler) decrypted(h *hiera, l *level, file string, v any) any {
	switch x := v.(type) {
	case string:
		if !strings.Contains(x, "ENC[") {
			return x
		}
		return encrypted().ReplaceAllStringFunc(x, func(m string) string { return c.open(h, l, file, m) })
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = c.decrypted(h, l, file, x[i])
		}
		return out
	case *types.Hash:
		out := types.NewHash()
		for k, e := range x.All() {
			out.Set(c.decrypted(h, l, file, k), c.decrypted(h, l, file, e))
		}
		return out
	}
	return v
}

// open decrypts one text; that it is secret is told to who asked for that.
func (c *Compiler) open(h *hiera, l *level, file, text string) string {
	m := encrypted().FindStringSubmatch(text)
	if m[1] != "PKCS7" {
		c.plainly("A value of %s is encrypted with %s, which is not known here (PKCS7 is)", file, m[1])
	}
	if l.privateKey == "" {
		c.plainly("A value of %s is encrypted, and the level '%s' of %s names no pkcs7_private_key", file, l.name,
			path.Join(h.dir, "hiera.yaml"))
	}
	key, err := c.readKey(h, l.privateKey)
	if err != nil {
		c.plainly("The key of encrypted values cannot be used: %v", err)
	}
	plain, err := pkcs7.Open(m[2], key)
	if err != nil {
		c.plainly("A value of %s cannot be decrypted with %s: %v", file, l.privateKey, err)
	}
	if c.opts.Secret != nil {
		c.opts.Secret(plain)
	}
	return plain
}

// readKey reads a private key, once.
func (c *Compiler) readKey(h *hiera, file string) (*pkcs7.Key, error) {
	if !path.IsAbs(file) {
		file = path.Join(h.dir, file)
	}
	if k := c.keys[file]; k != nil {
		return k, nil
	}
	text, err := c.opts.Read(file)
	if err != nil {
		return nil, err
	}
	k, err := pkcs7.ReadKey(file, text)
	if err == nil {
		c.keys[file] = k
	}
	return k, err
}
