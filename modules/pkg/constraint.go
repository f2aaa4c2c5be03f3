package pkg

import (
	"fmt"
	"path"
	"strings"
)

// A constraint is what a state asks of a version: "1.2", "1.2*", ">=1.2", ">=1.2,<2", "latest", or anything.
type constraint struct {
	text  string
	parts []versionPart
	// latest asks for the newest version that there is.
	latest bool
	// compare orders versions as the package manager does.
	compare func(a, b string) int
}

type versionPart struct{ op, version string }

func parseConstraint(text string, compare func(a, b string) int) (constraint, error) {
	c := constraint{text: strings.TrimSpace(text), compare: compare}
	switch c.text {
	case "":
		return c, nil
	case "latest":
		c.latest = true
		return c, nil
	}
	for _, part := range strings.Split(c.text, ",") {
		part = strings.TrimSpace(part)
		op := part[:len(part)-len(strings.TrimLeft(part, "<>=!"))]
		v := versionPart{op, strings.TrimSpace(part[len(op):])}
		switch op {
		case "", "=", "==":
			v.op = "=="
		case "<", "<=", ">", ">=", "!=":
		default:
			return c, fmt.Errorf("%q is no version: %q is none of ==, !=, <, <=, >, >=", text, op)
		}
		if v.version == "" {
			return c, fmt.Errorf("%q is no version", text)
		}
		c.parts = append(c.parts, v)
	}
	return c, nil
}

// any says that every version will do.
func (c constraint) any() bool { return len(c.parts) == 0 && !c.latest }

// holds says whether the version, or one of several with commas between them, is one that the state asks for. Where it
// is not said whether epochs count, they do not for an exact version without one.
func (c constraint) holds(version string, ignoreEpoch *bool) bool {
	for v := range strings.SplitSeq(version, ",") {
		if v != "" && c.each(v, ignoreEpoch) {
			return true
		}
	}
	return false
}

func (c constraint) each(version string, ignoreEpoch *bool) bool {
	for _, p := range c.parts {
		exact := !strings.ContainsAny(p.op, "<>") && !strings.Contains(p.version, ":")
		if !p.holds(c.compare, version, ignoreEpoch != nil && *ignoreEpoch || ignoreEpoch == nil && exact) {
			return false
		}
	}
	return true
}

// takes says whether the package manager is to be asked for the version: what is given exactly it has to have as it is
// given.
func (c constraint) takes(version string, ignoreEpoch *bool) bool {
	for _, p := range c.parts {
		if !p.holds(c.compare, version, p.op != "==" && ignoreEpoch != nil && *ignoreEpoch) {
			return false
		}
	}
	return version != ""
}

func (p versionPart) holds(compare func(a, b string) int, version string, ignoreEpoch bool) bool {
	want := p.version
	if ignoreEpoch {
		version, want = withoutEpoch(version), withoutEpoch(want)
	}
	if strings.ContainsAny(want, "*?[") {
		ok, _ := path.Match(want, version)
		return ok == (p.op != "!=")
	}
	d := compare(version, want)
	switch p.op {
	case "<":
		return d < 0
	case "<=":
		return d <= 0
	case ">":
		return d > 0
	case ">=":
		return d >= 0
	case "!=":
		return d != 0
	}
	return d == 0
}

// choose is the version to install among those that the sources offer, newest first; candidate is the one that the
// package manager would take. "" when none will do.
func (c constraint) choose(candidate string, offered []string, ignoreEpoch *bool) string {
	if c.any() || c.latest {
		return candidate
	}
	if c.takes(candidate, ignoreEpoch) {
		return candidate
	}
	best := ""
	for _, v := range offered {
		if c.takes(v, ignoreEpoch) && (best == "" || c.compare(v, best) > 0) {
			best = v
		}
	}
	return best
}
