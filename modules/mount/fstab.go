package mount

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Fstab are the arguments of a line of fstab.
type Fstab struct {
	tool
	Name   string      `arg:"name,required" doc:"the device"`
	File   string      `arg:"fs_file,required" doc:"the folder"`
	Type   string      `arg:"fs_vfstype" default:"auto" doc:"the type of the filesystem"`
	Opts   Options     `arg:"fs_mntops" default:"[defaults]" doc:"the options"`
	Freq   string      `arg:"fs_freq" default:"'0'" doc:"the field for dump"`
	Pass   string      `arg:"fs_passno" default:"'0'" doc:"the field for fsck"`
	By     string      `arg:"mount_by" doc:"no effect: the device is written as it is given"`
	Config string      `arg:"config" default:"/etc/fstab" doc:"the file"`
	Mount  value.Value `arg:"mount" alias:"match_on" doc:"no effect: fstab alone is kept"`
	Keep   bool        `arg:"not_change" doc:"leave a line that is there as it is"`
}

func (f *Fstab) row() row {
	return row{f.Name, f.File, f.Type, strings.Join(f.Opts, ","), f.Freq, f.Pass}
}
