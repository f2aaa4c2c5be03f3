package ssh

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// A node is the machine's side of a run.
type node struct {
	p    *session.Process
	out  *sender
	box  *box
	tree *tree
	end  End
	said bytes.Buffer // diagnostics
	text bytes.Buffer // what people are shown of the results
	// begun says that the machine may have been touched.
	begun atomic.Bool
	// done says that what came of the run was sent.
	done atomic.Bool
}

// Serve carries out the work that comes on in, and tells of it on out. It begins with the mark on a line of its own, so
// that whatever a shell printed before can be told from it.
func Serve(ctx context.Context, p *session.Process, in io.Reader, out io.Writer, mark string) error {
	path()
	r := bufio.NewReaderSize(in, 64<<10)
	fmt.Fprintf(out, "\n%s\n", mark)
	var first toNode
	if err := receive(r, &first); err != nil {
		return fmt.Errorf("read what is to be done: %w", err)
	}
	b := first.Begin
	if b == nil || b.Protocol != Protocol {
		return errors.New("this gostate is not the one that asks for a run")
	}
	place, err := newPlace()
	if err != nil {
		return err
	}
	defer place.remove()
	n := &node{p: p, out: newSender(out), box: newBox(), tree: &tree{dir: place.dir}}
	n.tree.ask = n.ask
	if err := n.tree.begin(b, r); err != nil {
		return err
	}
	if err := n.out.send(fromNode{Hello: &hello{Protocol, n.tree.root()}}, nil); err != nil {
		return err
	}
	go n.listen(r, place)
	return n.work(ctx, b)
}

// path adds the directories of the administrator's commands, which a shell that nobody logged in to may not have.
func path() {
	have := os.Getenv("PATH")
	for _, dir := range []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"} {
		if !strings.Contains(":"+have+":", ":"+dir+":") {
			have = strings.TrimPrefix(have+":"+dir, ":")
		}
	}
	_ = os.Setenv("PATH", have)
}

// listen takes what comes while the run is under way. The end of the connection ends the run, as SIGTERM does, and so
// does each message that asks for it.
func (n *node) listen(r *bufio.Reader, p *place) {
	for {
		var m toNode
		err := receive(r, &m)
		if err == nil && m.File != nil {
			err = n.tree.keep(m.File, r)
		}
		if err != nil {
			n.box.close(err)
		}
		if n.done.Load() {
			return
		}
		if err != nil || m.Stop {
			if err != nil && !n.begun.Load() {
				p.remove()
			}
			_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		}
		if err != nil {
			return
		}
		if !m.Stop && !m.Early {
			n.box.put(m)
		}
	}
}

// ask puts a question and waits for its answer.
func (n *node) ask(a ask) (toNode, error) {
	return n.box.ask(func() error { return n.out.send(fromNode{Ask: &a}, nil) })
}

// work runs what is asked for and sends what came of it.
func (n *node) work(ctx context.Context, b *begin) error {
	if err := n.prepare(b); err != nil {
		return err
	}
	err := n.run(ctx, b.Work)
	if err != nil {
		var l diag.List
		l.AddErr(err)
		l.Sort()
		n.p.Diagnose(&l)
		n.p.Code = 1
	}
	n.end.Code, n.end.Text, n.end.Errors = n.p.Code, n.text.String(), n.said.String()
	n.done.Store(true)
	return n.out.send(fromNode{End: &n.end}, nil)
}

// prepare makes the process one whose tree, pillar and configuration come over the connection.
func (n *node) prepare(b *begin) error {
	cfg, err := dictOf("configuration", b.Config)
	if err != nil {
		return err
	}
	envs := value.NewDict(len(b.Envs))
	for _, e := range b.Envs {
		envs.SetStr(e, value.NewList(value.Str(n.tree.env(e))))
	}
	cfg.SetStr("file_roots", envs)
	cfg.SetStr("id", value.Str(b.ID))
	n.p.Err = report.NewScreen(&n.said)
	n.p.Out = report.NewScreen(&n.text)
	n.p.In = strings.NewReader("")
	started := n.p.Begin
	n.p.Begin = func() error { n.begun.Store(true); return started() }
	n.p.Remote = &session.Remote{Config: cfg, Files: n.tree, Pillar: n.pillar, Version: b.Version}
	n.p.Event, n.p.Reported = n.event, n.reported
	return nil
}

