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

func keyvalueSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.keyvalue",
		Doc: `Keeps the values of keys in a file of lines such as key=value.

A line that has the key with another value is changed; with uncomment, so is one that is commented out. What is not there is
added with append_if_not_found.`,
		Example: `
/etc/ssh/sshd_config:
  file.keyvalue:
    - key_values:
        PermitRootLogin: without-password
        LoginGraceTime: 1m
    - separator: ' '
    - uncomment: '# '
    - key_ignore_case: true
    - append_if_not_found: true
`,
		New: func() modules.StateFunc { return &Keyvalue{} },
	}
}

// Keyvalue is file.keyvalue.
type Keyvalue struct {
	Name              Path        `arg:"name,required,path" doc:"The file."`
	Key               *string     `arg:"key" doc:"The key, with value."`
	Value             value.Value `arg:"value" doc:"The value of key."`
	KeyValues         *value.Dict `arg:"key_values" doc:"Keys and their values."`
	Separator         string      `arg:"separator" default:"'='" doc:"What is between key and value."`
	AppendIfNotFound  bool        `arg:"append_if_not_found" doc:"Adds what is not there at the end."`
	PrependIfNotFound bool        `arg:"prepend_if_not_found" doc:"Adds what is not there at the beginning."`
	SearchOnly        bool        `arg:"search_only" doc:"Without effect, as in Salt."`
	ShowChanges       bool        `arg:"show_changes" default:"true" doc:"Shows what was removed and added."`
	IgnoreIfMissing   bool        `arg:"ignore_if_missing" doc:"A file that is not there is fine."`
	Count             int         `arg:"count" default:"1" doc:"How many lines may have the key; -1 for any number, 0 for none."`
	Uncomment         string      `arg:"uncomment" doc:"The characters that are taken off the beginning of a line that has the key."`
	KeyIgnoreCase     bool        `arg:"key_ignore_case" doc:"Takes keys for the same whatever their case."`
	ValueIgnoreCase   bool        `arg:"value_ignore_case" doc:"Takes values for the same whatever their case."`
}

// Validate wants either key and value, or key_values.
func (k *Keyvalue) Validate() []modules.Fault {
	pair := k.Key != nil && k.Value != nil
	switch {
	case pair && k.KeyValues != nil:
		return []modules.Fault{{Arg: "key_values", Msg: "cannot combine key_values with key and value"}}
	case !pair && (k.KeyValues == nil || k.KeyValues.Len() == 0):
		return []modules.Fault{{Arg: "key", Msg: "key and value not supplied and key_values is empty"}}
	case k.Separator == "":
		return []modules.Fault{{Arg: "separator", Msg: "the separator cannot be empty"}}
	}
	return nil
}

// A setting is one key to keep, and how many lines may still have it.
type setting struct {
	key  string
	val  value.Value
	left int
}

func (k *Keyvalue) settings() []*setting {
	if k.KeyValues == nil {
		return []*setting{{*k.Key, k.Value, k.Count}}
	}
	var out []*setting
	for key, v := range k.KeyValues.All() {
		out = append(out, &setting{value.String(key), v, k.Count})
	}
	return out
}

// Act sets the keys.
func (k *Keyvalue) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	name := k.Name.String()
	doc, err := editable(h, name)
	if notFound(err) && k.IgnoreIfMissing {
		return state.Settled("unable to open " + name), nil
	}
	if err != nil {
		return state.Effect{}, err
	}
	w := keyvalueWork{Keyvalue: k, settings: k.settings()}
	for _, line := range modules.SplitKeep(doc.text) {
		w.line(line)
	}
	w.missing()
	if w.changes == 0 {
		return state.Settled(""), nil
	}
	e := state.NewEffect()
	if err := h.WriteFile(doc.path, strings.NewReader(strings.Join(w.out, "")), host.KeepAttr()); err != nil {
		return e, err
	}
	// Salt differs: with show_changes false Salt says that nothing changed.
	e.Changes.SetStr("diff", value.Str("<show_changes=False>"))
	if k.ShowChanges {
		e.Changes.SetStr("diff", env.PrivateDiff(doc.private, value.Str(strings.Join(w.diff, ""))))
	}
	e.Comment = fmt.Sprintf("Changed %d lines", w.changes)
	e.Preview = fmt.Sprintf("File %s is set to be changed (%d lines)", name, w.changes)
	return e, nil
}

// keyvalueWork is the work of one act: the lines so far, and what is shown of them.
type keyvalueWork struct {
	*Keyvalue
	settings  []*setting
	out, diff []string
	changes   int
}

func (w *keyvalueWork) same(a, b string, ignoreCase bool) bool {
	return a == b || ignoreCase && strings.EqualFold(a, b)
}

// line takes a line over, changed where it has one of the keys.
func (w *keyvalueWork) line(line string) {
	bare := strings.TrimLeft(line, w.Uncomment)
	if w.Uncomment == "" {
		bare = strings.TrimLeft(line, " \t\r\n\v\f")
	}
	commented := len(bare) < len(line)
	working := line
	if commented {
		working = bare
	}
	for _, s := range w.settings {
		key, val, ok := strings.Cut(working, w.Separator)
		if !ok || !w.same(key, s.key, w.KeyIgnoreCase) {
			continue
		}
		match := w.same(strings.TrimSpace(val), strings.TrimSpace(value.String(s.val)), w.ValueIgnoreCase)
		change := !commented && s.left == 0
		if commented {
			change = s.left > 0
			match = match || !change
		}
		if !match || change {
			w.diff = append(w.diff, "- "+line)
			line = ""
			if s.left != 0 {
				line = key + w.Separator + value.String(s.val) + "\n"
				w.diff = append(w.diff, shownValue(line, s.val))
			}
			w.changes++
		}
		if s.left > 0 {
			s.left--
		}
	}
	w.out = append(w.out, line)
}

func shownValue(line string, v value.Value) string {
	if _, ok := v.(value.Str); ok {
		return "+ " + line
	}
	return fmt.Sprintf("+ %s (from %s type)\n", strings.TrimRight(line, "\n"), v.TypeName())
}

// missing adds the keys that were not found.
func (w *keyvalueWork) missing() {
	var lines []string
	for _, s := range w.settings {
		if s.left > 0 {
			lines = append(lines, s.key+w.Separator+value.String(s.val)+"\n")
		}
	}
	switch {
	case len(lines) == 0:
		return
	case w.AppendIfNotFound:
		// Salt differs: a last line without an end gets one, so that the key is a line of its own.
		if n := len(w.out); n > 0 && w.out[n-1] != "" && !strings.HasSuffix(w.out[n-1], "\n") {
			w.out[n-1] += "\n"
		}
		w.diff = append(w.diff, "- <EOF>\n")
		for _, l := range lines {
			w.diff = append(w.diff, "+ "+l)
		}
		w.diff = append(w.diff, "+ <EOF>\n")
		w.out = append(w.out, lines...)
	case w.PrependIfNotFound:
		head := []string{"  <SOF>\n"}
		var front []string
		for i := len(lines) - 1; i >= 0; i-- {
			head = append(head, "+ "+lines[i])
			front = append(front, lines[i])
		}
		w.diff = append(head, w.diff...)
		w.out = append(front, w.out...)
	default:
		return
	}
	w.changes += len(lines)
}
