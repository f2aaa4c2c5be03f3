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
	Name string      `arg:"name,required" doc:"the gem"`
	User string      `arg:"user" doc:"who runs gem"`
	Bin  string      `arg:"gem_bin" doc:"the gem command to use"`
	Ruby value.Value `arg:"ruby" alias:"runas" doc:"no effect: gem_bin names the command of a Ruby"`
}

// Locks keeps other states of gem out.
func (*Common) Locks() []string { return []string{"gem"} }

func (c *Common) cmd(args ...string) host.Cmd {
	bin := c.Bin
	if bin == "" {
		bin = "gem"
	}
	return host.Cmd{Args: append([]string{bin}, args...), RunAs: c.User, Env: []string{"LC_ALL=C.UTF-8"}}
}

// versions are the installed versions: "rake (13.0.6, default: 12.3.1)".
func (c *Common) versions(ctx context.Context, h host.Reader) ([]string, error) {
	if c.Bin == "" {
		if _, err := h.LookPath("gem"); err != nil {
			return nil, errors.New("gem is not installed")
		}
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

func (c *Common) run(ctx context.Context, h host.Host, args ...string) error {
	out, err := h.Run(ctx, c.cmd(args...))
	if err != nil {
		return fmt.Errorf("run gem: %w", err)
	}
	if out.Code != 0 {
		return errors.New(reason(out))
	}
	return nil
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
