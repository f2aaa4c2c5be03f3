package modules

import (
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// PromiseLibraries notes packages of a language with their versions, "" for none, under names that begin so, and that
// they may bring commands.
func PromiseLibraries(o host.Host, prefix string, versions map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(versions)) {
		o.Promise(host.Fact{Kind: host.FactLibrary, Name: prefix + name, Value: versions[name]})
	}
	o.Promise(host.Fact{Kind: host.FactCommand, Name: "*", Value: "unknown"})
}

// Promised puts what was promised under names that begin so over the versions that are installed.
func Promised(h host.Reader, prefix string, have map[string]string) {
	for _, f := range h.Facts(host.FactLibrary) {
		name, ours := strings.CutPrefix(f.Name, prefix)
		if ours {
			have[name] = f.Value
		}
		if ours && f.Value == "" {
			delete(have, name)
		}
	}
}
