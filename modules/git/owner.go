package git

import (
	"fmt"
	"maps"
	"path"

	"github.com/gostate/gostate/state/host"
)

// A repository brings commands along: hooks, core.fsmonitor, filters, diff drivers, credential helpers, aliases, what
// submodules and remotes name. Whoever owns it wrote them, so they run as the owner and never as root; of a repository
// that is some of one user's and some of another's, git is left to refuse ("dubious ownership"), which is what git does
// of itself.
// Salt differs: it lets git refuse all that root does not own, unless root's configuration has a safe.directory, and
// then runs the owner's commands as root.

// owned is the repo as it may be worked in: by root as the owner, by a named user as that, also where root owns it.
func (r repo) owned(h host.Reader) repo {
	owners := r.owners(h)
	if r.user == "" && host.IdentityOf(h).UID == 0 {
		others := maps.Clone(owners)
		delete(others, 0)
		for uid := range others {
			if u, err := h.UserByID(uid); err == nil && len(others) == 1 {
				r.user, r.owner = u.Name, true
			}
		}
	}
	delete(owners, r.uid(h))
	r.safe = len(owners) == 1 && owners[0] && r.user != ""
	return r
}

// uid is the number of who runs git, -1 for a user who is not there.
func (r repo) uid(h host.Reader) int {
	if r.user == "" {
		return host.IdentityOf(h).UID
	}
	if u, err := h.User(r.user); err == nil {
		return u.UID
	}
	return -1
}

// owners are the owners of the folder and of the repository that it is in.
func (r repo) owners(h host.Reader) map[int]bool {
	out := map[int]bool{}
	note := func(p string) bool {
		i, err := h.Stat(p)
		if err == nil {
			out[i.UID] = true
		}
		return err == nil
	}
	for dir := r.dir; dir != "" && dir != "."; dir = path.Dir(dir) {
		if dir == r.dir {
			note(dir)
		}
		if git := path.Join(dir, ".git"); note(git) {
			note(dir)
			note(path.Join(git, "config"))
			break
		}
		if _, err := h.Stat(path.Join(dir, "HEAD")); err == nil && note(path.Join(dir, "objects")) {
			note(dir)
			note(path.Join(dir, "config"))
			break
		}
		if dir == "/" {
			break
		}
	}
	return out
}

// into is the repo that clones to a target: as the owner of a folder that is there, and without hooks below the folder
// of another, who could put some there meanwhile.
func (r repo) into(h host.Reader, target string) repo {
	if r.user != "" || host.IdentityOf(h).UID != 0 {
		return r
	}
	for dir := target; dir != "." && dir != "/"; dir = path.Dir(dir) {
		i, err := h.Stat(dir)
		if err != nil {
			continue
		}
		if u, err := h.UserByID(i.UID); i.UID != 0 && dir == target && err == nil {
			r.user, r.owner = u.Name, true
		}
		r.wary = i.UID != 0
		break
	}
	return r
}

// told says as whom git ran, where nobody named the user.
func (r repo) told(err error) error {
	if err == nil || !r.owner {
		return err
	}
	return fmt.Errorf("%w (as %s, who owns the folder; user names another)", err, r.user)
}
