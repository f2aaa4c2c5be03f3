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

// Options are how results are shown. The zero value is Salt's default but for Verbose, which Salt has on.
type Options struct {
	// Format is highstate, json, yaml or quiet; "" is highstate.
	Format string
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
	// YAML emits a value; needed for the format yaml.
	YAML func(v value.Value) ([]byte, error)
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
	var err error
	switch o.Format {
	case "", "highstate":
		if strings.ToLower(strings.TrimSuffix(o.StateOutput, "_id")) == "brief" {
			writeBrief(b, r, &o)
		} else {
			writeHighstate(b, r, &o)
		}
	case "json":
		err = writeJSON(b, document(r, &o), 4)
	case "yaml":
		err = writeYAML(b, document(r, &o), &o)
	case "quiet":
	default:
		err = fmt.Errorf("unknown output format %q: it is highstate, json, yaml or quiet", o.Format)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

// document is the whole report as a value.
func document(r *run.Report, o *Options) *value.Dict {
	doc := value.DictOf(o.host(), Data(r, *o))
	if o.Beside != nil {
		for k, v := range o.Beside.All() {
			doc.SetStr(value.String(k), o.Secrets.Value(v))
		}
	}
	return doc
}

// WriteValue shows the result of a call, grains or pillar under the host's name: nested text, JSON or YAML.
func WriteValue(w io.Writer, v value.Value, o Options) error {
	if v == nil {
		v = value.None
	}
	doc := value.DictOf(o.host(), o.Secrets.Value(v))
	b := bufio.NewWriter(w)
	var err error
	switch o.Format {
	case "", "highstate", "nested":
		n := nested{w: b, paint: newPalette(o.Color)}
		n.show(doc, 0, "")
	case "json":
		err = writeJSON(b, doc, 4)
	case "yaml":
		err = writeYAML(b, doc, &o)
	case "quiet":
	default:
		err = fmt.Errorf("unknown output format %q: it is nested, json, yaml or quiet", o.Format)
	}
	if err != nil {
		return err
	}
	return b.Flush()
}

func writeYAML(w io.Writer, v value.Value, o *Options) error {
	if o.YAML == nil {
		return fmt.Errorf("no YAML emitter was given")
	}
	text, err := o.YAML(v)
	if err != nil {
		return fmt.Errorf("emit YAML: %w", err)
	}
	_, err = w.Write(text)
	return err
}
