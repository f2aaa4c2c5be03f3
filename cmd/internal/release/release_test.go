package release

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"
)

var day = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func testKey(b byte) (ed25519.PrivateKey, PublicKey) {
	k := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, 32))
	return k, PublicKey(k.Public().(ed25519.PublicKey))
}

func aRelease(sequence uint64) *Release {
	return &Release{Format: 1, Env: "prod", Sequence: sequence, Created: day, NotAfter: day.Add(24 * time.Hour),
		Tree: BlobOf([]byte("tree")), Pillars: BlobOf([]byte("pillars"))}
}

func signed(t *testing.T, change func(*Release), seed byte) []byte {
	t.Helper()
	r := aRelease(7)
	change(r)
	k, _ := testKey(seed)
	data, err := Sign(r, k)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestJudge: each reason to refuse a release, and what lets one through.
func TestJudge(t *testing.T) {
	_, public := testKey(1)
	same := func(*Release) {}
	good := signed(t, same, 1)
	twin := DigestOf([]byte("another document"))
	for name, c := range map[string]struct {
		signed []byte
		policy func(*Policy)
		at     time.Duration
		want   Kind
	}{
		"good":                  {signed: good},
		"seen before":           {signed: good, policy: func(p *Policy) { p.Seen = 7 }},
		"higher":                {signed: good, policy: func(p *Policy) { p.Seen = 6 }},
		"lower":                 {signed: good, policy: func(p *Policy) { p.Seen = 8 }, want: Older},
		"a twin":                {signed: good, policy: func(p *Policy) { p.Seen, p.Payload = 7, twin }, want: Twin},
		"other environment":     {signed: good, policy: func(p *Policy) { p.Env = "test" }, want: OtherEnv},
		"another key":           {signed: signed(t, same, 2), want: BadSignature},
		"no key":                {signed: good, policy: func(p *Policy) { p.Keys = nil }, want: BadSignature},
		"in its last hour":      {signed: good, at: 23 * time.Hour},
		"within the skew":       {signed: good, at: 24*time.Hour + 9*time.Minute},
		"ended":                 {signed: good, at: 25 * time.Hour, want: Expired},
		"a clock that is early": {signed: good, at: -48 * time.Hour},
		"newer program":         {signed: signed(t, func(r *Release) { r.MinVersion = "1.10.0" }, 1), want: TooNew},
		"old enough":            {signed: signed(t, func(r *Release) { r.MinVersion = "1.9.0" }, 1)},
		"HTML":                  {signed: []byte("<!doctype html><title>Sign in"), want: NoRelease},
		"nothing":               {signed: nil, want: NoRelease},
		"cut short":             {signed: good[:len(good)-9], want: NoRelease},
		"not signed":            {signed: bytes.Replace(good, []byte(`"sig":"`), []byte(`"gis":"`), 1), want: BadSignature},
		"another kind":          {signed: otherKind(t), want: NoRelease},
		"no release":            {signed: document(t, `{"format":1}`), want: NoRelease},
		"a later format":        {signed: document(t, `{"format":2,"new":1}`), want: NoRelease},
		"an unknown condition":  {signed: document(t, withKey(t, `"only_on":"mondays"`)), want: NoRelease},
	} {
		p := Policy{Env: "prod", Keys: []PublicKey{public}, Skew: 10 * time.Minute, Version: "1.9.3"}
		if c.policy != nil {
			c.policy(&p)
		}
		acc, err := p.Judge(c.signed, day.Add(c.at))
		var got Kind
		if f := FaultOf(err); f != nil {
			got = f.Kind
		}
		if got != c.want || (err == nil) != (acc != nil) {
			t.Errorf("%s: %v, not %q", name, err, c.want)
		}
		if c.at < 0 && acc.Note == "" {
			t.Errorf("%s: nothing is said of the clock", name)
		}
	}
}

func document(t *testing.T, text string) []byte {
	k, _ := testKey(1)
	out, err := SignDocument(PayloadType, []byte(text), k)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func otherKind(t *testing.T) []byte {
	k, _ := testKey(1)
	payload, _ := aRelease(7).Encode()
	out, err := SignDocument("application/vnd.gostate.job.v1+json", payload, k)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func withKey(t *testing.T, more string) string {
	payload, err := aRelease(7).Encode()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(payload), "}") + "," + more + "}"
}

// TestEnvelope: one bit elsewhere, in the document or the signature, is refused.
func TestEnvelope(t *testing.T) {
	_, public := testKey(1)
	good := signed(t, func(*Release) {}, 1)
	p := Policy{Env: "prod", Keys: []PublicKey{public}}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1
		acc, err := p.Judge(bad, day)
		if err == nil && !cmp.Equal(acc.Release, aRelease(7)) {
			t.Fatalf("byte %d: %v was let through", i, acc.Release)
		}
	}
}

func TestKeyFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "release.key")
	ask := func(string) (string, error) { return "open", nil }
	for _, passphrase := range []string{"", "open"} {
		data, public, err := newKey(passphrase, 4)
		if err != nil || os.WriteFile(file, data, 0o600) != nil {
			t.Fatal(err)
		}
		private, err := ReadKey(file, ask)
		if err != nil {
			t.Fatal(err)
		}
		read, err := ParseKey(public.String())
		if err != nil || !sameKey(read, private) {
			t.Errorf("%v: another key was read", err)
		}
	}
	if _, err := ReadKey(file, func(string) (string, error) { return "shut", nil }); err == nil ||
		!strings.Contains(err.Error(), "passphrase") {
		t.Errorf("a wrong passphrase: %v", err)
	}
	os.Chmod(file, 0o644)
	if _, err := ReadKey(file, ask); err == nil || !strings.Contains(err.Error(), "open to others") {
		t.Errorf("an open key: %v", err)
	}
	os.WriteFile(file, []byte("-----BEGIN PRIVATE KEY-----\n"), 0o600)
	os.Chmod(file, 0o600)
	if _, err := ReadKey(file, ask); err == nil || !strings.Contains(err.Error(), "no ed25519 key") {
		t.Errorf("no key: %v", err)
	}
}

