package lvm

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// LVPresent keeps a logical volume.
type LVPresent struct {
	root
	Name       string `arg:"name,required,word" doc:"The logical volume; with snapshot, the one that a snapshot is made of."`
	VGName     string `arg:"vgname,required,word" doc:"Its volume group; for a thin volume GROUP/POOL."`
	Size       string `arg:"size,word" doc:"Its size in megabytes, or with a suffix: S for sectors, M, G, T or P."`
	Extents    string `arg:"extents,word" doc:"Its size in extents, or a share such as 100%FREE, which is heeded when it is made."`
	Snapshot   string `arg:"snapshot,word" doc:"The name of a snapshot to make of the volume."`
	PV         string `arg:"pv,word" doc:"The physical volume to take."`
	ThinVolume bool   `arg:"thinvolume" doc:"Makes a thin volume."`
	ThinPool   bool   `arg:"thinpool" doc:"Makes a pool of thin volumes."`
	Force      bool   `arg:"force" doc:"Answers all questions with yes, and lets the volume become smaller, which may lose what is in it."`
	ResizeFS   bool   `arg:"resizefs" doc:"Resizes the file system with the volume."`
	LVOptions
}

func lvPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "lvm.lv_present",
		Doc: "Keeps a logical volume, and its size. It becomes smaller with force: true only. Sizes are compared after they " +
			"are rounded up to whole extents.",
		Example: "root:\n  lvm.lv_present:\n    - vgname: data\n    - size: 10G\n    - resizefs: true",
		New:     func() modules.StateFunc { return &LVPresent{} },
	}
}

// Validate refuses sizes that cannot be.
func (l *LVPresent) Validate() []modules.Fault {
	fault := func(arg, msg, hint string) []modules.Fault { return []modules.Fault{{Arg: arg, Msg: msg, Hint: hint}} }
	switch {
	case l.Extents != "" && l.Size != "":
		return fault("size", "Only one of extents or size can be specified.", "leave one of them out")
	case l.Extents == "" && l.Size == "":
		return fault("size", "Either size or extents must be specified", "size: 10G, or extents: 100%FREE")
	case l.ThinVolume && l.ThinPool:
		return fault("thinpool", "a volume is thin or a pool of thin ones, not both", "leave one of them out")
	case l.ThinVolume && l.Extents != "":
		return fault("extents", "Thin volume size cannot be specified as extents", "size: 10G")
	}
	if _, err := sectors(l.Size); l.Size != "" && err != nil {
		return fault("size", err.Error(), "size: 500M, 10G or 1T")
	}
	if _, err := strconv.Atoi(l.Extents); l.Extents != "" && err != nil && !strings.Contains(l.Extents, "%") {
		return fault("extents", fmt.Sprintf("%q is no number of extents", l.Extents), "extents: 100, or extents: 100%FREE")
	}
	return nil
}

// sectors is a size in sectors of 512 bytes: "10G", "10gb", "100" for megabytes, "2048S".
func sectors(size string) (int64, error) {
	text := strings.ToLower(size)
	number := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	unit := strings.TrimPrefix(text, number)
	if len(unit) > 1 {
		unit = strings.TrimSuffix(unit, "b")
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("Size %s is invalid.", size) //nolint:staticcheck // Salt's words
	}
	shift := map[string]uint{"s": 0, "": 11, "m": 11, "g": 21, "t": 31, "p": 41}
	by, ok := shift[unit]
	if !ok || n > 1<<(62-by) {
		return 0, fmt.Errorf("Unit %s is invalid.", unit) //nolint:staticcheck // Salt's words
	}
	return n << by, nil
}

// made is the name of the volume that is made: that of the snapshot, where one is.
func (l *LVPresent) made() string {
	if l.Snapshot != "" {
		return l.Snapshot
	}
	return l.Name
}

func (l *LVPresent) path() string {
	group, _, _ := strings.Cut(l.VGName, "/")
	return "/dev/" + group + "/" + l.made()
}

// Act makes the volume, or gives it its size.
func (l *LVPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := lv(ctx, h, l.path())
	switch {
	case err != nil:
		return state.Effect{}, err
	case now == nil:
		return l.create(ctx, h)
	}
	return l.resize(ctx, h, now)
}

func (l *LVPresent) create(ctx context.Context, h host.Host) (state.Effect, error) {
	failed := func(err error) (state.Effect, error) {
		return state.Effect{}, fmt.Errorf("Failed to create Logical Volume %s. Error: %w", l.made(),
			err) //nolint:staticcheck // Salt's words
	}
	if err := l.room(ctx, h); err != nil {
		return failed(err)
	}
	group, _, _ := strings.Cut(l.VGName, "/")
	err := change(ctx, h, l.command(), fact("lv "+l.path(), "present", "vg", group, "size", l.Size, "extents", l.Extents),
		host.Fact{Kind: host.FactPath, Name: l.path(), Value: "unknown"})
	if err != nil {
		return failed(err)
	}
	// As in Salt, a thin volume is looked for below its pool, where it is not.
	made, err := shown(ctx, h, "lvdisplay", "/dev/"+l.VGName+"/"+l.made())
	made.SetStr("Output from lvcreate", value.Str(fmt.Sprintf("Logical volume \"%s\" created.", l.made())))
	return done("Logical Volume", l.made(), "created", value.DictOf("created", made)), err
}

