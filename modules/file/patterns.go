package file

import (
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/pyre"
)

// chosen says whether a path is taken: it matches one of include, where there are any, and none of exclude. A pattern
// is a glob over the whole path, or E@ and a regular expression that is found anywhere in it.
func chosen(name string, include, exclude []string) bool {
	if len(include) > 0 && !matchesAny(name, include) {
		return false
	}
	return !matchesAny(name, exclude)
}

func matchesAny(name string, patterns []string) bool {
	for _, p := range patterns {
		if expr, ok := strings.CutPrefix(p, "E@"); ok {
			if re, err := pyre.Compile(expr, 0); err == nil {
				if m, err := re.Search(name); err == nil && m != nil {
					return true
				}
			}
			continue
		}
		if p != "" && fnmatch.Match(p, name) {
			return true
		}
	}
	return false
}

// badPatterns are the faults of regular expressions: one that protects nothing by mistake must not be taken for a
// pattern.
func badPatterns(arg string, patterns []string) []modules.Fault {
	var faults []modules.Fault
	for _, p := range patterns {
		if expr, ok := strings.CutPrefix(p, "E@"); ok {
			if _, err := pyre.Compile(expr, 0); err != nil {
				faults = append(faults, modules.Fault{Arg: arg, Msg: err.Error()})
			}
		}
	}
	return faults
}
