package file

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

func prependSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.prepend",
		Doc: `Ensures that text appears in a file, at its beginning where it has to be added.

With header the text has to be the very first lines of the file, word by word.`,
		Example: `
/etc/motd:
  file.prepend:
    - text: This machine is managed.
`,
		New: func() modules.StateFunc { return &Prepend{} },
	}
}

// Prepend is file.prepend.
type Prepend struct {
	Name Path `arg:"name,required,path" doc:"The file."`
	Texts
	Header bool `arg:"header" doc:"The text has to be the first lines."`
}

// Act puts what is missing before the rest.
func (p *Prepend) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	doc, err := openDocument(h, p.Name.String(), p.Makedirs)
	if err != nil {
		return state.Effect{}, err
	}
	chunks, err := p.chunks(ctx, env, h, p.Name)
	if err != nil {
		return state.Effect{}, err
	}
	var lines []string
	for _, chunk := range chunks {
		there := false
		if !p.Header {
			if there, err = hasText(doc.text, chunk, true); err != nil {
				return state.Effect{}, err
			}
		}
		if !there {
			lines = append(lines, splitLines(chunk)...)
		}
	}
	if old := splitLines(doc.text); p.Header && slices.Equal(old[:min(len(old), len(lines))], lines) {
		lines = nil
	}
	head := ""
	for _, l := range lines {
		head += l + "\n"
	}
	e, err := doc.save(env, h, head+doc.text, p.Name.String())
	if e.Changes.Len() > 0 {
		e.Comment = fmt.Sprintf("Prepended %d lines", strings.Count(head, "\n"))
	}
	return e, err
}
