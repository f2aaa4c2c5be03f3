package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/web"
)

func managedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.managed",
		Doc: `Ensures that a file has the given content, owner and mode.

The content comes from a source (salt://, a path, a URL), from contents in the SLS, or from pillar or grains; without any,
an empty file is made where there is none, and owner and mode are kept. With template it is rendered first.`,
		Example: `
/etc/motd:
  file.managed:
    - source: salt://motd.jinja
    - template: jinja
    - context:
        greeting: hello
    - user: root
    - group: root
    - mode: '0644'
`,
		New:     func() modules.StateFunc { return &Managed{} },
		AnyArgs: true,
	}
}

// Managed is file.managed.
type Managed struct {
	Name              Path         `arg:"name,required,path" doc:"The file."`
	Source            Sources      `arg:"source,path" doc:"Where the content comes from; of a list, the first source that exists."`
	SourceHash        string       `arg:"source_hash,path" doc:"The hash of a remote source: kind=hex, hex, or the address of a file of hashes."`
	SourceHashName    string       `arg:"source_hash_name" doc:"The name to look for in a file of hashes."`
	KeepSource        bool         `arg:"keep_source" default:"true" doc:"Without effect: sources are not cached."`
	User              Owner        `arg:"user,word" alias:"owner?" doc:"The owner."`
	Group             Owner        `arg:"group,word" doc:"The group."`
	Mode              modules.Mode `arg:"mode" doc:"The permissions; keep takes those of the source."`
	Attrs             *string      `arg:"attrs" doc:"The attributes as lsattr shows them; an empty text removes them all."`
	Template          string       `arg:"template" choices:"jinja|py|mako|genshi|cheetah|wempy" doc:"The engine that renders the content: jinja."`
	Makedirs          bool         `arg:"makedirs" doc:"Makes the directories above the file."`
	DirMode           modules.Mode `arg:"dir_mode" doc:"The permissions of directories that makedirs makes."`
	Context           Variables    `arg:"context,text" doc:"Variables of the template."`
	Replace           bool         `arg:"replace" default:"true" doc:"Without it the content of a file that is there stays."`
	Defaults          Variables    `arg:"defaults,text" doc:"Variables of the template that context overrides."`
	Backup            string       `arg:"backup" doc:"Minion keeps a copy of the old file below the cache directory."`
	ShowChanges       bool         `arg:"show_changes" default:"true" doc:"Shows the diff."`
	Create            bool         `arg:"create" default:"true" doc:"Makes the file where there is none."`
	Contents          value.Value  `arg:"contents,text" doc:"The content itself, a text or a list of lines."`
	TmpDir            string       `arg:"tmp_dir,path" doc:"Where check_cmd finds the file that it checks."`
	TmpExt            string       `arg:"tmp_ext,file" doc:"How the name of that file ends."`
	ContentsPillar    value.Value  `arg:"contents_pillar" doc:"The pillar path of the content, or a list of them."`
	ContentsGrains    value.Value  `arg:"contents_grains" doc:"The grain of the content, or a list of them."`
	ContentsNewline   bool         `arg:"contents_newline" default:"true" doc:"Ends contents in a newline."`
	ContentsDelimiter string       `arg:"contents_delimiter" default:":" doc:"What separates the parts of a pillar or grain path."`
	Encoding          string       `arg:"encoding" doc:"The encoding that contents are written in; UTF-8."`
	EncodingErrors    string       `arg:"encoding_errors" default:"strict" choices:"strict|ignore|replace|xmlcharrefreplace|backslashreplace" doc:"What happens to characters that the encoding has not."`
	AllowEmpty        bool         `arg:"allow_empty" default:"true" doc:"Without it empty contents are a failure."`
	FollowSymlinks    bool         `arg:"follow_symlinks" default:"true" doc:"Manages what a symbolic link leads to; else the link is replaced."`
	CheckCmd          CheckCmd     `arg:"check_cmd,command" doc:"A command, without a shell, that is given the path of the new content and must succeed before it goes in place."`
	SkipVerify        bool         `arg:"skip_verify" doc:"Takes a remote source without a hash."`
	SELinux           *value.Dict  `arg:"selinux" doc:"The parts of the SELinux label: seuser, serole, setype, serange."`
	VerifySSL         bool         `arg:"verify_ssl" default:"true" doc:"Verifies the certificates of an HTTPS source and of its source_hash."`
	UseEtag           bool         `arg:"use_etag" doc:"Takes a remote source without a hash; it is fetched again in each run."`
	windowsArgs
	WinPermsReset ignored `arg:"win_perms_reset,text" doc:"Ignored."`

	// Rest are further variables of the template: formulas write those of context at its own depth.
	Rest *value.Dict `arg:"**,text"`

	raw *[]byte // the content itself, from a state function that is built on this one
}

