package host

import (
	"fmt"
	"io/fs"
)

// A standing is what a directory is worth on the way to a file: whether a user who is not trusted can put something
// else in its place, or something into it. Trusted are root, who runs this process, and who owns the machine's "/",
// which is neither of them in a user namespace.
type standing struct {
	fixed bool // a directory of somebody trusted, which no other user can take from its place
	info  Info
}

// shared says whether others than the owner can put something into the directory. (The mask of an ACL is the group's
// bits.)
func (s standing) shared() bool { return s.info.Perm()&0o022 != 0 }

// own says whether only who is trusted can say what is in the directory.
func (s standing) own() bool { return s.fixed && !s.shared() }

// below is the standing of what is in the directory. In a sticky one, such as /tmp, what is of somebody trusted stays
// where it is.
func (s standing) below(i Info, trusts func(uid int) bool) standing {
	holds := s.own() || s.fixed && s.info.Mode&fs.ModeSticky != 0
	return standing{holds && i.IsDir() && trusts(i.UID), i}
}

// A Planted error is a link that is not followed: who owns it may have put it there for this program to run into.
type Planted struct {
	Link, Target string
	Owner        int // of the link
	To           int // who owns what it leads to
}

func (p *Planted) Error() string {
	return fmt.Sprintf("the link %s to %s belongs to user %d, and what it leads to to user %d: it is not followed, as it "+
		"may have been planted; give the path that is meant, or make the link root's: chown -h root %s",
		p.Link, p.Target, p.Owner, p.To, p.Link)
}

// through says whether a link in the directory may be followed to what is there, or to the directory in which there is
// nothing yet: one that a user who is not trusted may have put there leads to what is that user's own, as of a user who
// keeps dotfiles, and to nothing else.
//
// Salt differs: it follows every link.
func (s standing) through(link Info, target string, to Info, trusts func(uid int) bool) error {
	if s.own() || trusts(link.UID) || link.UID == to.UID {
		return nil
	}
	return &Planted{link.Path, target, link.UID, to.UID}
}

// A Shared error is a file whose owner, mode and attributes are left, since another name of it may be elsewhere.
type Shared struct{ Names uint64 }

func (s *Shared) Error() string {
	return fmt.Sprintf("the file has %d names, and another user may have made this one, in a directory of theirs: remove "+
		"it, or name the file where it belongs", s.Names)
}

// alter says whether owner, mode and attributes may be changed of what is in the directory: not of a file of somebody
// else's that has other names, which the users of the directory may have linked into it.
//
// Salt differs: it changes them, wherever the other names are.
func (s standing) alter(i Info, trusts func(uid int) bool) error {
	switch {
	case i.IsDir() || i.Nlink < 2 || s.own():
		return nil
	case trusts(s.info.UID) && !s.shared(), i.UID == s.info.UID && !trusts(i.UID):
		return nil
	}
	return &Shared{i.Nlink}
}
