package mount

import (
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Fstab are the arguments of a line of fstab.
type Fstab struct {
	tool
	Name    string      `arg:"name,required,path" doc:"The device."`
	File    string      `arg:"fs_file,required,path" doc:"The folder."`
	Type    string      `arg:"fs_vfstype,word" default:"auto" doc:"The type of the filesystem."`
	Opts    Options     `arg:"fs_mntops" default:"[defaults]" doc:"The options."`
	Freq    string      `arg:"fs_freq,word" default:"'0'" doc:"The field for dump."`
	Pass    string      `arg:"fs_passno,word" default:"'0'" doc:"The field for fsck."`
	By      string      `arg:"mount_by,word" doc:"No effect: the device is written as it is given."`
	Config  string      `arg:"config,path" default:"/etc/fstab" doc:"The file."`
	On      []string    `arg:"match_on" default:"[auto]" doc:"In what a line has to be alike to be this one: name, device, fstype, opts, dump, pass_num. auto: the folder of a special filesystem, else the device."`
	Mount   bool        `arg:"mount" default:"true" doc:"Mounts it when the line is new."`
	Keep    bool        `arg:"not_change" doc:"Leaves a line that is there as it is."`
	FsMount value.Value `arg:"fs_mount" doc:"Of AIX; no effect here."`
}

// folder is a path without the slash at its end.
func folder(name string) string {
	if name = strings.TrimRight(name, "/"); name == "" {
		return "/"
	}
	return name
}

func (f *Fstab) row() row {
	return row{f.Name, folder(f.File), f.Type, strings.Join(f.Opts, ","), f.Freq, f.Pass}
}
