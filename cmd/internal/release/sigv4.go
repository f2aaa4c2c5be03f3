package release

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Credentials are those of an S3 store.
type Credentials struct {
	ID, Secret, Token string // Token is "" for credentials that last
	Region            string
}

// sign signs a request as AWS has it, Signature Version 4: all of its headers, and the digest of its body.
func (c *Credentials) sign(req *http.Request, body Digest, now time.Time) {
	stamp := now.UTC().Format("20060102T150405Z")
	req.Header.Set("X-Amz-Date", stamp)
	req.Header.Set("X-Amz-Content-Sha256", body.Hex())
	if c.Token != "" {
		req.Header.Set("X-Amz-Security-Token", c.Token)
	}
	names := []string{"host"}
	values := map[string]string{"host": req.URL.Host}
	for name := range req.Header {
		lower := strings.ToLower(name)
		names = append(names, lower)
		values[lower] = strings.TrimSpace(req.Header.Get(name))
	}
	slices.Sort(names)
	var headers strings.Builder
	for _, name := range names {
		headers.WriteString(name + ":" + values[name] + "\n")
	}
	signed := strings.Join(names, ";")
	canonical := strings.Join([]string{req.Method, awsPath(req.URL), req.URL.RawQuery, headers.String(), signed,
		body.Hex()},
		"\n")
	scope := stamp[:8] + "/" + c.Region + "/s3/aws4_request"
	text := "AWS4-HMAC-SHA256\n" + stamp + "\n" + scope + "\n" + DigestOf([]byte(canonical)).Hex()
	key := []byte("AWS4" + c.Secret)
	for _, part := range []string{stamp[:8], c.Region, "s3", "aws4_request"} {
		key = mac(key, part)
	}
	req.Header.Set("Authorization", fmt.Sprintf("AWS4-HMAC-SHA256 Credential=%s/%s,SignedHeaders=%s,Signature=%s", c.ID,
		scope, signed, hex.EncodeToString(mac(key, text))))
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// awsPath is a path with all escaped but letters, digits and -._~/, as AWS wants it.
func awsPath(u *url.URL) string {
	var b strings.Builder
	for _, c := range []byte(u.Path) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
