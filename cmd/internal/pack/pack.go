// Package pack makes releases: it compiles the states of every machine with its grains and its pillar first, and
// refuses what lint refuses for any of them. What is compiled is what is shipped, byte for byte. It looks at no
// machine: the grains are those that machines have reported, and nothing of this one is seen by a template.
package pack

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/sealed"
	"github.com/gostate/gostate/state/diag"
)

// A Packer holds what is packed.
type Packer struct {
	Options session.Options // of the operator's session
	Files   []roots.EnvDirs // file_roots
	Pillars []roots.EnvDirs // pillar_roots
	Secrets []string        // patterns of keys, of the operator's configuration
	Nodes   []release.Node
	// GrainsOf gives the grains of a machine as JSON or YAML, ErrNone where nobody knows them.
	GrainsOf func(n release.Node) ([]byte, error)
	Version  string
	// Progress is told how many machines are done; nil is not told.
	Progress func(done, all int)
	// Scratch is a directory for what is needed meanwhile. It holds pillar of no machine.
	Scratch string

	tree []byte
	conf string // the configuration that the machines are compiled with
	root string // an empty machine
}

// A Packed is a release that is not signed yet, with its blobs.
type Packed struct {
	Release *release.Release
	Blobs   [][]byte
	States  int      // of all machines together
	Left    []string // machines of the list that the release is not for
}

// Pack compiles everything. The release that is given says what is signed beside the digests.
func (p *Packer) Pack(ctx context.Context, r release.Release) (*Packed, error) {
	if err := p.stage(); err != nil {
		return nil, err
	}
	out := &Packed{Release: &r}
	var nodes []release.Node
	for _, n := range p.Nodes {
		if n.Env != "" && n.Env != r.Env {
			out.Left = append(out.Left, n.ID)
			continue
		}
		nodes = append(nodes, n)
	}
	if len(nodes) == 0 {
		return nil, diag.Errorf(diag.Pos{}, "no machine is in the environment %q", r.Env).
			WithHint("nodes.yaml lists them: nodes: {web1: {age: age1..., env: %s}}", r.Env)
	}
	pillars, states, err := p.compileAll(ctx, nodes)
	if err != nil {
		return nil, err
	}
	index, shards, err := release.NewPillars(pillars)
	if err != nil {
		return nil, err
	}
	r.Format, r.Tree, r.Pillars = release.Format, release.BlobOf(p.tree), release.BlobOf(index)
	out.Blobs, out.States = append([][]byte{p.tree, index}, shards...), states
	return out, nil
}

// Sign puts the release into a store.
func (p *Packed) Sign(ctx context.Context, to release.Store, keys ...ed25519.PrivateKey) error {
	signed, err := release.Sign(p.Release, keys...)
	if err != nil {
		return err
	}
	return release.Write(ctx, to, signed, p.Blobs)
}

// stage packs the tree, and unpacks it as a machine would.
func (p *Packer) stage() error {
	var dirs []release.Root
	for _, e := range p.Files {
		for _, dir := range e.Dirs {
			dirs = append(dirs, release.Root{Env: e.Env, Dir: dir})
		}
	}
	tree, err := release.ReadTree(dirs)
	if err != nil {
		return err
	}
	if len(tree) == 0 {
		return diag.Errorf(diag.Pos{}, "there is nothing to pack: the file roots are empty").
			WithHint("--file-root names the directory of the SLS files")
	}
	var zip bytes.Buffer
	if err := tree.Write(&zip); err != nil {
		return err
	}
	p.tree = zip.Bytes()
	dir := filepath.Join(p.Scratch, "tree")
	if err := release.Unpack(&zip, dir); err != nil {
		return err
	}
	p.tree = append([]byte(nil), p.tree...)
	p.root, p.conf = filepath.Join(p.Scratch, "root"), filepath.Join(p.Scratch, "pack.conf")
	if err := os.MkdirAll(p.root, 0o700); err != nil {
		return err
	}
	return p.writeConf(dir)
}

