package pkg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Downloaded keeps package files in the package manager's cache.
type Downloaded struct {
	Selection
	Fetching
	NoReaction
	Version string `arg:"version" doc:"The version to download."`
}

func downloadedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "pkg.downloaded",
		Doc:     "Keeps package files in the package manager's cache, so that a later installation needs no network.",
		Example: "nginx:\n  pkg.downloaded: []",
		New:     func() modules.StateFunc { return &Downloaded{} },
		AnyArgs: true,
	}
}

// absent are the packages with their versions whose files are not in the cache.
func (d *Downloaded) absent(ctx context.Context, env *modules.Env, h host.Reader) (*session, []want, error) {
	s, err := sessionOf(env, h)
	if err != nil {
		return nil, nil, err
	}
	targets, _ := d.targets(d.Version)
	offers, err := s.provider.Offers(ctx, h, names(targets), d.repos())
	if err != nil {
		return nil, nil, err
	}
	cache, ok := s.provider.(loader)
	if !ok {
		return nil, nil, host.Sure(errors.New("The pkg.downloaded state is not available on this platform")) //nolint:staticcheck // Salt's words
	}
	var out []want
	for _, t := range targets {
		rule, err := parseConstraint(t.Version, s.provider.Compare)
		if err != nil {
			return nil, nil, err
		}
		o := offers[t.Name]
		n := want{Target: t, rule: rule, version: rule.choose(o.Candidate, o.Versions, nil)}
		if n.version == "" {
			return nil, nil, fmt.Errorf("Unable to locate package %s", t.Name)
		}
		if _, there := cache.Archive(h, n.Name, n.version); !there {
			out = append(out, n)
		}
	}
	return s, out, nil
}

func (d *Downloaded) changes(need []want) *value.Dict {
	out := value.NewDict(len(need))
	for _, n := range need {
		out.SetStr(n.Name, change("", n.version))
	}
	return out
}

func (d *Downloaded) spec(need []want) []string {
	out := make([]string, len(need))
	for i, n := range need {
		out[i] = n.Name + "=" + n.version
	}
	return out
}

// Act downloads. Salt differs: it shows no changes.
func (d *Downloaded) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, need, err := d.absent(ctx, env, h)
	if err != nil || len(need) == 0 {
		return state.Settled("All packages and their dependencies have already been downloaded"), err
	}
	all := strings.Join(d.spec(need), ", ")
	var specs []Spec
	for _, n := range need {
		specs = append(specs, Spec{Name: n.Name, Version: n.version, Old: n.now})
	}
	r := d.request()
	r.Install, r.DownloadOnly, r.Reinstall = specs, true, true
	e := state.Effect{Changes: d.changes(need), Comment: "The following packages were downloaded: " + all, Once: true,
		Preview: "The following packages would be downloaded: " + all}
	err = h.Do(ctx, host.Deed{What: "download packages", On: host.FactPackage,
		Do: func(ctx context.Context) error {
			err := s.provider.Run(ctx, env, h, r)
			// of a source that is a directory, apt keeps no copies
			if _, left, lerr := d.absent(ctx, env, h); err == nil && lerr == nil && len(left) > 0 {
				err = fmt.Errorf("The following packages failed to download: %s", strings.Join(d.spec(left), ", ")) //nolint:staticcheck // Salt's words
			}
			if err != nil {
				e.Changes = nil
			}
			return err
		},
		Foretell: func(o host.Host) error {
			for _, n := range need {
				file, _ := s.provider.(loader).Archive(o, n.Name, n.version)
				if err := o.WriteFile(file, strings.NewReader(""), host.KeepAttr()); err != nil {
					return fmt.Errorf("write %s: %w", file, err)
				}
			}
			return nil
		}})
	return e, err
}
