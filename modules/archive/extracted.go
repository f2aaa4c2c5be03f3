package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Extracted keeps an archive extracted in a folder.
type Extracted struct {
	Name       string      `arg:"name,required,path" doc:"The folder."`
	Source     []string    `arg:"source,required,path" doc:"The archive: salt://, path or URL; of several the first that is there."`
	Hash       string      `arg:"source_hash,path" doc:"Its hash: sha256=..., or a file that has it."`
	HashName   string      `arg:"source_hash_name" doc:"The name to look for in a file of hashes."`
	HashUpdate bool        `arg:"source_hash_update" doc:"Extract again when the content of the archive changed."`
	SkipList   bool        `arg:"skip_files_list_verify" doc:"Do not look for what is missing where an archive of this hash was extracted before; with source_hash and source_hash_update."`
	SkipVerify bool        `arg:"skip_verify" doc:"Take an archive from the network without a hash."`
	Format     string      `arg:"archive_format" alias:"format?" doc:"Tar or zip; told from the name when not given."`
	Options    string      `arg:"options" alias:"tar_options?,zip_options?" doc:"Options of tar; --strip-components=N is what has an effect."`
	Force      bool        `arg:"force" doc:"Replace files where the archive has folders, and the other way round."`
	Overwrite  bool        `arg:"overwrite" doc:"Extract again when a file differs from that of the archive."`
	Clean      bool        `arg:"clean" doc:"Remove what the archive brought before extracting it again."`
	CleanUp    bool        `arg:"clean_parent" doc:"Remove the folder itself before extracting."`
	User       value.Value `arg:"user,word" doc:"The owner of what is extracted."`
	Group      value.Value `arg:"group,word" doc:"The group of what is extracted."`
	OwnOn      string      `arg:"enforce_ownership_on,path" doc:"The path below the folder that user and group are for; if not given, what the archive brings."`
	IfMissing  string      `arg:"if_missing,path" doc:"Extract only when this path is not there."`
	Toplevel   bool        `arg:"enforce_toplevel" default:"true" doc:"Refuse an archive that has more than one thing at its top."`
	Perms      bool        `arg:"extract_perms" default:"true" doc:"Take the permissions from the archive."`
	Trim       value.Value `arg:"trim_output" doc:"List at most so many files in the changes; true is 100."`
	Others     value.Value `arg:"keep" alias:"keep_source,use_cmd_unzip,list_options,use_etag" doc:"No effect."`
	Password   string      `arg:"password,secret" doc:"Of an encrypted archive: not offered."`
}

func extractedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "archive.extracted",
		Doc: "Keeps an archive extracted in a folder. What is there already is left alone, unless overwrite or " +
			"source_hash_update is set.",
		Example: `/opt/app:
  archive.extracted:
    - source: https://example.org/app-1.0.tar.gz
    - source_hash: sha256=2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae
    - options: --strip-components=1
    - enforce_toplevel: false`,
		New:     func() modules.StateFunc { return &Extracted{} },
		AnyArgs: true,
	}
}

// Validate refuses what is not offered.
func (e *Extracted) Validate() []modules.Fault {
	var faults []modules.Fault
	if !path.IsAbs(e.Name) {
		faults = append(faults, modules.Fault{Arg: "name", Msg: fmt.Sprintf("%q is no absolute path", e.Name)})
	}
	if len(e.Source) == 0 {
		faults = append(faults, modules.Fault{Arg: "source", Msg: "the list of sources is empty"})
	}
	if e.Password != "" {
		faults = append(faults, modules.Fault{Arg: "password", Msg: "encrypted archives are not offered"})
	}
	if e.SkipList && e.SkipVerify {
		faults = append(faults, modules.Fault{Arg: "skip_files_list_verify",
			Msg: `Only one of "skip_files_list_verify" and "skip_verify" can be set to True`})
	}
	if e.Clean && e.CleanUp {
		faults = append(faults, modules.Fault{Arg: "clean_parent",
			Msg: "Only one of 'clean' and 'clean_parent' can be set to True"})
	}
	if e.OwnOn != "" && !strings.HasPrefix(path.Clean(e.OwnOn)+"/", path.Clean(e.Name)+"/") {
		faults = append(faults, modules.Fault{Arg: "enforce_ownership_on",
			Msg: "Value for 'enforce_ownership_on' must be within " + e.Name})
	}
	return faults
}

