package file

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// name is the owner where it is one by name: a number stands on no account.
func (o Owner) name() string {
	name, _ := o.val.(value.Str)
	return string(name)
}

// relatePath says of a state that it makes what is at a path, and on what that stands.
func relatePath(r *state.Relations, path Path, user, group Owner) {
	r.Make(state.ThingPath, string(path))
	r.Need(state.TieDirectory, string(path))
	r.Need(state.TieOwner, user.name())
	r.Need(state.TieGroup, group.name())
}

// relateEdit says of a state that it works on what is at a path.
func relateEdit(r *state.Relations, path Path) { r.Need(state.TieEdited, string(path)) }

// Relate says what file.managed makes and stands on. Of several sources nobody knows which is taken.
func (m *Managed) Relate(r *state.Relations) {
	relatePath(r, m.Name, m.User, m.Group)
	if len(m.Source.list) == 1 {
		r.Need(state.TieGiven, m.Source.list[0].url)
	}
}

// Relate says what file.serialize makes and stands on.
func (s *Serialize) Relate(r *state.Relations) { relatePath(r, s.Name, s.User, s.Group) }

// Relate says what file.directory makes and stands on.
func (d *Directory) Relate(r *state.Relations) { relatePath(r, d.Name, d.User, d.Group) }

// Relate says what file.recurse makes and stands on.
func (c *Recurse) Relate(r *state.Relations) { relatePath(r, c.Name, c.User, c.Group) }

// Relate says what file.symlink makes and stands on.
func (s *Symlink) Relate(r *state.Relations) {
	relatePath(r, s.Name, s.User, s.Group)
	r.Need(state.TieTarget, s.Target)
}

// Relate says what file.hardlink makes and stands on.
func (l *Hardlink) Relate(r *state.Relations) {
	relatePath(r, l.Name, l.User, l.Group)
	r.Need(state.TieGiven, string(l.Target))
}

// Relate says what file.copy makes and stands on.
func (c *Copy) Relate(r *state.Relations) {
	relatePath(r, c.Name, c.User, c.Group)
	r.Need(state.TieGiven, string(c.Source))
}

// Relate says what file.mknod makes and stands on.
func (m *Mknod) Relate(r *state.Relations) { relatePath(r, m.Name, m.User, m.Group) }

// Relate says what file.touch makes and stands on.
func (t *Touch) Relate(r *state.Relations) { relatePath(r, t.Name, Owner{}, Owner{}) }

// Relate says what file.decode makes and stands on.
func (d *Decode) Relate(r *state.Relations) { relatePath(r, d.Name, Owner{}, Owner{}) }

// Relate says what file.rename makes and stands on. Who makes its source makes it anew in each run.
func (n *Rename) Relate(r *state.Relations) { relatePath(r, n.Name, Owner{}, Owner{}) }

// Relate says on what file.append stands. It makes a file that is not there, and so waits for nobody who does.
func (a *Append) Relate(r *state.Relations) { r.Need(state.TieDirectory, string(a.Name)) }

// Relate says on what file.prepend stands.
func (p *Prepend) Relate(r *state.Relations) { r.Need(state.TieDirectory, string(p.Name)) }

// Relate says on what file.line stands.
func (l *Line) Relate(r *state.Relations) {
	relateEdit(r, l.Name)
	r.Need(state.TieOwner, l.User.name())
	r.Need(state.TieGroup, l.Group.name())
}

// Relate says on what file.replace stands.
func (p *Replace) Relate(r *state.Relations) { relateEdit(r, p.Name) }

// Relate says on what file.blockreplace stands.
func (b *Blockreplace) Relate(r *state.Relations) { relateEdit(r, b.Name) }

// Relate says on what file.comment stands.
func (c *Comment) Relate(r *state.Relations) { relateEdit(r, c.Name) }

// Relate says on what file.uncomment stands.
func (u *Uncomment) Relate(r *state.Relations) { relateEdit(r, u.Name) }

// Relate says on what file.keyvalue stands.
func (k *Keyvalue) Relate(r *state.Relations) { relateEdit(r, k.Name) }

// Relate says on what file.patch stands.
func (p *Patch) Relate(r *state.Relations) {
	relateEdit(r, p.Name)
	r.Need(state.TieGiven, p.Source)
}

// Relate says on what file.exists stands.
func (e *Exists) Relate(r *state.Relations) { relateEdit(r, e.Name) }

// Relate says on what file.tidied stands.
func (t *Tidied) Relate(r *state.Relations) { relateEdit(r, t.Name) }

// Relate says on what file.pruned stands: not on who makes the directory that it may remove.
func (p *Pruned) Relate(r *state.Relations) { r.Need(state.TieDirectory, string(p.Name)) }

// Relate says on what file.retention_schedule stands.
func (k *Retention) Relate(r *state.Relations) { relateEdit(r, k.Name) }
