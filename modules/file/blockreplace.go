package file

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

func blockreplaceSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.blockreplace",
		Doc: `Keeps the lines between two marker lines of a file.

Where the markers are not there, append_if_not_found and its like say where they are added. What file.accumulated collected
for the file is added to the content.`,
		Example: `
/etc/hosts:
  file.blockreplace:
    - marker_start: '# START managed zone'
    - marker_end: '# END managed zone'
    - content: 10.0.0.1 db
    - append_if_not_found: true
`,
		New: func() modules.StateFunc { return &Blockreplace{} },
	}
}

// Blockreplace is file.blockreplace.
type Blockreplace struct {
	Name        Path   `arg:"name,required,path" doc:"The file."`
	MarkerStart string `arg:"marker_start,text" default:"'#-- start managed zone --'" doc:"What the line before the block contains."`
	MarkerEnd   string `arg:"marker_end,text" default:"'#-- end managed zone --'" doc:"What the line after the block contains."`
	Content     string `arg:"content,text" doc:"The lines of the block."`
	Edit
	Source            string    `arg:"source,path" doc:"A source whose rendered text is added to the content."`
	SourceHash        string    `arg:"source_hash,path" doc:"The hash of a remote source."`
	Template          string    `arg:"template" default:"jinja" choices:"jinja|py|mako|genshi|cheetah|wempy" doc:"The engine that renders sources."`
	Sources           []string  `arg:"sources,path" doc:"Sources whose rendered texts are added to the content."`
	SourceHashes      []string  `arg:"source_hashes,path" doc:"The hashes of remote sources, in their order."`
	Defaults          Variables `arg:"defaults,text" doc:"Variables of the template that context overrides."`
	Context           Variables `arg:"context,text" doc:"Variables of the template."`
	AppendIfNotFound  bool      `arg:"append_if_not_found" doc:"Adds the block at the end."`
	PrependIfNotFound bool      `arg:"prepend_if_not_found" doc:"Adds the block at the beginning."`
	AppendNewline     *bool     `arg:"append_newline" doc:"Ends the content in a newline; if not given, where it has none."`
	InsertBeforeMatch string    `arg:"insert_before_match,text" doc:"Adds the block before the first line that this expression is found in."`
	InsertAfterMatch  string    `arg:"insert_after_match,text" doc:"Adds the block after the first line that this expression is found in."`
}

// Validate finds arguments that exclude each other.
func (b *Blockreplace) Validate() []modules.Fault {
	n := 0
	for _, given := range []bool{b.AppendIfNotFound, b.PrependIfNotFound, b.InsertBeforeMatch != "",
		b.InsertAfterMatch != ""} {
		if given {
			n++
		}
	}
	var faults []modules.Fault
	if n > 1 {
		faults = append(faults, modules.Fault{Arg: "append_if_not_found",
			Msg: "only one of append_if_not_found, prepend_if_not_found, insert_before_match, and insert_after_match is " +
				"permitted"})
	}
	t := Texts{Source: b.Source, SourceHash: b.SourceHash, Sources: b.Sources, SourceHashes: b.SourceHashes}
	return append(faults, t.Validate()...)
}

// Act makes the block what it should be.
func (b *Blockreplace) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	content := b.Content
	if acc := accumulatedInto(env, b.Name.String()); acc != nil {
		for _, lines := range acc.All() {
			for _, line := range lines.(*value.List).Items {
				if content != "" {
					content += "\n"
				}
				content += value.String(line)
			}
		}
	}
	if b.Source != "" || len(b.Sources) > 0 {
		t := Texts{Source: b.Source, SourceHash: b.SourceHash, Sources: b.Sources, SourceHashes: b.SourceHashes,
			Template: b.Template,
			Defaults: b.Defaults, Context: b.Context}
		chunks, err := t.chunks(ctx, env, h, b.Name)
		if err != nil {
			return state.Effect{}, err
		}
		content += strings.Join(chunks, "")
	}
	e, err := b.edit(env, h, b.Name.String(), func(text string) (string, error) { return b.replaced(text, content) })
	e.Once = false
	if err != nil && !notFound(err) {
		err = fmt.Errorf("Encountered error managing block: %w", err)
	}
	return e, err
}

// replaced is the text with the content between the markers.
func (b *Blockreplace) replaced(text, content string) (string, error) {
	eol := "\n"
	if first, _, ok := strings.Cut(text, "\n"); ok && strings.HasSuffix(first, "\r") {
		eol = "\r\n"
	}
	block := b.block(content, eol)
	var out []string
	inside, seen := false, false
	lines := modules.SplitKeep(text)
	for _, line := range lines {
		switch {
		case strings.Contains(line, b.MarkerStart):
			inside = true
			out = append(out, line)
		case inside:
			if at := strings.Index(line, b.MarkerEnd); at >= 0 {
				inside, seen = false, true
				out = append(out, block(line[at:])...)
			}
		default:
			out = append(out, line)
		}
	}
	switch {
	case inside:
		return "", fmt.Errorf("Unterminated marked block. End of file reached before marker_end.")
	case seen:
		return strings.Join(out, ""), nil
	}
	return b.added(out, append([]string{b.MarkerStart + eol}, block(b.MarkerEnd)...), eol)
}

// block gives the content's lines with the line of the end marker.
func (b *Blockreplace) block(content, eol string) func(end string) []string {
	newline := !strings.HasSuffix(content, "\n")
	if b.AppendNewline != nil {
		newline = *b.AppendNewline
	}
	lines := strings.Split(strings.ReplaceAll(content, "\r\n", "\n"), "\n")
	return func(end string) []string {
		var out []string
		for _, l := range lines[:len(lines)-1] {
			out = append(out, l+eol)
		}
		last := lines[len(lines)-1]
		end = strings.TrimRight(end, "\r\n") + eol
		if newline {
			return append(out, last+eol, end)
		}
		return append(out, last+end)
	}
}

// added puts a block where there was none.
func (b *Blockreplace) added(lines, block []string, eol string) (string, error) {
	match := b.InsertBeforeMatch + b.InsertAfterMatch
	switch {
	case b.PrependIfNotFound:
		return strings.Join(block, "") + strings.Join(lines, ""), nil
	case b.AppendIfNotFound:
		text := strings.Join(lines, "")
		if text != "" && !strings.HasSuffix(text, eol) {
			text += eol
		}
		return text + strings.Join(block, ""), nil
	case match != "":
		re, err := pyre.Compile(match, 0)
		if err != nil {
			return "", err
		}
		for i, line := range lines {
			m, err := re.Search(line)
			if err != nil {
				return "", err
			}
			if m == nil {
				continue
			}
			if b.InsertAfterMatch != "" {
				i++
			}
			return strings.Join(lines[:i], "") + strings.Join(block, "") + strings.Join(lines[i:], ""), nil
		}
	}
	return "", fmt.Errorf("Cannot edit marked block. Markers were not found in file.")
}
