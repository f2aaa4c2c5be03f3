package bus

import (
	"strings"
)

// The streams and buckets of a fleet.
const (
	Reports  = "REPORTS" // what machines report: report.ID
	Blobs    = "BLOBS"   // the content of releases in chunks: blob.HEX.N
	Jobs     = "JOBS"    // signed jobs: job
	Enrol    = "ENROL"   // who wants to join: enrol.ID.NKEY
	Welcome  = "WELCOME" // the answers to them: welcome.ID.NKEY
	Releases = "release" // the newest signed release: key ENV
	Mine     = "mine"    // what machines publish: key FUNCTION.ID
	Cursors  = "rollout" // where roll-outs are: keys of the operator's program
)

// Token is a name as one token of a subject: an id has dots, which part tokens, and no "=".
func Token(name string) string { return strings.ReplaceAll(name, ".", "=") }

// Name is the name that a token stands for.
func Name(token string) string { return strings.ReplaceAll(token, "=", ".") }

// ReportOf is the subject of a machine's reports.
func ReportOf(id string) string { return "report." + Token(id) }

// WakeAll wakes every machine.
const WakeAll = "wake.all"

// WakeEnv wakes the machines of an environment.
func WakeEnv(env string) string { return "wake.env." + Token(env) }

// WakeNode wakes one machine.
func WakeNode(id string) string { return "wake.node." + Token(id) }

// inbox is the prefix of the subjects at which a user gets answers; others cannot listen there.
func inbox(user string) string { return "_INBOX." + user }