// Validate finds arguments that exclude each other.
func (m *Managed) Validate() []modules.Fault {
	var faults []modules.Fault
	n := 0
	for _, v := range []value.Value{m.Contents, m.ContentsPillar, m.ContentsGrains} {
		if v != nil {
			n++
		}
	}
	switch {
	case m.Source.given() && n > 0:
		faults = append(faults, modules.Fault{Arg: "source",
			Msg: "'source' cannot be used in combination with 'contents', 'contents_pillar', or 'contents_grains'"})
	case m.Mode.Keep && n > 0:
		faults = append(faults, modules.Fault{Arg: "mode",
			Msg: "mode preservation cannot be used in combination with 'contents', 'contents_pillar', or 'contents_grains'"})
	case n > 1:
		faults = append(faults, modules.Fault{Arg: "contents_pillar",
			Msg: "only one of 'contents', 'contents_pillar', and 'contents_grains' is permitted"})
	}
	return append(faults, wrongEncoding(m.Encoding)...)
}

// wrongEncoding refuses one that nobody knows.
func wrongEncoding(name string) []modules.Fault {
	if _, err := encode("", name, ""); err != nil {
		return []modules.Fault{{Arg: "encoding", Msg: err.Error()}}
	}
	return nil
}

// managedNow is the file as it is, and as it should be.
type managedNow struct {
	path   string    // the file that is written: what a followed link leads to
	info   host.Info // zero where there is nothing
	exists bool
	perms  perms
	want   *wanted // nil: the content stays
	differ bool    // the content has to be written
	stays  string  // why nothing is to be done, "" when the rest counts
}

// Act makes the file what it should be.
func (m *Managed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if !m.VerifySSL {
		ctx = web.Unverified(ctx)
	}
	now, err := m.look(ctx, env, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case now.stays != "":
		return state.Settled(now.stays), nil
	}
	e := state.NewEffect()
	err = m.change(ctx, env, h, now, &e)
	if now.exists {
		e.Properties = was(h, now.info, e.Changes)
	}
	switch {
	case err != nil: // "updated" would not be true; what can be changed is
		return state.Effect{Changes: e.Changes, Properties: e.Properties, Once: len(state.Unkept(err)) > 0}, err
	case e.Changes.Len() > 0:
		e.Comment = cmp.Or(e.Comment, "File "+m.Name.String()+" updated")
		e.Preview = "The file " + m.Name.String() + " is set to be changed\nNote: No changes made, actual changes may\n" +
			"be different due to other states."
		return e, nil
	case now.want == nil:
		return state.Settled("File " + m.Name.String() + " exists with proper permissions. No changes made."), nil
	}
	return state.Settled("File " + m.Name.String() + " is in the correct state"), nil
}

// look finds out what there is and what should be.
func (m *Managed) look(ctx context.Context, env *modules.Env, h host.Reader) (*managedNow, error) {
	now := &managedNow{path: m.Name.String()}
	if !m.Create && !isFile(h, now.path) {
		now.stays = fmt.Sprintf("File %s is not present and is not set for creation", m.Name)
		return now, nil
	}
	if err := m.lookAt(h, now); err != nil {
		return nil, err
	}
	var err error
	if now.perms, err = resolvePerms(h, m.User, m.Group, m.Mode); err != nil {
		return nil, err
	}
	now.perms.attrs, now.perms.selinux = m.Attrs, m.SELinux
	if now.exists && !m.Replace {
		return now, nil
	}
	if now.want, err = m.wanted(ctx, env, h); err != nil {
		return nil, err
	}
	if m.Mode.Keep {
		if now.perms.mode, err = m.sourceMode(ctx, env, h); err != nil {
			return nil, err
		}
	}
	now.differ, err = m.differs(ctx, env, h, now)
	return now, err
}