func dictOf(what, text string) (*value.Dict, error) {
	v, err := yaml.Decode(what, []byte(text))
	if err != nil {
		return nil, err
	}
	if d, ok := v.(*value.Dict); ok {
		return d, nil
	}
	return value.NewDict(0), nil
}

// run is the command that the work stands for.
func (n *node) run(ctx context.Context, w Work) error {
	s, err := session.Act(n.p, w.Options)
	if err != nil {
		return err
	}
	switch {
	case w.Call != nil:
		return n.call(ctx, s, w.Call)
	case w.Single == nil:
		return s.Apply(ctx, *w.Request, w.Command)
	}
	body, err := yaml.Decode("command line", []byte(w.Single.Body))
	if err != nil {
		return err
	}
	list, ok := body.(*value.List)
	if !ok {
		return errors.New("the function of the command line is no list")
	}
	return s.Single(ctx, w.Single.Module, w.Single.Name, list)
}

// pillar asks for that of this machine.
func (n *node) pillar(_ context.Context, grains *value.Dict) (*value.Dict, []string, error) {
	text, err := yaml.Encode(grains, yaml.EncodeOptions{AllowUnicode: true, Width: -1})
	if err != nil {
		return nil, nil, err
	}
	m, err := n.ask(ask{Grains: text})
	if err != nil {
		return nil, nil, err
	}
	if m.Pillar == nil {
		return nil, nil, errors.New("no pillar came")
	}
	if m.Pillar.Error != "" {
		return nil, nil, errors.New(m.Pillar.Error)
	}
	p, err := dictOf("pillar", m.Pillar.Data)
	return p, m.Pillar.Secrets, err
}

func (n *node) event(e run.Event) {
	if e.Doing {
		return
	}
	ev := &Event{Done: e.Done, Total: e.Total, State: n.p.Hide(e.Low.Fun() + " " + e.Low.ID)}
	if e.Result != nil {
		ev.Result = resultOf(e.Result)
	}
	_ = n.out.send(fromNode{Event: ev}, nil) // who reads it has gone: the run is stopped for that elsewhere
}

func resultOf(r *state.Result) string {
	switch {
	case r.Outcome == state.Failed:
		return "failed"
	case r.Outcome == state.Pending:
		return "pending"
	case r.Changed():
		return "changed"
	}
	return "ok"
}

// reported keeps what came of a run: a text for people, and the data for programs.
func (n *node) reported(r *run.Report, o report.Options) {
	n.p.Code = report.ExitCode(r, false)
	n.end.Ran, n.end.Stopped = true, r.Interrupted
	for _, res := range r.Results {
		n.end.Counts.add(res)
	}
	o.Format = "highstate"
	_ = report.Write(n.p.Out, r, o)
	n.end.Return = Returned(r, o)
}

// Returned are the results of a run in Salt's shape.
func Returned(r *run.Report, o report.Options) json.RawMessage {
	var data bytes.Buffer
	o.Format, o.Wrap = "json", nil
	if err := report.Write(&data, r, o); err != nil {
		return nil
	}
	var doc map[string]json.RawMessage
	var one bytes.Buffer
	if json.Unmarshal(data.Bytes(), &doc) != nil || json.Compact(&one, doc["local"]) != nil {
		return nil
	}
	return one.Bytes()
}

func (c *Counts) add(r *state.Result) {
	c.Total++
	switch resultOf(r) {
	case "failed":
		c.Failed++
		return
	case "pending":
		c.Pending++
		return
	case "changed":
		c.Changed++
	}
	c.Succeeded++
}
