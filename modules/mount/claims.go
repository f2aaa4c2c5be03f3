package mount

import (
	"path"

	"github.com/gostate/gostate/modules"
)

// Claim tells that it keeps what is mounted on a folder; swap has none.
func (m *Mounted) Claim(c *modules.Claims) {
	if path.IsAbs(m.Name) && c.Thing("mount", path.Clean(m.Name)) {
		c.Is("", "mounted")
		c.Is("device", m.Device)
		c.Is("fstype", m.Fstype)
		c.Is("opts", []string(m.Opts))
	}
}

// Claim tells that nothing is mounted on the folder; of one device, others may be.
func (u *Unmounted) Claim(c *modules.Claims) {
	if u.Device == "" && c.Thing("mount", path.Clean(u.Name)) {
		c.Is("", "unmounted")
	}
}
