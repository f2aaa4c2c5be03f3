package operate

import (
	"crypto/rand"
	"time"
)

// token is a word that nobody else has.
func token() string { return rand.Text() }

// NewID names a plan: names sort by time.
func NewID(now time.Time) string { return now.UTC().Format("20060102T150405Z") + "-" + token()[:8] }
