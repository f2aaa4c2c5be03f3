package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/cmd/internal/disk"
)

// Limits bound a spool; zero is the default.
type Limits struct {
	Reports int   // 200
	Bytes   int64 // 50 MB
}

// A Spool keeps reports on the disk until they are delivered. When it is full the middle is thinned: the oldest say
// what began, the newest what is. How many were is counted.
type Spool struct {
	dir  string
	most Limits
}

// OpenSpool opens the spool of a directory.
func OpenSpool(dir string, most Limits) (*Spool, error) {
	if most.Reports <= 0 {
		most.Reports = 200
	}
	if most.Bytes <= 0 {
		most.Bytes = 50 << 20
	}
	return &Spool{dir, most}, os.MkdirAll(dir, 0o700)
}

type spooled struct {
	name string
	size int64
}

// all are the reports, the oldest first.
func (s *Spool) all() ([]spooled, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var out []spooled
	for _, e := range entries {
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), ".json") && e.Name()[0] != '.' {
			out = append(out, spooled{e.Name(), info.Size()})
		}
	}
	slices.SortFunc(out, func(a, b spooled) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// Put keeps a report.
func (s *Spool) Put(data []byte) error {
	all, err := s.all()
	if err != nil {
		return err
	}
	next := 1
	if len(all) > 0 {
		n, _ := strconv.Atoi(strings.TrimSuffix(all[len(all)-1].name, ".json"))
		next = n + 1
	}
	if err := s.thin(all, int64(len(data))); err != nil {
		return err
	}
	return disk.WriteFile(filepath.Join(s.dir, fmt.Sprintf("%012d.json", next)), data, 0o600)
}

// thin makes room for one more.
func (s *Spool) thin(all []spooled, add int64) error {
	total, gone := add, 0
	for _, f := range all {
		total += f.size
	}
	for len(all) > 0 && (len(all) >= s.most.Reports || total > s.most.Bytes) {
		i := len(all) / 2
		if err := os.Remove(filepath.Join(s.dir, all[i].name)); err != nil {
			return err
		}
		total -= all[i].size
		all = slices.Delete(all, i, i+1)
		gone++
	}
	if gone == 0 {
		return nil
	}
	return disk.WriteFile(filepath.Join(s.dir, "thinned"), []byte(strconv.Itoa(s.Thinned()+gone)), 0o600)
}

// Thinned counts the reports that there was no room for.
func (s *Spool) Thinned() int {
	data, _ := os.ReadFile(filepath.Join(s.dir, "thinned"))
	n, _ := strconv.Atoi(string(data))
	return n
}

// Deliver gives the reports to the sink, the oldest first, until one is not taken. What is taken is removed.
func (s *Spool) Deliver(ctx context.Context, node string, to Sink) error {
	all, err := s.all()
	if err != nil {
		return err
	}
	for _, f := range all {
		path := filepath.Join(s.dir, f.name)
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var r struct{ Run string }
		if err == nil && json.Unmarshal(data, &r) != nil {
			err = os.Rename(path, path+".damaged") // for a person; the others go on
		} else if err == nil {
			err = to.Deliver(ctx, Delivery{Node: node, Run: r.Run, Data: data})
			if err == nil {
				err = os.Remove(path)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