// room fails where the group is not there, or is too small.
func (l *LVPresent) room(ctx context.Context, h host.Reader) error {
	group, _, _ := strings.Cut(l.VGName, "/")
	told, isTold := h.Fact(host.FactVolume, "vg "+group)
	if isTold && told.Value == "present" {
		return nil // nobody knows its size yet
	}
	r, err := row(ctx, h, "vgdisplay", group)
	switch {
	case err != nil:
		return err
	case len(r) < 16 || isTold:
		return host.Missing("Volume group \"%s\" not found", group)
	case l.ThinVolume:
		return nil
	}
	column := 15 // what is free
	for _, f := range h.Facts(host.FactVolume) {
		if f.Attrs["vg"] == group { // in a preview nobody knows how much is free, but how much there is
			column = 13
		}
		if f.Attrs["vg"] == group && strings.HasPrefix(f.Name, "pv ") {
			return nil
		}
	}
	free, _ := strconv.ParseInt(r[column], 10, 64)
	extent, _ := strconv.ParseInt(r[12], 10, 64) // kB
	want, err := strconv.ParseInt(l.Extents, 10, 64)
	if l.Size != "" && extent > 0 {
		var n int64
		n, err = sectors(l.Size)
		want = up(n, extent*2) / (extent * 2)
	}
	if err == nil && want > free {
		return fmt.Errorf("Volume group \"%s\" has insufficient free space (%d extents): %d required.", group, free,
			want) //nolint:staticcheck // LVM's words
	}
	return nil
}

// up rounds a number up to a multiple.
func up(n, of int64) int64 { return (n + of - 1) / of * of }

func (l *LVPresent) command() []string {
	return lvcreate(l.made(), l.VGName, l.Size, l.Extents, l.origin(), l.PV, l.ThinVolume, l.ThinPool, l.Force, l.words())
}

func (l *LVPresent) origin() string {
	if l.Snapshot == "" {
		return ""
	}
	return l.Name
}

// A volume is a logical volume as it is: what lvdisplay says, or what an earlier state of a preview was asked for.
type volume struct {
	sectors, extents int64
	size, asked      string // of a preview
	open             bool
}

// lv is a logical volume by its path, nil where there is none.
func lv(ctx context.Context, h host.Reader, path string) (*volume, error) {
	if f, ok := h.Fact(host.FactVolume, "lv "+path); ok {
		if f.Value == "absent" {
			return nil, nil
		}
		return &volume{size: f.Attrs["size"], asked: f.Attrs["extents"], open: f.Attrs["open"] != ""}, nil
	}
	r, err := row(ctx, h, "lvdisplay", path)
	if err != nil || r == nil {
		return nil, err
	}
	v := &volume{open: r[5] != "0"}
	v.sectors, err = strconv.ParseInt(r[6], 10, 64)
	extents, eErr := strconv.ParseInt(r[7], 10, 64)
	v.extents = extents
	return v, errors.Join(err, eErr)
}

// resize gives the volume its size.
//
// Salt differs: it compares a size that is no whole number of extents as it is, so that the next run would make the
// volume smaller.
func (l *LVPresent) resize(ctx context.Context, h host.Host, now *volume) (state.Effect, error) {
	grows, same := l.compare(now)
	switch {
	case strings.Contains(l.Extents, "%"):
		return state.Settled(fmt.Sprintf("Logical Volume %s already present, %s won't be resized.", l.made(), l.Extents)), nil
	case same:
		return state.Settled(fmt.Sprintf("Logical Volume %s already present", l.made())), nil
	case !grows && !l.Force:
		return state.Effect{}, errors.New("To reduce a Logical Volume option 'force' must be True.")
	}
	args := []string{"lvresize", map[bool]string{true: "--force", false: "-qq"}[l.Force]}
	if l.ResizeFS {
		args = append(args, "--resizefs")
	}
	if l.Size != "" {
		args = append(args, "-L", l.Size)
	} else {
		args = append(args, "-l", l.Extents)
	}
	group, _, _ := strings.Cut(l.VGName, "/")
	err := change(ctx, h, append(args, l.path()), fact("lv "+l.path(), "present", "vg", group, "size", l.Size, "extents",
		l.Extents, "open", map[bool]string{true: "yes"}[now.open]))
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to resize Logical Volume %s.\nError: %w", l.made(),
			err) //nolint:staticcheck // Salt's words
	}
	return done("Logical Volume", l.made(), "resized", value.DictOf("resized", value.DictOf("Output from lvresize",
		value.Str(fmt.Sprintf("Logical volume \"%s\" successfully resized.", l.path()))))), nil
}

// compare says whether the volume has to grow, or is as it should be.
func (l *LVPresent) compare(now *volume) (grows, same bool) {
	if now.extents == 0 { // of a preview: a size that was asked for
		return true, now.size == l.Size && now.asked == l.Extents
	}
	if l.Size == "" {
		want, err := strconv.ParseInt(l.Extents, 10, 64)
		return want > now.extents, err != nil || want == now.extents
	}
	want, err := sectors(l.Size)
	want = up(want, max(now.sectors/now.extents, 1))
	return want > now.sectors, err != nil || want == now.sectors
}
