package session

import (
	"os"
	"runtime"
	"runtime/debug"
)

// The heap grows to smallHeap before memory is collected for the first time, which most runs never come to. From then
// on it may grow to one and a half of what is in use.
const (
	smallHeap = 400 // per cent of the runtime's 4 MiB
	largeHeap = 50
)

// collectLate sets when memory is collected, unless the environment says so: a run is short, and collecting in the
// background costs the machine's other processors.
func collectLate() {
	if _, ok := os.LookupEnv("GOGC"); ok {
		return
	}
	debug.SetGCPercent(smallHeap)
	first := new([64]byte) // is collected the first time
	runtime.SetFinalizer(first, func(*[64]byte) { debug.SetGCPercent(largeHeap) })
}
