package mount

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// BindValue reads options.
func (o *Options) BindValue(v value.Value) error {
	texts, err := modules.Texts(v)
	*o = Options{}
	for _, t := range texts {
		for _, w := range strings.Split(t, ",") {
			if w = strings.TrimSpace(w); w != "" {
				*o = append(*o, w)
			}
		}
	}
	return err
}

// Mounted keeps a filesystem mounted, now and at boot.
type Mounted struct {
	tool
	Name    string      `arg:"name,required" doc:"The folder."`
	Device  string      `arg:"device,required" doc:"What is mounted: a device, UUID=..., host:/path."`
	Fstype  string      `arg:"fstype,required" doc:"The type of the filesystem."`
	Mkmnt   bool        `arg:"mkmnt" doc:"Make the folder when it is missing."`
	Opts    Options     `arg:"opts" default:"[defaults]" doc:"The options."`
	Dump    string      `arg:"dump" default:"'0'" doc:"The field of fstab for dump."`
	Pass    string      `arg:"pass_num" default:"'0'" doc:"The field of fstab for fsck."`
	Config  string      `arg:"config" default:"/etc/fstab" doc:"The file for the boot."`
	Persist bool        `arg:"persist" default:"true" doc:"Note it in fstab."`
	Mount   bool        `arg:"mount" default:"true" doc:"Mount it now."`
	User    string      `arg:"user" doc:"The owner of a folder that is made."`
	MatchOn value.Value `arg:"match_on" alias:"device_name_regex,extra_mount_invisible_options,extra_mount_invisible_keys,extra_mount_ignore_fs_keys,extra_mount_translate_options,hidden_opts,bind_mount_copy_active_opts" doc:"No effect."`
}

func mountedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "mount.mounted",
		Doc:     "Keeps a filesystem mounted, now and at boot. Changed options are applied by a remount.",
		Example: "/srv/data:\n  mount.mounted:\n    - device: UUID=066e0200-2867-4ebe-b9e6-f30026ca2314\n    - fstype: ext4\n    - opts: noatime\n    - mkmnt: true",
		New:     func() modules.StateFunc { return &Mounted{} },
		AnyArgs: true,
	}
}

// A plan is what has to be done.
type plan struct {
	mkdir, umount, mount, remount bool
	persist                       string // "new", "update" or ""
	table                         *table
}

func (m *Mounted) row() row {
	return row{m.Device, m.Name, m.Fstype, strings.Join(m.Opts, ","), m.Dump, m.Pass}
}

func (m *Mounted) plan(h host.Reader) (plan, error) {
	var p plan
	var err error
	if p.table, err = readTable(h, m.Config); err != nil {
		return p, err
	}
	if m.Persist {
		now, i := p.table.find(func(r row) bool { return r.dir == m.Name })
		switch {
		case i < 0:
			p.persist = "new"
		case now != m.row():
			p.persist = "update"
		}
		if p.persist != "" {
			p.table.put(i, m.row())
		}
		p.remount = p.persist == "update" && now.opts != m.row().opts
	}
	if !m.Mount {
		p.remount = false
		return p, nil
	}
	return p, m.planMount(h, &p)
}

func (m *Mounted) planMount(h host.Reader, p *plan) error {
	ms, err := mounts(h)
	if err != nil {
		return err
	}
	now := at(ms, m.Name)
	bind := slices.Contains(m.Opts, "bind") || slices.Contains(m.Opts, "rbind")
	if now != nil && !bind && !sameDevice(h, m.Device, now.device) {
		p.umount, now = true, nil
	}
	if now != nil {
		return nil
	}
	p.mount, p.remount = true, false
	if _, err := h.Stat(m.Name); errors.Is(err, fs.ErrNotExist) {
		if !m.Mkmnt {
			return host.Missing("Mount directory %s is not present; mkmnt: true makes it", m.Name)
		}
		p.mkdir = true
	}
	return nil
}

func (p plan) changes() *value.Dict {
	out := value.NewDict(3)
	if p.mount {
		out.SetStr("mount", value.Bool(true))
	}
	if p.umount {
		out.SetStr("umount", value.Str("Forced unmount because devices don't match"))
	}
	if p.remount {
		out.SetStr("remount", value.Bool(true))
	}
	if p.persist != "" {
		out.SetStr("persist", value.Str(p.persist))
	}
	return out
}