// strip is the N of --strip-components=N.
func (e *Extracted) strip() int {
	m := regexp.MustCompile(`--strip(?:-components)?[= ](\d+)`).FindStringSubmatch(e.Options)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// load gets a file: one of the machine, or a source, which is fetched once in an attempt.
func load(ctx context.Context, env *modules.Env, h host.Reader, source, saltenv string) ([]byte, error) {
	if local := strings.TrimPrefix(source, "file://"); path.IsAbs(local) {
		return h.ReadFile(local)
	}
	type fetched struct {
		data []byte
		err  error
	}
	fetch := func() fetched {
		data, err := env.Files.Fetch(ctx, source, saltenv)
		return fetched{data, err}
	}
	type key string
	f := fetched{}
	if env.Kept == nil {
		f = fetch()
	} else {
		f = modules.Get(env.Kept, key(source), fetch)
	}
	return f.data, f.err
}

// fetch gets the archive, verified, and its members.
func (e *Extracted) fetch(ctx context.Context, env *modules.Env, h host.Reader) ([]member, *record, error) {
	var errs []error
	for _, source := range e.Source {
		remote := strings.Contains(source, "://") && !strings.HasPrefix(source, "salt://") &&
			!strings.HasPrefix(source, "file://")
		if remote && e.Hash == "" && !e.SkipVerify {
			return nil, nil, fmt.Errorf("Unable to verify upstream hash of source file %s, please set source_hash or set "+
				"skip_verify to True", source)
		}
		data, err := load(ctx, env, h, source, env.Low.SourceEnv())
		if host.IsUnknown(err) {
			return nil, nil, err
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if err := e.verify(ctx, env, h, source, data); err != nil {
			return nil, nil, err
		}
		rec := e.recordOf(env, source, data)
		if rec != nil && rec.noted(h) {
			return nil, rec, nil
		}
		format := e.Format
		if format == "" {
			format = formatOf(source)
		}
		if format == "" {
			return nil, nil, fmt.Errorf("Could not guess archive_format from the value of the 'source' argument. Please set "+
				"archive_format to one of tar, zip (%s)", source)
		}
		ms, err := read(ctx, h, data, format, e.strip())
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", source, err)
		}
		if dirs, files := topKinds(ms); e.Toplevel && (len(dirs) > 1 || len(files) > 0) {
			return nil, nil, fmt.Errorf("Archive does not have a single top-level directory. To allow this archive to be "+
				"extracted, set enforce_toplevel to False. "+
				"The top level has %s", strings.Join(tops(ms), ", "))
		}
		return ms, rec, nil
	}
	return nil, nil, errors.Join(errs...)
}

// verify compares the archive with its hash, be it in a file of hashes.
func (e *Extracted) verify(ctx context.Context, env *modules.Env, h host.Reader, source string, data []byte) error {
	if e.Hash == "" || e.SkipVerify {
		return nil
	}
	want := e.Hash
	if strings.Contains(want, "://") || path.IsAbs(want) {
		text, err := load(ctx, env, h, want, env.Low.SourceEnv())
		if err != nil {
			return fmt.Errorf("fetch the hashes: %w", err)
		}
		if want = pickHash(string(text), source, e.HashName); want == "" {
			return fmt.Errorf("%s has no hash of %s", e.Hash, path.Base(source))
		}
	}
	switch got, digits, ok := modules.HashAs(data, want); {
	case !ok:
		return fmt.Errorf("%q is no hash that is known: md5, sha1, sha256, sha384, sha512", e.Hash)
	case got != digits:
		return fmt.Errorf("the hash of %s is %s, not %s", source, got, digits)
	}
	return nil
}

// pickHash finds a hash in a file of lines "hash name": that of the name, else of the archive's own name, else the only
// one.
func pickHash(text, source, name string) string {
	hashes := regexp.MustCompile(`\b[0-9a-fA-F]{32,128}\b`)
	if name == "" {
		name = path.Base(source)
	}
	first := ""
	for line := range strings.Lines(text) {
		h := hashes.FindString(line)
		if h == "" {
			continue
		}
		if strings.Contains(line, name) {
			return h
		}
		if first == "" {
			first = h
		}
	}
	if strings.Count(strings.TrimSpace(text), "\n") == 0 {
		return first
	}
	return ""
}

// lacking are the members that are not there, or, where content counts, differ. Salt differs: with overwrite, Salt
// extracts at every run; here only what differs is written.
func (e *Extracted) lacking(h host.Reader, ms []member) ([]member, error) {
	var out []member
	for _, m := range ms {
		i, err := h.Lstat(path.Join(e.Name, m.name))
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENOTDIR):
			out = append(out, m)
			continue
		case err != nil:
			return nil, fmt.Errorf("look at %s: %w", path.Join(e.Name, m.name), err)
		case kindOf(i) != m.kind():
			if !e.Force && !e.Clean {
				return nil, fmt.Errorf("%s is in the way of the archive; force: true replaces it", path.Join(e.Name, m.name))
			}
			out = append(out, m)
			continue
		}
		if !e.Overwrite && !e.HashUpdate || m.isDir() {
			continue
		}
		if same, err := sameContent(h, path.Join(e.Name, m.name), m); err != nil {
			return nil, err
		} else if !same {
			out = append(out, m)
		}
	}
	return out, nil
}

