package pack

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/roots"
)

// A site is an operator's files.
type site struct {
	t   *testing.T
	dir string
	id  *age.X25519Identity
}

func newSite(t *testing.T, files map[string]string) *site {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t, t.TempDir(), id}
	for name, text := range files {
		p := filepath.Join(s.dir, name)
		if os.MkdirAll(filepath.Dir(p), 0o755) != nil || os.WriteFile(p, []byte(text), 0o644) != nil {
			t.Fatal(p)
		}
	}
	return s
}

func (s *site) packer(ids ...string) *Packer {
	p := &Packer{Options: session.Options{ConfigDir: filepath.Join(s.dir, "etc"), Root: "/"}, Scratch: s.t.TempDir(),
		Files:    []roots.EnvDirs{{Env: "base", Dirs: []string{filepath.Join(s.dir, "salt")}}},
		Pillars:  []roots.EnvDirs{{Env: "base", Dirs: []string{filepath.Join(s.dir, "pillar")}}},
		GrainsOf: Inventory(filepath.Join(s.dir, "inv")).GrainsOf}
	for _, id := range ids {
		p.Nodes = append(p.Nodes, release.Node{ID: id, Age: []string{s.id.Recipient().String()}})
	}
	return p
}

func aRelease() release.Release {
	created, ends := Until(time.Now(), time.Hour)
	return release.Release{Env: "prod", Sequence: 1, Created: created, NotAfter: ends}
}

// sealed packs, and opens what is for a machine.
func (s *site) sealed(p *Packer, id string) (*release.Sealed, *Packed) {
	s.t.Helper()
	packed, err := p.Pack(context.Background(), aRelease())
	if err != nil {
		s.t.Fatal(err)
	}
	to := release.Dir{Path: s.t.TempDir()}
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32))
	if err := packed.Sign(context.Background(), to, key); err != nil {
		s.t.Fatal(err)
	}
	data, err := release.SealedOf(context.Background(), to, packed.Release, id)
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := release.Unseal(data, id, s.id)
	if err != nil {
		s.t.Fatal(err)
	}
	return out, packed
}

func twoMachines() map[string]string {
	return map[string]string{
		"salt/top.sls":      "base: {'*': [web]}",
		"salt/web.sls":      "a:\n  test.succeed_without_changes:\n    - comment: {{ pillar['port'] }}\n",
		"pillar/top.sls":    "base: {'*': [all]}",
		"pillar/all.sls":    "port: 80\n8080: int\n'on': 'yes'\nday: '2026-01-02'\nos: {{ grains['os'] }}\n",
		"inv/web1.json":     `{"local": {"os": "Debian", "kernel": "Linux", "id": "web1"}}`,
		"inv/web2/0.json":   `{"node": "web2", "grains": {"os": "Plan 9"}}`,
		"inv/web2/1.json":   `{"node": "web2", "grains": {"os": "Gentoo", "id": "web2"}}`,
		"inv/web2/2.json":   `{"node": "web2"}`,
		"inv/web2/bad.json": `{`,
	}
}

// TestPack: each machine's pillar is its own, with the types of its keys and the grains that it was made for.
func TestPack(t *testing.T) {
	s := newSite(t, twoMachines())
	p := s.packer("web1", "web2")
	p.Nodes = append(p.Nodes, release.Node{ID: "other", Env: "test"})
	out, packed := s.sealed(p, "web2")
	want := "port: 80\n8080: int\n'on': 'yes'\nday: '2026-01-02'\nos: Gentoo\n"
	if diff := cmp.Diff(want, out.Pillar); diff != "" {
		t.Error(diff)
	}
	if string(out.Grains["os"]) != `"Gentoo"` || out.Grains["kernel"] != nil {
		t.Errorf("grains: %s", out.Grains)
	}
	if packed.States != 2 || len(packed.Left) != 1 || packed.Left[0] != "other" {
		t.Errorf("%d states, left %v", packed.States, packed.Left)
	}
}

// TestSameTree: the same files are the same tree, whoever packs them.
func TestSameTree(t *testing.T) {
	a, b := newSite(t, twoMachines()), newSite(t, twoMachines())
	_, first := a.sealed(a.packer("web1"), "web1")
	_, second := b.sealed(b.packer("web1"), "web1")
	if first.Release.Tree != second.Release.Tree {
		t.Errorf("%v and %v", first.Release.Tree, second.Release.Tree)
	}
}

