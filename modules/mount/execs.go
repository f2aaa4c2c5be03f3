package mount

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	looks := []modules.ExecSpec{
		modules.NewExec("mount.active", "Gives what is mounted, by folder.", active, "extended=false"),
		modules.NewExec("mount.is_mounted", "Says whether something is mounted on a folder.", isMounted, "name"),
		modules.NewExec("mount.fstab", "Gives the lines of fstab, by folder.", listFstab, "config=/etc/fstab"),
		modules.NewExec("mount.swaps", "Gives the swap areas in use.", listSwaps),
	}
	return append(looks, modules.Writing(
		modules.ExecSpec{Name: "mount.set_fstab", Doc: "Notes a line in fstab: new, change or present.", Fn: setFstab,
			Params: []string{"name:path", "device:path", "fstype:word", "opts=defaults", "dump:word=0", "pass_num:word=0",
				"config:path=/etc/fstab",
				"test=false", "match_on=auto", "not_change=false"}},
		modules.ExecSpec{Name: "mount.rm_fstab", Doc: "Takes a line out of fstab.",
			Params: []string{"name", "device", "config=/etc/fstab"}, Fn: removeFstab},
		modules.ExecSpec{Name: "mount.mount", Doc: "Mounts something: True, or what is wrong.", Fn: mountIt,
			Params: []string{"name", "device=false", "mkmnt=false", "fstype=", "opts=defaults", "user=None", "util=mount"}},
		modules.ExecSpec{Name: "mount.remount", Doc: "Gives what is mounted other options, or mounts it.", Fn: remountIt,
			Params: []string{"name", "device", "mkmnt=false", "fstype=", "opts=defaults", "user=None"}},
		modules.ExecSpec{Name: "mount.umount", Doc: "Unmounts a folder: True, or what is wrong.", Fn: unmountIt,
			Params: []string{"name", "device=None", "user=None", "util=mount"}},
		modules.ExecSpec{Name: "mount.swapon", Doc: "Swaps to a device or file.", Params: []string{"name", "priority=None"},
			Fn: swapOn},
		modules.ExecSpec{Name: "mount.swapoff", Doc: "Ends swapping to a device or file.", Params: []string{"name"},
			Fn: swapOff},
	)...)
}

func active(_ context.Context, c *modules.Call) (value.Value, error) {
	ms, err := mounts(c.Host)
	out := value.NewDict(len(ms))
	for _, m := range ms {
		out.SetStr(escape(m.dir), value.DictOf("device", value.Str(m.device), "fstype", value.Str(m.fstype), "opts",
			modules.TextList(m.opts)))
	}
	return out, err
}

func isMounted(_ context.Context, c *modules.Call) (value.Value, error) {
	ms, err := mounts(c.Host)
	return value.Bool(at(ms, c.Str("name")) != nil), err
}

func listFstab(_ context.Context, c *modules.Call) (value.Value, error) {
	t, err := readTable(c.Host, c.Str("config"))
	if err != nil {
		return nil, err
	}
	out := value.NewDict(0)
	for _, l := range t.lines {
		r, ok := parseRow(l)
		if !ok {
			continue
		}
		name := escape(r.dir)
		for _, again := out.GetStr(name); again; _, again = out.GetStr(name) {
			name += "_"
		}
		out.SetStr(name, value.DictOf("device", value.Str(escape(r.device)), "fstype", value.Str(r.fstype), "opts",
			modules.TextList(strings.Split(r.opts, ",")),
			"dump", value.Str(r.dump), "pass", value.Str(r.pass)))
	}
	return out, nil
}

func swapsOf(h host.Reader) (*value.Dict, error) {
	lines, err := modules.ReadLines(h, swaps)
	out := value.NewDict(len(lines))
	for _, l := range lines {
		if f := strings.Fields(l); len(f) > 4 && f[0] != "Filename" {
			out.SetStr(f[0], value.DictOf("type", value.Str(f[1]), "size", value.Str(f[2]), "used", value.Str(f[3]), "priority",
				value.Str(f[4])))
		}
	}
	return out, err
}

func listSwaps(_ context.Context, c *modules.Call) (value.Value, error) { return swapsOf(c.Host) }

// options are mount options as a list or as text with commas.
func options(c *modules.Call) Options {
	var o Options
	_ = o.BindValue(c.Arg("opts"))
	return o
}

