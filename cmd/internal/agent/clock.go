package agent

import "time"

// Wall is the machine's clock.
type Wall struct{}

// Now is the time.
func (Wall) Now() time.Time { return time.Now() }

// After is told when the time has passed.
func (Wall) After(d time.Duration) <-chan time.Time { return time.After(d) }
