package mount

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// changed are the options that what is mounted does not have: those of the state which the kernel does not list, and
// words of the old line of fstab that the new one lacks and the kernel still lists. Salt differs: it remembers in a
// cache of its own what it mounted with.
func (m *Mounted) changed(h host.Reader, now *live, was row) []string {
	var out []string
	for _, opt := range m.Opts {
		if opt = m.listed(h, opt); opt != "" && !slices.Contains(now.opts, opt) {
			out = append(out, opt)
		}
	}
	for opt := range strings.SplitSeq(was.opts, ",") {
		gone := !slices.Contains(m.Opts, opt)
		if m.listed(h, opt) != "" && !strings.Contains(opt, "=") && gone && slices.Contains(now.opts, opt) && opt != "rw" &&
			opt != "relatime" {
			out = append(out, opt)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// listed is an option as the kernel lists it, "" for one that it does not.
func (m *Mounted) listed(h host.Reader, opt string) string {
	key, val, has := strings.Cut(opt, "=")
	switch {
	case slices.Contains(unlisted(), key), slices.Contains(m.Hidden, opt), slices.Contains(m.Hidden, key),
		strings.HasPrefix(key, "x-"):
		return ""
	case key == "size" && regexp.MustCompile(`^[0-9]+[kmgt%]?$`).MatchString(val): // the kernel lists another number
		return ""
	case opt == "tcp", opt == "udp":
		return "proto=" + opt
	case m.Fstype == "cifs" && key == "user" && has:
		return "username=" + val
	case key == "uid" && has:
		if u, err := h.User(val); err == nil {
			return "uid=" + strconv.Itoa(u.UID)
		}
	case key == "gid" && has:
		if g, err := h.Group(val); err == nil {
			return "gid=" + strconv.Itoa(g.GID)
		}
	}
	return opt
}

// unlisted are options that mount keeps to itself, or that say what is so anyway.
func unlisted() []string {
	return strings.Fields("_netdev actimeo bg comment credentials defaults delay_connect direct-io-mode intr loop " +
		"nointr nobootwait nofail password reconnect retry " +
		"secretfile soft auto noauto user nouser users owner group bind rbind nonempty transform_symlinks port " +
		"backup-volfile-servers remount exec suid dev async atime " +
		"diratime norelatime nostrictatime nolazytime loud silent")
}

// remount gives what is mounted its options.
func (m *Mounted) remount(ctx context.Context, h host.Host) error {
	opts := strings.Join(append([]string{"remount"}, slices.DeleteFunc(slices.Clone(m.Opts),
		func(o string) bool { return o == "remount" })...), ",")
	return run(ctx, h, func(o host.Host) error {
		lines, err := modules.ReadLines(o, mountinfo)
		for i, l := range lines {
			if f := strings.Fields(l); len(f) > 5 && unescape(f[4]) == folder(m.Name) {
				f[5] = strings.Join(m.Opts, ",")
				lines[i] = strings.Join(f, " ")
			}
		}
		if err != nil {
			return fmt.Errorf("read what is mounted: %w", err)
		}
		return modules.WriteLines(o, mountinfo, lines)
	}, "mount", "-o", opts, "-t", m.Fstype, m.Device, folder(m.Name))
}
