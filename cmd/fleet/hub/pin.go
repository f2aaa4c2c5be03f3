package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gostate/gostate/cmd/fleet/join"
	"github.com/gostate/gostate/cmd/internal/disk"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

// ReadNodes reads the list of machines; a file that is not there has none.
func ReadNodes(file string) ([]release.Node, error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return release.ReadNodes(file)
}

// Pin writes the keys of a machine into the list of machines, whose other lines stay as they are. A key that is there
// is not exchanged.
func Pin(file string, r join.Request) error {
	nodes, err := ReadNodes(file)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(nodes, func(n release.Node) bool { return n.ID == r.ID })
	var text []byte
	switch {
	case at < 0:
		text, err = withNode(file, r, nodes)
	case nodes[at].NKey == r.NKey:
		return nil
	case nodes[at].NKey != "":
		return diag.Errorf(nodes[at].Pos, "%s has another key: %s", r.ID, join.Fingerprint(nodes[at].NKey)).
			WithHint("if the machine was made anew: gostate-hub fleet revoke %s, take its nkey out of %s, accept again", r.ID,
				file)
	default:
		text, err = withKey(file, r, nodes[at])
	}
	if err != nil {
		return err
	}
	return replaced(file, text, r)
}

// withNode is the file with a new machine, below the others.
func withNode(file string, r join.Request, nodes []release.Node) ([]byte, error) {
	lines, err := linesOf(file)
	if err != nil {
		return nil, err
	}
	indent := "  "
	if len(nodes) > 0 {
		indent = indentOf(lines[nodes[0].Pos.Line-1])
	}
	more := []string{indent + r.ID + ":", indent + "  nkey: " + r.NKey}
	if len(r.Age) > 0 {
		more = append(more, indent+"  age: ["+strings.Join(r.Age, ", ")+"]")
	}
	begin := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "nodes:") })
	if begin < 0 {
		lines, begin = append(lines, "nodes:"), len(lines)
	}
	lines[begin] = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(lines[begin], " "), "{}"), " ")
	end := begin + 1
	for i := end; i < len(lines) && (strings.TrimSpace(lines[i]) == "" || indentOf(lines[i]) != ""); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			end = i + 1
		}
	}
	return joined(slices.Insert(lines, end, more...)), nil
}

// withKey is the file with the key of a machine that is in it.
func withKey(file string, r join.Request, n release.Node) ([]byte, error) {
	lines, err := linesOf(file)
	if err != nil {
		return nil, err
	}
	line := lines[n.Pos.Line-1]
	if !strings.HasSuffix(strings.TrimRight(line, " "), ":") {
		return nil, diag.Errorf(n.Pos, "%s has its keys on one line", r.ID).
			WithHint("add this to them, and accept again: nkey: %s", r.NKey)
	}
	indent := indentOf(line) + "  "
	if n.Pos.Line < len(lines) && len(indentOf(lines[n.Pos.Line])) > len(indentOf(line)) {
		indent = indentOf(lines[n.Pos.Line])
	}
	more := []string{indent + "nkey: " + r.NKey}
	if len(n.Age) == 0 && len(r.Age) > 0 {
		more = append(more, indent+"age: ["+strings.Join(r.Age, ", ")+"]")
	}
	return joined(slices.Insert(lines, n.Pos.Line, more...)), nil
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

func linesOf(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(data) == 0 {
		return nil, nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), err
}

func joined(lines []string) []byte { return []byte(strings.Join(lines, "\n") + "\n") }

// replaced writes the new text, when it is read as what was meant.
func replaced(file string, text []byte, r join.Request) error {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".nodes-*.yaml")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(text)
	if err = errors.Join(err, tmp.Close()); err != nil {
		return err
	}
	nodes, err := release.ReadNodes(tmp.Name())
	if err != nil || !slices.ContainsFunc(nodes, func(n release.Node) bool { return n.ID == r.ID && n.NKey == r.NKey }) {
		return diag.Errorf(diag.Pos{File: file}, "the machine cannot be written into the list: it is laid out unusually").
			WithHint("add it by hand, and accept again: {%s: {nkey: %s, age: %s}}", r.ID, r.NKey, strings.Join(r.Age, " "))
	}
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	if err := disk.WriteFile(file, text, mode); err != nil {
		return fmt.Errorf("write the list of machines: %w", err)
	}
	return nil
}
