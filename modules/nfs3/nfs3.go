// Package nfs3 keeps what the NFS server exports: /etc/exports, and what exportfs makes of it.
package nfs3

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the execution functions.
func Family() modules.Family { return modules.Family{Name: "nfs3", Execs: execs()} }

// States lists the states of the module nfs_export.
func States() modules.Family {
	return modules.Family{Name: "nfs_export", States: []modules.StateSpec{presentSpec(), absentSpec()}}
}

// root is embedded by the states.
type root struct{}

// NeedsRoot is true: only root may export.
func (root) NeedsRoot(*modules.Env) bool { return true }

// installed is an error where there is no NFS server.
func installed(h host.Reader) error {
	if _, err := h.LookPath("exportfs"); host.IsUnknown(err) {
		return err
	} else if err != nil {
		return host.Missing("the NFS server is not installed: pkg.installed nfs-kernel-server before it")
	}
	return nil
}

// A client is who may mount a path, and how.
type client struct {
	hosts   string
	options []string
}

func (c client) String() string { return c.hosts + "(" + strings.Join(c.options, ",") + ")" }

func (c client) dict() *value.Dict {
	return value.DictOf("hosts", value.Str(c.hosts), "options", texts(c.options))
}

func texts(items []string) *value.List {
	out := value.NewList()
	for _, i := range items {
		out.Items = append(out.Items, value.Str(i))
	}
	return out
}

func dicts(clients []client) *value.List {
	out := value.NewList()
	for _, c := range clients {
		out.Items = append(out.Items, c.dict())
	}
	return out
}

// An entry is a line of the file: the paths that it exports, and their clients. Comments and empty lines have none.
type entry struct {
	line    string
	paths   []string
	clients []client
}

// read reads a file of exports; one that is not there is empty. A line that ends in a backslash goes on in the next.
func read(h host.Reader, file string) ([]entry, error) {
	lines, err := modules.ReadLines(h, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []entry
	whole := ""
	for i, l := range lines {
		whole += l
		if text, ok := strings.CutSuffix(whole, `\`); ok {
			whole = text + " " // also at the end of the file, where a line that is added would become part of it
			if i < len(lines)-1 {
				continue
			}
		}
		out = append(out, parse(whole))
		whole = ""
	}
	return out, nil
}

func parse(line string) entry {
	e := entry{line: line}
	text, _, _ := strings.Cut(line, "#")
	for i, word := range strings.Fields(text) {
		if i == 0 || strings.HasPrefix(word, "/") {
			e.paths = append(e.paths, strings.Trim(word, `"`))
			continue
		}
		hosts, options, ok := strings.Cut(strings.TrimSuffix(word, ")"), "(")
		c := client{hosts: hosts}
		if ok && options != "" {
			c.options = strings.Split(options, ",")
		}
		e.clients = append(e.clients, c)
	}
	return e
}

// of are the clients of a path; ok is false where it is not exported.
func of(entries []entry, path string) (clients []client, ok bool) {
	for _, e := range entries {
		if slices.Contains(e.paths, path) {
			clients, ok = append(clients, e.clients...), true
		}
	}
	return clients, ok
}

// without are the entries with a path taken out. Other paths of its line stay.
func without(entries []entry, path string) []entry {
	var out []entry
	for _, e := range entries {
		if i := slices.Index(e.paths, path); i >= 0 {
			if len(e.paths) == 1 {
				continue
			}
			e.paths = slices.Delete(slices.Clone(e.paths), i, i+1)
			e.line = spell(strings.Join(e.paths, " "), e.clients)
		}
		out = append(out, e)
	}
	return out
}

func spell(paths string, clients []client) string {
	for _, c := range clients {
		paths += " " + c.String()
	}
	return paths
}

// put gives a path these clients, in the place of its line or at the end.
func put(entries []entry, path string, clients []client) []entry {
	at := slices.IndexFunc(entries, func(e entry) bool { return slices.Contains(e.paths, path) })
	rest := without(entries, path)
	if at < 0 || at > len(rest) {
		at = len(rest)
	}
	return slices.Insert(rest, at, entry{line: spell(path, clients), paths: []string{path}, clients: clients})
}

func write(h host.Host, file string, entries []entry) error {
	var lines []string
	for _, e := range entries {
		lines = append(lines, e.line)
	}
	return modules.WriteLines(h, file, lines)
}

// reload has the server export what the file says. What exportfs warned of is the answer.
func reload(ctx context.Context, h host.Host) (said string, err error) {
	err = h.Do(ctx, host.Deed{What: "exportfs -r", On: host.FactService, Do: func(ctx context.Context) error {
		out, err := h.Run(ctx, host.Cmd{Args: []string{"exportfs", "-r"}, Env: []string{"LC_ALL=C.UTF-8"}})
		if err != nil {
			return fmt.Errorf("run exportfs: %w", err)
		}
		said = strings.TrimSpace(string(out.Stderr))
		return modules.Complaint("exportfs", out)
	}, Foretell: func(host.Host) error { return nil }})
	return said, err
}
