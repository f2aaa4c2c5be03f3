package mount

import (
	"cmp"
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
	Name    string      `arg:"name,required,path" doc:"The folder."`
	Device  string      `arg:"device,required,path" doc:"What is mounted: a device, UUID=..., host:/path."`
	Fstype  string      `arg:"fstype,required,word" doc:"The type of the filesystem."`
	Mkmnt   bool        `arg:"mkmnt" doc:"Make the folder when it is missing."`
	Opts    Options     `arg:"opts" default:"[defaults]" doc:"The options."`
	Dump    string      `arg:"dump,word" default:"'0'" doc:"The field of fstab for dump."`
	Pass    string      `arg:"pass_num,word" default:"'0'" doc:"The field of fstab for fsck."`
	Config  string      `arg:"config,path" default:"/etc/fstab" doc:"The file for the boot."`
	Persist bool        `arg:"persist" default:"true" doc:"Note it in fstab."`
	Mount   bool        `arg:"mount" default:"true" doc:"Mount it now."`
	User    string      `arg:"user,word" doc:"The owner of a folder that is made."`
	On      []string    `arg:"match_on" default:"[auto]" doc:"In what a line of fstab has to be alike to be this one: name, device, fstype, opts, dump, pass_num. auto: the folder of a special filesystem, else the device."`
	Hidden  Options     `arg:"extra_mount_invisible_options" alias:"hidden_opts,extra_mount_invisible_keys" doc:"Options, or their names before =, that the kernel does not list: they cause no remount."`
	Copy    value.Value `arg:"bind_mount_copy_active_opts" alias:"device_name_regex,extra_mount_ignore_fs_keys,extra_mount_translate_options" doc:"No effect."`
}

func mountedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "mount.mounted",
		Doc:  "Keeps a filesystem mounted, now and at boot. Changed options are applied by a remount.",
		Example: "/srv/data:\n  mount.mounted:\n    - device: UUID=066e0200-2867-4ebe-b9e6-f30026ca2314\n    - fstype: " +
			"ext4\n    - opts: noatime\n    - mkmnt: true",
		New:     func() modules.StateFunc { return &Mounted{} },
		AnyArgs: true,
	}
}

// A plan is what has to be done.
type plan struct {
	mkdir, mount bool
	umount       string   // why
	remount      []string // the options that changed
	persist      string   // new, change or ""
	table        *table
}

func (m *Mounted) row() row {
	return row{m.Device, folder(m.Name), m.Fstype, strings.Join(m.Opts, ","), m.Dump, m.Pass}
}

// Validate refuses fields that fstab does not have.
func (m *Mounted) Validate() []modules.Fault { return badFields(m.On) }

func badFields(on []string) []modules.Fault {
	for _, k := range on {
		if _, ok := (row{}).fields()[k]; !ok && k != "auto" {
			return []modules.Fault{{Arg: "match_on", Msg: fmt.Sprintf("fstab has no field %q", k),
				Hint: "its fields are device, name, fstype, opts, dump, pass_num"}}
		}
	}
	return nil
}

func (m *Mounted) plan(h host.Reader) (plan, error) {
	var p plan
	var was row
	var err error
	if p.table, err = readTable(h, m.Config); err != nil {
		return p, err
	}
	if m.Persist {
		if p.persist, was = p.table.put(m.row(), m.On, false); p.persist == "present" {
			p.persist = ""
		}
	}
	_, missing := h.Stat(m.Name)
	p.mkdir = m.Mkmnt && errors.Is(missing, fs.ErrNotExist)
	if !m.Mount {
		return p, nil
	}
	ms, err := mounts(h)
	if err != nil {
		return p, err
	}
	now := at(ms, folder(m.Name))
	switch {
	case now != nil && !m.bind() && !sameDevice(h, m.Device, now.device):
		p.umount, p.mount = fmt.Sprintf("Forced unmount because devices don't match. Wanted: %s, current: %s", m.Device,
			now.device), true
	case now == nil:
		p.mount = true
	default:
		p.remount = m.changed(h, now, was)
	}
	if errors.Is(missing, fs.ErrNotExist) && p.mount && !m.Mkmnt {
		return p, host.Missing("Mount directory %s is not present; mkmnt: true makes it", m.Name)
	}
	if len(p.remount) > 0 {
		how := "remount"
		if m.again() {
			how = "unmount and mount"
		}
		p.umount = fmt.Sprintf("Forced %s because options (%s) changed", how, strings.Join(p.remount, ","))
	}
	return p, nil
}

