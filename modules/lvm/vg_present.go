package lvm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// VGPresent keeps a volume group.
type VGPresent struct {
	root
	Name               string   `arg:"name,required,word" doc:"The volume group."`
	Devices            []string `arg:"devices,word" doc:"The devices of the group, a list or parted by commas."`
	Force              bool     `arg:"force" doc:"Answers all questions of vgcreate with yes: it then takes devices that hold something, which is lost."`
	AddTag             string   `arg:"addtag,word" doc:"A tag of the group."`
	Alloc              string   `arg:"alloc,word" doc:"How extents are allocated."`
	AutoBackup         string   `arg:"autobackup,word" doc:"Backs metadata up after a change, y or n."`
	Clustered          string   `arg:"clustered,word" doc:"Makes a group of a cluster, y or n."`
	MaxLogicalVolumes  string   `arg:"maxlogicalvolumes,word" doc:"How many logical volumes it may have."`
	MaxPhysicalVolumes string   `arg:"maxphysicalvolumes,word" doc:"How many physical volumes it may have."`
	MetadataType       string   `arg:"metadatatype,word" doc:"The kind of metadata."`
	VGMetadataCopies   string   `arg:"vgmetadatacopies,word" doc:"The number of copies of the metadata."`
	MetadataCopies     string   `arg:"metadatacopies,word" doc:"Is another name of vgmetadatacopies."`
	PhysicalExtentSize string   `arg:"physicalextentsize,word" doc:"The size of an extent."`
	Zero               string   `arg:"zero,word" doc:"Wipes the start of new devices, y or n."`
}

func vgPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "lvm.vg_present",
		Doc: "Keeps a volume group, with at least these devices. Devices that are physical volumes of no group are added " +
			"to one that is there.",
		Example: "data:\n  lvm.vg_present:\n    - devices: [/dev/sdb, /dev/sdc]",
		New:     func() modules.StateFunc { return &VGPresent{} },
	}
}

// Validate wants devices that are told apart.
func (v *VGPresent) Validate() []modules.Fault {
	if len(v.devices()) == 0 {
		return []modules.Fault{{Arg: "devices", Msg: "a volume group needs devices", Hint: "devices: [/dev/sdb]"}}
	}
	return nil
}

func (v *VGPresent) devices() []string {
	return strings.FieldsFunc(strings.Join(v.Devices, ","), func(r rune) bool { return r == ',' })
}

// Act makes the group, or adds devices to it.
//
// Salt differs: it adds them in test mode, too, and goes on with the devices after one that cannot be added.
func (v *VGPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	switch is, err := vg(ctx, h, v.Name); {
	case err != nil:
		return state.Effect{}, err
	case is:
		return v.extend(ctx, h)
	}
	err := v.free(ctx, h)
	if err == nil {
		err = change(ctx, h, v.command(), v.leaves()...)
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to create Volume Group %s: %w", v.Name, err) //nolint:staticcheck // Salt's
	}
	made, err := shown(ctx, h, "vgdisplay", v.Name)
	made.SetStr("Output from vgcreate", value.Str(fmt.Sprintf("Volume group \"%s\" successfully created", v.Name)))
	return done("Volume Group", v.Name, "created", value.DictOf("created", made)), err
}

func (v *VGPresent) command() []string {
	args := append(append([]string{"vgcreate", v.Name}, v.devices()...), quiet(v.Force))
	return append(args, options("addtag", v.AddTag, "alloc", v.Alloc, "autobackup", v.AutoBackup, "clustered", v.Clustered,
		"maxlogicalvolumes", v.MaxLogicalVolumes, "maxphysicalvolumes", v.MaxPhysicalVolumes, "metadatatype", v.MetadataType,
		"vgmetadatacopies", v.VGMetadataCopies, "metadatacopies", v.MetadataCopies, "physicalextentsize",
		v.PhysicalExtentSize, "zero", v.Zero)...)
}

func (v *VGPresent) leaves() []host.Fact {
	out := []host.Fact{fact("vg "+v.Name, "present")}
	for _, d := range v.devices() {
		out = append(out, fact("pv "+d, "present", "vg", v.Name))
	}
	return out
}

// free fails where vgcreate would: a device is not there, is of another group, or holds something.
func (v *VGPresent) free(ctx context.Context, h host.Reader) error {
	for _, d := range v.devices() {
		is, group, err := pv(ctx, h, d)
		switch {
		case err != nil:
			return err
		case group != "":
			return fmt.Errorf("%s is part of %s", d, group)
		case is:
			continue
		}
		if err = there(h, d); err == nil && !v.Force {
			err = free(ctx, h, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// extend adds the devices that are of no group to one that is there.
func (v *VGPresent) extend(ctx context.Context, h host.Host) (state.Effect, error) {
	comment, changes := []string{fmt.Sprintf("Volume Group %s already present", v.Name)}, value.NewDict(0)
	var faults []string
	for _, d := range v.devices() {
		is, group, err := pv(ctx, h, d)
		switch {
		case err != nil:
			return state.Effect{}, err
		case !is:
			faults = append(faults, fmt.Sprintf("pv %s is not present", d))
		case group == v.Name:
			comment = append(comment, fmt.Sprintf("%s is part of Volume Group", d))
		case group != "":
			faults = append(faults, fmt.Sprintf("%s is part of %s", d, group))
		default:
			changes.SetStr(d, value.Str("added to "+v.Name))
		}
	}
	if len(faults) > 0 {
		return state.Effect{}, errors.New(strings.Join(append(comment, faults...), "\n"))
	}
	for d := range changes.All() {
		device := value.String(d)
		err := change(ctx, h, []string{"vgextend", v.Name, "-qq", device}, fact("pv "+device, "present", "vg", v.Name))
		if err != nil {
			return state.Effect{}, fmt.Errorf("%s could not be added: %w", device, err)
		}
	}
	return state.Effect{Changes: changes, Comment: strings.Join(comment, "\n")}, nil
}

// vg says whether there is a volume group.
func vg(ctx context.Context, h host.Reader, name string) (bool, error) {
	if f, ok := h.Fact(host.FactVolume, "vg "+name); ok {
		return f.Value == "present", nil
	}
	r, err := row(ctx, h, "vgdisplay", name)
	return r != nil, err
}
