package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/gostate/gostate/cmd/internal/disk"
)

// WriteInventory keeps the grains that machines have reported last in the directory, as ID.json in the shape of
// `gostate grains --out json`: the inventory by which releases are packed, for people to review. What is there of a
// machine that says nothing stays. It gives how many machines are told of, and which of their files are new.
func WriteInventory(ctx context.Context, reports Reports, dir string) (told int, fresh []string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return 0, nil, err
	}
	err = reports.Last(ctx, func(e Entry) error {
		if e.Damaged != nil || len(e.Report.Grains) == 0 {
			return nil
		}
		told++
		data, err := json.MarshalIndent(map[string]any{"local": e.Report.Grains}, "", "  ")
		if err != nil {
			return err
		}
		file := filepath.Join(dir, e.Node+".json")
		data = append(data, '\n')
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, data) {
			return nil
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		fresh = append(fresh, e.Node)
		return disk.WriteFile(file, data, 0o644)
	})
	slices.Sort(fresh)
	return told, fresh, err
}
