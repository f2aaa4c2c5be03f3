package sls

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// BenchmarkLoad reads one SLS of chained states, YAML included.
func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{5_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var text strings.Builder
			for i := range n {
				fmt.Fprintf(&text, "state-%06d:\n  test.nop:\n    - require:\n      - test: state-%06d\n", i, max(i-1, 0))
			}
			cfg := tree(b, map[string]string{"chain.sls": strings.Replace(text.String(),
				"    - require:\n      - test: state-000000\n", "    - comment: the first\n", 1)})
			b.ReportAllocs()
			for b.Loop() {
				high, diags := Load(context.Background(), cfg, []Request{{Env: "base", SLS: "chain"}})
				if err := diags.Err(); err != nil {
					b.Fatal(err)
				}
				if len(high.Decls) != n {
					b.Fatal(len(high.Decls))
				}
			}
		})
	}
}