func sameContent(h host.Reader, file string, m member) (bool, error) {
	if m.link != "" {
		to, err := h.Readlink(file)
		return err == nil && to == m.link, nil
	}
	if m.hard != "" {
		return true, nil
	}
	data, err := h.ReadFile(file)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", file, err)
	}
	return bytes.Equal(data, m.data), nil
}

// Act extracts what is lacking and sets the owner.
func (e *Extracted) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if i, err := h.Stat(e.Name); err == nil && !i.IsDir() {
		return state.Effect{}, fmt.Errorf("%s exists and is not a directory", path.Clean(e.Name))
	}
	if e.IfMissing != "" {
		switch _, err := h.Stat(e.IfMissing); {
		case err == nil:
			return state.Settled(fmt.Sprintf("Path %s exists", e.IfMissing)), nil
		case host.IsUnknown(err):
			return state.Effect{}, err
		}
	}
	if _, _, err := e.owner(h); err != nil {
		return state.Effect{}, err
	}
	ms, rec, err := e.fetch(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	if rec != nil && ms == nil {
		return state.Settled(fmt.Sprintf("Archive %s existing source sum is the same as the expected one and "+
			"skip_files_list_verify argument was set to True. Extraction is not needed", e.Source[0])), nil
	}
	lack, err := e.lacking(h, ms)
	if err != nil {
		return state.Effect{}, err
	}
	effect := state.Effect{Changes: value.NewDict(3), Pending: true,
		Comment: fmt.Sprintf("%s extracted to %s", e.Source[0], e.Name),
		Preview: fmt.Sprintf("Archive %s would be extracted to %s", e.Source[0], e.Name)}
	if limit := limitOf(e.Trim, -1); limit >= 0 {
		effect.Comment += fmt.Sprintf(". Output was trimmed to %d number of lines", limit)
	}
	if len(lack) > 0 {
		env.Progress(fmt.Sprintf("extract %d files to %s", len(ms), e.Name))
		if err := e.extract(h, ms, effect.Changes); err != nil {
			return state.Effect{Changes: effect.Changes}, err
		}
		if err := rec.note(h); err != nil {
			return state.Effect{Changes: effect.Changes}, err
		}
	}
	owned, err := e.enforceOwner(h, ms)
	switch {
	case owned:
		effect.Changes.SetStr("updated ownership", value.Bool(true))
	case err == nil && len(lack) == 0:
		return state.Settled("All files in archive are already present"), nil
	}
	return effect, err
}

// folder is the name as Salt shows it.
func (e *Extracted) folder() string { return strings.TrimRight(e.Name, "/") + "/" }

func (e *Extracted) zip() bool {
	return e.Format == "zip" || e.Format == "" && formatOf(e.Source[0]) == "zip"
}

// limitOf is how many of n names trim_output wants.
func limitOf(trim value.Value, n int) int {
	switch v := trim.(type) {
	case value.Bool:
		if v {
			return 100
		}
	case value.Int:
		if v > 0 {
			return int(v)
		}
	}
	return n
}

// listed are the members' names as the changes show them: those of the archive; what tar (with options) and unzip print
// of folders ends in a slash.
func (e *Extracted) listed(ms []member) *value.List {
	limit := limitOf(e.Trim, len(ms))
	slash := e.Options != "" || e.zip()
	files := value.NewList()
	for _, m := range ms[:min(limit, len(ms))] {
		name := m.raw
		if slash && m.isDir() {
			name += "/"
		}
		files.Items = append(files.Items, value.Str(name))
	}
	return files
}
