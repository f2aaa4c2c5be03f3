package file

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func appendSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.append",
		Doc: `Ensures that text appears in a file, at its end where it has to be added.

Text that is anywhere in the file already is not added again; spaces and tabs count alike, unless ignore_whitespace is false,
when the text is a regular expression. A file that is not there is made.`,
		Example: `
/etc/motd:
  file.append:
    - text:
      - Trust no one unless you have eaten much salt with him.
`,
		New: func() modules.StateFunc { return &Append{} },
	}
}

// Append is file.append.
type Append struct {
	Name Path `arg:"name,required,path" doc:"The file."`
	Texts
	IgnoreWhitespace bool `arg:"ignore_whitespace" default:"true" doc:"Takes any spaces for any others when it looks for the text."`
}

// Texts are the arguments that say what text is added to a file.
type Texts struct {
	Text         value.Value `arg:"text,text" doc:"A text, or a list of them."`
	Makedirs     bool        `arg:"makedirs" doc:"Makes the directories above the file."`
	Source       string      `arg:"source,path" doc:"A source whose rendered text is added."`
	SourceHash   string      `arg:"source_hash,path" doc:"The hash of a remote source."`
	Template     string      `arg:"template" default:"jinja" choices:"jinja|py|mako|genshi|cheetah|wempy" doc:"The engine that renders sources."`
	Sources      []string    `arg:"sources,path" doc:"Sources whose rendered texts are added."`
	SourceHashes []string    `arg:"source_hashes,path" doc:"The hashes of remote sources, in their order."`
	Defaults     Variables   `arg:"defaults,text" doc:"Variables of the template that context overrides."`
	Context      Variables   `arg:"context,text" doc:"Variables of the template."`
}

// Validate finds arguments that exclude each other.
func (t *Texts) Validate() []modules.Fault {
	switch {
	case t.Source != "" && len(t.Sources) > 0:
		return []modules.Fault{{Arg: "source", Msg: "source and sources are mutually exclusive"}}
	case t.SourceHash != "" && len(t.SourceHashes) > 0:
		return []modules.Fault{{Arg: "source_hash", Msg: "source_hash and source_hashes are mutually exclusive"}}
	}
	return nil
}

// chunks are the texts to add.
func (t *Texts) chunks(ctx context.Context, env *modules.Env, h host.Reader, name Path) ([]string, error) {
	sources, hashes := t.Sources, t.SourceHashes
	if t.Source != "" {
		sources, hashes = []string{t.Source}, []string{t.SourceHash}
	}
	if len(sources) == 0 {
		if t.Text == nil { // Salt differs: it writes the line None
			return nil, nil
		}
		return textParts(t.Text), nil
	}
	var out []string
	for i, source := range sources {
		m := &Managed{Name: name, Source: Sources{[]sourceRef{{url: source}}}, Template: t.Template, Defaults: t.Defaults,
			Context: t.Context}
		if i < len(hashes) {
			m.SourceHash = hashes[i]
		}
		w, err := m.wanted(ctx, env, h)
		var data []byte
		if err == nil {
			data, err = w.load(ctx)
		}
		switch {
		case err != nil:
			return nil, fmt.Errorf("Failed to load template file %s: %w", source, err)
		case len(data) == 0:
			return nil, fmt.Errorf("Failed to read rendered template file %s", source)
		}
		out = append(out, string(data))
	}
	return out, nil
}

// Act adds what is missing.
func (a *Append) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	doc, err := openDocument(h, a.Name.String(), a.Makedirs)
	if err != nil {
		return state.Effect{}, err
	}
	chunks, err := a.chunks(ctx, env, h, a.Name)
	if err != nil {
		return state.Effect{}, err
	}
	var lines []string
	for _, chunk := range chunks {
		there, err := hasText(doc.text, chunk, a.IgnoreWhitespace)
		if err != nil {
			return state.Effect{}, err
		}
		if !there {
			lines = append(lines, splitLines(chunk)...)
		}
	}
	text := doc.text
	if len(lines) > 0 && text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	for _, l := range lines {
		text += l + "\n"
	}
	e, err := doc.save(env, h, text, a.Name.String())
	if e.Changes.Len() > 0 {
		e.Changes.SetStr("diff", env.PrivateDiff(doc.private,
			value.Str(strings.Join(modules.UnifiedDiff(splitLines(doc.text), splitLines(text)), "\n"))))
		e.Comment = fmt.Sprintf("Appended %d lines", len(lines))
	}
	return e, err
}
