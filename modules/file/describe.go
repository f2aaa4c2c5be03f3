package file

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "file", Other: []string{"directory", "symlink"},
		Doc: "Files, directories, links and fifos by their paths, with owner, mode and content.",
		Left: "Without a path there is nothing to tell: conffile lists those of /etc. What is in a directory is " +
			"asked for with a glob. The content of private files (mode 0600 and stricter, private keys) is told with " +
			"--show-secrets only; that of large and of binary files goes to --files DIR.",
		Rank: 900, Describe: describe, Properties: properties, PropertyNames: propertyNames()}
}

// inlineMost bounds the content that is told within the SLS.
const inlineMost = 32 << 10

func describe(_ context.Context, l *modules.Look) error {
	for _, pattern := range l.Names {
		if !path.IsAbs(pattern) {
			return fmt.Errorf("%q is no absolute path", pattern)
		}
		for _, name := range named(l.Host, path.Clean(pattern)) {
			l.Wants(true, pattern)
			if err := tell(l, name); err != nil {
				return err
			}
		}
	}
	for _, name := range l.Absent() {
		l.Lack(path.Clean(name), "file.absent")
	}
	return nil
}

// named are the paths of a glob; one that is there is itself.
func named(h host.Reader, pattern string) []string {
	if lexists(h, pattern) {
		return []string{pattern}
	}
	return modules.Glob(h, pattern)
}

// tell tells of one path.
func tell(l *modules.Look, name string) error {
	i, err := l.Host.Lstat(name)
	if err != nil {
		return err
	}
	owner := []any{"user", userName(l.Host, i.UID), "group", groupName(l.Host, i.GID)}
	mode := append(owner, "mode", modules.FormatMode(i.Perm()))
	switch {
	case i.IsSymlink():
		target, err := l.Host.Readlink(name)
		if err != nil {
			return err
		}
		l.Tell(name, "file.symlink", append([]any{"target", target}, owner...)...)
		return nil
	case i.IsDir():
		acl(l, l.Tell(name, "file.directory", mode...))
		return nil
	case i.IsRegular():
		t := l.Tell(name, "file.managed", mode...)
		acl(l, t)
		return tellContent(l, t, name, i)
	}
	if i.Mode.Type() == fs.ModeNamedPipe {
		l.Tell(name, "file.mknod", append(mode, "ntype", "p")...)
		return nil
	}
	l.Remark(name, "%s is a socket or a device: what listens there, or the kernel, makes it", name)
	return nil
}

// acl notes what no state keeps.
func acl(l *modules.Look, t *modules.Thing) {
	attrs, _ := l.Host.Xattrs(t.ID)
	for _, n := range []string{"system.posix_acl_access", "system.posix_acl_default"} {
		if _, ok := attrs[n]; ok {
			t.Note("it has an access control list, which no state keeps")
			return
		}
	}
}

// tellContent gives the state the content, or says why it does not.
func tellContent(l *modules.Look, t *modules.Thing, name string, i host.Info) error {
	private := modules.Private(i.Perm())
	if private && !l.Secrets && i.Size > 0 {
		without(t, "the content is left out, since only its owner may read it: --show-secrets tells it")
		return nil
	}
	head, err := beginning(l.Host, name)
	if err != nil {
		return err
	}
	if bytes.Contains(head, []byte("PRIVATE KEY-----")) && !l.Secrets {
		without(t, "the content is left out, since it is a private key: --show-secrets tells it")
		return nil
	}
	if args, ok := modules.Inline(head); ok && len(head) <= inlineMost {
		for k := 0; k < len(args); k += 2 {
			t.Set(args[k].(string), args[k+1])
		}
		return nil
	}
	if l.Copy == nil || private {
		without(t, "the content (%d bytes) is not for an SLS: --files DIR keeps a copy, and names it as the source", i.Size)
		return nil
	}
	source, err := l.Copy(name)
	if err != nil {
		return err
	}
	t.Source = name
	t.Set("source", source)
	return nil
}

// without leaves the content to the machine: the state keeps owner and mode of a file that is there.
func without(t *modules.Thing, format string, args ...any) {
	t.Note(format, args...).Set("replace", false).Set("create", false)
}

// beginning is the content of a file, of a large one more of it than is told.
func beginning(h host.Reader, name string) ([]byte, error) {
	r, err := h.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head, err := io.ReadAll(io.LimitReader(r, inlineMost+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %s", name, strings.TrimSpace(err.Error()))
	}
	return head, nil
}
