package report

import (
	"bufio"
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// A machine is another machine, of which the changes of an orchestration's step tell.
type machine struct {
	id  string
	got *run.Report
	// said is what came of it where that are no results of states; nil otherwise.
	said value.Value
}

// machinesOf are the machines of changes in the shape of salt.state, in their order; nil for other changes.
func machinesOf(c *value.Dict) (out []machine) {
	if c == nil {
		return nil
	}
	shape, _ := c.GetStr("out")
	ret, _ := c.GetStr("ret")
	hosts, ok := ret.(*value.Dict)
	if !ok || shape != value.Value(value.Str("highstate")) {
		return nil
	}
	return listed(hosts)
}

// conducted are those of an orchestration that a runner has carried out.
func conducted(c *value.Dict) []machine {
	if out := machinesOf(c); out != nil || c == nil {
		return out
	}
	ret, _ := c.GetStr("return")
	d, ok := ret.(*value.Dict)
	if !ok {
		return nil
	}
	shape, _ := d.GetStr("outputter")
	data, _ := d.GetStr("data")
	hosts, ok := data.(*value.Dict)
	if !ok || shape != value.Value(value.Str("highstate")) {
		return nil
	}
	return listed(hosts)
}

func listed(hosts *value.Dict) (out []machine) {
	for id, v := range hosts.All() {
		m := machine{id: value.String(id), said: v}
		if d, ok := v.(*value.Dict); ok {
			if r := resultsOf(d); r != nil {
				m.got, m.said = r, nil
			}
		}
		out = append(out, m)
	}
	return out
}

// resultsOf are results in Salt's shape as a report; nil where the map holds something else.
func resultsOf(d *value.Dict) *run.Report {
	r := &run.Report{}
	for tag, v := range d.All() {
		part := strings.Split(value.String(tag), "_|-")
		res, ok := v.(*value.Dict)
		if !ok || len(part) != 4 {
			return nil
		}
		one := resultOf(part, res)
		r.Results, r.Duration = append(r.Results, one), r.Duration+one.Duration
		r.Preview = r.Preview || one.Outcome == state.Pending
	}
	slices.SortStableFunc(r.Results, func(a, b *state.Result) int { return cmp.Compare(a.RunNum, b.RunNum) })
	return r
}

// resultOf is one result; its tag is taken apart.
func resultOf(tag []string, d *value.Dict) *state.Result {
	field := func(key string) value.Value { v, _ := d.GetStr(key); return v }
	r := &state.Result{Low: &state.Low{Module: tag[0], ID: tag[1], Name: tag[2], Func: tag[3]}, ID: tag[1], Func: tag[3]}
	switch field("result") {
	case value.Value(value.Bool(false)):
		r.Outcome = state.Failed
	case value.Value(value.None):
		r.Outcome = state.Pending
	}
	if c := field("comment"); c != nil {
		r.Comment = value.String(c)
	}
	r.Changes, _ = field("changes").(*value.Dict)
	if n, ok := field("__run_num__").(value.Int); ok {
		r.RunNum = int(n)
	}
	switch n := field("duration").(type) {
	case value.Float:
		r.Duration = time.Duration(float64(n) * float64(time.Millisecond))
	case value.Int:
		r.Duration = time.Duration(n) * time.Millisecond
	}
	r.Start, _ = time.ParseInLocation("15:04:05.999999", value.String(orNothing(field("start_time"))), time.Local)
	if list, ok := field("warnings").(*value.List); ok {
		for _, w := range list.Items {
			r.Warnings = append(r.Warnings, value.String(w))
		}
	}
	return r
}

// indent is how far what came of other machines is moved in below a state.
const indent = 14

// machines shows what came of other machines as their own runs would show it.
func (h *highstate) machines(all []machine) {
	for _, m := range all {
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		o := *h.o
		o.Host = m.id
		if m.got != nil {
			writeHighstate(w, m.got, &o)
		} else {
			n := nested{w: w, paint: h.paint}
			n.show(value.DictOf(m.id, m.said), 0, "")
		}
		_ = w.Flush()
		for line := range strings.Lines(b.String()) {
			h.w.WriteString(strings.TrimRight(strings.Repeat(" ", indent)+strings.TrimRight(line, "\n"), " ") + "\n")
		}
	}
}

// machines shows of each of the machines what changed and what failed there.
func (b *brief) machines(all []machine) {
	for _, m := range all {
		b.line(b.paint.bold, "    ", m.id+":")
		if m.got == nil {
			continue // the comment has said it
		}
		var text bytes.Buffer
		in := &brief{w: bufio.NewWriter(&text), o: b.o, paint: b.paint, test: b.test}
		for _, r := range m.got.Results {
			if k := kindOf(r); k.shown() {
				in.state(r, k)
			}
		}
		_ = in.w.Flush()
		for line := range strings.Lines(strings.TrimRight(text.String(), "\n")) {
			b.w.WriteString(strings.TrimRight("      "+strings.TrimRight(line, "\n"), " ") + "\n")
		}
		b.w.WriteByte('\n')
	}
}
