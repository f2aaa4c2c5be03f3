package orchestrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/cmd/internal/ssh"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// maxDepth bounds orchestrations that call each other, with another pillar each time.
const maxDepth = 10

// A Stage is where orchestrations are carried out: each in a session of its own, on the same machines.
type Stage struct {
	// Machines are made for the first session.
	Machines func(*session.Session) Machines

	process *session.Process
	options session.Options
	made    Machines
	within  []string // the orchestrations that this one is called by
}

// Open is the session of an orchestration.
func (st *Stage) Open(p *session.Process, o session.Options) (*session.Session, error) {
	o.Conducts, o.Jobs = true, 1 // in the order written, as Salt does, but for states with parallel
	st.process, st.options = p, o
	return st.session(p, o, session.Act)
}

func (st *Stage) session(p *session.Process, o session.Options,
	open func(*session.Process, session.Options) (*session.Session, error)) (*session.Session, error) {
	c := &Conductor{Orchestrate: st.orchestrate, Check: st.check}
	p.Families = c.Sources()
	s, err := open(p, o)
	if err != nil {
		return nil, err
	}
	if st.made == nil {
		st.made = st.Machines(s)
	}
	c.Machines, c.Test = st.made, s.Preview()
	return s, nil
}

// inner is the stage of another orchestration, which prints into said.
func (st *Stage) inner(ctx context.Context, n Nested, said *bytes.Buffer) (*Stage, error) {
	o := st.options
	o.Pillar, o.SaltEnv, o.Concurrent, o.Test, o.TestSet = "", n.SaltEnv, true, n.Test, true
	if n.PillarEnv != "" {
		o.PillarEnv = n.PillarEnv
	}
	if n.Pillar != nil {
		text, err := yaml.Encode(n.Pillar, yaml.EncodeOptions{AllowUnicode: true, Width: -1})
		if err != nil {
			return nil, fmt.Errorf("write the pillar: %w", err)
		}
		o.Pillar = text
	}
	me := strings.Join(n.SLS, ",") + " " + o.Pillar
	if len(st.within) >= maxDepth || slices.Contains(st.within, me) {
		return nil, fmt.Errorf("the orchestration %s calls itself", strings.Join(n.SLS, ","))
	}
	p := &session.Process{In: strings.NewReader(""), Out: report.NewScreen(said), Err: report.NewScreen(said),
		Abort: ctx, Begin: func() error { return nil }, Version: st.process.Version, Event: func(run.Event) {},
		SaltCall: st.process.SaltCall}
	return &Stage{Machines: st.Machines, process: p, options: o, made: st.made,
		within: append(slices.Clone(st.within), me)}, nil
}

// orchestrate carries another orchestration out.
func (st *Stage) orchestrate(ctx context.Context, n Nested) (string, *value.Dict, error) {
	var said bytes.Buffer
	in, err := st.inner(ctx, n, &said)
	if err != nil {
		return "", nil, err
	}
	defer in.process.Close()
	var results *value.Dict
	in.process.Reported = func(r *run.Report, o report.Options) {
		results, _ = parsed(ssh.Returned(r, o)).(*value.Dict)
	}
	s, err := in.session(in.process, in.options, session.Act)
	if err != nil {
		return "", nil, err
	}
	err = s.Apply(ctx, session.Request{SLS: n.SLS, Exclude: n.Exclude}, "orchestrate "+strings.Join(n.SLS, ","))
	if err == nil && results == nil {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	return s.ID(), results, err
}

// check finds what is wrong with another orchestration.
func (st *Stage) check(ctx context.Context, n Nested) error {
	var said bytes.Buffer
	in, err := st.inner(ctx, n, &said)
	if err != nil {
		return err
	}
	defer in.process.Close()
	s, err := in.session(in.process, in.options, session.Look)
	if err != nil {
		return err
	}
	_, err = s.Prepare(ctx, session.Request{SLS: n.SLS, Exclude: n.Exclude})
	return err
}
