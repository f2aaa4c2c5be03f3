package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	Format     string      `arg:"archive_format,fold" alias:"format?" choices:"tar|zip" doc:"Tar or zip; told from the name when not given."`
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
	Special    bool        `arg:"special" doc:"Extract devices, fifos, and the setuid and setgid bits of files; else an archive with such is refused."`
	MaxSize    int         `arg:"max_size" default:"107374182400" doc:"The most bytes that the archive may unpack to; 0 is no limit."`
	MaxFiles   int         `arg:"max_files" default:"1000000" doc:"The most files that the archive may hold; 0 is no limit."`
	MaxRatio   int         `arg:"max_ratio" default:"200" doc:"The most times its own size that the archive may unpack to, once that is more than 1 GiB; 0 is no limit."`
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

// fetch gets the archive, verified, and its members.
func (e *Extracted) fetch(ctx context.Context, env *modules.Env, h host.Reader) (*pack, []member, *record, error) {
	var errs []error
	for _, source := range e.Source {
		remote := strings.Contains(source, "://") && !strings.HasPrefix(source, "salt://") &&
			!strings.HasPrefix(source, "file://")
		if remote && e.Hash == "" && !e.SkipVerify {
			return nil, nil, nil, fmt.Errorf("Unable to verify upstream hash of source file %s, please set source_hash or set "+
				"skip_verify to True", source)
		}
		p, err := load(ctx, env, h, source, env.Low.SourceEnv())
		if host.IsUnknown(err) {
			return nil, nil, nil, err
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		ms, rec, err := e.look(ctx, env, h, source, p)
		if err != nil {
			p.close()
			p = nil
		}
		return p, ms, rec, err
	}
	return nil, nil, nil, errors.Join(errs...)
}

// look gives the members of an archive; none where its record says that it was extracted.
func (e *Extracted) look(ctx context.Context, env *modules.Env, h host.Reader, source string, p *pack) ([]member,
	*record, error) {
	if err := e.verify(ctx, env, h, source, p); err != nil {
		return nil, nil, err
	}
	rec, err := e.recordOf(env, source, p)
	if err != nil || rec != nil && rec.noted(h) {
		return nil, rec, err
	}
	if p.format = strings.ToLower(e.Format); p.format == "" {
		p.format = formatOf(source)
	}
	if p.format == "" {
		return nil, nil, fmt.Errorf("Could not guess archive_format from the value of the 'source' argument. Please set "+
			"archive_format to one of tar, zip (%s)", source)
	}
	p.h = h
	p.rules = rules{e.strip(), e.Special, int64(e.MaxSize), int64(e.MaxFiles), int64(e.MaxRatio)}
	ms, err := p.members(ctx)
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

// verify compares the archive with its hash, be it in a file of hashes.
func (e *Extracted) verify(ctx context.Context, env *modules.Env, h host.Reader, source string, p *pack) error {
	if e.Hash == "" || e.SkipVerify {
		return nil
	}
	want := e.Hash
	if strings.Contains(want, "://") || path.IsAbs(want) {
		sums, err := load(ctx, env, h, want, env.Low.SourceEnv())
		if err != nil {
			return fmt.Errorf("fetch the hashes: %w", err)
		}
		defer sums.close()
		text, err := sums.text()
		if err != nil {
			return fmt.Errorf("fetch the hashes: %w", err)
		}
		if want = pickHash(string(text), source, e.HashName); want == "" {
			return fmt.Errorf("%s has no hash of %s", e.Hash, path.Base(source))
		}
	}
	r, err := p.rewound()
	if err != nil {
		return err
	}
	switch got, digits, ok, err := modules.HashReader(r, want); {
	case err != nil:
		return err
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
func (e *Extracted) lacking(ctx context.Context, h host.Reader, p *pack, ms []member) (int, error) {
	out, compare := 0, map[int]bool{}
	for _, m := range ms {
		i, err := h.Lstat(path.Join(e.Name, m.name))
		switch {
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, syscall.ENOTDIR):
			out++
			continue
		case err != nil:
			return 0, fmt.Errorf("look at %s: %w", path.Join(e.Name, m.name), err)
		case kindOf(i) != m.kind():
			if !e.Force && !e.Clean {
				return 0, fmt.Errorf("%s is in the way of the archive; force: true replaces it", path.Join(e.Name, m.name))
			}
			out++
			continue
		}
		compare[m.index] = (e.Overwrite || e.HashUpdate) && !m.isDir() && m.hard == "" && !m.special()
	}
	if out > 0 || !e.Overwrite && !e.HashUpdate {
		return out, nil
	}
	err := p.each(ctx, func(m member, content io.Reader) error {
		if !compare[m.index] {
			return nil
		}
		same, err := sameContent(h, path.Join(e.Name, m.name), m, content)
		if err == nil && !same {
			out++
		}
		return err
	})
	return out, err
}

func sameContent(h host.Reader, file string, m member, content io.Reader) (bool, error) {
	if m.link != "" {
		to, err := h.Readlink(file)
		return err == nil && to == m.link, nil
	}
	if i, err := h.Stat(file); err != nil || i.Size != m.size {
		return false, err
	}
	r, err := h.Open(file)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", file, err)
	}
	defer r.Close()
	return equal(r, content)
}

// equal says whether two readers give the same.
func equal(a, b io.Reader) (bool, error) {
	one, two := make([]byte, 32<<10), make([]byte, 32<<10)
	for {
		n, err := io.ReadFull(a, one)
		m, err2 := io.ReadFull(b, two)
		switch {
		case !bytes.Equal(one[:n], two[:m]):
			return false, nil
		case err == nil && err2 == nil:
			continue
		}
		for _, err := range []error{err, err2} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
				return false, err
			}
		}
		return true, nil
	}
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
	p, ms, rec, err := e.fetch(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	defer p.close()
	if rec != nil && ms == nil {
		return state.Settled(fmt.Sprintf("Archive %s existing source sum is the same as the expected one and "+
			"skip_files_list_verify argument was set to True. Extraction is not needed", e.Source[0])), nil
	}
	lack, err := e.lacking(ctx, h, p, ms)
	if err != nil {
		return state.Effect{}, err
	}
	effect := state.Effect{Changes: value.NewDict(3), Pending: true,
		Comment: fmt.Sprintf("%s extracted to %s", e.Source[0], e.Name),
		Preview: fmt.Sprintf("Archive %s would be extracted to %s", e.Source[0], e.Name)}
	if limit := limitOf(e.Trim, -1); limit >= 0 {
		effect.Comment += fmt.Sprintf(". Output was trimmed to %d number of lines", limit)
	}
	if lack > 0 {
		env.Progress(fmt.Sprintf("extract %d files to %s", len(ms), e.Name))
		if err := e.extract(ctx, h, p, ms, effect.Changes); err != nil {
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
	case err == nil && lack == 0:
		return state.Settled("All files in archive are already present"), nil
	}
	return effect, err
}

// folder is the name as Salt shows it.
func (e *Extracted) folder() string { return strings.TrimRight(e.Name, "/") + "/" }

func (e *Extracted) zip() bool {
	return strings.EqualFold(e.Format, "zip") || e.Format == "" && formatOf(e.Source[0]) == "zip"
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
