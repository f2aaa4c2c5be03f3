package modules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"github.com/gostate/gostate/state/host"
)

// ReadLines are the lines of a text file, without their ends; none where it is missing.
func ReadLines(h host.Reader, file string) ([]string, error) {
	data, err := h.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if text := strings.TrimSuffix(string(data), "\n"); text != "" {
		return strings.Split(text, "\n"), nil
	}
	return nil, nil
}

// WriteLines replaces a text file, which keeps its owner and mode. A new one gets the mode 0644, and a directory if
// that is missing; a link stays one.
func WriteLines(h host.Host, file string, lines []string) error {
	return WriteLinesAs(h, file, lines, host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1})
}

// WriteLinesAs is WriteLines that makes a missing file with owner and mode, and the directories above it with its
// owner.
func WriteLinesAs(h host.Host, file string, lines []string, a host.Attr) error {
	file, err := h.Follow(file)
	if err != nil {
		return err
	}
	if _, err := h.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		a = host.KeepAttr()
	} else {
		dir := a
		dir.Mode |= a.Mode & 0o444 >> 2 // what may be read may be entered: 0755 for 0644
		if err := MakeDirs(h, path.Dir(file), dir); err != nil {
			return err
		}
	}
	for _, l := range lines {
		if strings.Contains(l, "\n") {
			return fmt.Errorf("write %s: %q is more than one line", file, l)
		}
	}
	text := strings.Join(lines, "\n")
	if text != "" {
		text += "\n"
	}
	return h.WriteFile(file, strings.NewReader(text), a)
}

// MakeDirs makes a directory and what is missing above it, each with the owner and the mode.
func MakeDirs(h host.Host, dir string, a host.Attr) error {
	i, err := h.Stat(dir)
	switch {
	case err == nil && i.IsDir():
		return nil
	case err == nil:
		return errors.New(dir + " exists and is not a directory")
	case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
		return err
	}
	if parent := path.Dir(dir); parent != dir {
		if err := MakeDirs(h, parent, a); err != nil {
			return err
		}
	}
	err = h.Mkdir(dir, a)
	if errors.Is(err, fs.ErrExist) {
		if i, gone := h.Stat(dir); gone == nil && i.IsDir() {
			return nil // a state that runs beside this one, or another program, made it meanwhile
		}
	}
	return err
}
