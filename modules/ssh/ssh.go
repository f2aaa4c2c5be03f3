// Package ssh keeps the keys that may log in to an account (ssh_auth.*) and the host keys that an account knows
// (ssh_known_hosts.*). Both are files, so that previews see them.
package ssh

import (
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "ssh", States: []modules.StateSpec{authPresentSpec(), authAbsentSpec(), authManageSpec(),
		knownPresentSpec(), knownAbsentSpec()}, Describers: []modules.Describer{describer()}}
}

// A keyFile is a file of keys, line by line.
type keyFile struct {
	path  string
	owner host.User // whose it is; UID -1 for the machine's own
	lines []string
}

// open reads a file of a user's: a path below the home directory, or an absolute one with %h and %u replaced.
func open(h host.Reader, user, file string) (*keyFile, error) {
	u, err := h.User(user)
	if err != nil {
		return nil, host.Missing("the user %s, whose keys are managed, does not exist", user)
	}
	file = strings.NewReplacer("%h", u.Home, "%u", u.Name, "%%", "%").Replace(file)
	if !path.IsAbs(file) {
		file = path.Join(u.Home, file)
	}
	return readFile(h, file, u)
}

func readFile(h host.Reader, file string, owner host.User) (*keyFile, error) {
	lines, err := modules.ReadLines(h, file)
	return &keyFile{file, owner, lines}, err
}

// write replaces the file; it and a folder that is missing belong to the user and are closed to others, as sshd
// demands.
func (k *keyFile) write(h host.Host) error {
	attr := host.Attr{Mode: 0o600, HasMode: true, UID: k.owner.UID, GID: k.owner.GID}
	if k.owner.UID < 0 { // the machine's own folder stays open to all
		if err := modules.MakeDirs(h, path.Dir(k.path), host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
			return err
		}
	}
	return modules.WriteLinesAs(h, k.path, k.lines, attr)
}

// kinds are the types of keys that sshd knows.
func isKind(word string) bool {
	return strings.HasPrefix(word, "ssh-") || strings.HasPrefix(word, "rsa-sha2-") ||
		strings.HasPrefix(word, "ecdsa-sha2-") || strings.HasPrefix(word, "sk-")
}

// tidy drops blank lines, and spaces around the others, as Salt does when it writes the file anew.
func (k *keyFile) tidy() {
	var out []string
	for _, l := range k.lines {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	k.lines = out
}

// kindOf is the full type of a key that users call "rsa", "dss", "ed25519" or "ecdsa".
func kindOf(enc string) string {
	switch enc {
	case "", "r", "rsa":
		return "ssh-rsa"
	case "d", "dss", "dsa":
		return "ssh-dss"
	case "ed25519":
		return "ssh-ed25519"
	case "e", "ecdsa", "nistp256":
		return "ecdsa-sha2-nistp256"
	case "nistp384":
		return "ecdsa-sha2-nistp384"
	case "nistp521":
		return "ecdsa-sha2-nistp521"
	}
	return enc
}
