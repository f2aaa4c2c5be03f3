package modules

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// Unreached is the failure to reach a server: where a state of the run starts one of its services, or brings its
// command, nobody knows yet what it will say.
func Unreached(h host.Reader, err error, services ...string) error {
	if err == nil {
		return nil
	}
	for _, f := range h.Facts(host.FactService) {
		if slices.Contains(services, strings.TrimSuffix(f.Name, ".service")) {
			return &host.Unknown{What: "what the server says", By: "the start of " + f.Name}
		}
	}
	return err
}
