package lvm

// LVOptions are the options that are handed on to lvcreate.
type LVOptions struct {
	Activate         string `arg:"activate,word" doc:"Activates the volume, y or n."`
	ChunkSize        string `arg:"chunksize,word" doc:"The size of a chunk of a snapshot or pool."`
	Contiguous       string `arg:"contiguous,word" doc:"Takes extents that lie together, y or n."`
	Discards         string `arg:"discards,word" doc:"What a pool does with discards."`
	Stripes          string `arg:"stripes,word" doc:"The number of stripes."`
	StripeSize       string `arg:"stripesize,word" doc:"The size of a stripe."`
	Minor            string `arg:"minor,word" doc:"The minor number of the device."`
	Persistent       string `arg:"persistent,word" doc:"Keeps the minor number, y or n."`
	Mirrors          string `arg:"mirrors,word" doc:"The number of mirrors."`
	NoSync           bool   `arg:"nosync" doc:"Leaves mirrors unsynchronised at first."`
	NoUdevSync       bool   `arg:"noudevsync" doc:"Does not wait for udev."`
	Monitor          string `arg:"monitor,word" doc:"Has the volume watched, y or n."`
	IgnoreMonitoring bool   `arg:"ignoremonitoring" doc:"Leaves monitoring out."`
	Permission       string `arg:"permission,word" doc:"The access, rw or r."`
	PoolMetadataSize string `arg:"poolmetadatasize,word" doc:"The space for the metadata of a pool."`
	ReadAhead        string `arg:"readahead,word" doc:"The sectors to read ahead, auto or none."`
	RegionSize       string `arg:"regionsize,word" doc:"The size of a region of a mirror."`
	Type             string `arg:"type,word" doc:"The kind of volume: linear, striped, raid1, ..."`
	VirtualSize      string `arg:"virtualsize,word" doc:"The size that a thin volume pretends."`
	Zero             string `arg:"zero,word" doc:"Wipes the start of the volume, y or n."`
}

func (o LVOptions) words() []string {
	out := options("activate", o.Activate, "chunksize", o.ChunkSize, "contiguous", o.Contiguous, "discards", o.Discards,
		"stripes", o.Stripes, "stripesize", o.StripeSize, "minor", o.Minor, "persistent", o.Persistent, "mirrors", o.Mirrors,
		"monitor", o.Monitor, "permission", o.Permission, "poolmetadatasize", o.PoolMetadataSize, "readahead", o.ReadAhead,
		"regionsize", o.RegionSize, "type", o.Type, "virtualsize", o.VirtualSize, "zero", o.Zero)
	for _, flag := range [...]struct {
		on   bool
		name string
	}{{o.NoSync, "--nosync"}, {o.NoUdevSync, "--noudevsync"}, {o.IgnoreMonitoring, "--ignoremonitoring"}} {
		if flag.on {
			out = append(out, flag.name)
		}
	}
	return out
}

// lvcreate is the command that makes a volume.
func lvcreate(name, group, size, extents, origin, pv string, thin, pool, force bool, more []string) []string {
	args := []string{"lvcreate", "-n", name}
	switch {
	case thin:
		args = []string{"lvcreate", "--thin", "-n", name}
	case pool:
		args = []string{"lvcreate", "--thinpool", name}
	}
	if origin != "" {
		args = append(args, "-s", group+"/"+origin)
	} else {
		args = append(args, group)
	}
	switch {
	case size != "" && thin:
		args = append(args, "-V", size)
	case size != "":
		args = append(args, "-L", size)
	default:
		args = append(args, "-l", extents)
	}
	if pv != "" {
		args = append(args, pv)
	}
	return append(append(args, more...), quiet(force))
}
