// Package gem keeps Ruby gems installed, or not, through the gem command.
package gem

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "gem", States: []modules.StateSpec{installedSpec(), removedSpec()}}
}

// Common are the arguments that say which gem command, and as whom.
type Common struct {
	Name string      `arg:"name,required" doc:"The gem."`
	User string      `arg:"user,word" doc:"Who runs gem."`
	Bin  string      `arg:"gem_bin,path" doc:"The gem command to use."`
	Ruby value.Value `arg:"ruby" alias:"runas" doc:"No effect: gem_bin names the command of a Ruby."`
}

func (c *Common) bin() string {
	if c.Bin == "" {
		return "gem"
	}
	return c.Bin
}

func (c *Common) cmd(args ...string) host.Cmd {
	return host.Cmd{Args: append([]string{c.bin()}, args...), RunAs: c.User, Env: []string{"LC_ALL=C.UTF-8"}}
}

// fact is how the names of what is promised of gems begin.
func (c *Common) fact() string { return strings.Join([]string{"gem", c.Bin, c.User, ""}, " ") }

// versions are the installed versions: "rake (13.0.6, default: 12.3.1)", and what an earlier state of a preview
// promised.
func (c *Common) versions(ctx context.Context, h host.Reader) ([]string, error) {
	if f, ok := h.Fact(host.FactLibrary, c.fact()+c.Name); ok {
		return strings.Fields(f.Value), nil
	}
	out, err := h.Query(ctx, c.cmd("list", "--local", "^"+c.Name+"$"))
	if err != nil {
		return nil, fmt.Errorf("ask gem what is installed: %w", err)
	}
	if out.Code != 0 {
		return nil, fmt.Errorf("ask gem what is installed: %s", reason(out))
	}
	for line := range strings.Lines(string(out.Stdout)) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), " (")
		if !ok || name != c.Name {
			continue
		}
		var vs []string
		for _, v := range strings.Split(strings.TrimSuffix(rest, ")"), ",") {
			vs = append(vs, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(v), "default: ")))
		}
		return vs, nil
	}
	return nil, nil
}

// change runs gem; then there are the versions.
func (c *Common) change(ctx context.Context, h host.Host, versions []string, args ...string) error {
	return h.Do(ctx, host.Deed{What: "gem " + strings.Join(args, " "), On: host.FactLibrary,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, c.cmd(args...))
			if err == nil && out.Code != 0 {
				err = errors.New(reason(out))
			}
			return err
		},
		Foretell: func(o host.Host) error {
			modules.PromiseLibraries(o, c.fact(), map[string]string{c.Name: strings.Join(versions, " ")})
			return nil
		}})
}

func reason(out *host.Output) string {
	for line := range strings.Lines(string(out.Stderr)) {
		if l := strings.TrimSpace(line); l != "" {
			return strings.TrimPrefix(l, "ERROR:  ")
		}
	}
	return fmt.Sprintf("it ended with exit code %d", out.Code)
}

// has says whether a version is installed; "" asks for any.
func has(versions []string, version string) bool {
	return len(versions) > 0 && (version == "" || slices.Contains(versions, version))
}
