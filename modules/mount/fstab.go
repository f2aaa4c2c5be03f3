package mount

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Fstab are the arguments of a line of fstab.
type Fstab struct {
	tool
	Name   string      `arg:"name,required" doc:"The device."`
	File   string      `arg:"fs_file,required" doc:"The folder."`
	Type   string      `arg:"fs_vfstype" default:"auto" doc:"The type of the filesystem."`
	Opts   Options     `arg:"fs_mntops" default:"[defaults]" doc:"The options."`
	Freq   string      `arg:"fs_freq" default:"'0'" doc:"The field for dump."`
	Pass   string      `arg:"fs_passno" default:"'0'" doc:"The field for fsck."`
	By     string      `arg:"mount_by" doc:"No effect: the device is written as it is given."`
	Config string      `arg:"config" default:"/etc/fstab" doc:"The file."`
	Mount  value.Value `arg:"mount" alias:"match_on" doc:"No effect: fstab alone is kept."`
	Keep   bool        `arg:"not_change" doc:"Leave a line that is there as it is."`
}

func (f *Fstab) row() row {
	return row{f.Name, f.File, f.Type, strings.Join(f.Opts, ","), f.Freq, f.Pass}
}
