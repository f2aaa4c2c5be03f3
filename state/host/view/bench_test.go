//go:build linux

package view_test

import (
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/view"
)

// BenchmarkOpen is what the first condition of a preview costs beside itself, BenchmarkRun what each costs.
func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		v, err := view.Open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		v.Close()
	}
}

func BenchmarkRun(b *testing.B) {
	v, err := view.Open(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	defer v.Close()
	machine, _ := host.NewOS("/")
	c := host.Cmd{Args: []string{"true"}, Shell: "/bin/sh"}
	b.Run("view", func(b *testing.B) {
		for b.Loop() {
			if _, _, err := v.Run(b.Context(), c); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("machine", func(b *testing.B) {
		for b.Loop() {
			if _, err := machine.Run(b.Context(), c); err != nil {
				b.Fatal(err)
			}
		}
	})
}
