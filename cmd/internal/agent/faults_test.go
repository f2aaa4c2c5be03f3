package agent

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
)

// A trial is a machine among faults, and what is true of the releases of its world: which the operator has signed for
// it, and until when. The checker knows nothing of how the agent decides.
type trial struct {
	*world
	rnd     *rand.Rand
	agent   *Agent
	signed  map[uint64]*release.Release // by the operator, for this machine's environment
	old     [][]byte                    // their pointers
	newest  uint64
	turns   int
	compile map[uint64]bool // releases that have compiled here
	best    uint64          // the highest sequence that was ever run
}

// TestFaults: whatever goes wrong, and in whatever order, no release runs that the operator has not signed for this
// environment, none that has ended, and none that is older than one that ran before, but the last good one in the
// place of one that does not work. When all is well again the newest one runs, and every turn has its report.
func TestFaults(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			w := newWorld(t)
			x := &trial{world: w, rnd: rand.New(rand.NewPCG(seed, 1)), agent: w.agent(scratch(t)),
				signed: map[uint64]*release.Release{}, compile: map[uint64]bool{}}
			x.afterRun = x.check
			for range 40 {
				x.step()
			}
			x.rest()
		})
	}
}

// step lets something happen, and the agent look.
func (x *trial) step() {
	x.down, x.blob, x.runErr, x.sinkDown = x.chance(6), nil, nil, x.chance(3)
	x.now = x.now.Add(time.Duration(x.rnd.IntN(60)) * time.Minute)
	x.happen()
	switch x.rnd.IntN(8) {
	case 0:
		x.blob = func(data []byte) []byte { return data[:x.rnd.IntN(len(data))] }
	case 1:
		x.blob = func(data []byte) []byte { data[x.rnd.IntN(len(data))] ^= 1; return data }
	case 2:
		x.runErr = fmt.Errorf("killed")
	case 3: // the agent was killed in the middle of something
		parts, _ := filepath.Glob(filepath.Join(x.agent.Dir, "releases", "*"))
		for _, p := range parts {
			if x.chance(2) {
				os.RemoveAll(p)
			}
		}
		os.WriteFile(filepath.Join(x.agent.Dir, ".new-123"), []byte("half"), 0o600)
	}
	x.turns++
	x.turn(x.agent)
}

func (x *trial) chance(of int) bool { return x.rnd.IntN(of) == 0 }

// happen is what operators do, and those who have only the place of the releases.
func (x *trial) happen() {
	x.pointer = nil
	switch x.rnd.IntN(10) {
	case 0, 1, 2:
		x.operatorPushes()
	case 3:
		x.pointer, _ = x.sign(keyOf(9), x.newest+1+x.rnd.Uint64N(3))
	case 4:
		x.pointer, _ = x.sign(x.operator, x.newest+1, func(r *release.Release) { r.Env = "test" })
	case 5:
		if len(x.old) > 0 {
			x.pointer = x.old[x.rnd.IntN(len(x.old))] // replayed
		}
	case 6:
		x.pointer, _ = x.sign(x.operator, x.newest+1, func(r *release.Release) {
			r.Created, r.NotAfter = r.Created.Add(-2*time.Hour), r.Created.Add(-time.Hour)
		})
	case 7:
		if len(x.old) > 0 {
			x.pointer = append([]byte(nil), x.old[x.rnd.IntN(len(x.old))]...)
			x.pointer[x.rnd.IntN(len(x.pointer))] ^= 1
		}
	case 8:
		x.now = x.now.Add(-time.Hour) // a clock that was set back
	}
}

func (x *trial) operatorPushes() {
	x.newest += 1 + x.rnd.Uint64N(2)
	signed := x.push(x.newest)
	r, err := release.Peek(signed)
	if err != nil {
		x.t.Fatal(err)
	}
	x.signed[x.newest], x.old = r, append(x.old, signed)
	if x.chance(4) {
		x.exits[x.newest] = 1
	}
}

// check holds the run that is at hand to the truth.
func (x *trial) check() {
	r := x.ran[len(x.ran)-1]
	truth := x.signed[r.Sequence]
	switch {
	case truth == nil || truth.Tree != r.Tree || truth.Pillars != r.Pillars:
		x.t.Fatalf("turn %d: release %d of %s was run, which the operator has not signed", x.turns, r.Sequence, r.Env)
	case x.now.After(truth.NotAfter.Add(10 * time.Minute)):
		x.t.Fatalf("turn %d: release %d was run, which has ended", x.turns, r.Sequence)
	case r.Sequence < x.best && !(x.compile[r.Sequence] && !x.between(r.Sequence)):
		x.t.Fatalf("turn %d: release %d was run after %d", x.turns, r.Sequence, x.best)
	}
	x.best = max(x.best, r.Sequence)
	if x.exits[r.Sequence] == 0 && x.runErr == nil {
		x.compile[r.Sequence] = true
	}
}

// between says whether a release above the sequence has compiled.
func (x *trial) between(sequence uint64) bool {
	for s := range x.compile {
		if s > sequence {
			return true
		}
	}
	return false
}

// rest ends all faults.
func (x *trial) rest() {
	x.down, x.blob, x.runErr, x.sinkDown, x.pointer = false, nil, nil, false, nil
	x.newest++
	signed := x.push(x.newest)
	x.signed[x.newest], _ = release.Peek(signed)
	x.turns++
	if r := x.turn(x.agent); r.Status != OK || r.Applied.Sequence != x.newest {
		x.t.Errorf("at rest: %s, %+v, and the newest is %d", r.Status, r.Applied, x.newest)
	}
	if thinned := x.agent.spool.Thinned(); len(x.delivered)+thinned != x.turns {
		x.t.Errorf("%d reports and %d thinned of %d turns", len(x.delivered), thinned, x.turns)
	}
}
