package yaml

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gostate/gostate/state/value"
)

// bomb is a list of ten of a list of ten of ... , n levels.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < n; i++ {
		ref := fmt.Sprintf("*a%d", i-1)
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.Join([]string{ref, ref, ref, ref, ref, ref, ref, ref, ref, ref},
			", "))
	}
	return b.String()
}

// TestBombs: what would be huge when copied is shared when read and when written, and refused where it cannot be.
func TestBombs(t *testing.T) {
	v, err := Decode("bomb", []byte(bomb(30)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := Encode(v, EncodeOptions{})
	if err != nil || len(text) > 10_000 {
		t.Errorf("wrote %d bytes, %v", len(text), err)
	}
	loop := value.NewList()
	loop.Items = append(loop.Items, loop)
	if text, err := Encode(loop, EncodeOptions{}); err != nil || text != "&id001\n- *id001\n" {
		t.Errorf("got %q, %v", text, err)
	}
	if _, err := Encode(loop, EncodeOptions{NoAliases: true}); err == nil {
		t.Error("a list that holds itself was written without aliases")
	}
	if _, err := Decode("digits", []byte("v: 1"+strings.Repeat("0", 5000))); err == nil {
		t.Error("a number of 5000 digits was read")
	}
}

// TestHardInputs: texts that are hard to read are read, or refused, in time.
func TestHardInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("reads megabytes")
	}
	const n = 60_000
	for name, text := range map[string]string{
		"open lists":      strings.Repeat("[", n),
		"open maps":       strings.Repeat("{", n),
		"nested entries":  strings.Repeat("- ", n),
		"nested keys":     strings.Repeat("? ", n),
		"one long line":   "v: " + strings.Repeat("word ", n),
		"many lines":      "v: a\n" + strings.Repeat("  b\n", n),
		"comments":        strings.Repeat("# c\n", n) + "a: 1\n",
		"comments inside": "a:\n  # c\n" + strings.Repeat("  - x # y\n  # z\n", n/4),
		"blank lines":     "v: |\n" + strings.Repeat("\n", n) + "  x\n",
		"open quote":      "v: \"" + strings.Repeat("x\n ", n),
		"error at end":    strings.Repeat("- a: b\n", n/2) + "- a: b: c\n",
		"small error":     strings.Repeat("- a: b\n", 5_000) + "- a: b: c\n",
		"colons":          strings.Repeat(":", n),
		"anchors":         "- &a x\n" + strings.Repeat("- *a\n", n),
		"duplicate keys":  strings.Repeat("a: 1\n", n),
		"merges":          mergeChain(800),
		"sixties":         "v: 1" + strings.Repeat(":1", n),
		"question marks":  "[" + strings.Repeat("a?b, ", n) + "]",
		"tags":            strings.Repeat("- !x y\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			start := processorTime()
			_, err := Decode("f", []byte(text))
			if d := processorTime() - start; d > 20*time.Second {
				t.Errorf("%v for %d bytes (%v)", d, len(text), err)
			} else {
				t.Logf("%v for %d bytes", d, len(text))
			}
		})
	}
}

// mergeChain is n mappings, each of which merges the one before it.
func mergeChain(n int) string {
	var b strings.Builder
	b.WriteString("a0: &a0 {k0: 1}\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "a%d: &a%d {<<: *a%d, k%d: 1}\n", i, i, i-1, i)
	}
	return b.String()
}

// processorTime is what this process has used: a machine that is busy with other things does not make a test fail.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
