package file

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func patchSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.patch",
		Doc: `Ensures that a patch, a unified diff, is applied to a file, or to the files of a directory.

A patch whose result is there already is applied. All files of a patch are changed, or none is. No patch command is needed.`,
		Example: `
/opt/app/config.py:
  file.patch:
    - source: salt://app/config.patch
`,
		New:     func() modules.StateFunc { return &Patch{} },
		AnyArgs: true,
	}
}

// Patch is file.patch.
type Patch struct {
	Name           Path      `arg:"name,required,path" doc:"The file, or the directory that the names in the patch are below."`
	Source         string    `arg:"source,required,path" doc:"The patch."`
	SourceHash     string    `arg:"source_hash,path" doc:"The hash of a remote patch."`
	SourceHashName string    `arg:"source_hash_name" doc:"The name to look for in a file of hashes."`
	SkipVerify     bool      `arg:"skip_verify" doc:"Takes a remote patch without a hash."`
	Template       string    `arg:"template" choices:"jinja|py|mako|genshi|cheetah|wempy" doc:"The engine that renders the patch."`
	Context        Variables `arg:"context,text" doc:"Variables of the template."`
	Defaults       Variables `arg:"defaults,text" doc:"Variables of the template that context overrides."`
	Options        string    `arg:"options" doc:"Options of the patch command; -pN and --strip=N are those that have an effect."`
	RejectFile     string    `arg:"reject_file,path" doc:"Where to write the hunks that cannot be applied; nothing else is changed then."`
	Strip          int       `arg:"strip" default:"0" doc:"How many directories to take from the names in the patch."`
}

// Validate looks at the options and the paths.
func (p *Patch) Validate() []modules.Fault {
	if msg := p.options(); msg != "" {
		return []modules.Fault{{Arg: "options", Msg: msg}}
	}
	if p.Strip < 0 {
		return []modules.Fault{{Arg: "strip", Msg: "strip must not be negative"}}
	}
	if p.RejectFile != "" && !path.IsAbs(p.RejectFile) {
		return []modules.Fault{{Arg: "reject_file", Msg: fmt.Sprintf("'%s' is not an absolute path", p.RejectFile)}}
	}
	return nil
}

// options takes strip from the options, and says which of them are not taken.
//
// Salt differs: it hands the others to the patch command.
func (p *Patch) options() (fault string) {
	words, err := modules.Words(p.Options)
	if err != nil {
		return err.Error()
	}
	var banned []string
	other := ""
	for i := 0; i < len(words); i++ {
		word := words[i]
		number, isStrip := strings.CutPrefix(word, "-p")
		if rest, ok := strings.CutPrefix(word, "--strip"); ok {
			if number, isStrip = strings.TrimPrefix(rest, "="), true; rest == "" && i+1 < len(words) {
				i++
				number = words[i]
			}
		}
		switch {
		case isStrip:
			if p.Strip, err = strconv.Atoi(number); err != nil {
				return "Invalid format for '-p' CLI option. Consider using the 'strip' option for this state."
			}
		case slices.ContainsFunc([]string{"-N", "--forward", "-r", "--reject-file", "-o", "--output"},
			func(b string) bool { return strings.HasPrefix(word, b) }):
			banned = append(banned, word)
		case slices.Contains([]string{"-s", "--silent", "--quiet", "-t", "--batch", "-f", "--force", "-u", "--unified",
			"--verbose"}, word):
		default:
			other = fmt.Sprintf("the option %s of the patch command is not supported", word)
		}
	}
	if banned != nil {
		return "The following CLI options are not allowed: " + strings.Join(banned, ", ")
	}
	return other
}

// UsesSources names the patch.
func (p *Patch) UsesSources() []modules.SourceUse {
	return []modules.SourceUse{{Arg: "source", Any: []string{p.Source}}}
}

// A patched file is what a file is to hold; gone when there is to be none.
type patched struct {
	name, text string
	gone       bool
}

