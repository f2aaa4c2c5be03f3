package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// OpenState opens the directory in which runs keep their state, and makes it when it is not there: for this user alone.
func OpenState(path string) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	// A link is followed where only those could make it who may do everything here.
	if link, err := os.Lstat(path); err == nil && link.Mode()&fs.ModeSymlink != 0 && !ownedHere(ownerOf(link)) {
		return nil, fmt.Errorf("%s is a symbolic link of user %d", path, ownerOf(link))
	}
	dir, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, err
	}
	if err := ownDir(dir); err != nil {
		dir.Close()
		return nil, err
	}
	return dir, nil
}

// ownDir refuses the directory of another user, and closes one that holds nothing but a run's state to others. A
// directory that is something else besides, such as /tmp, keeps its mode.
func ownDir(dir *os.File) error {
	info, err := dir.Stat()
	if err != nil {
		return err
	}
	if uid := ownerOf(info); !ownedHere(uid) {
		return fmt.Errorf("%s belongs to user %d", dir.Name(), uid)
	} else if info.Mode().Perm()&0o077 == 0 || int(uid) != os.Geteuid() {
		return nil
	}
	names, err := dir.Readdirnames(-1)
	for _, n := range names {
		if n != "run.lock" && n != "owed" && n != "reports" && n != "git" {
			return err
		}
	}
	return errors.Join(err, dir.Chmod(0o700))
}

func ownerOf(info fs.FileInfo) uint32 {
	return info.Sys().(*syscall.Stat_t).Uid
}

// ownedHere says whether what belongs to the user is as safe as this user's own.
func ownedHere(uid uint32) bool { return uid == 0 || int(uid) == os.Geteuid() }
