// Package top reads top.sls: which SLS a machine gets, by matchers on its id, grains, pillar and addresses.
//
// The matchers are Salt's, with Python's fnmatch and re. States and pillar use the same ones, and so do the match.*
// execution functions. The package promises an order: environments and SLS come out as they stand in the top files.
package top

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// A Minion is what matchers ask about. Its functions are called only when a matcher needs them; nil is empty.
type Minion struct {
	ID             string
	Grains, Pillar func() *value.Dict
	// Data is what the data matcher looks into.
	Data func() *value.Dict
	// Nodegroups are the groups of the configuration: name to compound expression or list of words.
	Nodegroups *value.Dict
}

// A Matcher says whether targets mean a minion.
type Matcher struct{ m Minion }

// NewMatcher makes the matcher of a minion.
func NewMatcher(m Minion) *Matcher {
	empty := func() *value.Dict { return value.NewDict(0) }
	if m.Grains == nil {
		m.Grains = empty
	}
	if m.Pillar == nil {
		m.Pillar = empty
	}
	if m.Data == nil {
		m.Data = empty
	}
	if m.Nodegroups == nil {
		m.Nodegroups = value.NewDict(0)
	}
	return &Matcher{m: m}
}

// Kinds are the names of the matchers, as `- match:` takes them.
func Kinds() []string {
	return []string{
		"compound", "data", "exsel", "glob", "grain", "grain_pcre", "ipcidr", "list", "nodegroup", "pcre", "pillar",
		"pillar_exact", "pillar_pcre",
	}
}

// Match asks the matcher of a kind. delim splits keys from values; "" is ":". The error says what is wrong with the
// target.
// Salt differs: a malformed ipcidr, compound or nodegroup target matches nothing there, with a line in the log at most.
func (m *Matcher) Match(kind, target, delim string) (bool, error) {
	if delim == "" {
		delim = ":"
	}
	switch kind {
	case "glob":
		return fnmatch.Match(target, m.m.ID), nil
	case "pcre":
		return m.pcre(target)
	case "list":
		return m.list(target), nil
	case "grain":
		return subdictMatch(m.m.Grains(), target, delim, byGlob)
	case "grain_pcre":
		return subdictMatch(m.m.Grains(), target, delim, byPCRE)
	case "pillar":
		return subdictMatch(m.m.Pillar(), target, delim, byGlob)
	case "pillar_pcre":
		return subdictMatch(m.m.Pillar(), target, delim, byPCRE)
	case "pillar_exact":
		return subdictMatch(m.m.Pillar(), target, delim, byEquality)
	case "data":
		return subdictMatch(m.m.Data(), target, delim, byGlob)
	case "ipcidr":
		return m.ipcidr(target)
	case "compound":
		return m.Compound(target)
	case "nodegroup":
		return m.Nodegroup(target)
	case "range", "exsel":
		return false, fmt.Errorf("matcher '%s' needs Python or a range server and is not supported", kind)
	}
	if n := diag.Nearest(kind, Kinds()); n != "" {
		return false, fmt.Errorf("unknown matcher '%s'; did you mean '%s'?", kind, n)
	}
	return false, fmt.Errorf("unknown matcher '%s'", kind)
}

func (m *Matcher) pcre(target string) (bool, error) {
	re, err := pyre.Compile(target, 0)
	if err != nil {
		return false, fmt.Errorf("target '%s' is no regular expression: %w", target, err)
	}
	return re.Matches(m.m.ID)
}

// list is Salt's: "a,b" names the minion between commas.
func (m *Matcher) list(target string) bool {
	return slices.ContainsFunc(strings.Split(target, ","), func(s string) bool { return strings.TrimSpace(s) == m.m.ID })
}

func (m *Matcher) ipcidr(target string) (bool, error) {
	if a, err := netip.ParseAddr(target); err == nil {
		return slices.Contains(m.addresses(), a.Unmap()), nil
	}
	p, err := netip.ParsePrefix(target)
	if err != nil {
		return false, fmt.Errorf("target '%s' is neither an address nor a network", target)
	}
	if p.Masked() != p {
		return false, fmt.Errorf("target '%s' has host bits set; the network is %s", target, p.Masked())
	}
	return slices.ContainsFunc(m.addresses(), p.Contains), nil
}

// addresses are those of the grains ipv4 and ipv6.
func (m *Matcher) addresses() []netip.Addr {
	var out []netip.Addr
	for _, key := range []string{"ipv4", "ipv6"} {
		v, _ := m.m.Grains().GetStr(key)
		list, _ := v.(*value.List)
		if list == nil {
			continue
		}
		for _, it := range list.Items {
			if a, err := netip.ParseAddr(strings.SplitN(value.String(it), "%", 2)[0]); err == nil {
				out = append(out, a.Unmap())
			}
		}
	}
	return out
}
