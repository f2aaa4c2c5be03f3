package file

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// A document is a text file that is being edited.
type document struct {
	path  string // what the name leads to
	text  string
	fresh bool // it was not there
	// private says that only its owner may read it.
	private bool
}

// openDocument reads a file to edit; one that is not there is empty, where its directory is there or may be made.
func openDocument(h host.Host, name string, makedirs bool) (*document, error) {
	d, err := readDocument(h, name)
	if err == nil || !isMissing(err) {
		return d, err
	}
	dir := path.Dir(name)
	if !isDir(h, dir) {
		if !makedirs {
			return nil, fmt.Errorf("%s: file not found, and its directory is not present", name)
		}
		if err := modules.MakeDirs(h, dir, host.KeepAttr()); err != nil {
			return nil, err
		}
	}
	real, err := h.Follow(name) // a link to nowhere stays one, and what it leads to is made
	return &document{path: real, fresh: true}, err
}

// readDocument reads a file to edit.
func readDocument(h host.Reader, name string) (*document, error) {
	real, err := h.Follow(name)
	if err != nil {
		return nil, err
	}
	i, err := h.Lstat(real)
	switch {
	case err != nil:
		return nil, err
	case i.IsDir():
		return nil, fmt.Errorf("%s is a directory, not a file", name)
	case !i.IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	raw, err := h.ReadFile(real)
	return &document{path: real, text: string(raw), private: modules.Private(i.Perm())}, err
}

// editable reads a file that has to be there.
func editable(h host.Reader, name string) (*document, error) {
	d, err := readDocument(h, name)
	if isMissing(err) {
		return nil, errNotFound{name}
	}
	return d, err
}

// errNotFound is the missing file of an editing function, in Salt's words.
type errNotFound struct{ name string }

func (e errNotFound) Error() string { return e.name + ": file not found" }

func notFound(err error) bool { var nf errNotFound; return errors.As(err, &nf) }

// diff is what the change to the text is shown as.
func (d *document) diff(env *modules.Env, text string) value.Value {
	return env.PrivateDiff(d.private, value.Str(diffOf([]byte(d.text), []byte(text))))
}

// save writes the text where it differs, and says so with a diff.
func (d *document) save(env *modules.Env, h host.Host, text, name string) (state.Effect, error) {
	if text == d.text && !d.fresh {
		return state.Settled(fmt.Sprintf("File %s is in correct state", name)), nil
	}
	e := state.NewEffect()
	if d.fresh {
		e.Pending = true
		e.Preview = fmt.Sprintf("File %s is set to be created", name)
		e.Foretold = value.DictOf("new", value.Str(name))
	} else {
		e.Preview = fmt.Sprintf("File %s is set to be updated", name)
	}
	if err := h.WriteFile(d.path, strings.NewReader(text), host.KeepAttr()); err != nil {
		return e, err
	}
	e.Comment = fmt.Sprintf("File %s is in correct state", name)
	if text != d.text {
		e.Changes.SetStr("diff", d.diff(env, text))
	}
	return e, nil
}

// hasText says whether a chunk is in the text: as whole lines whatever the spaces between its words, or, where spaces
// count, as a regular expression.
func hasText(text, chunk string, anySpace bool) (bool, error) {
	if !anySpace {
		re, err := pyre.Compile(chunk, pyre.Multiline)
		if err != nil {
			return false, err
		}
		m, err := re.Search(text)
		return m != nil, err
	}
	if text == "" {
		return false, nil
	}
	const space = `[\s\v\x1c-\x1f\x{85}\p{Z}]`
	var b strings.Builder
	b.WriteString("(?m)^")
	for _, line := range splitLines(chunk) {
		words := shellWords(line)
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		b.WriteString(space + "*" + strings.Join(words, space+"+") + space + "*")
	}
	b.WriteString("$")
	expr := b.String()
	if !utf8.ValidString(expr) {
		return strings.Contains(text, chunk), nil
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return strings.Contains(text, chunk), nil // a text too long for a pattern
	}
	return re.MatchString(text), nil
}

// shellWords splits at spaces. In a line with both kinds of quotes, what is between double quotes stays together, as it
// does in Salt.
func shellWords(line string) []string {
	if !strings.Contains(line, "'") || strings.Count(line, `"`)%2 != 0 || strings.Contains(line, `'\"`) {
		return strings.Fields(line)
	}
	var words []string
	var word strings.Builder
	quoted, any := false, false
	for _, r := range line {
		if !quoted && strings.ContainsRune(" \t\r\n\v\f", r) {
			if any {
				words = append(words, word.String())
				word.Reset()
				any = false
			}
			continue
		}
		if r == '"' {
			quoted = !quoted
		}
		word.WriteRune(r)
		any = true
	}
	if any {
		words = append(words, word.String())
	}
	return words
}
