// Package mount keeps filesystems mounted, unmounted and noted in /etc/fstab.
package mount

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "mount", States: []modules.StateSpec{mountedSpec(), unmountedSpec(), swapSpec(),
		fstabPresentSpec(), fstabAbsentSpec()}, Execs: execSpecs(), Describers: []modules.Describer{describer()}}
}

// A mounted filesystem, as the kernel tells.
type live struct {
	device, dir, fstype string
	opts                []string
}

const mountinfo = "/proc/self/mountinfo"

// mounts are the mounted filesystems, in order: of several on one folder the last is seen.
func mounts(h host.Reader) ([]live, error) {
	lines, err := modules.ReadLines(h, mountinfo)
	if err != nil || lines == nil {
		return nil, fmt.Errorf("read what is mounted: %w", cmp.Or(err, fs.ErrNotExist))
	}
	var out []live
	for _, line := range lines {
		before, after, ok := strings.Cut(line, " - ")
		b, a := strings.Fields(before), strings.Fields(after)
		if !ok || len(b) < 6 || len(a) < 2 {
			continue
		}
		m := live{dir: unescape(b[4]), opts: strings.Split(b[5], ","), fstype: a[0], device: unescape(a[1])}
		if len(a) > 2 {
			m.opts = append(m.opts, strings.Split(a[2], ",")...)
		}
		out = append(out, m)
	}
	return out, nil
}

// at is what is mounted on a folder, nil for nothing.
func at(ms []live, dir string) *live {
	for i := len(ms) - 1; i >= 0; i-- {
		if ms[i].dir == dir {
			return &ms[i]
		}
	}
	return nil
}

func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

func escape(s string) string {
	return strings.NewReplacer(`\`, `\134`, " ", `\040`, "\t", `\011`, "\n", `\012`).Replace(s)
}

// sameDevice says whether the device that fstab names is the one that is mounted: UUID=, LABEL= and links are followed.
func sameDevice(h host.Reader, want, have string) bool {
	if want == have {
		return true
	}
	for _, by := range [][2]string{{"UUID=", "uuid"}, {"LABEL=", "label"}, {"PARTUUID=", "partuuid"},
		{"PARTLABEL=", "partlabel"}} {
		if v, ok := strings.CutPrefix(want, by[0]); ok {
			want = "/dev/disk/by-" + by[1] + "/" + strings.Trim(v, `"`)
		}
	}
	if loop, ok := strings.CutPrefix(have, "/dev/loop"); ok { // what is mounted is a file
		raw, err := h.ReadFile("/sys/block/loop" + loop + "/loop/backing_file")
		return err == nil && strings.TrimSpace(string(raw)) == want
	}
	a, aerr := h.Stat(want)
	b, berr := h.Stat(have)
	return aerr == nil && berr == nil && a.Rdev != 0 && a.Rdev == b.Rdev
}

// A row is one line of fstab.
type row struct {
	device, dir, fstype, opts, dump, pass string
}

func (r row) String() string {
	return escape(r.device) + "\t\t" + strings.Join([]string{escape(r.dir), escape(r.fstype), escape(r.opts), r.dump},
		"\t") + " " + r.pass
}

// parseRow reads a line; ok is false for comments and what is none.
func parseRow(line string) (r row, ok bool) {
	f := strings.Fields(line)
	if len(f) < 4 || len(f) > 6 || strings.HasPrefix(f[0], "#") {
		return r, false
	}
	for len(f) < 6 {
		f = append(f, "0")
	}
	return row{unescape(f[0]), unescape(f[1]), unescape(f[2]), unescape(f[3]), f[4], f[5]}, true
}

// A table is fstab, line by line.
type table struct {
	file  string
	lines []string
}

func readTable(h host.Reader, file string) (*table, error) {
	lines, err := modules.ReadLines(h, file)
	return &table{file, lines}, err
}

// find is the place of the row that the function picks, -1 for none.
func (t *table) find(pick func(row) bool) (row, int) {
	for i, l := range t.lines {
		if r, ok := parseRow(l); ok && pick(r) {
			return r, i
		}
	}
	return row{}, -1
}

// same says whether two rows mean the same: the order of options does not matter.
func (r row) same(o row) bool {
	sorted := func(opts string) []string { return slices.Sorted(strings.SplitSeq(opts, ",")) }
	same := slices.Equal(sorted(r.opts), sorted(o.opts))
	r.opts, o.opts = "", ""
	return same && r == o
}

// fields are the parts of a row by the names that match_on knows.
func (r row) fields() map[string]string {
	return map[string]string{"device": r.device, "name": r.dir, "fstype": r.fstype, "opts": r.opts, "dump": r.dump,
		"pass_num": r.pass}
}

// by are the fields in which a line has to be like the row to be its line: for auto the folder of special filesystems,
// else the device.
func (r row) by(on []string) []string {
	if len(on) != 1 || on[0] != "auto" {
		return on
	}
	special := []string{"none", "tmpfs", "sysfs", "proc", "fusectl", "debugfs", "securityfs", "devtmpfs", "cgroup", "nfs",
		"nfs4", "glusterfs", "btrfs"}
	if slices.Contains(special, r.fstype) {
		return []string{"name"}
	}
	return []string{"device"}
}

// put notes the row: all lines that are its own become it, or it comes at the end. It says present, change or new; keep
// leaves lines that are there as they are. was is the first of them.
func (t *table) put(r row, on []string, keep bool) (done string, was row) {
	for i, l := range t.lines {
		now, ok := parseRow(l)
		if !ok || slices.ContainsFunc(r.by(on), func(k string) bool { return now.fields()[k] != r.fields()[k] }) {
			continue
		}
		if done == "" {
			done, was = "present", now
		}
		if !now.same(r) && !keep {
			t.lines[i], done = r.String(), "change"
		}
	}
	if done == "" {
		t.lines, done = append(t.lines, r.String()), "new"
	}
	return done, was
}

func (t *table) drop(i int) { t.lines = slices.Delete(t.lines, i, i+1) }

func (t *table) write(h host.Host) error { return modules.WriteLines(h, t.file, t.lines) }

// run runs one of the tools; an overlay holds what the kernel would list then.
func run(ctx context.Context, h host.Host, foretell func(o host.Host) error, args ...string) error {
	return modules.Tool{On: host.FactMount, Args: args, Foretell: foretell}.Run(ctx, h)
}

// umount unmounts a folder. What is below the mount nobody knows.
func umount(ctx context.Context, h host.Host, dir string) error {
	return run(ctx, h, func(o host.Host) error {
		lines, err := modules.ReadLines(o, mountinfo)
		for i := len(lines) - 1; i >= 0; i-- {
			if f := strings.Fields(lines[i]); len(f) > 4 && unescape(f[4]) == dir {
				lines = slices.Delete(lines, i, i+1)
				break
			}
		}
		o.Promise(host.Fact{Kind: host.FactPath, Name: dir, Value: "unknown"})
		return errors.Join(err, modules.WriteLines(o, mountinfo, lines))
	}, "umount", dir)
}

// tool is embedded by the states.
type tool struct{}

// NeedsRoot is true: only root may mount.
func (tool) NeedsRoot(*modules.Env) bool { return true }

// Options are mount options as a list or as text with commas.
type Options []string

// ArgType names the type in documentation.
func (*Options) ArgType() string { return "list of options" }
