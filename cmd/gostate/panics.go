package main

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// guarded runs the program. A panic, which is a fault of gostate's own, ends it as other errors do: what it says is shown
// without secrets and control characters, which Go would print as they are, and the place without arguments.
func (p *program) guarded(do func() int) (code int) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		fmt.Fprintf(p.Err, "error: gostate has a fault: %s\n%s", p.Secrets.Text(fmt.Sprint(r)), calls(string(debug.Stack())))
		code = exitInput
		if p.signals.isBegun() {
			code = exitFailed
		}
		if code == exitFailed {
			fmt.Fprintln(p.Err, "hint: the run may be half-done; the next one does the rest. Please report the lines above")
			return
		}
		fmt.Fprintln(p.Err, "hint: nothing was touched; please report the lines above")
	}()
	return do()
}

// calls are the lines of a stack that say where, without what the functions were given.
func calls(stack string) string {
	var b strings.Builder
	for l := range strings.Lines(stack) {
		if place, ok := strings.CutPrefix(l, "\t"); ok && !strings.Contains(l, "/runtime/") {
			place, _, _ = strings.Cut(place, " +0x")
			fmt.Fprintf(&b, "  %s\n", strings.TrimSpace(place))
		}
	}
	return b.String()
}
