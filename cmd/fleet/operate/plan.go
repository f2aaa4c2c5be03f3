package operate

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/ssh"
	"github.com/gostate/gostate/state/diag"
)

// PlanType is what a signed plan says that it is.
const PlanType = "application/vnd.gostate.rollout.v1+json"

// A Plan is a roll-out, as its operator has signed it: which release goes to which machines in which order, and what
// has to hold before the next batch. Machines read their release alone, which proves itself; the plan is for the
// operators, so that who goes on with it does what was decided, wherever it lay.
type Plan struct {
	Format   int        `json:"format"`
	ID       string     `json:"id"`
	Env      string     `json:"env"`
	Sequence uint64     `json:"sequence"`
	Release  []byte     `json:"release"` // its pointer
	Created  time.Time  `json:"created"`
	By       string     `json:"by"`
	Batches  [][]string `json:"batches"` // of ids
	Gate     Gate       `json:"gate"`
}

// A Gate is what has to hold before the next batch is begun.
type Gate struct {
	Wait    string   `json:"wait"`     // ok: every machine reported the release with the result ok
	MaxFail int      `json:"max_fail"` // as many machines may not, in all batches together
	Seconds int      `json:"seconds"`  // after which a machine that says nothing has not
	Checks  []string `json:"checks,omitempty"`
}

// Batches parts machines, in their order; those that are silent come last, since they would hold up all others.
func Batches(machines []*Machine, size string) ([][]string, error) {
	n := len(machines)
	if size != "" {
		var err error
		if n, err = ssh.Share(size, len(machines)); err != nil || n == 0 {
			return nil, diag.Errorf(diag.Pos{}, "--batch: %q is neither a number nor a share of the machines", size).
				WithHint("--batch 20, or --batch 5%%")
		}
	}
	var ids, silent []string
	for _, m := range machines {
		if m.Class == Unreported {
			silent = append(silent, m.ID)
		} else {
			ids = append(ids, m.ID)
		}
	}
	return slices.Collect(slices.Chunk(append(ids, silent...), max(1, n))), nil
}

// Payload is the digest of the document of the plan's release.
func (p *Plan) payload() (release.Digest, error) {
	r, err := release.Peek(p.Release)
	if err != nil {
		return "", err
	}
	if r.Env != p.Env || r.Sequence != p.Sequence {
		return "", fmt.Errorf("it is of %s %d, and its release is %s %d", p.Env, p.Sequence, r.Env, r.Sequence)
	}
	data, err := r.Encode()
	return release.DigestOf(data), err
}

// Sign signs the plan.
func (p *Plan) Sign(keys ...ed25519.PrivateKey) ([]byte, error) {
	data, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return release.SignDocument(PlanType, data, keys...)
}

// openPlan reads a plan that one of the keys has signed. A key that this program does not know may be a condition.
func openPlan(signed []byte, keys []release.PublicKey) (*Plan, error) {
	data, err := release.OpenDocument(PlanType, signed, keys)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	p := &Plan{}
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("it is no plan of a roll-out: %w", err)
	}
	if p.Format != 1 {
		return nil, fmt.Errorf("it has the format %d, and 1 is read", p.Format)
	}
	return p, nil
}

// In are those of the machines that are in an environment: by nodes.yaml, where there is one.
func (f *Fleet) In(machines []*Machine, env string) (out []*Machine) {
	for _, m := range machines {
		if (m.Listed || f.Listless) && (m.Env == env || m.Env == "") {
			out = append(out, m)
		}
	}
	return out
}

// Check says what is wrong with a gate.
func (g Gate) Check() error {
	_, err := parseChecks(g.Checks)
	return err
}

// String says what the batches are.
func (p *Plan) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d:\n", p.Env, p.Sequence)
	for i, ids := range p.Batches {
		fmt.Fprintf(&b, "  batch %d: %s: %s\n", i+1, diag.Count(len(ids), "machine"), some(ids))
	}
	fmt.Fprintf(&b, "  goes on when all have reported ok, but %d; a machine has %s\n", p.Gate.MaxFail,
		time.Duration(p.Gate.Seconds)*time.Second)
	for _, c := range p.Gate.Checks {
		fmt.Fprintf(&b, "  and when %s\n", c)
	}
	return b.String()
}
