package ssh

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Programs are the binaries of gostate, one for each kind of machine. Each is read, hashed and compressed once.
type Programs struct {
	// Dir holds those of other machines, as a release has them: gostate-VERSION-linux-arm64.
	Dir string

	mu   sync.Mutex // guards made
	made map[string]*program
}

// A program is one of them.
type program struct {
	once   sync.Once
	hash   string
	packed []byte
	err    error
}

// archOf is the name that a release has for what `uname -m` says; "" for one that there is none for.
func archOf(machine string) string {
	switch {
	case machine == "x86_64" || machine == "amd64":
		return "amd64"
	case machine == "aarch64" || machine == "arm64":
		return "arm64"
	case strings.HasPrefix(machine, "armv7") || machine == "armv8l" || machine == "arm":
		return "armv7"
	}
	return machine
}

// of is the program for a kind of machine.
func (p *Programs) of(machine string) (*program, error) {
	arch := archOf(machine)
	p.mu.Lock()
	if p.made == nil {
		p.made = map[string]*program{}
	}
	got := p.made[arch]
	if got == nil {
		got = &program{}
		p.made[arch] = got
	}
	p.mu.Unlock()
	got.once.Do(func() { got.err = got.load(p, arch) })
	return got, got.err
}

func (g *program) load(p *Programs, arch string) error {
	file, err := p.find(arch)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return &Fault{Msg: "the program for it cannot be read", Heard: err.Error()}
	}
	sum := sha256.Sum256(raw)
	g.hash = hex.EncodeToString(sum[:])
	g.packed, err = packed(raw, g.hash)
	return err
}

// find is the file of the program: this one, or one of the directory.
func (p *Programs) find(arch string) (string, error) {
	own := archOf(runtime.GOARCH) == arch && runtime.GOOS == "linux"
	if own && p.Dir == "" {
		return os.Executable()
	}
	dir, pattern := p.dir(), "gostate*linux-"+arch
	for _, name := range []string{pattern, "gostate-" + arch} {
		found, _ := filepath.Glob(filepath.Join(dir, name))
		if slices.Sort(found); len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	if own {
		return os.Executable()
	}
	return "", &Fault{Msg: fmt.Sprintf("it is a machine of another kind (%s), and there is no gostate for it in %s", arch,
		dir), Hint: "put the release's gostate-VERSION-linux-" + arch + " there (make release makes it), or name its " +
		"directory with --binaries"}
}

// dir is where programs for other machines are: as given, else beside this one.
func (p *Programs) dir() string {
	if p.Dir != "" {
		return p.Dir
	}
	exe, err := os.Executable()
	if err != nil {
		return "."
	}
	return filepath.Dir(exe)
}

// packed is the program as it is sent. What was packed once is kept in the user's cache, under its hash.
func packed(raw []byte, hash string) ([]byte, error) {
	dir, err := os.UserCacheDir()
	kept := filepath.Join(dir, "gostate", hash+".gz")
	if err == nil {
		if b, err := os.ReadFile(kept); err == nil && unpacks(b, hash) {
			return b, nil
		}
	}
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if _, err := z.Write(raw); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	if err == nil && os.MkdirAll(filepath.Dir(kept), 0o700) == nil {
		part := fmt.Sprintf("%s.%d", kept, os.Getpid())
		if os.WriteFile(part, b.Bytes(), 0o600) != nil || os.Rename(part, kept) != nil {
			_ = os.Remove(part) // it is packed again the next time
		}
	}
	return b.Bytes(), nil
}

// unpacks says whether it is the program of the hash.
func unpacks(b []byte, hash string) bool {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return false
	}
	sum := sha256.New()
	_, err = io.Copy(sum, z)
	return err == nil && hex.EncodeToString(sum.Sum(nil)) == hash
}

// putLine takes the program from standard input: under a temporary name, until its hash is right. Programs that were
// not used for a month go.
const putLine = `sh -c 'LC_ALL=C; export LC_ALL; umask 077; d=$1; h=$2; t=$d/part-$$; ` +
	`trap "rm -f $t" EXIT; find "$d" -name "gostate-*" -mtime +30 -exec rm -f {} + 2>/dev/null; ` +
	`gzip -dc >"$t" || exit 3; s=$(sha256sum "$t" 2>/dev/null || openssl dgst -r -sha256 "$t") || exit 4; ` +
	`[ "${s%% *}" = "$h" ] || exit 5; chmod 700 "$t" && mv -f "$t" "$d/gostate-$h" && echo "$3 put"' -- `

// put sends the program, where it is not there yet, and gives its path.
func (c *conn) put(ctx context.Context, m *machine, g *program) (string, error) {
	at := m.dir + "/gostate-" + g.hash
	if m.has(g.hash) {
		return at, nil
	}
	mark := newMark()
	cmd := c.command(ctx, putLine+quoted(m.dir)+" "+g.hash+" "+mark)
	cmd.Stdin = bytes.NewReader(g.packed)
	var out, heard bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &heard
	err := cmd.Run()
	if err == nil && strings.Contains(out.String(), mark+" put") {
		return at, nil
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	f := &Fault{Msg: "the program cannot be sent", Heard: lastLine(heard.String())}
	switch code := exitCode(cmd); {
	case code == 3 && strings.Contains(heard.String(), "No space left"):
		f.Msg, f.Hint = "its disk is full: the program does not fit into "+m.dir, "it needs 40 MB there"
	case code == 3:
		f.Hint = "gzip must be there"
	case code == 4:
		f.Hint = "sha256sum or openssl must be there"
	case code == 5:
		f.Msg = "the program came over damaged"
	case code == 255:
		return "", c.unreached(heard.String())
	}
	return "", f
}

func (m *machine) has(hash string) bool { return slices.Contains(m.have, hash) }

// quoted is a path in single quotes, for any shell. The script's own paths hold none.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", "") + "'" }
