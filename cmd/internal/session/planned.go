package session

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/gostate/gostate/cmd/internal/plan"
	"github.com/gostate/gostate/state/diag"
)

// asked is what a plan was asked for: the request, and the flags that decide what its states are.
type asked struct {
	Request      Request
	ConfigDir    string   `json:",omitempty" flag:"config-dir"`
	FileRoots    []string `flag:"file-root"`
	PillarRoots  []string `flag:"pillar-root"`
	Grains       []string `flag:"grain"`
	ID           string   `flag:"id"`
	GrainsFile   string   `flag:"grains-file"`
	SaltEnv      string   `flag:"saltenv"`
	PillarEnv    string   `flag:"pillarenv"`
	Tags         []string `flag:"tags"`
	SkipTags     []string `flag:"skip-tags"`
	Requirements bool     `flag:"with-requirements"`
	NoCommands   bool     `flag:"no-commands"`
	Pillar       string   `flag:"pillar"` // a digest: --pillar may hold secrets
}

func askedOf(o Options, r Request, d plan.Digester) asked {
	a := asked{Request: r, FileRoots: absolute(o.FileRoots), PillarRoots: absolute(o.PillarRoots), Grains: o.Grains,
		ID:      o.ID,
		SaltEnv: o.SaltEnv, PillarEnv: o.PillarEnv, Tags: o.Tags, SkipTags: o.SkipTags, Requirements: o.Requirements,
		NoCommands: o.NoCommands}
	if o.ConfigDirSet {
		a.ConfigDir = absolute([]string{o.ConfigDir})[0]
	}
	if o.GrainsFile != "" {
		a.GrainsFile = absolute([]string{o.GrainsFile})[0]
	}
	if o.Pillar != "" {
		a.Pillar = d.Text(o.Pillar)
	}
	return a
}

func absolute(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = p
		if abs, err := filepath.Abs(p); err == nil {
			out[i] = abs
		}
	}
	return out
}

// options are the flags of a run by the plan: those of the plan, and of the command line what does not decide what the
// states are.
func (a *asked) options(o Options, d plan.Digester) (Options, error) {
	mine := askedOf(o, a.Request, d)
	if o.ConfigDirSet && a.ConfigDir == "" {
		mine.ConfigDir = ""
	}
	given, planned := reflect.ValueOf(mine), reflect.ValueOf(*a)
	for i := range given.NumField() {
		f := given.Type().Field(i)
		if f.Name == "Request" || given.Field(i).IsZero() || given.Field(i).Kind() == reflect.Slice &&
			given.Field(i).Len() == 0 ||
			reflect.DeepEqual(given.Field(i).Interface(), planned.Field(i).Interface()) {
			continue
		}
		return o, diag.Errorf(diag.Pos{}, "the plan was made with other flags: --%s differs", f.Tag.Get("flag")).
			WithHint("leave them out: the plan has its own; or make a new plan")
	}
	if a.Pillar != "" && o.Pillar == "" {
		return o, diag.Errorf(diag.Pos{}, "the plan was made with --pillar, which may hold secrets and is not in it").
			WithHint("give the same --pillar again")
	}
	if a.ConfigDir != "" {
		o.ConfigDir, o.ConfigDirSet = a.ConfigDir, true
	}
	o.FileRoots, o.PillarRoots, o.Grains, o.ID, o.GrainsFile = a.FileRoots, a.PillarRoots, a.Grains, a.ID, a.GrainsFile
	o.SaltEnv, o.PillarEnv, o.Tags, o.SkipTags, o.Requirements = a.SaltEnv, a.PillarEnv, a.Tags, a.SkipTags, a.Requirements
	o.NoCommands = a.NoCommands
	return o, nil
}

// MakePlan previews a request, shows what would be done and gives the plan of it.
func MakePlan(ctx context.Context, p *Process, o Options, r Request) (*plan.Plan, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	return foresee(ctx, p, o, r, key, func(plan.Machine) error { return nil })
}

// foresee previews a request in a session of its own. suits is asked before anything is rendered.
func foresee(ctx context.Context, p *Process, o Options, r Request, key []byte,
	suits func(plan.Machine) error) (*plan.Plan, error) {
	o.Test, o.TestSet = true, true
	inner := *p
	inner.Begin = func() error { return nil } // a signal ends it at once: nothing is touched
	defer func() {
		inner.Close()
		p.Opened, p.Show, p.Secrets, p.SecretPath, p.Code = nil, inner.Show, inner.Secrets, inner.SecretPath, inner.Code
	}()
	s, err := Act(&inner, o)
	if err != nil {
		return nil, err
	}
	maker := newPlanner(s, key)
	if err := suits(maker.who()); err != nil {
		return nil, err
	}
	s.steward = maker
	if err := s.Apply(ctx, r, "plan"); err != nil {
		return nil, err
	}
	out := maker.plan
	out.Gostate = p.version()
	out.Request, err = json.Marshal(askedOf(o, r, maker.d))
	return out, err
}

// ApplyPlan carries out what a plan says, as far as it still holds.
func ApplyPlan(ctx context.Context, p *Process, o Options, pl *plan.Plan) error {
	var a asked
	if err := json.Unmarshal(pl.Request, &a); err != nil {
		return diag.Errorf(diag.Pos{}, "what the plan was asked for cannot be read: %v", err).WithHint("make it anew")
	}
	o, err := a.options(o, plan.Digester{Key: pl.Key})
	if err != nil {
		return err
	}
	quiet := *p
	quiet.Err = io.Discard // the run itself says it
	again := o
	again.Out, again.OutSet = "quiet", true
	now, err := foresee(ctx, &quiet, again, a.Request, pl.Key,
		func(m plan.Machine) error { return pl.Suits(p.version(), m) })
	p.Opened, p.Secrets, p.SecretPath = nil, quiet.Secrets, quiet.SecretPath
	if err != nil {
		return err
	}
	if diff := pl.TreeChanged(now); diff != "" {
		return diag.Errorf(diag.Pos{}, "the tree has changed since the plan was made, nothing is applied: %s",
			p.Hide(diff)).WithHint("look at it, and make a new plan: gostate plan -o FILE")
	}
	o.Test, o.TestSet = false, true
	s, err := Act(p, o)
	if err != nil {
		return err
	}
	s.steward = newGuard(s, pl, pl.Stale(now))
	return s.Apply(ctx, a.Request, "apply --plan")
}

// Confirm shows what would be done, asks, and does it.
func Confirm(ctx context.Context, p *Process, o Options, r Request) error {
	if !people(p.In) || !people(p.Out) {
		return diag.Errorf(diag.Pos{}, "--confirm asks somebody at a terminal, and here is none").
			WithHint("gostate plan -o FILE saves what would be done; gostate apply --plan FILE does it")
	}
	pl, err := MakePlan(ctx, p, o, r)
	if err != nil || !pl.Todo() {
		return err
	}
	fmt.Fprint(p.Out, "\nApply this? [y/N] ")
	if !yes(p.In) {
		fmt.Fprintln(p.Out, "Nothing was changed.")
		p.Code = 1
		return nil
	}
	p.Code = 0
	return ApplyPlan(ctx, p, o, pl)
}

// yes reads an answer. Nothing, and the end of the input, is no.
func yes(r io.Reader) bool {
	line, _ := bufio.NewReader(r).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true
	}
	return false
}
