package pack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Inventory is a directory that knows the grains of machines: ID.json, as `gostate grains --out json` prints them, or
// ID/RUN.json, the reports of its agent, whose last one with grains counts. "" knows none.
type Inventory string

// GrainsOf are the grains of a machine, with those of nodes.yaml over them.
func (i Inventory) GrainsOf(n release.Node) ([]byte, error) {
	known, err := i.reported(n.ID)
	if err != nil && (!errors.Is(err, release.ErrNone) || n.Grains == nil) {
		return nil, err
	}
	if n.Grains == nil {
		return known, nil
	}
	all := value.NewDict(8)
	if known != nil {
		v, err := yaml.Decode(n.ID, known)
		if err != nil {
			return nil, err
		}
		if d, ok := v.(*value.Dict); ok {
			all = d
		}
	}
	merge.Update(all, n.Grains, true, false)
	text, err := yaml.Encode(all, yaml.EncodeOptions{AllowUnicode: true})
	return []byte(text), err
}

func (i Inventory) reported(id string) ([]byte, error) {
	if i == "" {
		return nil, fmt.Errorf("there is no inventory, and nodes.yaml says none: %w", release.ErrNone)
	}
	data, err := os.ReadFile(filepath.Join(string(i), id+".json"))
	if err == nil {
		return grainsIn(data)
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	reports, err := filepath.Glob(filepath.Join(string(i), id, "*.json"))
	if err != nil {
		return nil, err
	}
	slices.Sort(reports)
	for _, file := range slices.Backward(reports) {
		if data, err := os.ReadFile(file); err == nil {
			if grains, err := grainsIn(data); err == nil {
				return grains, nil
			}
		}
	}
	return nil, fmt.Errorf("%s has no report of it: %w", i, release.ErrNone)
}

// grainsIn are the grains of a report, or of what `gostate grains` printed.
func grainsIn(data []byte) ([]byte, error) {
	var doc struct{ Local, Grains json.RawMessage }
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	for _, found := range [][]byte{doc.Grains, doc.Local} {
		if len(found) > 2 {
			return found, nil
		}
	}
	return nil, release.ErrNone
}
