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
	Name    string      `arg:"name,required" doc:"the folder"`
	Device  string      `arg:"device,required" doc:"what is mounted: a device, UUID=..., host:/path"`
	Fstype  string      `arg:"fstype,required" doc:"the type of the filesystem"`
	Mkmnt   bool        `arg:"mkmnt" doc:"make the folder when it is missing"`
	Opts    Options     `arg:"opts" default:"[defaults]" doc:"the options"`
	Dump    string      `arg:"dump" default:"'0'" doc:"the field of fstab for dump"`
	Pass    string      `arg:"pass_num" default:"'0'" doc:"the field of fstab for fsck"`
	Config  string      `arg:"config" default:"/etc/fstab" doc:"the file for the boot"`
	Persist bool        `arg:"persist" default:"true" doc:"note it in fstab"`
	Mount   bool        `arg:"mount" default:"true" doc:"mount it now"`
	User    string      `arg:"user" doc:"the owner of a folder that is made"`
	MatchOn value.Value `arg:"match_on" alias:"device_name_regex,extra_mount_invisible_options,extra_mount_invisible_keys,extra_mount_ignore_fs_keys,extra_mount_translate_options,hidden_opts,bind_mount_copy_active_opts" doc:"no effect"`
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
	if f, ok := h.Fact(host.FactMount, m.Name); ok && f.Value == "absent" {
		now = nil
	} else if ok {
		p.remount = false
		return nil
	}
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
			return fmt.Errorf("Mount directory %s is not present; mkmnt: true makes it", m.Name)
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

// Check says what would be mounted and noted.
func (m *Mounted) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	p, err := m.plan(h)
	if err != nil {
		return state.Forecast{}, err
	}
	c := p.changes()
	if c.Len() == 0 {
		return state.Forecast{Comment: "Target was already mounted. Entry already exists in the fstab."}, nil
	}
	f := state.Forecast{Pending: true, Changes: c, Comment: fmt.Sprintf("%s would be mounted", m.Name)}
	if m.Mount {
		f.Effects = []host.Fact{{Kind: host.FactMount, Name: m.Name, Value: "present"}}
	}
	if !p.mount {
		f.Comment = fmt.Sprintf("%s needs to be updated in %s", m.Name, m.Config)
	}
	return f, nil
}

// Apply notes it first, so that a mount by hand or by systemd finds it.
func (m *Mounted) Apply(ctx context.Context, _ *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	p, err := m.plan(h)
	if err != nil {
		return state.Applied{}, err
	}
	if p.mkdir {
		if err := m.makeDir(h, m.Name); err != nil {
			return state.Applied{}, err
		}
	}
	if p.persist != "" {
		if err := p.table.write(h); err != nil {
			return state.Applied{}, err
		}
	}
	if p.umount {
		if err := run(ctx, h, "umount", m.Name); err != nil {
			return state.Applied{}, fmt.Errorf("unmount %s: %w", m.Name, err)
		}
	}
	var words []string
	if p.mount {
		args := []string{"mount", "-t", m.Fstype}
		if opts := strings.Join(m.Opts, ","); opts != "" {
			args = append(args, "-o", opts)
		}
		if err := run(ctx, h, append(args, m.Device, m.Name)...); err != nil {
			return state.Applied{}, fmt.Errorf("mount %s: %w", m.Name, err)
		}
		words = append(words, "Target was successfully mounted")
	}
	if p.remount {
		if err := run(ctx, h, "mount", "-o", "remount,"+strings.Join(m.Opts, ","), m.Name); err != nil {
			return state.Applied{}, fmt.Errorf("remount %s: %w", m.Name, err)
		}
		words = append(words, "Target was successfully remounted")
	}
	switch p.persist {
	case "new":
		words = append(words, "Added new entry to the fstab")
	case "update":
		words = append(words, "Updated the entry in the fstab")
	}
	return state.Applied{Changes: p.changes(), Comment: strings.Join(words, ". ") + "."}, nil
}

func (m *Mounted) makeDir(h host.Host, dir string) error {
	if _, err := h.Stat(dir); err == nil {
		return nil
	}
	if err := m.makeDir(h, path.Dir(dir)); err != nil {
		return err
	}
	a := host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}
	if m.User != "" && dir == m.Name {
		u, err := h.User(m.User)
		if err != nil {
			return fmt.Errorf("User %s is not available", m.User)
		}
		a.UID = u.UID
	}
	if err := h.Mkdir(dir, a); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	return nil
}

// ModWatch remounts.
func (m *Mounted) ModWatch() modules.StateFunc { return &remount{m} }

// remount is the reaction to a watch.
type remount struct{ m *Mounted }

func (r *remount) Check(context.Context, *modules.Env, host.Reader) (state.Forecast, error) {
	return state.Forecast{Pending: true, Action: true, Changes: value.DictOf(r.m.Name, value.Str("remounted")), Comment: r.m.Name + " would be remounted"}, nil
}

func (r *remount) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	if err := run(ctx, h, "mount", "-o", "remount", r.m.Name); err != nil {
		return state.Applied{}, fmt.Errorf("remount %s: %w", r.m.Name, err)
	}
	return state.Applied{Changes: f.Changes, Comment: r.m.Name + " remounted"}, nil
}