// Act applies the patch, to all files or none.
func (p *Patch) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	name := p.Name.String()
	if !exists(h, name) {
		return state.Effect{}, fmt.Errorf("%s: file not found", name)
	}
	m := &Managed{Name: p.Name, Source: Sources{[]sourceRef{{url: p.Source}}}, SourceHash: p.SourceHash,
		SourceHashName: p.SourceHashName,
		SkipVerify:     p.SkipVerify, Template: p.Template, Context: p.Context, Defaults: p.Defaults}
	w, err := m.wanted(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	raw, err := w.load(ctx)
	if err != nil {
		return state.Effect{}, err
	}
	files, err := parseUnified(string(raw))
	if err != nil {
		return state.Effect{}, fmt.Errorf("Patch %s would not apply: %w", redact(p.Source), err)
	}
	var todo []patched
	var bad rejects
	for _, f := range files {
		t, err := p.patched(h, f, len(files))
		var some rejects
		switch {
		case errors.As(err, &some):
			bad.said, bad.text = append(bad.said, err.Error()), bad.text+some.text
		case err != nil:
			return state.Effect{}, fmt.Errorf("Patch would not apply cleanly: %w", err)
		case t != nil:
			todo = append(todo, *t)
		}
	}
	if bad.said != nil {
		return p.reject(h, bad)
	}
	if len(todo) == 0 {
		return state.Settled("Patch was already applied"), nil
	}
	return p.write(h, todo)
}

// reject fails, and writes the hunks that cannot be applied to the file that was asked for.
func (p *Patch) reject(h host.Host, bad rejects) (state.Effect, error) {
	why := fmt.Errorf("Patch would not apply cleanly: %w", bad)
	if p.RejectFile == "" {
		return state.Effect{}, why
	}
	if !isDir(h, path.Dir(p.RejectFile)) {
		return state.Effect{}, fmt.Errorf("Parent directory for reject_file '%s' either does not exist, or is not a "+
			"directory", p.RejectFile)
	}
	why = fmt.Errorf("%w -- saving rejects to file %s", why, p.RejectFile)
	old, err := h.ReadFile(p.RejectFile)
	if err == nil && string(old) == bad.text {
		return state.Effect{}, why
	}
	if err := h.WriteFile(p.RejectFile, strings.NewReader(bad.text), host.KeepAttr()); err != nil {
		return state.Effect{}, err
	}
	return state.Effect{Once: true, Pending: true}, why
}

// patched is what the patch makes of one file; nil when it is that already.
func (p *Patch) patched(h host.Reader, f filePatch, of int) (*patched, error) {
	name := p.Name.String()
	if isDir(h, name) {
		rel, err := f.target(p.Strip)
		if err != nil {
			return nil, err
		}
		name = path.Join(name, rel)
	} else if of > 1 {
		return nil, fmt.Errorf("it is of %d files, and %s is one", of, name)
	}
	doc, err := readDocument(h, name)
	switch {
	case err != nil && !isMissing(err):
		return nil, err
	case err != nil && f.new == "":
		return nil, nil // it is gone already
	case err != nil && f.old != "":
		return nil, errNotFound{name}
	case err != nil:
		doc = &document{path: name}
	default:
		if f.applied(doc.text) {
			return nil, nil
		}
	}
	text, err := f.apply(doc.text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &patched{doc.path, text, f.new == "" && text == ""}, nil
}

func (p *Patch) write(h host.Host, todo []patched) (state.Effect, error) {
	e := state.NewEffect()
	var said []string
	for _, t := range todo {
		var err error
		if t.gone {
			err = h.Remove(t.name)
		} else {
			err = modules.MakeDirs(h, path.Dir(t.name), host.KeepAttr())
			if err == nil {
				err = h.WriteFile(t.name, strings.NewReader(t.text), host.KeepAttr())
			}
		}
		if err != nil {
			return e, err
		}
		said = append(said, "patching file "+t.name)
	}
	e.Changes.SetStr("retcode", value.Int(0))
	e.Changes.SetStr("stderr", value.Str(""))
	e.Changes.SetStr("stdout", value.Str(strings.Join(said, "\n")))
	e.Comment, e.Preview = "Patch successfully applied", "The patch would be applied"
	return e, nil
}