func (m *Mounted) bind() bool {
	return slices.Contains(m.Opts, "bind") || slices.Contains(m.Opts, "rbind")
}

// again says that the filesystem takes other options only when it is mounted anew.
func (m *Mounted) again() bool {
	return m.Fstype == "nfs" || m.Fstype == "cvfs" || strings.HasPrefix(m.Fstype, "fuse")
}

func (p plan) changes() *value.Dict {
	out := value.NewDict(3)
	if p.umount != "" {
		out.SetStr("umount", value.Str(p.umount))
	}
	if p.mount {
		out.SetStr("mount", value.Bool(true))
	}
	switch p.persist {
	case "new":
		out.SetStr("persist", value.Str("new"))
	case "change":
		out.SetStr("persist", value.Str("update"))
	}
	return out
}

// Act mounts, then notes: what cannot be mounted is not noted. The folder is made even so.
func (m *Mounted) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	p, err := m.plan(h)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: p.changes(), Preview: fmt.Sprintf("%s would be mounted", m.Name), Comment: p.comment(),
		Pending: p.mkdir,
		// there may be options that the kernel does not list
		Once: len(p.remount) > 0 || p.mount && strings.Join(m.Opts, "") != "defaults"}
	if !e.Alters() {
		return state.Settled("Target was already mounted. Entry already exists in the fstab."), nil
	}
	if !p.mount {
		e.Preview = fmt.Sprintf("%s needs to be updated in %s", m.Name, m.Config)
	}
	if p.mkdir {
		if err := m.makeDir(h); err != nil {
			return state.Effect{}, err
		}
	}
	if err := m.live(ctx, h, p); err != nil {
		return state.Effect{Pending: p.mkdir, Once: true}, err
	}
	if p.persist != "" {
		err = p.table.write(h)
	}
	return e, err
}

// live mounts, mounts anew, or gives what is mounted its options.
func (m *Mounted) live(ctx context.Context, h host.Host, p plan) error {
	if len(p.remount) > 0 && !m.again() {
		return m.remount(ctx, h)
	}
	if p.umount != "" {
		if err := umount(ctx, h, m.Name); err != nil {
			return err
		}
	}
	if !p.mount && p.umount == "" {
		return nil
	}
	return m.mount(ctx, h)
}

func (p plan) comment() string {
	var words []string
	if p.mount {
		words = append(words, "Target was successfully mounted")
	}
	if len(p.remount) > 0 {
		words = append(words, "Target was successfully remounted")
	}
	switch p.persist {
	case "new":
		words = append(words, "Added new entry to the fstab")
	case "change":
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

// foretell leaves on an overlay what mount would leave: the kernel's line, and a folder that is empty or holds what
// nobody knows.
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
	opts := cmp.Or(strings.TrimPrefix(strings.Join(m.Opts, ","), "defaults"), "rw")
	lines = append(lines, fmt.Sprintf("0 0 0:0 / %s %s - %s %s rw", escape(folder(m.Name)), opts, m.Fstype,
		escape(m.Device)))
	if err := modules.WriteLines(o, mountinfo, lines); err != nil {
		return err
	}
	if m.Fstype == "tmpfs" && !strings.Contains(strings.Join(m.Opts, ",")+"=", "id=") &&
		!slices.ContainsFunc(m.Opts, isMode) {
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

// Act remounts. Salt differs: it shows no changes.
func (r *remount) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := r.m.remount(ctx, h); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Changes: value.DictOf(r.m.Name, value.Str("remounted")), Comment: r.m.Name + " remounted",
		Preview: r.m.Name + " would be remounted", Once: true}, nil
}
