package roster

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
)

// Load gives the hosts that a target means, in the order of the rosters.
func Load(files []string, in io.Reader, target string) ([]*Host, error) {
	all, err := All(files, in)
	if err != nil {
		return nil, err
	}
	return Select(all, target, len(files) == 0)
}

// All are the hosts of the rosters, in their order. A roster "-" is names on in. Without rosters they are nodes.yaml of
// the working directory, else /etc/salt/roster, and ~/.ssh/config.
func All(files []string, in io.Reader) (all []*Host, err error) {
	for _, f := range named(files) {
		hosts, err := read(f, in)
		if err != nil {
			return nil, err
		}
		all = merged(all, hosts)
	}
	for _, h := range all {
		if err := h.check(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// named are the rosters to read.
func named(files []string) []string {
	if len(files) > 0 {
		return files
	}
	var out []string
	for _, f := range []string{"nodes.yaml", "/etc/salt/roster"} {
		if _, err := os.Stat(f); err == nil {
			out = append(out, f)
			break
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		if f := filepath.Join(home, ".ssh", "config"); exists(f) {
			out = append(out, f)
		}
	}
	return out
}

func exists(f string) bool {
	_, err := os.Stat(f)
	return err == nil
}

// merged adds hosts that are not there yet: the first roster that names one says how it is reached.
func merged(all, more []*Host) []*Host {
	for _, h := range more {
		if !slices.ContainsFunc(all, func(o *Host) bool { return o.ID == h.ID }) {
			all = append(all, h)
		}
	}
	return all
}

// check refuses what ssh would take for an option.
func (h *Host) check() error {
	for _, w := range []string{h.ID, h.Destination(), h.User} {
		if strings.HasPrefix(w, "-") || strings.ContainsAny(w, " \t\n/") {
			return diag.Errorf(h.Pos, "%q is no name of a host or user", w).WithHint("letters, digits and . _ - @ : name one")
		}
	}
	return nil
}

// read reads one roster, whose kind its name or its text says.
func read(file string, in io.Reader) ([]*Host, error) {
	if file == "-" {
		return lines(in)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: file}, "the roster cannot be read: %v", err).
			WithHint("--roster FILE names one; - takes names from standard input")
	}
	base := filepath.Base(file)
	yamlName := strings.HasSuffix(base, ".yaml") || strings.HasSuffix(base, ".yml")
	switch {
	case base == "config" || base == "ssh_config" || !yamlName && likeSSH(string(text)):
		return sshConfig(file, string(text))
	case yamlName && hasKey(string(text), "nodes"):
		return nodes(file)
	case base == "roster" || yamlName:
		return yamlRoster(file, text)
	}
	return inventory(file, string(text))
}

// hasKey says whether a line begins with the key.
func hasKey(text, key string) bool {
	return strings.HasPrefix(text, key+":") || strings.Contains(text, "\n"+key+":")
}

// lines are names, one a line; "#" begins a comment.
func lines(in io.Reader) (out []*Host, err error) {
	s := bufio.NewScanner(in)
	for n := 1; s.Scan(); n++ {
		name, _, _ := strings.Cut(s.Text(), "#")
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, &Host{ID: name, Pos: diag.Pos{File: "standard input", Line: n}})
		}
	}
	return out, s.Err()
}

// likeSSH says whether a text is a configuration of ssh: it has a line that begins a host, and no other sort has one.
func likeSSH(text string) bool {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "Host" {
			return true
		}
	}
	return false
}

// sshConfig are the hosts that a configuration of ssh names without patterns. How they are reached is ssh's to say,
// which reads another file than the user's own in the place of that.
func sshConfig(file, text string) (out []*Host, err error) {
	var opts []string
	if home, err := os.UserHomeDir(); err != nil || !sameFile(file, filepath.Join(home, ".ssh", "config")) {
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		opts = []string{"-F", file}
	}
	n := 0
	for line := range strings.Lines(text) {
		n++
		f := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t=\r\n\"", r) })
		if len(f) < 2 || !strings.EqualFold(f[0], "host") {
			continue
		}
		for _, name := range f[1:] {
			if !strings.ContainsAny(name, "*?!") {
				out = append(out, &Host{ID: name, Options: opts, Pos: diag.Pos{File: file, Line: n}})
			}
		}
	}
	return out, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, fault := os.Stat(b)
	return err == nil && fault == nil && os.SameFile(x, y)
}
