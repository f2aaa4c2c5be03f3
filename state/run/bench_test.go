package run_test

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// shape makes n states of test.nop with the requisites that a shape has.
func shape(n int, reqs func(i int) []state.Requisite) []*state.Low {
	low := make([]*state.Low, n)
	for i := range low {
		id := fmt.Sprintf("state-%d", i)
		low[i] = &state.Low{ID: id, Name: id, Module: "test", Func: "nop", SLS: "a", Env: "base", Order: float64(10000 + i),
			Args: value.NewDict(0), Index: i}
		if reqs != nil {
			low[i].Reqs = reqs(i)
		}
	}
	return low
}

func requires(i int) []state.Requisite {
	return []state.Requisite{{Kind: state.Require, To: state.Ref{Module: "test", Target: fmt.Sprintf("state-%d", i)}}}
}

func shapes(n int) map[string][]*state.Low {
	all := state.Requisite{Kind: state.Require, To: state.Ref{Module: "sls", Target: "b"}}
	bySLS := shape(n, func(i int) []state.Requisite {
		if i < n/2 {
			return nil
		}
		return []state.Requisite{all}
	})
	for i := range n / 2 {
		bySLS[i].SLS = "b"
	}
	return map[string][]*state.Low{
		"independent": shape(n, nil),
		"backward": shape(n, func(i int) []state.Requisite {
			if i == 0 {
				return nil
			}
			return requires(i - 1)
		}),
		"forward": shape(n, func(i int) []state.Requisite {
			if i == n-1 {
				return nil
			}
			return requires(i + 1)
		}),
		"prereq": shape(n, func(i int) []state.Requisite {
			if i == n-1 {
				return nil
			}
			r := requires(i + 1)
			r[0].Kind = state.Prereq
			return r
		}),
		"sls": bySLS,
	}
}

func TestScale(t *testing.T) {
	const n = 20000
	for name, low := range shapes(n) {
		t.Run(name, func(t *testing.T) {
			plan, bad := requisite.Resolve(low, requisite.Options{})
			if bad.HasErrors() {
				t.Fatal(bad)
			}
			begin := hosttest.CPU()
			rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bind(t, low), Host: hosttest.NewMemory(),
				Env: noEnv})
			if len(rep.Results) != n || report.ExitCode(rep, true) != 0 {
				t.Errorf("%d results, exit %d", len(rep.Results), report.ExitCode(rep, true))
			}
			if took := hosttest.CPU() - begin; took > 10*time.Second {
				t.Errorf("%d states took %v", n, took)
			}
		})
	}
}

func BenchmarkRun(b *testing.B) {
	for _, n := range []int{10000, 20000, 100000} {
		for name, low := range shapes(n) {
			plan, bad := requisite.Resolve(low, requisite.Options{})
			if bad.HasErrors() {
				b.Fatal(bad)
			}
			bound := bind(b, low)
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv})
					if err := report.Write(io.Discard, rep, report.Options{Verbose: true}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
