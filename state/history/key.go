package history

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Key is what hashes of declarations are made with, so that nobody who sees a report can try secrets out on them. It is
// kept beside the reports, for all machines; name is what a header calls it by. It is made when there is none.
func (d *Dir) Key() (key []byte, name string, err error) {
	dir, err := os.OpenRoot(filepath.Dir(d.path))
	if err != nil {
		return nil, "", err
	}
	defer dir.Close()
	key = make([]byte, 32)
	f, err := dir.Open("key")
	if err == nil {
		_, err = io.ReadFull(f, key)
		f.Close()
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = newKey(dir, key)
	}
	if err != nil {
		return nil, "", fmt.Errorf("the key of declarations: %w", err)
	}
	return key[4:], hex.EncodeToString(key[:4]), nil
}

func newKey(dir *os.Root, key []byte) error {
	_, _ = rand.Read(key) // which does not fail
	f, err := dir.OpenFile("key", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(key)
	return errors.Join(err, f.Close())
}
