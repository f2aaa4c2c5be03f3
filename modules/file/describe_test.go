package file

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func grown(t *testing.T) *hosttest.Memory {
	h := hosttest.NewMemory()
	h.AddUser("yes", 1500)
	h.MustWrite("/etc/motd", "a: b # {{ x }}\n\n\ttab \n", 0o644)
	h.MustWrite("/etc/cut", "no end", 0o4755)
	h.MustWrite("/etc/empty", "", 0o600)
	h.MustWrite("/etc/crlf", "a\r\nb\r\n", 0o644)
	h.MustWrite("/etc/binary", "\xff\x00", 0o640)
	h.MustWrite("/etc/large", strings.Repeat("x\n", inlineMost), 0o644)
	h.MustWrite("/etc/secret", "s3cret\n", 0o600)
	h.MustWrite("/etc/key.pem", "-----BEGIN RSA PRIVATE KEY-----\nx\n", 0o644)
	h.MustWrite("/etc/[x]", "x\n", 0o644)
	if err := h.Symlink("motd", "/etc/link"); err != nil {
		t.Fatal(err)
	}
	if err := h.Mknod("/etc/fifo", fs.ModeNamedPipe, 0, 0, host.Attr{Mode: 0o660, HasMode: true}); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{"/etc/motd", "/etc/link"} {
		if err := h.Chown(p, 1500, 7777); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func TestDescribe(t *testing.T) {
	named := func(names ...string) func(*modules.Look) { return func(l *modules.Look) { l.Names = names } }
	copied := func(l *modules.Look) {
		l.Names = []string{"/etc/binary", "/etc/large", "/etc/secret"}
		l.Copy = func(path string) (string, error) { return "salt://x" + path, nil }
	}
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"text", named("/etc/motd", "/etc/cut", "/etc/empty", "/etc/[x]"), []string{
			`file.managed /etc/motd user='yes' group='7777' mode='0644' contents='a: b # {{ x }}\n\n\ttab \n'`,
			`file.managed /etc/cut user='root' group='root' mode='4755' contents='no end' contents_newline=False`,
			`file.managed /etc/empty user='root' group='root' mode='0600' contents=''`,
			`file.managed /etc/[x] user='root' group='root' mode='0644' contents='x\n'`}},
		{"others", named("/etc/link", "/etc/fifo", "/etc/"), []string{
			"file.symlink /etc/link target='motd' user='yes' group='7777'",
			"file.mknod /etc/fifo user='root' group='root' mode='0660' ntype='p'",
			"file.directory /etc user='root' group='root' mode='0755'"}},
		{"not inline", named("/etc/crlf", "/etc/b*", "/etc/secret", "/etc/key.pem"), []string{
			"# the content (6 bytes) is not for an SLS: --files DIR keeps a copy, and names it as the source",
			"file.managed /etc/crlf user='root' group='root' mode='0644' replace=False create=False",
			"# the content (2 bytes) is not for an SLS: --files DIR keeps a copy, and names it as the source",
			"file.managed /etc/binary user='root' group='root' mode='0640' replace=False create=False",
			"# the content is left out, since only its owner may read it: --show-secrets tells it",
			"file.managed /etc/secret user='root' group='root' mode='0600' replace=False create=False",
			"# the content is left out, since it is a private key: --show-secrets tells it",
			"file.managed /etc/key.pem user='root' group='root' mode='0644' replace=False create=False"}},
		{"copies", copied, []string{
			"file.managed /etc/binary user='root' group='root' mode='0640' source='salt://x/etc/binary'",
			"file.managed /etc/large user='root' group='root' mode='0644' source='salt://x/etc/large'",
			"# the content is left out, since only its owner may read it: --show-secrets tells it",
			"file.managed /etc/secret user='root' group='root' mode='0600' replace=False create=False"}},
		{"secrets", func(l *modules.Look) { l.Names, l.Secrets = []string{"/etc/secret"}, true }, []string{
			`file.managed /etc/secret user='root' group='root' mode='0600' contents='s3cret\n'`}},
		{"absent", named("/etc/none", "/etc/none*"), []string{"file.absent /etc/none", "missing: /etc/none"}},
		{"no path", named("motd"), []string{`error: "motd" is no absolute path`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), grown(t), "file", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// FuzzDescribe: whatever a file holds, the state that tells of it changes nothing.
func FuzzDescribe(f *testing.F) {
	f.Add("a\n\n", uint16(0o644))
	f.Add("\x0c\u2028x\r", uint16(0o7777))
	f.Fuzz(func(t *testing.T, text string, mode uint16) {
		h := hosttest.NewMemory()
		h.MustWrite("/etc/x", text, uint32(mode&0o7777))
		if got := modtest.Describe(t, Family(), h, "file",
			func(l *modules.Look) { l.Names = []string{"/etc/x"} }); len(got) == 0 {
			t.Error("it is not told")
		}
	})
}
