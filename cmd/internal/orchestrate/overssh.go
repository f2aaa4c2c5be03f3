package orchestrate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/cmd/internal/ssh"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/value"
)

// SSH are the machines of a roster, which ssh reaches.
type SSH struct {
	// Hosts are those of the rosters, Job how the work is carried out on each, without the work itself.
	Hosts []*roster.Host
	Job   ssh.Job
	// Jobs is how many machines are worked on at once.
	Jobs int
	// Here are the options of this machine, Far those of a run over there.
	Here, Far session.Options
	// Session is the tree.
	Session *session.Session

	mu     sync.Mutex // guards all below
	more   []*roster.Host
	pillar map[string]*value.Dict
	errs   []error
}

// queueTime is how long `queue: true` waits for another run of a machine.
const queueTime = 24 * time.Hour

// Target looks in the roster. Without one a plain name is a machine that ssh knows how to reach. The pillar of a
// machine is rendered with the grains that the roster gives.
func (m *SSH) Target(ctx context.Context, kind, target string) ([]string, error) {
	if len(m.Hosts) == 0 && (kind == "glob" || kind == "list") {
		return m.named(target)
	}
	found, err := roster.Match(m.Hosts, kind, target, roster.Facts{Nodegroups: m.Session.Config().Dict("nodegroups"),
		Pillar: func(h *roster.Host) *value.Dict { return m.pillarOf(ctx, h) }})
	if err == nil {
		m.mu.Lock()
		err = errors.Join(m.errs...)
		m.errs = nil
		m.mu.Unlock()
	}
	var ids []string
	for _, h := range found {
		ids = append(ids, h.ID)
	}
	return ids, err
}

// named are machines that no roster has.
func (m *SSH) named(target string) (ids []string, err error) {
	for _, name := range words(value.Str(target)) {
		hosts, err := roster.Select(nil, name, true)
		if err != nil {
			return nil, err
		}
		m.mu.Lock()
		if !slices.ContainsFunc(m.more, func(h *roster.Host) bool { return h.ID == name }) {
			m.more = append(m.more, hosts...)
		}
		m.mu.Unlock()
		ids = append(ids, name)
	}
	return ids, nil
}

// pillarOf is the pillar of a machine, as far as it can be told without asking it.
func (m *SSH) pillarOf(ctx context.Context, h *roster.Host) *value.Dict {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p, ok := m.pillar[h.ID]; ok {
		return p
	}
	text, err := yaml.Encode(m.grains(h), yaml.EncodeOptions{AllowUnicode: true, Width: -1})
	p := value.NewDict(0)
	if err == nil {
		var d *value.Dict
		if d, _, err = ssh.Pillars(m.Here)(ctx, h, text); err == nil {
			p = d
		}
	}
	if err != nil {
		m.errs = append(m.errs, fmt.Errorf("the pillar of %s: %w", h.ID, err))
	}
	if m.pillar == nil {
		m.pillar = map[string]*value.Dict{}
	}
	m.pillar[h.ID] = p
	return p
}

func (m *SSH) grains(h *roster.Host) *value.Dict {
	out := value.DictOf("id", value.Str(h.ID))
	if h.Grains != nil {
		for k, v := range h.Grains.All() {
			_ = out.Set(k, v)
		}
	}
	return out
}

// Grains are those of the roster.
func (m *SSH) Grains(id string) *value.Dict {
	if h := m.host(id); h != nil {
		return m.grains(h)
	}
	return value.NewDict(0)
}

func (m *SSH) host(id string) *roster.Host {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, h := range slices.Concat(m.Hosts, m.more) {
		if h.ID == id {
			return h
		}
	}
	return nil
}

// Run does the work over ssh.
func (m *SSH) Run(ctx context.Context, w *Work, ids []string, told func(int)) ([]Answer, error) {
	var hosts []*roster.Host
	for _, id := range ids {
		if h := m.host(id); h != nil {
			hosts = append(hosts, h)
		}
	}
	job, err := m.job(w)
	if err != nil {
		return nil, err
	}
	lim, err := m.limits(w, len(hosts))
	if err != nil {
		return nil, err
	}
	n := 0
	results := job.All(ctx, hosts, lim, func(*roster.Host, string, *ssh.Event) {}, func(*ssh.Result) { n++; told(n) })
	out := make([]Answer, len(results))
	for i, r := range results {
		out[i] = answerOf(r)
	}
	return out, nil
}

// limits are how many machines are worked on at once. As in Salt the next begins when one is through.
func (m *SSH) limits(w *Work, hosts int) (ssh.Limits, error) {
	lim := ssh.Limits{Jobs: m.Jobs, MaxFail: -1}
	if w.Failhard {
		lim.MaxFail = 0
	}
	if w.Batch == "" {
		return lim, nil
	}
	n, err := ssh.Share(w.Batch, hosts)
	if err != nil || n == 0 {
		return lim, fmt.Errorf("batch %q is neither a number nor a share such as 10%%", w.Batch)
	}
	lim.Jobs = min(n, m.Jobs)
	return lim, nil
}

func (m *SSH) job(w *Work) (*ssh.Job, error) {
	here, far, job := m.Here, m.Far, m.Job
	here.Pillar, here.SaltEnv = "", w.SaltEnv
	if w.PillarEnv != "" {
		here.PillarEnv = w.PillarEnv
	}
	if w.Pillar != nil {
		text, err := yaml.Encode(w.Pillar, yaml.EncodeOptions{AllowUnicode: true, Width: -1})
		if err != nil {
			return nil, fmt.Errorf("write the pillar: %w", err)
		}
		here.Pillar = text
	}
	far.Test, far.TestSet, far.SaltEnv, far.PillarEnv, far.Concurrent = w.Test, true, w.SaltEnv, w.PillarEnv, w.Concurrent
	if w.Queue {
		far.Wait = queueTime
	}
	if w.Timeout > 0 {
		job.Settings.Timeout = w.Timeout
	}
	job.Source = ssh.NewSource(m.Session, ssh.Pillars(here))
	job.Work = ssh.Work{Options: far, Command: strings.TrimSpace("orchestrate " + strings.Join(w.SLS, ","))}
	if w.Function == "" {
		job.Work.Request = &session.Request{Top: w.Top, TopFile: w.TopFile, SLS: w.SLS, Exclude: w.Exclude}
		return &job, nil
	}
	call, err := ssh.NewCall(w.Function, w.Args, w.Kwargs)
	job.Work.Call = call
	return &job, err
}

// answerOf is what came of the work on a machine.
func answerOf(r *ssh.Result) Answer {
	a := Answer{ID: r.Host.ID}
	switch {
	case r.Err != nil:
		a.Err = fmt.Errorf("%s: %w", r.State(), r.Err)
		var f *ssh.Fault
		if errors.As(r.Err, &f) && f.Hint != "" {
			a.Err = fmt.Errorf("%w\nhint: %s", a.Err, f.Hint)
		}
	case r.End.Ran || r.End.Called:
		a.Retcode = r.End.Code
		a.Return = parsed(r.End.Return)
		if r.End.Stopped {
			a.Err = errors.New("the run was stopped")
		}
	default:
		a.Retcode = r.End.Code
		a.Return = value.NewList(value.Str(strings.TrimSpace(r.End.Errors)))
	}
	return a
}

func parsed(text json.RawMessage) value.Value {
	v, err := value.ParseJSON(string(text))
	if err != nil {
		return value.None
	}
	return v
}