func (p *Packer) writeConf(tree string) error {
	files, pillars := map[string][]string{}, map[string][]string{}
	for _, e := range p.Files {
		files[e.Env] = []string{filepath.Join(tree, e.Env)}
	}
	for _, e := range p.Pillars {
		pillars[e.Env] = e.Dirs
	}
	conf, err := json.Marshal(map[string]any{"file_roots": files, "pillar_roots": pillars})
	if err != nil {
		return err
	}
	return os.WriteFile(p.conf, conf, 0o600)
}

// compileAll compiles the machines, as many at once as there are processors.
func (p *Packer) compileAll(ctx context.Context, nodes []release.Node) (map[string][]byte, int, error) {
	var mu sync.Mutex // guards all below
	pillars, faults, states, done := map[string][]byte{}, newFaults(), 0, 0
	next := make(chan release.Node)
	var all sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for n := range next {
				data, count, err := p.compile(ctx, n, worker)
				mu.Lock()
				faults.add(n.ID, err)
				pillars[n.ID] = data
				states += count
				if done++; p.Progress != nil {
					p.Progress(done, len(nodes))
				}
				mu.Unlock()
			}
		})
	}
	for _, n := range nodes {
		if ctx.Err() != nil {
			break
		}
		next <- n
	}
	close(next)
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	return pillars, states, faults.err()
}

// compile is one machine: its states are compiled, and its pillar is sealed.
func (p *Packer) compile(ctx context.Context, n release.Node, worker int) ([]byte, int, error) {
	to, err := recipients(n)
	if err != nil {
		return nil, 0, err
	}
	s, err := p.open(n, worker)
	if err != nil {
		return nil, 0, err
	}
	pillar, err := p.pillarOf(ctx, s, n.ID)
	if err != nil {
		return nil, 0, err
	}
	prepared, err := s.Prepare(ctx, session.Request{Top: true})
	if err != nil {
		return nil, 0, err
	}
	data, err := release.Seal(pillar, to...)
	return data, len(prepared.Plan.Low), err
}

func recipients(n release.Node) (out []age.Recipient, err error) {
	if len(n.Age) == 0 {
		return nil, diag.Errorf(n.Pos, "%s has no key to encrypt its pillar for", n.ID).
			WithHint("gostate agent enrol on that machine prints it: age: age1...")
	}
	for _, text := range n.Age {
		more, err := sealed.Recipients(text)
		if err != nil {
			return nil, diag.Errorf(n.Pos, "the key of %s cannot be used: %v", n.ID, err)
		}
		out = append(out, more...)
	}
	return out, nil
}

// open is the session of a machine that is nowhere: an empty tree with its grains.
func (p *Packer) open(n release.Node, worker int) (*session.Session, error) {
	grains, err := p.GrainsOf(n)
	if err != nil {
		return nil, diag.Errorf(n.Pos, "nobody knows the grains of %s: %v", n.ID, err).
			WithHint("--inventory names the directory of its reports or of ID.json, which gostate grains --out json makes; " +
				"or give grains in nodes.yaml")
	}
	file := filepath.Join(p.Scratch, fmt.Sprintf("grains-%d.json", worker))
	if err := os.WriteFile(file, grains, 0o600); err != nil {
		return nil, err
	}
	o := p.Options
	o.ID, o.GrainsFile, o.Grains, o.Root, o.LocalConfig = n.ID, file, nil, p.root, p.conf
	o.FileRoots, o.PillarRoots, o.StateDir, o.ConfigDirSet = nil, nil, p.Scratch, true
	o.Test, o.TestSet, o.NoCommands = true, true, false
	if _, err := os.Stat(o.ConfigDir); errors.Is(err, fs.ErrNotExist) { // the operator has none: there is none in the root
		o.ConfigDir = p.root
	}
	return session.Look(&session.Process{In: bytes.NewReader(nil), Out: io.Discard, Err: io.Discard,
		Abort: context.Background(), Version: func() string { return p.Version }}, o)
}

// Until is when a release that is made now and is good for the time ends.
func Until(now time.Time, valid time.Duration) (created, notAfter time.Time) {
	now = now.UTC().Truncate(time.Second)
	return now, now.Add(valid)
}
