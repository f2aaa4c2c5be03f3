package roots

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
)

// A NotFoundError says that no root of the environment holds the path.
type NotFoundError struct {
	Path    string // as asked for; the dotted name of an SLS
	SLS     bool
	Env     string
	Dirs    []string // the roots searched
	Nearest []string // names that are near, best first
}

func (e *NotFoundError) Error() string {
	what := "file"
	if e.SLS {
		what = "SLS"
	}
	if len(e.Dirs) == 0 {
		return fmt.Sprintf("%s '%s' not found: environment '%s' has no roots", what, e.Path, e.Env)
	}
	return fmt.Sprintf("%s '%s' not found in environment '%s' (searched %s)", what, e.Path, e.Env,
		strings.Join(e.Dirs, ", "))
}

// Hint is what the user may have meant, "" when nothing is near.
func (e *NotFoundError) Hint() string {
	if len(e.Nearest) == 0 {
		return ""
	}
	return "did you mean '" + strings.Join(e.Nearest, "' or '") + "'?"
}

// An EscapeError says that a path leaves the root that it was looked up in.
type EscapeError struct {
	Path string
	Why  string // "holds \"..\"", "is a link to /etc"
}

func (e *EscapeError) Error() string {
	return fmt.Sprintf("path '%s' leaves its root: it %s", e.Path, e.Why)
}

func (r *Roots) nearestFiles(env, rel string) []string {
	var names []string
	files, _ := r.List(env, ".")
	for _, f := range files {
		names = append(names, f.Path)
	}
	return near(rel, names, "/")
}

func (r *Roots) nearestSLS(env, name string) []string {
	known := r.ListSLS(env)
	if n := fromPath(name, known); n != "" {
		return []string{n}
	}
	return near(name, known, ".")
}

// fromPath gives the SLS whose file was named in its place: web/config.sls or ./web/config for web.config, "" if there
// is none.
func fromPath(name string, known []string) string {
	parts := strings.Split(strings.TrimSuffix(strings.TrimRight(name, "/"), ".sls"), "/")
	if parts[len(parts)-1] == "init" {
		parts = parts[:len(parts)-1]
	}
	for i := range parts {
		if n := strings.Join(parts[i:], "."); n != name && slices.Contains(known, n) {
			return n
		}
	}
	return ""
}

// near gives the name that is nearest, and up to two that end alike: the right file in the wrong directory.
func near(word string, known []string, sep string) []string {
	var out []string
	if n := diag.Nearest(word, known); n != "" {
		out = append(out, n)
	}
	last := sep + word[strings.LastIndex(word, sep)+1:]
	for _, k := range known {
		if len(out) == 3 {
			break
		}
		if k != word && len(last) > 3 && strings.HasSuffix(sep+k, last) && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}
