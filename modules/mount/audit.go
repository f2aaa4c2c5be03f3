package mount

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Properties are those of what is mounted there.
func (m *Mounted) Properties(_ context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	return mountProperties(h, m.Name)
}

// Properties are those of what is mounted there and should not be.
func (u *Unmounted) Properties(_ context.Context, _ *modules.Env, h host.Reader) (map[string]string, error) {
	return mountProperties(h, u.Name)
}

func mountProperties(h host.Reader, dir string) (map[string]string, error) {
	ms, err := mounts(h)
	if err != nil {
		return nil, err
	}
	m := at(ms, folder(dir))
	if m == nil {
		return nil, nil
	}
	return map[string]string{modules.Is: "mounted", "device": m.device, "fstype": m.fstype,
		"opts": strings.Join(m.opts, ",")}, nil
}
