// Package roster reads which machines there are: the hosts of ~/.ssh/config, gostate's nodes.yaml, Salt's flat roster,
// an inventory of Ansible's, or a list on standard input. It says which of them a target means, by Salt's compound
// grammar over what the rosters say of them.
//
// It reads files and asks no machine.
package roster

import (
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Host is a machine that can be reached.
type Host struct {
	// ID is its name, which is the minion's id there.
	ID string
	// Address is what ssh is given: a name of its configuration, or an address. "" is the ID.
	Address string
	User    string
	Port    int
	// Key is a file with the private key, "" for ssh's own choice.
	Key string
	// Options are words for ssh, as -o ProxyJump=bastion.
	Options []string
	// Sudo says that the run is root's by sudo; nil where the roster says nothing: whoever is not root asks sudo.
	Sudo *bool
	// Groups it is in, Grains and Pillar that the roster gives.
	Groups         []string
	Grains, Pillar *value.Dict
	// Config is laid over the configuration of the tree.
	Config *value.Dict
	// Pos is where the roster names it.
	Pos diag.Pos
}

// Destination is what ssh is given.
func (h *Host) Destination() string {
	if h.Address != "" {
		return h.Address
	}
	return h.ID
}