func sameKey(public PublicKey, private ed25519.PrivateKey) bool {
	return ed25519.PublicKey(public).Equal(private.Public())
}

// aLayout packs a tree and a pillar for web1, signed, into a directory.
func aLayout(t *testing.T, sequence uint64) (Dir, *Release, *age.X25519Identity) {
	t.Helper()
	src, d := t.TempDir(), Dir{t.TempDir()}
	for name, text := range map[string]string{"top.sls": "base: {'*': [web]}", "web/init.sls": "a:\n  test.nop: []"} {
		os.MkdirAll(filepath.Dir(filepath.Join(src, name)), 0o755)
		os.WriteFile(filepath.Join(src, name), []byte(text), 0o644)
	}
	tree, err := ReadTree([]Root{{"base", src}})
	if err != nil {
		t.Fatal(err)
	}
	var zip bytes.Buffer
	if err := tree.Write(&zip); err != nil {
		t.Fatal(err)
	}
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := Seal(&Sealed{ID: "web1", Pillar: "password: canary"}, id.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	index, shards, err := NewPillars(map[string][]byte{"web1": sealed})
	if err != nil {
		t.Fatal(err)
	}
	r := aRelease(sequence)
	r.Tree, r.Pillars = BlobOf(zip.Bytes()), BlobOf(index)
	k, _ := testKey(1)
	p, err := Sign(r, k)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(context.Background(), d, p, append([][]byte{zip.Bytes(), index}, shards...)); err != nil {
		t.Fatal(err)
	}
	return d, r, id
}

// TestTransfer: what was pushed is all there, twice changes nothing, a lower sequence and a conflict are refused, and
// what is secret is in no file.
func TestTransfer(t *testing.T) {
	ctx := context.Background()
	from, r, id := aLayout(t, 7)
	to := Dir{filepath.Join(t.TempDir(), "new")}
	os.MkdirAll(to.Path, 0o755)
	for range 2 {
		if _, err := Transfer(ctx, from, to, "prod"); err != nil {
			t.Fatal(err)
		}
	}
	data, err := SealedOf(ctx, to, r, "web1")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Unseal(data, "web1", id)
	if err != nil || s.Pillar != "password: canary" {
		t.Fatalf("the pillar is %v, %v", s, err)
	}
	if _, err := SealedOf(ctx, to, r, "web2"); !errors.Is(err, ErrNone) {
		t.Errorf("a machine that is not there: %v", err)
	}
	older, _, _ := aLayout(t, 6)
	if _, err := Transfer(ctx, older, to, "prod"); err == nil || !strings.Contains(err.Error(), "not above 7") {
		t.Errorf("an older release: %v", err)
	}
	if err := to.PutPointer(ctx, Push{Release: r, Signed: []byte("x")}, []byte("y")); !errors.Is(err, ErrConflict) {
		t.Errorf("another pointer than was: %v", err)
	}
	filepath.WalkDir(to.Path, func(p string, _ os.DirEntry, _ error) error {
		if text, _ := os.ReadFile(p); bytes.Contains(text, []byte("canary")) {
			t.Errorf("%s holds the pillar", p)
		}
		return nil
	})
	for _, need := range []string{"oci-layout", "index.json", "env/prod.json"} {
		if _, err := os.Stat(filepath.Join(to.Path, need)); err != nil {
			t.Error(err)
		}
	}
}

// broken is a source that goes wrong in a way.
type broken struct {
	Dir
	how   string
	calls *int
}

func (b broken) Blob(ctx context.Context, blob Blob, offset int64) (io.ReadCloser, error) {
	*b.calls++
	if b.how == "no resume" && offset > 0 {
		return nil, ErrNoResume
	}
	r, err := b.Dir.Blob(ctx, blob, offset)
	if err != nil {
		return nil, err
	}
	data, _ := io.ReadAll(r)
	switch b.how {
	case "HTML":
		data = []byte("<html>sign in</html>" + strings.Repeat(" ", int(blob.Size)))
	case "other content":
		data[len(data)-1] ^= 1
	case "longer":
		data = append(data, 1)
	case "drops", "no resume":
		if *b.calls < 3 {
			data = data[:len(data)/2]
		}
	case "always short":
		data = data[:0]
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// TestFetch: a download that stops goes on, and nothing else than the blob is ever taken.
func TestFetch(t *testing.T) {
	d, r, _ := aLayout(t, 7)
	for how, want := range map[string]string{
		"": "", "drops": "", "no resume": "", "HTML": "a page of HTML", "other content": "another digest",
		"longer": "longer than", "always short": "cut short",
	} {
		path, calls := filepath.Join(t.TempDir(), "blob"), 0
		err := Fetch(context.Background(), broken{d, how, &calls}, r.Tree, path)
		_, there := os.Stat(path)
		if (err == nil) != (want == "") || (there == nil) != (want == "") || err != nil &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, not %q; %v", how, err, want, there)
		}
		if err == nil {
			continue
		}
		if err := Fetch(context.Background(), d, r.Tree, path); err != nil {
			t.Errorf("%q, and then a source that is well: %v", how, err)
		}
	}
}
