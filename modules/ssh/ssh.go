// Package ssh keeps the keys that may log in to an account (ssh_auth.*) and the host keys that an account knows
// (ssh_known_hosts.*). Both are files, so that previews see them.
package ssh

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "ssh", States: []modules.StateSpec{authPresentSpec(), authAbsentSpec(), authManageSpec(), knownPresentSpec(), knownAbsentSpec()}}
}

// files is embedded by the states: keys are in files.
type files struct{}

// OnlyFiles: keys are in files.
func (files) OnlyFiles() {}

// Locks keeps other changes of the files out.
func (files) Locks() []string { return []string{"ssh"} }

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
		return nil, fmt.Errorf("the user %s, whose keys are managed, does not exist", user)
	}
	file = strings.NewReplacer("%h", u.Home, "%u", u.Name, "%%", "%").Replace(file)
	if !path.IsAbs(file) {
		file = path.Join(u.Home, file)
	}
	return readFile(h, file, u)
}

func readFile(h host.Reader, file string, owner host.User) (*keyFile, error) {
	k := &keyFile{path: file, owner: owner}
	data, err := h.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	if text := strings.TrimRight(string(data), "\n"); text != "" {
		k.lines = strings.Split(text, "\n")
	}
	return k, nil
}

// write replaces the file; it and a folder that is missing belong to the user and are closed to others, as sshd demands.
func (k *keyFile) write(h host.Host) error {
	attr := host.Attr{Mode: 0o600, HasMode: true, UID: k.owner.UID, GID: k.owner.GID}
	if k.owner.UID < 0 {
		attr.Mode = 0o644
	}
	if err := makeDir(h, path.Dir(k.path), attr); err != nil {
		return err
	}
	if _, err := h.Stat(k.path); err == nil {
		attr = host.KeepAttr()
	}
	text := strings.Join(k.lines, "\n")
	if text != "" {
		text += "\n"
	}
	if err := h.WriteFile(k.path, strings.NewReader(text), attr); err != nil {
		return fmt.Errorf("write %s: %w", k.path, err)
	}
	return nil
}

// makeDir makes a missing folder with its parents: a home directory that a preview only promises is made there too.
func makeDir(h host.Host, dir string, attr host.Attr) error {
	if _, err := h.Stat(dir); err == nil || dir == "/" {
		return nil
	}
	if err := makeDir(h, path.Dir(dir), attr); err != nil {
		return err
	}
	attr.Mode = 0o700
	if attr.UID < 0 {
		attr.Mode = 0o755
	}
	if err := h.Mkdir(dir, attr); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	return nil
}

// kinds are the types of keys that sshd knows.
func isKind(word string) bool {
	return strings.HasPrefix(word, "ssh-") || strings.HasPrefix(word, "ecdsa-sha2-") || strings.HasPrefix(word, "sk-")
}

// kindOf is the full type of a key that users call "rsa", "dss", "ed25519" or "ecdsa".
func kindOf(enc string) string {
	switch enc {
	case "", "rsa":
		return "ssh-rsa"
	case "dss", "dsa":
		return "ssh-dss"
	case "ed25519":
		return "ssh-ed25519"
	case "ecdsa", "nistp256":
		return "ecdsa-sha2-nistp256"
	case "nistp384":
		return "ecdsa-sha2-nistp384"
	case "nistp521":
		return "ecdsa-sha2-nistp521"
	}
	return enc
}
