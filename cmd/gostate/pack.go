package main

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/cmd/internal/pack"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

const catFleet = "For many machines"

func packCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "pack", Usage: "make a signed release of the tree for the machines of nodes.yaml", Category: catFleet,
		ArgsUsage: "[keygen]",
		UsageText: "gostate pack --env ENV -o DIR\n   gostate pack keygen\n\nThe states of every machine are compiled " +
			"first, with its grains and its pillar; nothing is packed that lint\nrefuses for one of them.\n\nExamples:\n  " +
			"gostate pack keygen\n  gostate pack --env prod -o releases --inventory reports\n  gostate push prod releases " +
			"/srv/www/releases",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "env", Value: "base", Usage: "make a release of the `ENV`ironment"},
			&cli.StringFlag{Name: "to", Aliases: []string{"o"}, Usage: "put it into `DIR`, an OCI image layout"},
			&cli.StringFlag{Name: "nodes", Value: "nodes.yaml", Usage: "the `FILE` that lists the machines"},
			&cli.StringFlag{Name: "inventory", Usage: "the `DIR` of the machines' reports, or of their grains as ID.json"},
			&cli.StringFlag{Name: "key", Usage: "sign with the key in `FILE` (default: gostate/release.key in the user's " +
				"configuration)"},
			&cli.Uint64Flag{Name: "sequence", Usage: "give the release the number `N` (default: one above that in DIR)"},
			&cli.DurationFlag{Name: "valid", Value: 90 * 24 * time.Hour, Usage: "machines apply it for `TIME`"},
			&cli.StringFlag{Name: "min-version", Usage: "only gostate `VERSION` or newer applies it"},
			&cli.StringFlag{Name: "comment", Usage: "`TEXT` that stands in the release: a commit, a ticket"},
		},
		Action: func(c *cli.Context) error { return runPack(c, p) },
		Subcommands: []*cli.Command{{Name: "keygen", Usage: "make the key that signs releases",
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "key", Usage: "write it to `FILE`"},
				&cli.BoolFlag{Name: "passphrase", Usage: "ask for a passphrase, which every use of the key will need"},
			},
			Action: func(c *cli.Context) error { return packKeygen(c, p) }}},
	}
}

func packKeygen(c *cli.Context, p *program) error {
	if c.NArg() > 0 {
		return usagef("pack keygen takes no %q\nhint: --key FILE names the file of the key", c.Args().First())
	}
	file, err := release.KeyFile(c.String("key"))
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return diag.Errorf(diag.Pos{File: file}, "there is a key already").
			WithHint("machines trust it: move it away if you want another")
	}
	passphrase := ""
	if c.Bool("passphrase") {
		if passphrase, err = release.Terminal(p.In, p.Err)(file); err != nil {
			return err
		}
	}
	data, public, err := release.NewKey(passphrase)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	if err := disk.WriteFile(file, data, 0o600); err != nil {
		return err
	}
	fmt.Fprintf(p.Err, "The key is in %s: whoever has it commands the machines. They trust it by the line\n\n", file)
	return p.printText(c, public.String()+"\n")
}

func runPack(c *cli.Context, p *program) error {
	if c.String("to") == "" {
		return usagef("where to?\nhint: gostate pack --env %s -o DIR", c.String("env"))
	}
	packer, err := packerOf(c, p)
	if err != nil {
		return err
	}
	file, err := release.KeyFile(c.String("key"))
	if err != nil {
		return err
	}
	key, err := release.ReadKey(file, release.Terminal(p.In, p.Err))
	if err != nil {
		return err
	}
	to := release.Dir{Path: c.String("to")}
	if err := os.MkdirAll(to.Path, 0o755); err != nil {
		return err
	}
	r, err := newRelease(c.Context, c, to)
	if err != nil {
		return err
	}
	defer os.RemoveAll(packer.Scratch)
	packed, err := packer.Pack(c.Context, *r)
	if err != nil {
		return err
	}
	if err := packed.Sign(c.Context, to, key); err != nil {
		return err
	}
	return p.tellPacked(c, packed, key)
}

func packerOf(c *cli.Context, p *program) (*pack.Packer, error) {
	o := optionsOf(c)
	s, err := session.Look(&p.Process, o)
	if err != nil {
		return nil, err
	}
	conf := s.Config()
	packer := &pack.Packer{Options: o, Secrets: conf.Strings("secrets"), Version: versionText(),
		GrainsOf: pack.Inventory(c.String("inventory")).GrainsOf}
	if packer.Files, err = conf.Roots("file_roots", o.FileRoots); err != nil {
		return nil, err
	}
	if packer.Pillars, err = conf.Roots("pillar_roots", o.PillarRoots); err != nil {
		return nil, err
	}
	if packer.Nodes, err = release.ReadNodes(c.String("nodes")); err != nil {
		return nil, err
	}
	packer.Options.ConfigDir = conf.Dir
	if session.IsTerminal(p.Err) {
		packer.Progress = p.countMachines
	}
	packer.Scratch, err = os.MkdirTemp("", "gostate-pack-") // 0700
	return packer, err
}

