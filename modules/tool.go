package modules

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A Tool is a program of the system that makes a change which an overlay cannot hold as files.
type Tool struct {
	On    host.Kind
	Args  []string
	Stdin string
	// Foretell leaves on an overlay what the program would leave; nil leaves nothing.
	Foretell func(o host.Host) error
}

// Run runs the program; its error is the program's own words. One that is missing is an error in a preview too.
func (t Tool) Run(ctx context.Context, h host.Host) error {
	return h.Do(ctx, host.Deed{What: strings.Join(t.Args, " "), On: t.On, Do: func(ctx context.Context) error {
		out, err := h.Run(ctx, host.Cmd{Args: t.Args, Env: []string{"LC_ALL=C.UTF-8"}, Stdin: []byte(t.Stdin)})
		if err != nil {
			return err
		}
		return Complaint(t.Args[0], out)
	}, Foretell: func(o host.Host) error {
		if _, err := o.LookPath(t.Args[0]); err != nil {
			return fmt.Errorf("run: %w", err)
		}
		if err := openAccounts(o, t.On); err != nil || t.Foretell == nil {
			return err
		}
		return t.Foretell(o)
	}})
}

// Needs is an error where a command is not there, which an earlier state of the run may bring.
func Needs(h host.Reader, command string) error {
	_, err := h.LookPath(command)
	if err == nil || host.IsUnknown(err) {
		return err
	}
	return host.Missing("%w", err)
}

// openAccounts fails where a tool for accounts would: their files cannot be changed.
func openAccounts(o host.Host, on host.Kind) error {
	files := map[host.Kind][2]string{host.FactUser: {"/etc/passwd", "/etc/shadow"},
		host.FactGroup: {"/etc/group", "/etc/gshadow"}}[on]
	aside := host.Forecast(o)
	for _, f := range files {
		i, err := o.Stat(f)
		if f == "" || err != nil {
			continue
		}
		if err := aside.Chmod(f, i.Perm()); err != nil {
			return fmt.Errorf("%s cannot be changed: %w", f, errors.Unwrap(err))
		}
	}
	return nil
}

// Complaint is a program's own words for what went wrong, in one line; nil when it ended well.
func Complaint(program string, out *host.Output) error {
	if out.Code == 0 {
		return nil
	}
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	if text == "" {
		text = fmt.Sprintf("it ended with exit code %d", out.Code)
	}
	return errors.New(program + ": " + strings.ReplaceAll(strings.TrimPrefix(text, program+": "), "\n", "; "))
}

// Outright runs a program that does what nobody can foretell: a preview refuses it.
func (c *Call) Outright(ctx context.Context, args ...string) (out *host.Output, err error) {
	err = c.Host.Do(ctx, host.Deed{What: strings.Join(args, " "), On: host.Anything,
		Do: func(ctx context.Context) (err error) {
			out, err = c.Host.Run(ctx, host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}})
			return err
		}})
	return out, err
}

// Ran is what a program left, as Salt's cmd.run_all shows it.
func Ran(out *host.Output) *value.Dict {
	text := func(raw []byte) value.Value { return value.Str(strings.TrimRight(string(raw), "\n")) }
	return value.DictOf("pid", value.Int(out.PID), "retcode", value.Int(out.Code), "stdout", text(out.Stdout), "stderr",
		text(out.Stderr))
}

// Ask runs a program that only looks.
func (c *Call) Ask(ctx context.Context, args ...string) (*host.Output, error) {
	return c.Host.Query(ctx, host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}})
}