// lookAt finds the file itself and refuses what is none.
func (m *Managed) lookAt(h host.Reader, now *managedNow) error {
	var i host.Info
	var err error
	if m.FollowSymlinks { // Salt differs: a link to nowhere stays one to nowhere
		now.path, i, err = followed(h, now.path)
	} else {
		i, err = h.Lstat(now.path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case i.IsDir(), i.IsSymlink() && isDir(h, now.path):
		return fmt.Errorf("Specified target %s is a directory", m.Name)
	case !i.IsRegular() && !i.IsSymlink():
		return fmt.Errorf("Specified target %s is not a regular file", m.Name)
	}
	now.info, now.exists = i, true
	return nil
}

// wanted is the content that the file should have, nil when nothing says so.
func (m *Managed) wanted(ctx context.Context, env *modules.Env, h host.Reader) (*wanted, error) {
	if m.raw != nil {
		return wantedData(*m.raw), nil
	}
	raw, ok, err := m.contents(env)
	switch {
	case err != nil:
		return nil, err
	case ok:
		if m.Template != "" {
			if raw, err = m.render(ctx, env, h, "contents of "+m.Name.String(), raw); err != nil {
				return nil, err
			}
		}
		raw, err = encode(string(raw), m.Encoding, m.EncodingErrors)
		return wantedData(raw), err
	case !m.Source.given():
		return nil, nil
	}
	ref, err := m.Source.choose(ctx, env, h)
	if err != nil {
		return nil, err
	}
	if local, ok := localPath(ref.url); ok && local == m.Name.String() && m.Template != "" {
		return nil, errors.New("Source file cannot be the same as destination")
	}
	if ref.hash == "" {
		ref.hash = m.SourceHash
	}
	var hash digest
	if !m.SkipVerify && !strings.HasPrefix(ref.url, "salt://") {
		if hash, err = sourceDigest(ctx, env, h, ref.hash, m.Name.String(), ref.url, m.SourceHashName); err != nil {
			return nil, fmt.Errorf("Unable to manage file: %w", err)
		}
	}
	w, err := sourceWanted(ctx, env, h, ref, hash, !m.SkipVerify && (hash.hex != "" || !m.UseEtag))
	if err != nil || m.Template == "" {
		return w, err
	}
	if raw, err = w.loadMost(ctx, maxTemplate); err != nil {
		err = fmt.Errorf("Source file %s: %w", redact(ref.url), err)
	}
	if err == nil {
		raw, err = m.render(ctx, env, h, ref.url, raw)
	}
	return wantedData(raw), err
}

// maxTemplate bounds what is rendered.
const maxTemplate = 32 << 20

// sourceMode is the mode of the source, for mode: keep.
func (m *Managed) sourceMode(ctx context.Context, env *modules.Env, h host.Reader) (modules.Mode, error) {
	if !m.Source.given() {
		return modules.Mode{}, nil
	}
	ref, err := m.Source.choose(ctx, env, h)
	if err != nil {
		return modules.Mode{}, err
	}
	if local, ok := localPath(ref.url); ok {
		i, err := h.Stat(local)
		return modules.Mode{Given: true, Bits: i.Perm()}, err
	}
	if isRemote(ref.url) {
		return modules.Mode{}, nil
	}
	bits, err := env.Files.Mode(ref.url, envOf(env))
	return modules.Mode{Given: true, Bits: bits}, err
}

// differs says whether the content has to be written.
func (m *Managed) differs(ctx context.Context, env *modules.Env, h host.Reader, now *managedNow) (bool, error) {
	switch {
	case !now.exists, now.want != nil && now.info.IsSymlink():
		return true, nil
	case now.want == nil:
		return false, nil
	}
	return now.want.differs(ctx, env, h, now.path, now.info.Size)
}
