// Package disk replaces files of gostate's own as a whole: releases, plans, what an agent remembers. What it runs on
// the machine for states goes through state/host.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Unfinished is how files are called that are being written, or that a program which was killed has left.
const Unfinished = ".new-*"

// WriteFile replaces a file: what is at the path is the old or the new content, also after a loss of power.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	return Write(path, mode, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Write is WriteFile for a content that fill writes; where that fails the old file stays.
func Write(path string, mode fs.FileMode, fill func(io.Writer) error) error {
	dir := filepath.Dir(path)
	tmp, err := os.CreateTemp(dir, Unfinished)
	if err != nil {
		return err
	}
	err = fill(tmp)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return err
	}
	return SyncDir(dir)
}

// SyncDir makes renames in a directory last.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}
