// Package report is what people and programs read of a run: Salt's highstate text, JSON and YAML in Salt's shape, the
// nested text of single values, the progress line, diagnostics, and the exit code.
//
// It formats what it is given and writes it where it is told to. It reads no files by itself and runs nothing. What is
// printed depends on nothing but the report and the options: the same bytes everywhere.
package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// The maps that keep the order of their keys: none, those inside a map, all.
const (
	OrderNone = iota
	OrderBelow
	OrderAll
)

// Options are how results are shown. The zero value is Salt's default but for Verbose, which Salt has on.
type Options struct {
	// Format is one of Forms; "" is highstate.
	Format string
	// Indent is the depth of a level of json, yaml and pprint, below 0 for all on one line; nil for each form's own.
	Indent *int
	// Order says which maps keep the order of their keys in nested text and YAML; others are sorted.
	Order int
	// StateOutput is full, terse, mixed, changes or filter, each also with _id; "" is full. They are Salt's; brief is for
	// people at a terminal.
	StateOutput string
	// Width is where lines of the brief form are broken; 0 breaks none. Owed is how many reactions are owed after the run.
	Width, Owed int
	// Verbose also shows states that succeeded without changes.
	Verbose bool
	// Exclude and Terse are the results ("True", "False", "None") that the filter mode leaves out or shows on one line.
	Exclude, Terse []string
	// NoProfile leaves out when states started and how long they took. Percent adds the shares to the summary.
	NoProfile, Percent bool
	// Tabular aligns the lines of the terse mode.
	Tabular bool
	// Color paints the text.
	Color bool
	// Host is whose results these are; "" is local.
	Host string
	// Zone is where the clock times are shown; nil is local.
	Zone *time.Location
	// Beside are more keys of the JSON or YAML document, beside the host's; nil for none.
	Beside *value.Dict
	// Secrets are hidden; nil hides none.
	Secrets *secret.Store
	// YAML emits a value; needed for the format yaml. Pprint is Python's pretty printer; needed for the format pprint.
	YAML   func(v value.Value, o Options) ([]byte, error)
	Pprint func(v value.Value, indent int) string
	// Wrap puts a result, of states or of a function, with its exit code into what is shown; nil shows the result.
	Wrap func(v value.Value, states bool, code int) value.Value
}

func (o *Options) host() string {
	if o.Host == "" {
		return "local"
	}
	return o.Host
}

func (o *Options) zone() *time.Location {
	if o.Zone == nil {
		return time.Local
	}
	return o.Zone
}

// Write shows the report.
func Write(w io.Writer, r *run.Report, o Options) error {
	r = hidden(r, o.Secrets)
	b := bufio.NewWriter(w)
	if (o.Format == "" || o.Format == "highstate") && o.Wrap == nil {
		if strings.ToLower(strings.TrimSuffix(o.StateOutput, "_id")) == "brief" {
			writeBrief(b, r, &o)
		} else {
			writeHighstate(b, r, &o)
		}
		return b.Flush()
	}
	if o.Format == "quiet" {
		return nil
	}
	if err := writeDocument(b, document(r, &o), &o); err != nil {
		return err
	}
	return b.Flush()
}

// document is the whole report as a value.
func document(r *run.Report, o *Options) *value.Dict {
	var data value.Value = Data(r, *o)
	if o.Wrap != nil {
		data = o.Wrap(data, true, ExitCode(r, false))
	}
	return o.beside(value.DictOf(o.host(), data))
}

// beside adds the keys that stand beside the host's.
func (o *Options) beside(doc *value.Dict) *value.Dict {
	if o.Beside != nil {
		for k, v := range o.Beside.All() {
			doc.SetStr(value.String(k), o.Secrets.Value(v))
		}
	}
	return doc
}

// WriteValue shows the result of a call, grains or pillar under the host's name: in one of the Forms.
func WriteValue(w io.Writer, v value.Value, o Options) error {
	if v == nil {
		v = value.None
	}
	if v = o.Secrets.Value(v); o.Wrap != nil {
		v = o.Wrap(v, false, 0)
	}
	doc := o.beside(value.DictOf(o.host(), v))
	b := bufio.NewWriter(w)
	if err := writeDocument(b, doc, &o); err != nil {
		return err
	}
	return b.Flush()
}

func writeYAML(w io.Writer, v value.Value, o *Options) error {
	if o.YAML == nil {
		return fmt.Errorf("no YAML emitter was given")
	}
	text, err := o.YAML(v, *o)
	if err != nil {
		return fmt.Errorf("emit YAML: %w", err)
	}
	_, err = w.Write(text)
	return err
}
