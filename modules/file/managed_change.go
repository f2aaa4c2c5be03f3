package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// change writes what differs, and says it in Salt's shape.
func (m *Managed) change(ctx context.Context, env *modules.Env, h host.Host, now *managedNow, e *state.Effect) error {
	if now.differ {
		if err := m.checkNew(ctx, h, now); err != nil {
			return err
		}
	}
	var err error
	switch {
	case !now.exists:
		err = m.create(ctx, h, now, e)
	case now.differ:
		err = m.rewrite(ctx, env, h, now, e)
	default:
		err = now.perms.enforce(h, now.path, now.info, e.Changes)
		return errors.Join(err, setAttributes(ctx, h, now.path, now.perms, e.Changes))
	}
	if err != nil {
		return err
	}
	return setAttributes(ctx, h, now.path, now.perms, e.Changes)
}

// diff is what the change of the content is shown as.
func (m *Managed) diff(ctx context.Context, env *modules.Env, h host.Reader, now *managedNow) (value.Value, error) {
	const replaced = value.Str("Replace symbolic link with regular file")
	switch {
	case now.info.IsSymlink() && !isFile(h, now.path):
		return replaced, nil
	case !m.ShowChanges:
		return value.Str("<show_changes=False>"), nil
	case now.info.Size > diffLimit:
		return value.Str(fmt.Sprintf("%d bytes replaced, too many for a diff", now.info.Size)), nil
	}
	old, err := h.ReadFile(now.path)
	if err != nil {
		return nil, err
	}
	data, more, err := now.want.upTo(ctx, diffLimit)
	switch {
	case err != nil:
		return nil, err
	case more:
		return value.Str(fmt.Sprintf("%d bytes replaced by more than %d, too many for a diff", len(old), diffLimit)), nil
	}
	if words := binaryReplace(old, data); words != "" {
		return value.Str(words), nil
	}
	if d := diffOf(old, data); d != "" || !now.info.IsSymlink() {
		return env.PrivateDiff(m.private(h, now.path), value.Str(d)), nil
	}
	return replaced, nil
}

// private says whether the file is, or becomes, its owner's alone.
func (m *Managed) private(h host.Reader, name string) bool {
	i, err := h.Stat(name)
	return err == nil && modules.Private(i.Perm()) || m.Mode.Given && !m.Mode.Keep && modules.Private(m.Mode.Bits)
}

// content opens what is to be written.
func (now *managedNow) content(ctx context.Context) (io.ReadCloser, error) {
	if now.want == nil {
		return newReader(nil), nil
	}
	return now.want.reader(ctx)
}

func (now *managedNow) write(ctx context.Context, h host.Host) error {
	r, err := now.content(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	return h.WriteFile(now.path, r, now.perms.attr())
}

// create makes the file, and shows as changed what Salt shows: owner and mode where they are not those that the file
// would have had anyway.
func (m *Managed) create(ctx context.Context, h host.Host, now *managedNow, e *state.Effect) error {
	if err := m.parent(h, now); err != nil {
		return err
	}
	if err := now.write(ctx, h); err != nil {
		return err
	}
	e.Foretold = value.DictOf("newfile", value.Str(m.Name))
	if m.ShowChanges && !m.private(h, now.path) {
		e.New = now.path
	}
	if now.want == nil {
		e.Changes.SetStr("new", value.Str(fmt.Sprintf("file %s created", m.Name)))
		e.Comment = "Empty file"
	} else {
		e.Changes.SetStr("diff", value.Str("New file"))
	}
	id := host.IdentityOf(h)
	asMade := host.Info{UID: id.UID, GID: id.GID, Mode: 0o600}
	p := now.perms
	if !p.mode.Given || p.mode.Keep {
		p.mode = modules.Mode{Given: true, Bits: 0o666 &^ id.Umask}
		if !m.Source.given() {
			asMade.Mode = host.ModeOf(p.mode.Bits)
		}
	}
	p.differ(asMade, e.Changes)
	return nil
}

// parent makes sure of the directory that the file is to be in.
func (m *Managed) parent(h host.Host, now *managedNow) error {
	dir := Path(now.path).dir()
	switch {
	case isDir(h, dir):
		return nil
	case !m.Makedirs:
		return fmt.Errorf("Parent directory not present: %s", dir)
	}
	return modules.MakeDirs(h, dir, dirAttr(now.perms, m.DirMode))
}

// rewrite replaces the content, and with it owner and mode.
func (m *Managed) rewrite(ctx context.Context, env *modules.Env, h host.Host, now *managedNow, e *state.Effect) error {
	diff, err := m.diff(ctx, env, h, now)
	if err != nil {
		return err
	}
	if err := backupMinion(env, h, m.Backup, now.path, env.Time()); err != nil {
		return err
	}
	if err := now.write(ctx, h); err != nil {
		return err
	}
	e.Changes.SetStr("diff", diff)
	if now.info.IsSymlink() {
		now.info.Mode = 0o777
	}
	now.perms.differ(now.info, e.Changes)
	return nil
}

// checkNew gives the new content to the check_cmd. In a preview, where commands do not run, it is taken for good.
func (m *Managed) checkNew(ctx context.Context, h host.Host, now *managedNow) error {
	if m.CheckCmd == "" || now.want == nil {
		return nil
	}
	dir := m.TmpDir
	if dir == "" {
		dir = "/tmp"
	}
	tmp := path.Join(dir, ".gostate-check."+path.Base(now.path)+m.TmpExt)
	r, err := now.content(ctx)
	if err != nil {
		return err
	}
	defer r.Close()
	attr := now.perms.attr()
	if !attr.HasMode && now.exists {
		attr.Mode, attr.HasMode = now.info.Perm(), true
	}
	if err := h.WriteFile(tmp, r, attr); err != nil {
		return fmt.Errorf("Unable to check_cmd file: %w", err)
	}
	defer func() { _ = h.Remove(tmp) }()
	return h.Do(ctx, host.Deed{What: "check_cmd", Foretell: func(host.Host) error { return nil },
		Do: func(ctx context.Context) error { return m.runChecks(ctx, h, tmp) }})
}

func (m *Managed) runChecks(ctx context.Context, h host.Host, file string) error {
	words, err := modules.Words(string(m.CheckCmd) + " " + file)
	if err != nil {
		return fmt.Errorf("check_cmd: %w", err)
	}
	out, err := h.Run(ctx, host.Cmd{Args: words, Combine: true, Dir: "/"})
	switch {
	case err != nil:
		return fmt.Errorf("check_cmd: %w", err)
	case out.Code != 0:
		return fmt.Errorf("check_cmd execution failed\n%s", strings.TrimRight(string(out.Stdout), "\n"))
	}
	return nil
}
