// Package selinux keeps what SELinux allows: its mode, booleans, modules, and what files and ports are labelled, with
// the tools that semanage(8) and semodule(8) are.
//
// In a preview the policy is that of the machine and what earlier states of the run would have made of it.
package selinux

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "selinux", States: []modules.StateSpec{modeSpec(), booleanSpec(), moduleSpec(),
		installSpec(), removeSpec(), fcontextPresentSpec(), fcontextAbsentSpec(), appliedSpec(), portPresentSpec(),
		portAbsentSpec()}, Execs: execs()}
}

// root is embedded by the states.
type root struct{}

// NeedsRoot is true: only root may change the policy.
func (root) NeedsRoot(*modules.Env) bool { return true }

// installed is an error where the tools are not there.
func installed(h host.Reader) error {
	for _, tool := range [...][2]string{{"semanage", "policycoreutils-python-utils"}, {"setsebool", "policycoreutils"},
		{"semodule", "policycoreutils"}} {
		if _, err := h.LookPath(tool[0]); host.IsUnknown(err) {
			return err
		} else if err != nil {
			return host.Missing("%s is not installed: pkg.installed %s before it", tool[0], tool[1])
		}
	}
	return nil
}

func cmd(args ...string) host.Cmd { return host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}} }

// list are the lines of a list, without its head and empty lines.
func list(ctx context.Context, h host.Reader, args ...string) ([]string, error) {
	if err := installed(h); err != nil {
		return nil, err
	}
	out, err := h.Query(ctx, cmd(args...))
	if err == nil {
		err = modules.Complaint(args[0], out)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s: %w", args[0], err)
	}
	var lines []string
	for l := range strings.Lines(string(out.Stdout)) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "SELinux ") {
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// change runs a tool, or promises what it leaves.
func change(ctx context.Context, h host.Host, args []string, leaves ...host.Fact) error {
	return modules.Tool{On: host.FactSELinux, Args: args, Foretell: func(o host.Host) error {
		o.Promise(leaves...)
		return nil
	}}.Run(ctx, h)
}

func fact(name, val string, attrs map[string]string) host.Fact {
	return host.Fact{Kind: host.FactSELinux, Name: name, Value: val, Attrs: attrs}
}

func none() *value.Dict { return value.NewDict(0) }

// dir is where the kernel shows its SELinux, "" where it has none, or it is switched off.
func dir(h host.Reader) string {
	for _, d := range [...]string{"/sys/fs/selinux", "/selinux"} {
		if i, err := h.Stat(d + "/enforce"); err == nil && i.IsRegular() {
			return d
		}
	}
	return ""
}

// enforced is the mode that the kernel is in.
func enforced(h host.Reader) string {
	if f, ok := h.Fact(host.FactSELinux, "mode"); ok {
		return f.Value
	}
	d := dir(h)
	if d == "" {
		return "Disabled"
	}
	raw, err := h.ReadFile(d + "/enforce")
	switch {
	case err != nil:
		return "Disabled"
	case strings.TrimSpace(string(raw)) == "0":
		return "Permissive"
	}
	return "Enforcing"
}

const configFile = "/etc/selinux/config"

// configured is the mode of the next boot, "" where there is no file.
func configured(h host.Reader) (string, error) {
	lines, err := modules.ReadLines(h, configFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, l := range lines {
		if v, ok := strings.CutPrefix(strings.TrimSpace(l), "SELINUX="); ok {
			return capital(strings.TrimSpace(v)), nil
		}
	}
	return "", nil
}

func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + strings.ToLower(word[1:])
}

// configure writes the mode of the next boot.
func configure(h host.Host, mode string) error {
	lines, err := modules.ReadLines(h, configFile)
	if err != nil {
		return fmt.Errorf("Could not read SELinux config file: %w", err) //nolint:staticcheck // Salt's words
	}
	for i, l := range lines {
		if strings.HasPrefix(strings.TrimSpace(l), "SELINUX=") {
			lines[i] = "SELINUX=" + strings.ToLower(mode)
			return modules.WriteLines(h, configFile, lines)
		}
	}
	return modules.WriteLines(h, configFile, append(lines, "SELINUX="+strings.ToLower(mode)))
}

// switchTo has the kernel enforce, or not.
func switchTo(ctx context.Context, h host.Host, mode string) error {
	digit := map[string]string{"Enforcing": "1"}[mode]
	if digit == "" {
		digit = "0"
	}
	return change(ctx, h, []string{"setenforce", digit}, fact("mode", map[string]string{"1": "Enforcing",
		"0": "Permissive"}[digit], nil))
}

// settledOr is a settled effect, unless there is an error.
func settledOr(err error, format string, args ...any) (state.Effect, error) {
	if err != nil {
		return state.Effect{}, err
	}
	return state.Settled(fmt.Sprintf(format, args...)), nil
}
