//go:build linux

package view

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A mount is a line of /proc/self/mountinfo.
type mount struct {
	id     int
	point  string
	fstype string
	flags  uintptr // MS_NOSUID and its like
}

// mounts are the mounts that can be seen at their places, parents first.
func mounts() ([]mount, error) {
	raw, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, &Unavailable{Step: "read the mounts", Err: err.Error(), Hint: "it takes a mounted /proc"}
	}
	var out []mount
	for line := range strings.Lines(string(raw)) {
		m, ok := parseMount(line)
		if ok && m.seen() {
			out = append(out, m)
		}
	}
	return out, nil
}

// parseMount reads "36 35 98:0 / /mnt rw,noatime master:1 - ext3 /dev/root rw".
func parseMount(line string) (m mount, ok bool) {
	left, right, ok := strings.Cut(line, " - ")
	f, g := strings.Fields(left), strings.Fields(right)
	if !ok || len(f) < 6 || len(g) < 1 {
		return m, false
	}
	id, err := strconv.Atoi(f[0])
	return mount{id: id, point: unescape(f[4]), fstype: g[0], flags: mountFlags(f[5])}, err == nil
}

func mountFlags(options string) uintptr {
	named := map[string]uintptr{
		"ro": unix.MS_RDONLY, "nosuid": unix.MS_NOSUID, "nodev": unix.MS_NODEV, "noexec": unix.MS_NOEXEC,
		"noatime":    unix.MS_NOATIME,
		"nodiratime": unix.MS_NODIRATIME, "relatime": unix.MS_RELATIME,
	}
	var flags uintptr
	for _, o := range strings.Split(options, ",") {
		flags |= named[o]
	}
	return flags
}

// unescape undoes the kernel's octal escapes: `\040` is a space.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// seen says whether the mount is what is found at its place: another may cover it.
func (m *mount) seen() bool {
	if m.fstype == "autofs" {
		return false // to look would mount it
	}
	fd, err := unix.Open(m.point, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(fd)
	raw, err := os.ReadFile(fmt.Sprintf("/proc/self/fdinfo/%d", fd))
	_, rest, _ := strings.Cut(string(raw), "mnt_id:")
	id, _, _ := strings.Cut(strings.TrimSpace(rest), "\n")
	return err == nil && id == strconv.Itoa(m.id)
}

// below says whether the path is the directory or in it.
func below(path, dir string) bool {
	return path == dir || dir == "/" || strings.HasPrefix(path, dir+"/")
}