func (p *program) countMachines(done, all int) {
	if done%100 == 0 || done == all {
		fmt.Fprintf(p.Err, "\r%d of %d machines", done, all)
	}
	if done == all {
		fmt.Fprint(p.Err, "\r\033[K")
	}
}

// newRelease is the release before its content is known.
func newRelease(ctx context.Context, c *cli.Context, to release.Dir) (*release.Release, error) {
	r := &release.Release{Env: c.String("env"), Sequence: c.Uint64("sequence"), MinVersion: c.String("min-version"),
		Comment: c.String("comment")}
	if !release.GoodName(r.Env) {
		return nil, usagef("%q is no name of an environment\nhint: letters, digits and . _ - name one", r.Env)
	}
	if c.Duration("valid") <= 0 {
		return nil, usagef("--valid is no time\nhint: --valid 2160h is 90 days")
	}
	r.Created, r.NotAfter = pack.Until(time.Now(), c.Duration("valid"))
	if r.Sequence > 0 {
		return r, nil
	}
	r.Sequence = 1
	signed, err := to.Pointer(ctx, r.Env)
	if errors.Is(err, release.ErrNone) || errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	last, err := release.Peek(signed)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: to.Path}, "what is there is no release: %v", err)
	}
	r.Sequence = last.Sequence + 1
	return r, nil
}

func (p *program) tellPacked(c *cli.Context, packed *pack.Packed, key ed25519.PrivateKey) error {
	r := packed.Release
	text := fmt.Sprintf("%s %d: %s, tree %.19s, until %s, signed by %s\n", r.Env, r.Sequence,
		diag.Count(packed.States, "state"), r.Tree.Digest, r.NotAfter.Format("2006-01-02"),
		release.PublicKey(key.Public().(ed25519.PublicKey)).ID())
	if len(packed.Left) > 0 {
		text += fmt.Sprintf("not for %s of other environments\n", diag.Count(len(packed.Left), "machine"))
	}
	return p.printEither(c, text, releaseValue(r))
}

func releaseValue(r *release.Release) value.Value {
	return value.DictOf("env", value.Str(r.Env), "sequence", value.Int(r.Sequence), "tree", value.Str(r.Tree.Digest),
		"not_after", value.Str(r.NotAfter.Format(time.RFC3339)))
}

func pushCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "push", Usage: "bring a release to where machines pull it from", Category: catFleet,
		ArgsUsage: "ENV DIR PLACE",
		UsageText: "gostate push ENV DIR PLACE [--prune]\n\nDIR is what gostate pack has made. PLACE is a directory, " +
			"ssh://[USER@]HOST/DIR or s3://BUCKET/PREFIX: what\nit has not is brought there, the release itself last. S3 takes " +
			"AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and\nAWS_ENDPOINT_URL from the environment.\n\nExamples:\n  " +
			"gostate push " +
			"prod releases /srv/www/releases\n  gostate push prod releases ssh://www.example.com/srv/www/releases",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "prune", Usage: "then remove the blobs of a directory that no release there " +
			"has any more, and that are older than a day"}},
		Action: func(c *cli.Context) error {
			if c.NArg() != 3 {
				return usagef("push needs an environment, a directory and a place\nhint: gostate push prod releases " +
					"/srv/www/releases")
			}
			to, err := openStore(c.Args().Get(2))
			if err != nil {
				return err
			}
			dir, isDir := to.(release.Dir)
			if c.Bool("prune") && !isDir {
				return usagef("--prune is for directories\nhint: a bucket's own rules remove old objects; on a server of files, " +
					"push to its directory with --prune")
			}
			env := c.Args().First()
			r, err := release.Transfer(c.Context, release.Dir{Path: c.Args().Get(1)}, to, env)
			if err != nil {
				return err
			}
			said := fmt.Sprintf("%s %d is there\n", env, r.Sequence)
			if c.Bool("prune") {
				gone, err := dir.Prune(c.Context, time.Now())
				if err != nil {
					return err
				}
				said += fmt.Sprintf("%d old blobs removed, %d bytes\n", gone.Blobs, gone.Bytes)
			}
			return p.printEither(c, said, releaseValue(r))
		},
	}
}

// openStore is the store that a text names.
func openStore(text string) (release.Store, error) {
	scheme, rest, ok := strings.Cut(text, "://")
	switch {
	case !ok:
		return release.Dir{Path: text}, os.MkdirAll(text, 0o755)
	case scheme == "file":
		return release.Dir{Path: rest}, os.MkdirAll(rest, 0o755)
	case scheme == "ssh":
		return release.OpenSSH(text)
	case scheme == "s3":
		return release.OpenS3(text, os.Getenv)
	}
	return nil, diag.Errorf(diag.Pos{}, "this gostate cannot push to %s://", scheme).
		WithHint("it pushes to a directory, to ssh://HOST/DIR and to s3://BUCKET/PREFIX; gostate-hub push to " +
			"oci://HOST/REPOSITORY")
}