// TestHidden: what is encrypted in the operator's pillar is opened for the machine, and stays hidden there.
func TestHidden(t *testing.T) {
	s := newSite(t, twoMachines())
	file := filepath.Join(s.dir, "etc", "age.key")
	os.MkdirAll(filepath.Dir(file), 0o755)
	if err := os.WriteFile(file, []byte(s.id.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := s.packer("web1")
	p.Options.ConfigDirSet = true
	look, err := session.Look(&session.Process{}, p.Options)
	if err != nil {
		t.Fatal(err)
	}
	cipher, err := look.Encrypt(context.Background(), []byte("canary"), []string{s.id.Recipient().String()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(filepath.Join(s.dir, "pillar", "all.sls"),
		[]byte("#!yaml|age\nport: 1\ndb:\n  'p*': "+cipher+"\n"), 0o644)
	out, _ := s.sealed(p, "web1")
	if !strings.Contains(out.Pillar, "canary") {
		t.Errorf("the pillar is %q", out.Pillar)
	}
	if diff := cmp.Diff([]string{"db:p[*]"}, out.Secrets); diff != "" {
		t.Error(diff)
	}
	os.Remove(file)
	if _, err := s.packer("web1").Pack(context.Background(), aRelease()); err == nil ||
		!strings.Contains(err.Error(), "cannot read the age key") {
		t.Errorf("without the key: %v", err)
	}
}

// TestPackRefuses: what is wrong for one machine is told with its place and its machines, and nothing is packed.
func TestPackRefuses(t *testing.T) {
	many := make([]string, 6)
	for i := range many {
		many[i] = fmt.Sprint("web", i+1)
	}
	for name, c := range map[string]struct {
		file, text string
		ids        []string
		want       []string
	}{
		"a slip": {"salt/web.sls", "a:\n  file.managd: []", []string{"web1"},
			[]string{"web.sls:2", "for web1"}},
		"for all": {"salt/web.sls", "a:\n  file.managd: []", many,
			[]string{"for web1, web2, web3 and 3 other machines"}},
		"for one of two": {"salt/web.sls", "{% if grains['os'] == 'Gentoo' %}{{ raise('x') }}{% endif %}",
			[]string{"web1", "web2"}, []string{"for web2)"}},
		"a requisite": {"salt/web.sls", "a:\n  test.nop:\n    - require: [test: b]", []string{"web1"},
			[]string{"web.sls:3"}},
		"a source": {"salt/web.sls", "/a:\n  file.managed: [{source: 'salt://gone'}]", []string{"web1"},
			[]string{"gone"}},
		"no top": {"salt/top.sls", "base: {'db*': [web]}", []string{"web1"},
			[]string{"no entry of the top file matches"}},
		"a pillar": {"pillar/all.sls", "port: {{ nothing.at.all }}", []string{"web1"}, []string{"all.sls:1"}},
		"a command in the pillar": {"pillar/all.sls", "port: {{ salt['cmd.run']('date') }}", []string{"web1"},
			[]string{"only a command would tell"}},
		"no grains": {"salt/x.sls", "", []string{"web9"}, []string{"nobody knows the grains of web9"}},
	} {
		files := twoMachines()
		for i := range many[2:] {
			files["inv/"+many[i+2]+".json"] = `{"local": {"os": "Debian"}}`
		}
		files[c.file] = c.text
		_, err := newSite(t, files).packer(c.ids...).Pack(context.Background(), aRelease())
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, not %q", name, err, want)
			}
		}
	}
	s := newSite(t, twoMachines())
	p := s.packer("web1")
	p.Nodes[0].Age = nil
	if _, err := p.Pack(context.Background(), aRelease()); err == nil || !strings.Contains(err.Error(), "has no key") {
		t.Errorf("no key: %v", err)
	}
	p = s.packer("web1")
	p.Files[0].Dirs = []string{t.TempDir()}
	if _, err := p.Pack(context.Background(), aRelease()); err == nil ||
		!strings.Contains(err.Error(), "nothing to pack") {
		t.Errorf("an empty tree: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.packer("web1").Pack(ctx, aRelease()); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
