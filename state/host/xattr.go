package host

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Xattrs are the extended attributes of the path itself, POSIX ACLs among them. A file system without them has none.
func (o *OS) Xattrs(path string) (m map[string][]byte, err error) {
	err = o.at("xattrs", path, false, func(real string) (err error) { m, err = xattrsOf(real); return err })
	return m, err
}

func xattrsOf(real string) (map[string][]byte, error) {
	size, err := unix.Llistxattr(real, nil)
	if size <= 0 || err != nil {
		return nil, ignoreUnsupported(err)
	}
	buf := make([]byte, size+256)
	if size, err = unix.Llistxattr(real, buf); err != nil {
		return nil, ignoreUnsupported(err)
	}
	m := map[string][]byte{}
	for _, name := range strings.Split(strings.TrimRight(string(buf[:size]), "\x00"), "\x00") {
		if v, err := xattrOf(real, name); err == nil {
			m[name] = v
		}
	}
	return m, nil
}

func xattrOf(real, name string) ([]byte, error) {
	size, err := unix.Lgetxattr(real, name, nil)
	if err != nil {
		return nil, err
	}
	buf := make([]byte, size+64)
	size, err = unix.Lgetxattr(real, name, buf)
	return buf[:max(size, 0)], err
}

func ignoreUnsupported(err error) error {
	if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.ENOSYS) {
		return nil
	}
	return err
}

// copyXattrs gives the new file the attributes of the old one: ACLs, user attributes, the SELinux label. Those that
// hold of the content (capabilities, signatures) are left, as a write would drop them.
func copyXattrs(old string, f *os.File) error {
	size, err := unix.Llistxattr(old, nil)
	if err != nil || size <= 0 {
		return ignoreUnsupported(err)
	}
	attrs, err := xattrsOf(old)
	if err != nil {
		return err
	}
	for name, v := range attrs {
		switch name {
		case "security.capability", "security.ima", "security.evm":
			continue
		}
		err := unix.Fsetxattr(int(f.Fd()), name, v, 0)
		privileged := strings.HasPrefix(name, "security.") || strings.HasPrefix(name, "trusted.")
		if err != nil && !(privileged && errors.Is(err, unix.EPERM)) && ignoreUnsupported(err) != nil {
			return &os.PathError{Op: "setxattr " + name, Path: old, Err: err}
		}
	}
	return nil
}

// SetXattr sets one extended attribute of the path itself.
func (o *OS) SetXattr(path, name string, v []byte) error {
	defer o.distrust() // an ACL may let others write
	return o.alter("setxattr", path, false, func(real string, held bool) error {
		if held {
			return unix.Setxattr(real, name, v, 0)
		}
		return unix.Lsetxattr(real, name, v, 0)
	})
}

// RemoveXattr removes one extended attribute of the path itself.
func (o *OS) RemoveXattr(path, name string) error {
	return o.alter("removexattr", path, false, func(real string, held bool) error {
		if held {
			return unix.Removexattr(real, name)
		}
		return unix.Lremovexattr(real, name)
	})
}
