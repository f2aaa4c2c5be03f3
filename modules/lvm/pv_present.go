package lvm

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// PVPresent keeps a device a physical volume.
type PVPresent struct {
	root
	Name                  string `arg:"name,required,word" doc:"The device."`
	Force                 bool   `arg:"force" doc:"Takes a device that holds a file system or something else, which is lost."`
	MetadataSize          string `arg:"metadatasize,word" doc:"The space for metadata."`
	DataAlignment         string `arg:"dataalignment,word" doc:"The alignment of the data."`
	DataAlignmentOffset   string `arg:"dataalignmentoffset,word" doc:"What the start of the data is moved by."`
	PVMetadataCopies      string `arg:"pvmetadatacopies,word" doc:"The number of copies of the metadata on the device, 0 to 2."`
	MetadataCopies        string `arg:"metadatacopies,word" doc:"Is another name of pvmetadatacopies."`
	MetadataIgnore        string `arg:"metadataignore,word" doc:"Leaves the metadata on the device unused, y or n."`
	RestoreFile           string `arg:"restorefile,word" doc:"The backup of metadata from which the volume is made."`
	NoRestoreFile         bool   `arg:"norestorefile" doc:"Takes a UUID without a backup."`
	LabelSector           string `arg:"labelsector,word" doc:"The sector of the label."`
	SetPhysicalVolumeSize string `arg:"setphysicalvolumesize,word" doc:"The size of the volume, where it is not the device's."`
}

func pvPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "lvm.pv_present",
		Doc: "Keeps a device a physical volume of LVM. One that holds a file system or anything else is refused without " +
			"force: true.",
		Example: "/dev/sdb:\n  lvm.pv_present: []",
		New:     func() modules.StateFunc { return &PVPresent{} },
	}
}

// Act makes the physical volume.
//
// Salt differs: it overwrites whatever the device holds.
func (p *PVPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	switch is, _, err := pv(ctx, h, p.Name); {
	case err != nil:
		return state.Effect{}, err
	case is:
		return state.Settled(fmt.Sprintf("Physical Volume %s already present", p.Name)), nil
	}
	err := there(h, p.Name)
	if err == nil && !p.Force {
		err = free(ctx, h, p.Name)
	}
	if err == nil {
		err = change(ctx, h, p.command(), fact("pv "+p.Name, "present"))
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to create Physical Volume %s: %w", p.Name, err) //nolint:staticcheck // Salt's
	}
	return done("Physical Volume", p.Name, "created", value.DictOf("created", value.Bool(true))), nil
}

func (p *PVPresent) command() []string {
	args := append([]string{"pvcreate", "--yes", p.Name}, options("metadatasize", p.MetadataSize, "dataalignment",
		p.DataAlignment, "dataalignmentoffset", p.DataAlignmentOffset, "pvmetadatacopies", p.PVMetadataCopies,
		"metadatacopies", p.MetadataCopies, "metadataignore", p.MetadataIgnore, "restorefile", p.RestoreFile,
		"labelsector", p.LabelSector, "setphysicalvolumesize", p.SetPhysicalVolumeSize)...)
	if p.NoRestoreFile {
		args = append(args, "--norestorefile")
	}
	return args
}

// pv says whether a device is a physical volume, and of which group, "" for none.
func pv(ctx context.Context, h host.Reader, device string) (is bool, group string, err error) {
	if f, ok := h.Fact(host.FactVolume, "pv "+device); ok {
		return f.Value == "present", f.Attrs["vg"], nil
	}
	r, err := row(ctx, h, "pvdisplay", device)
	if err != nil || r == nil {
		return false, "", err
	}
	return true, strings.TrimPrefix(r[1], "#orphans_lvm2"), nil
}

// there fails for a device that is not there.
func there(h host.Reader, device string) error {
	_, err := h.Stat(device)
	if errors.Is(err, fs.ErrNotExist) {
		return host.Missing("%s does not exist", device)
	}
	return err
}

// free fails for a device that holds something.
func free(ctx context.Context, h host.Reader, device string) error {
	out, err := h.Query(ctx, cmd("blkid", "-p", "-o", "value", "-s", "TYPE", device))
	if err != nil {
		return fmt.Errorf("run blkid: %w", err)
	}
	if held := strings.TrimSpace(string(out.Stdout)); held != "" {
		return fmt.Errorf("%s holds %s, which would be lost: wipe it first, or say force: true", device, held)
	}
	return nil
}
