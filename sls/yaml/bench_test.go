package yaml

import (
	"fmt"
	"strings"
	"testing"
)

// generated is an SLS of n states of about 100 bytes.
func generated(n int) []byte {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "state_%d:\n  test.succeed_with_changes:\n    - name: the name of state %d\n    - require:\n      "+
			"- test: state_%d\n", i, i, max(0, i-1))
	}
	return []byte(b.String())
}

// BenchmarkDecode100k reads an SLS of 100,000 states.
func BenchmarkDecode100k(b *testing.B) {
	text := generated(100_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode("big.sls", text); err != nil {
			b.Fatal(err)
		}
	}
}
