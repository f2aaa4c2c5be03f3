package disk

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

// Formatted keeps a file system on a device.
type Formatted struct {
	root
	Name      string `arg:"name,required,word" doc:"The device."`
	FSType    string `arg:"fs_type,word" default:"ext4" doc:"The kind of file system."`
	Force     bool   `arg:"force" doc:"Replaces what the device holds, which is lost; makes ext on what is no partition."`
	InodeSize string `arg:"inode_size,word" doc:"The bytes per inode of ext, the size of an inode of xfs."`
	Lazy      string `arg:"lazy_itable_init,word" doc:"Has the kernel finish the tables of ext later, 0 or 1."`
	FAT       string `arg:"fat,word" doc:"The size of an entry of fat: 12, 16 or 32."`
}

// root is embedded by states that root alone can bring about.
type root struct{}

// NeedsRoot is true: only root may read and write devices.
func (root) NeedsRoot(*modules.Env) bool { return true }

func formattedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "blockdev.formatted",
		Doc: "Keeps a file system of a kind on a device. A device that holds something else is refused without force: " +
			"true.",
		Example: "/dev/vdb1:\n  blockdev.formatted:\n    - fs_type: xfs",
		New:     func() modules.StateFunc { return &Formatted{} },
	}
}

// Act makes the file system.
//
// Salt differs: it replaces an ext or fat file system, and whatever else mkfs does not heed, by the new one without
// force. Its changes give the new kind as the old one, too.
func (f *Formatted) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := f.now(ctx, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case now == f.FSType:
		return state.Settled(fmt.Sprintf("%s already formatted with %s", f.Name, f.FSType)), nil
	case now != "" && !f.Force:
		return state.Effect{}, fmt.Errorf("%s holds %s, which would be lost: wipe it first, or say force: true", f.Name, now)
	}
	if _, err := h.LookPath("mkfs." + f.FSType); host.IsUnknown(err) {
		return state.Effect{}, err
	} else if err != nil {
		return state.Effect{}, host.Missing("Invalid fs_type: %s: %w", f.FSType, err) //nolint:staticcheck // Salt's words
	}
	fs := filesystem{f.FSType, f.InodeSize, f.Lazy, f.FAT, f.Force}
	err = modules.Tool{On: host.FactVolume, Args: fs.mkfs(f.Name), Foretell: func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactVolume, Name: "fs " + f.Name, Value: f.FSType})
		return nil
	}}.Run(ctx, h)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to format %s: %w", f.Name, err) //nolint:staticcheck // Salt's words
	}
	return state.Effect{Changes: value.DictOf("new", value.Str(f.FSType), "old", value.Str(now)),
		Foretold: value.NewDict(0), Comment: fmt.Sprintf("%s has been formatted with %s", f.Name, f.FSType),
		Preview: fmt.Sprintf("Changes to %s will be applied ", f.Name)}, nil
}

// now is what the device holds, "" for nothing.
func (f *Formatted) now(ctx context.Context, h host.Reader) (string, error) {
	if fact, ok := h.Fact(host.FactVolume, "fs "+f.Name); ok {
		return fact.Value, nil
	}
	if fact, ok := h.Fact(host.FactVolume, "lv "+f.Name); ok && fact.Value == "present" {
		if _, err := h.Lstat(f.Name); err != nil {
			return "", nil // a volume that an earlier state of the preview makes is empty
		}
	}
	if _, err := h.Stat(f.Name); errors.Is(err, fs.ErrNotExist) {
		return "", host.Missing("%s does not exist", f.Name)
	} else if err != nil {
		return "", err
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"blkid", "-p", "-o", "value", "-s", "TYPE", f.Name},
		Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return "", fmt.Errorf("run blkid: %w", err)
	}
	if out.Code == 8 {
		return "", fmt.Errorf("%s holds more than one thing: %s", f.Name, strings.TrimSpace(string(out.Stderr)))
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}