// Act mounts, then notes: what cannot be mounted is not noted. A remount takes options from the note too.
func (m *Mounted) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	p, err := m.plan(h)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: p.changes(), Preview: fmt.Sprintf("%s would be mounted", m.Name), Comment: p.comment()}
	if e.Changes.Len() == 0 {
		return state.Settled("Target was already mounted. Entry already exists in the fstab."), nil
	}
	if !p.mount {
		e.Preview = fmt.Sprintf("%s needs to be updated in %s", m.Name, m.Config)
	}
	for _, step := range []struct {
		on bool
		do func() error
	}{
		{p.mkdir, func() error { return m.makeDir(h) }},
		{p.umount, func() error { return umount(ctx, h, m.Name) }},
		{p.mount, func() error { return m.mount(ctx, h) }},
		{p.persist != "", func() error { return p.table.write(h) }},
		{p.remount, func() error { return run(ctx, h, nil, "mount", "-o", "remount,"+strings.Join(m.Opts, ","), m.Name) }},
	} {
		if step.on && err == nil {
			err = step.do()
		}
	}
	if err != nil {
		return state.Effect{}, err
	}
	return e, nil
}

func (p plan) comment() string {
	var words []string
	if p.mount {
		words = append(words, "Target was successfully mounted")
	}
	if p.remount {
		words = append(words, "Target was successfully remounted")
	}
	switch p.persist {
	case "new":
		words = append(words, "Added new entry to the fstab")
	case "update":
		words = append(words, "Updated the entry in the fstab")
	}
	return strings.Join(words, ". ") + "."
}

func (m *Mounted) mount(ctx context.Context, h host.Host) error {
	args, opts := []string{"mount", "-t", m.Fstype}, strings.Join(m.Opts, ",")
	if opts != "" {
		args = append(args, "-o", opts)
	}
	return run(ctx, h, m.foretell, append(args, m.Device, m.Name)...)
}

// foretell leaves on an overlay what mount would leave: the kernel's line, and a folder that is empty or holds what nobody knows.
func (m *Mounted) foretell(o host.Host) error {
	if strings.HasPrefix(m.Device, "/") {
		if _, err := o.Stat(m.Device); errors.Is(err, fs.ErrNotExist) {
			return host.Missing("mount: %s: special device %s does not exist.", m.Name, m.Device)
		}
	}
	lines, err := modules.ReadLines(o, mountinfo)
	if err != nil {
		return err
	}
	lines = append(lines, fmt.Sprintf("0 0 0:0 / %s rw - %s %s rw", escape(m.Name), m.Fstype, escape(m.Device)))
	if err := modules.WriteLines(o, mountinfo, lines); err != nil {
		return err
	}
	if m.Fstype == "tmpfs" && !strings.Contains(strings.Join(m.Opts, ",")+"=", "id=") && !slices.ContainsFunc(m.Opts, isMode) {
		return errors.Join(o.RemoveAll(m.Name), o.Mkdir(m.Name, host.Attr{Mode: 0o1777, HasMode: true}))
	}
	o.Promise(host.Fact{Kind: host.FactPath, Name: m.Name, Value: "unknown"})
	return nil
}

func isMode(opt string) bool { return strings.HasPrefix(opt, "mode=") }

// makeDir makes the folder and those above it; the folder is the user's.
func (m *Mounted) makeDir(h host.Host) error {
	a := host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}
	if err := modules.MakeDirs(h, path.Dir(m.Name), a); err != nil {
		return err
	}
	if m.User != "" {
		u, err := h.User(m.User)
		if err != nil {
			return host.Missing("User %s is not available", m.User)
		}
		a.UID = u.UID
	}
	return h.Mkdir(m.Name, a)
}

// ModWatch remounts.
func (m *Mounted) ModWatch() modules.StateFunc { return &remount{m} }

// remount is the reaction to a watch.
type remount struct{ m *Mounted }

// Act remounts.
func (r *remount) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := run(ctx, h, nil, "mount", "-o", "remount", r.m.Name); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf(r.m.Name, value.Str("remounted")), Comment: r.m.Name + " remounted",
		Preview: r.m.Name + " would be remounted", Once: true}, nil
}
