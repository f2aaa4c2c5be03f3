package ssh

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
)

// maxPlaces is how many runs of one user may be under way on a machine.
const maxPlaces = 100

// A place is the directory of a run on its machine: ours alone, and the same one as a rule, so that paths of the tree
// that get into files do not change from run to run.
type place struct {
	dir  string
	lock *os.File
	gone sync.Once
}

// bases are the directories in which there may be one.
func bases() []string {
	out := []string{"/var/tmp", "/tmp"}
	if dir := os.Getenv("TMPDIR"); dir != "" {
		return append([]string{dir}, out...)
	}
	return out
}

func newPlace() (*place, error) {
	var first error
	for _, base := range bases() {
		p, err := placeIn(filepath.Join(base, fmt.Sprintf(".gostate-%d", os.Geteuid())))
		if err == nil {
			return p, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, fmt.Errorf("there is no room for the tree: %w", first)
}

func placeIn(home string) (*place, error) {
	if err := private(home); err != nil {
		return nil, err
	}
	for i := range maxPlaces {
		dir := filepath.Join(home, fmt.Sprintf("run-%d", i))
		lock, err := held(dir + ".lock")
		if err != nil {
			return nil, err
		}
		if lock == nil {
			continue
		}
		p := &place{dir: dir, lock: lock}
		if err = os.RemoveAll(dir); err == nil { // what a killed run left
			err = os.Mkdir(dir, 0o700)
		}
		if err != nil {
			p.remove()
			return nil, err
		}
		return p, nil
	}
	return nil, errors.New("too many runs are under way in " + home)
}

// held is the lock, nil where another has it.
func held(path string) (*os.File, error) {
	lock, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		mine, _ := lock.Stat()
		if there, err := os.Stat(path); err == nil && os.SameFile(mine, there) { // else who had it has just removed it
			return lock, nil
		}
	}
	return nil, lock.Close()
}

// private makes a directory that nobody else can write to, or says that there is another thing in its place.
func private(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() || info.Mode().Perm() != 0o700 || int(info.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() {
		return fmt.Errorf("%s is not a directory of this user's alone", dir)
	}
	return nil
}

// remove removes all that the run had. The lock goes first while it is held: who opens it then has another file.
func (p *place) remove() {
	p.gone.Do(func() {
		_ = os.RemoveAll(p.dir)
		_ = os.Remove(p.dir + ".lock")
		_ = p.lock.Close()
	})
}