func setFstab(_ context.Context, c *modules.Call) (value.Value, error) {
	t, err := readTable(c.Host, c.Str("config"))
	if err != nil {
		return nil, err
	}
	on, err := modules.Texts(c.Arg("match_on"))
	if faults := badFields(on); err == nil && faults != nil {
		err = value.Raise("CommandExecutionError", "Unrecognized keys in match_on: %s", faults[0].Msg)
	}
	if err != nil {
		return nil, err
	}
	done, _ := t.put(row{c.Str("device"), c.Str("name"), c.Str("fstype"), strings.Join(options(c), ","), c.Str("dump"),
		c.Str("pass_num")}, on, c.Bool("not_change"))
	if done != "present" && !c.Bool("test") {
		err = t.write(c.Host)
	}
	return value.Str(done), err
}

func removeFstab(_ context.Context, c *modules.Call) (value.Value, error) {
	t, err := readTable(c.Host, c.Str("config"))
	if err != nil {
		return nil, err
	}
	pick := func(r row) bool { return r.dir == c.Str("name") && r.device == c.Str("device") }
	found := false
	for _, i := t.find(pick); i >= 0; _, i = t.find(pick) {
		t.drop(i)
		found = true
	}
	if found {
		err = t.write(c.Host)
	}
	return value.Bool(true), err
}

// went is True, or the words of what went wrong; what an overlay refuses stays an error.
func went(err error) (value.Value, error) {
	switch {
	case err == nil:
		return value.Bool(true), nil
	case errors.Is(err, host.ErrPreview), host.IsUnknown(err):
		return nil, err
	}
	return value.Str(err.Error()), nil
}

func mountIt(ctx context.Context, c *modules.Call) (value.Value, error) {
	m := &Mounted{Name: c.Str("name"), Device: c.Str("device"), Fstype: c.Str("fstype"), Opts: options(c),
		User: c.Str("user")}
	if _, err := c.Host.Stat(m.Name); errors.Is(err, fs.ErrNotExist) && c.Bool("mkmnt") {
		if err := m.makeDir(c.Host); err != nil {
			return nil, err
		}
	}
	if !c.Bool("device") {
		return went(run(ctx, c.Host, nil, "mount", m.Name))
	}
	args := []string{"mount", "-o", cmp.Or(strings.Join(m.Opts, ","), "defaults")}
	if m.Fstype != "" {
		args = append(args, "-t", m.Fstype)
	}
	return went(run(ctx, c.Host, m.foretell, append(args, m.Device, m.Name)...))
}

func remountIt(ctx context.Context, c *modules.Call) (value.Value, error) {
	ms, err := mounts(c.Host)
	if err != nil || at(ms, c.Str("name")) == nil {
		return mountIt(ctx, c)
	}
	m := &Mounted{Name: c.Str("name"), Device: c.Str("device"), Fstype: c.Str("fstype"), Opts: options(c)}
	return went(m.remount(ctx, c.Host))
}

func unmountIt(ctx context.Context, c *modules.Call) (value.Value, error) {
	ms, err := mounts(c.Host)
	if err != nil {
		return nil, err
	}
	if at(ms, c.Str("name")) == nil {
		return value.Str(c.Str("name") + " does not have anything mounted"), nil
	}
	return went(umount(ctx, c.Host, c.Str("name")))
}

func swapOn(ctx context.Context, c *modules.Call) (value.Value, error) {
	s := &Swap{Name: c.Str("name")}
	lines, err := modules.ReadLines(c.Host, swaps)
	if err != nil {
		return nil, err
	}
	if now, err := s.active(c.Host); err == nil {
		return value.DictOf("stats", now, "new", value.Bool(false)), nil
	}
	if err := s.swapOn(ctx, c.Host, lines); err != nil {
		if _, err := went(err); err != nil {
			return nil, err
		}
		return value.Bool(false), nil
	}
	now, err := s.active(c.Host)
	return value.DictOf("stats", now, "new", value.Bool(true)), err
}

func swapOff(ctx context.Context, c *modules.Call) (value.Value, error) {
	if _, err := (&Swap{Name: c.Str("name")}).active(c.Host); err != nil {
		return value.None, nil
	}
	err := run(ctx, c.Host, nil, "swapoff", c.Str("name"))
	v, err := went(err)
	return value.Bool(v == value.Value(value.Bool(true))), err
}
