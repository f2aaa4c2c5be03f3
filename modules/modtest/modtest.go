// Package modtest is the suite that every state function passes: what a preview says is what the run does, a second run finds
// nothing to do, and a preview writes nothing.
package modtest
