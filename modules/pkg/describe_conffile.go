package pkg

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A recorder notes which files of /etc are those of packages, with the MD5 of those whose content they shipped.
type recorder interface {
	Recorded(h host.Reader) (owned map[string]string, err error)
}

func describeConffiles(ctx context.Context, l *modules.Look) error {
	s, err := sessionOf(l.Env, l.Host)
	if err != nil {
		return err
	}
	r, ok := s.provider.(recorder)
	if !ok {
		l.Remark("conffile", "which files of /etc were changed is not told here: only dpkg notes what they were like")
		return nil
	}
	w := &grown{look: l}
	if w.owned, err = r.Recorded(l.Host); err != nil {
		return err
	}
	if err := w.walk("/etc"); err != nil || len(w.found) == 0 {
		return err
	}
	things, err := l.Kinds(ctx, "file", w.found)
	l.Things = append(l.Things, things...)
	return err
}

// grown are the files of /etc that nobody but the administrator made as they are.
type grown struct {
	look  *modules.Look
	owned map[string]string
	found []string
	share []string // the folders of /usr/share
}

// sample says whether a file is as a package ships it elsewhere, from where it was copied when it was installed.
func (w *grown) sample(name string) bool {
	if w.share == nil {
		w.share = modules.Glob(w.look.Host, "/usr/share/*")
	}
	return slices.ContainsFunc(w.share, func(dir string) bool {
		return alike(w.look.Host, name, path.Join(dir, path.Base(name)))
	})
}

func (w *grown) walk(dir string) error {
	files, err := w.look.Host.ReadDir(dir)
	if errors.Is(err, fs.ErrPermission) {
		w.look.Remark(dir, "%s cannot be read", dir)
		return nil
	}
	for _, f := range files {
		name := path.Join(dir, f.Path)
		if err != nil {
			return err
		}
		if w.skips(name, f) {
			continue
		}
		if grew, err := w.grew(name, f); err != nil {
			return err
		} else if grew && w.look.Wants(true, name) {
			w.found = append(w.found, name)
		}
		if f.IsDir() {
			err = w.walk(name)
		}
	}
	return err
}

// grew says whether a file is other than its package's, or nobody's.
func (w *grown) grew(name string, i host.Info) (bool, error) {
	was, owned := w.owned[name]
	switch {
	case !owned && i.IsRegular():
		return !w.sample(name), nil
	case !owned:
		return i.IsDir() || i.IsSymlink(), nil
	case was == "" || !i.IsRegular():
		return false, nil
	}
	now, err := md5Of(w.look.Host, name)
	if errors.Is(err, fs.ErrPermission) {
		w.look.Remark(name, "%s cannot be read, so that nobody can tell whether it was changed", name)
		return false, nil
	}
	return now != was, err
}

// skips are files that other kinds tell of, that the machine makes itself, or that are left overs.
func (w *grown) skips(name string, i host.Info) bool {
	if i.IsSymlink() && (strings.HasPrefix(name, "/etc/systemd/") || strings.HasPrefix(name, "/etc/ssl/certs/")) {
		return true
	}
	for _, pattern := range strings.Fields(elsewhereTold + madeHere) {
		if fnmatch.Match("/etc/"+pattern, name) {
			return true
		}
	}
	return false
}

const elsewhereTold = ` passwd* group* shadow* gshadow* sub?id* hosts fstab sysctl.conf sysctl.d/*.conf
	apt/sources.list apt/sources.list.d/*.list apt/sources.list.d/*.sources aliases aliases.db
	default/locale locale.conf locale.gen localtime timezone modules-load.d/salt_managed.conf alternatives alternatives/*
	rc?.d rc?.d/* systemd/*.wants systemd/*.requires `

const madeHere = ` hostname machine-id mtab adjtime resolv.conf .resolv.conf* ld.so.cache .pwd.lock .updated
	ssh/ssh_host_* ssl/certs/ca-certificates.crt ca-certificates.conf ssl/private/ssl-cert-snakeoil.key
	ssl/certs/ssl-cert-snakeoil.pem udev/hwdb.bin .git .git/* .etckeeper blkid.tab initramfs-tools/conf.d/resume
	*.dpkg-* *.ucf-* *~ *.swp lvm/archive* lvm/backup* apparmor.d/local* apparmor.d/cache* cups/subscriptions.conf* `

// Recorded are dpkg's notes: the lists of files of all packages, and the hashes of configuration files in its database.
func (a *apt) Recorded(h host.Reader) (map[string]string, error) {
	owned := map[string]string{}
	for _, list := range modules.Glob(h, a.admindir+"/info/*.list") {
		data, err := h.ReadFile(list)
		if err != nil {
			return nil, fmt.Errorf("read dpkg's lists of files: %w", err)
		}
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "/etc/") {
				owned[strings.TrimSpace(line)] = ""
			}
		}
	}
	data, err := h.ReadFile(a.status())
	if err != nil {
		return nil, fmt.Errorf("read the package database: %w", err)
	}
	hashes(owned, string(data))
	ucf, _ := h.ReadFile("/var/lib/ucf/hashfile")
	for line := range strings.Lines(string(ucf)) {
		if f := strings.Fields(line); len(f) == 2 {
			owned[f[1]] = f[0]
		}
	}
	return owned, nil
}

// hashes notes those of the lines below "Conffiles:", each " PATH MD5".
func hashes(owned map[string]string, status string) {
	within := false
	for line := range strings.Lines(status) {
		if line[0] != ' ' {
			within = strings.HasPrefix(line, "Conffiles:")
			continue
		}
		if f := strings.Fields(line); within && len(f) >= 2 && len(f[1]) == 32 {
			owned[f[0]] = f[1]
		}
	}
}

func md5Of(h host.Reader, name string) (string, error) {
	r, err := h.Open(name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	sum := value.NewHash("md5")
	_, err = io.Copy(sum, r)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// alike says whether two files have one content.
func alike(h host.Reader, a, b string) bool {
	if i, err := h.Stat(b); err != nil || !i.IsRegular() {
		return false
	}
	x, errX := md5Of(h, a)
	y, errY := md5Of(h, b)
	return errX == nil && errY == nil && x == y
}
