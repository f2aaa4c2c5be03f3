package timezone

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Properties are the zone that the machine has now, and whether its hardware clock runs in UTC.
func (s *System) Properties(_ context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	to, err := h.Readlink(localtime)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return map[string]string{"name": "no link"}, nil
	}
	if !path.IsAbs(to) {
		to = path.Join("/etc", to)
	}
	lines, err := modules.ReadLines(h, adjtime)
	if err != nil {
		return nil, err
	}
	utc := "true"
	if len(lines) > 2 && lines[2] == "LOCAL" {
		utc = "false"
	}
	return map[string]string{"name": strings.TrimPrefix(path.Clean(to), zones), "utc": utc}, nil
}
