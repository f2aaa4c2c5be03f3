package pkg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A refusal is apt's no. It is broken where apt refuses for what is there already, as a full disk or a dpkg that was
// killed leaves it: a package is unpacked, and what it depends on is not there. Then apt refuses every request.
type refusal struct {
	why    string
	broken bool
}

func (r *refusal) Error() string { return r.why }

func refused(out *host.Output) *refusal {
	said := string(out.Stdout) + string(out.Stderr)
	return &refusal{reason(out), strings.Contains(said, "--fix-broken install")}
}

func isBroken(err error) bool {
	var r *refusal
	return errors.As(err, &r) && r.broken
}

// mending are the steps by which apt mends what is broken. What would remove packages is left to people.
// Salt differs: it fails until somebody runs apt --fix-broken install.
func (a *apt) mending(ctx context.Context, h host.Reader, db *Database) ([]Step, error) {
	args := append([]string{"apt-get", "-q", "-s", "-y"}, readOnly()...)
	out, err := h.Query(ctx, host.Cmd{Args: append(args, "--fix-broken", "install"), Env: environ()})
	if err != nil {
		return nil, fmt.Errorf("ask apt how to mend what is broken: %w", err)
	}
	if out.Code != 0 {
		return nil, refused(out)
	}
	steps := parseSimulation(string(out.Stdout))
	for _, s := range steps {
		if s.New == "" {
			return nil, fmt.Errorf("packages that are there are broken, and apt --fix-broken install, which would mend them, "+
				"removes %s: that is for you to decide", s.Name)
		}
	}
	for _, p := range db.All() {
		if !p.Installed() && p.State != "config-files" && p.State != "not-installed" {
			steps = append(steps, Step{Name: p.Name, New: p.Version})
		}
	}
	return steps, nil
}

// mended is the database after the steps.
func (d *Database) mended(steps []Step) *Database {
	var facts []host.Fact
	for _, s := range steps {
		facts = append(facts, host.Fact{Kind: host.FactPackage, Name: s.Name, Value: s.New})
	}
	return d.promised(facts, nil)
}

// mend does what mending says.
func (a *apt) mend(ctx context.Context, env *modules.Env, h host.Host) error {
	db, err := readDatabase(h, a.admindir)
	if err != nil {
		return err
	}
	if _, err := a.mending(ctx, h, db); err != nil {
		return err
	}
	return a.aptGet(ctx, env, h, []string{"apt-get", "-q", "-y", "-o", "DPkg::Lock::Timeout=60", "-o",
		"DPkg::Options::=--force-confold", "-o", "DPkg::Options::=--force-confdef", "--fix-broken", "install", "--"})
}

// configure finishes what an earlier run left when it was killed inside dpkg.
func (a *apt) configure(ctx context.Context, h host.Host) error {
	out, err := h.Run(ctx, host.Cmd{Args: []string{"dpkg", "--force-confdef", "--force-confold", "--configure", "-a"},
		Env: environ()})
	if err == nil && out.Code != 0 {
		err = errors.New(reason(out))
	}
	if err != nil {
		return fmt.Errorf("finish the work of an interrupted dpkg: %w", err)
	}
	return nil
}
