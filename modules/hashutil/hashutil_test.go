package hashutil

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

// TestHashes holds the functions against what Python's hashlib, hmac and base64 give.
func TestHashes(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite("/etc/f", "hello", 0o644)
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{
		{"hashutil.md5_digest", `["hello"]`, "", "'5d41402abc4b2a76b9719d911017c592'"},
		{"hashutil.digest", `["hello", "sha1"]`, "", "'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d'"},
		{"hashutil.sha256_digest", `["hello"]`, "", "'2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'"},
		{"hashutil.digest", `["x", "nope"]`, "", "error: Hash func 'nope' is not supported."},
		{"hashutil.digest_file", `["/etc/f"]`, "", "'5d41402abc4b2a76b9719d911017c592'"},
		{"hashutil.base64_b64encode", `["get salted"]`, "", "'Z2V0IHNhbHRlZA=='"},
		{"hashutil.base64_b64decode", `["Z2V0IHNhbHRlZA=="]`, "", "'get salted'"},
		{"hashutil.base64_encodestring", `["get salted"]`, "", `'Z2V0IHNhbHRlZA==\n'`},
		{"hashutil.base64_decodestring", `["Z2V0IHNhbHRlZA==\n"]`, "", "'get salted'"},
		{"hashutil.base64_decodefile", `["Z2V0IHNhbHRlZA==\n", "/tmp/f"]`, "", "True"},
		{"hashutil.digest_file", `["/tmp/f"]`, "", "'2aacf29e92feaf528fb738bcf9d647ac'"},
		{"hashutil.base64_decodefile", `["Z2V0I", "/tmp/f"]`, "", "error: Incorrect padding"},
		{"hashutil.base64_encodefile", `["/etc/f"]`, "", `'aGVsbG8=\n'`},
		{"hashutil.hmac_signature", `["get salted", "shared secret", "eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ="]`, "",
			"True"},
		{"hashutil.hmac_signature", `["get salty", "shared secret", "eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ="]`, "",
			"False"},
		{"hashutil.hmac_compute", `["get salted", "shared secret"]`, "",
			"'78159ff5bb2d5e0f8d88fe403b0a690791ccbd989830fcc433d5b960c9bf0264'"},
	})
}
