package file

import (
	"context"
	"fmt"
	"path"
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
	Name           Path      `arg:"name,required" doc:"The file, or the directory that the names in the patch are below."`
	Source         string    `arg:"source,required" doc:"The patch."`
	SourceHash     string    `arg:"source_hash" doc:"The hash of a remote patch."`
	SourceHashName string    `arg:"source_hash_name" doc:"The name to look for in a file of hashes."`
	SkipVerify     bool      `arg:"skip_verify" doc:"Takes a remote patch without a hash."`
	Template       string    `arg:"template" doc:"The engine that renders the patch."`
	Context        Variables `arg:"context" doc:"Variables of the template."`
	Defaults       Variables `arg:"defaults" doc:"Variables of the template that context overrides."`
	Options        string    `arg:"options" doc:"Refused: there is no patch command that would take them."`
	RejectFile     string    `arg:"reject_file" doc:"Without effect: a patch that does not apply changes nothing."`
	Strip          int       `arg:"strip" default:"0" doc:"How many directories to take from the names in the patch."`
}

// Validate refuses options.
func (p *Patch) Validate() []modules.Fault {
	if p.Options != "" {
		return []modules.Fault{{Arg: "options", Msg: "options of the patch command are not supported",
			Hint: "use strip for -p"}}
	}
	if p.Strip < 0 {
		return []modules.Fault{{Arg: "strip", Msg: "strip must not be negative"}}
	}
	return nil
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
	for _, f := range files {
		t, err := p.patched(h, f, len(files))
		if err != nil {
			return state.Effect{}, fmt.Errorf("Patch would not apply cleanly: %w", err)
		}
		if t != nil {
			todo = append(todo, *t)
		}
	}
	if len(todo) == 0 {
		return state.Settled("Patch was already applied"), nil
	}
	return p.write(h, todo)
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
