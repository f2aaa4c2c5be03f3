package file

import (
	"path"

	"github.com/gostate/gostate/modules"
)

// keeps tells that a state keeps what is at a path, and its owner. It says whether to tell more.
func keeps(c *modules.Claims, name Path, what string, user, group Owner) bool {
	if !c.Thing("path", path.Clean(string(name))) {
		return false
	}
	c.Is("", what)
	c.Wants("user", user.text())
	c.Wants("group", group.text())
	return true
}

// Claim tells that it keeps the file. One that only makes it leaves the content to others.
func (m *Managed) Claim(c *modules.Claims) {
	if !m.Replace || !keeps(c, m.Name, "file", m.User, m.Group) {
		return
	}
	c.Wants("mode", m.Mode)
	c.Wants("content", m.Source, m.Contents, m.ContentsPillar, m.ContentsGrains, m.Template, m.Context.Dict,
		m.Defaults.Dict, m.Rest)
}

// Claim tells that it keeps the file.
func (s *Serialize) Claim(c *modules.Claims) {
	if !keeps(c, s.Name, "file", s.User, s.Group) {
		return
	}
	c.Wants("mode", s.Mode)
	c.Wants("content", s.Serializer, s.Dataset, s.DatasetPillar)
}

// Claim tells that it keeps the file.
func (d *Decode) Claim(c *modules.Claims) {
	if keeps(c, d.Name, "file", Owner{}, Owner{}) {
		c.Wants("content", "decoded", d.EncodedData, d.ContentsPillar)
	}
}

// Claim tells that it keeps the directory.
func (d *Directory) Claim(c *modules.Claims) {
	if !keeps(c, d.Name, "directory", d.User, d.Group) {
		return
	}
	if d.DirMode.Given {
		c.Is("mode", d.DirMode)
	} else {
		c.Wants("mode", d.Mode)
	}
}

// Claim tells that it keeps the directory; what is in it are many things.
func (r *Recurse) Claim(c *modules.Claims) {
	if keeps(c, r.Name, "directory", r.User, r.Group) {
		c.Wants("mode", r.DirMode)
	}
}

// Claim tells that it keeps the link.
func (s *Symlink) Claim(c *modules.Claims) {
	if keeps(c, s.Name, "link", s.User, s.Group) {
		c.Is("target", s.Target)
	}
}

// Claim tells that nothing is there.
func (a *Absent) Claim(c *modules.Claims) { keeps(c, a.Name, "absent", Owner{}, Owner{}) }
