package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// systemctl is systemd reached through its command: where D-Bus is missing, and for trees that are mounted somewhere
// (root), in which it runs in a chroot, so that services can be enabled and masked, and not started.
type systemctl struct{ root string }

func (s systemctl) offline() bool { return s.root != "" && s.root != "/" }

func (s systemctl) args(words ...string) []string {
	return append([]string{"systemctl"}, words...)
}

func (s systemctl) Canonical(name string) string { return canonical(name) }

const shown = "--property=Id,LoadState,ActiveState,SubState,UnitFileState,FragmentPath,NeedDaemonReload,CanReload"

func (s systemctl) Unit(ctx context.Context, h host.Reader, unit string) (Unit, error) {
	if s.offline() {
		return s.offlineUnit(ctx, h, unit)
	}
	out, err := h.Query(ctx, host.Cmd{Args: s.args("show", "--no-pager", shown, "--", unit)})
	if err != nil {
		return Unit{}, fmt.Errorf("ask systemd about %s: %w", unit, err)
	}
	if out.Code != 0 {
		return Unit{}, fmt.Errorf("ask systemd about %s: %s", unit, lastLine(out))
	}
	return parseShow(string(out.Stdout)), nil
}

func parseShow(text string) Unit {
	var u Unit
	for line := range strings.Lines(text) {
		key, val, _ := strings.Cut(strings.TrimRight(line, "\n"), "=")
		switch key {
		case "Id":
			u.ID = val
		case "LoadState":
			u.Load = val
		case "ActiveState":
			u.Active = val
		case "SubState":
			u.Sub = val
		case "UnitFileState":
			u.FileState = val
		case "FragmentPath":
			u.Fragment = val
		case "NeedDaemonReload":
			u.NeedReload = val == "yes"
		case "CanReload":
			u.CanReload = val == "yes"
		}
	}
	return u
}

func (s systemctl) offlineUnit(ctx context.Context, h host.Reader, unit string) (Unit, error) {
	out, err := h.Query(ctx, host.Cmd{Args: s.args("is-enabled", "--", unit)})
	if err != nil {
		return Unit{}, fmt.Errorf("look at %s below %s: %w", unit, s.root, err)
	}
	u := Unit{ID: unit, Load: "loaded", Active: "inactive", FileState: strings.TrimSpace(string(out.Stdout))}
	switch {
	case u.FileState == "" || u.FileState == "not-found":
		return Unit{ID: unit, Load: "not-found"}, nil
	case u.Masked():
		u.Load = "masked"
	}
	return u, nil
}

func (s systemctl) Units(ctx context.Context, h host.Reader) ([]Unit, error) {
	m := merger{}
	files, err := h.Query(ctx, host.Cmd{Args: s.args("list-unit-files", "--full", "--no-legend", "--no-pager", "--plain")})
	if err != nil {
		return nil, fmt.Errorf("list systemd's unit files: %w", err)
	}
	for line := range strings.Lines(string(files.Stdout)) {
		if f := strings.Fields(line); len(f) >= 2 {
			m.file(f[0], "", f[1])
		}
	}
	if s.offline() {
		return m.units(), nil
	}
	loaded, err := h.Query(ctx, host.Cmd{Args: s.args("list-units", "--all", "--full", "--no-legend", "--no-pager",
		"--plain")})
	if err != nil {
		return nil, fmt.Errorf("list systemd's units: %w", err)
	}
	for line := range strings.Lines(string(loaded.Stdout)) {
		if f := strings.Fields(line); len(f) >= 4 {
			m.unit(f[0], f[1], f[2], f[3])
		}
	}
	return m.units(), nil
}

func (s systemctl) Do(ctx context.Context, h host.Host, verb Verb, unit string, block bool) error {
	if s.offline() {
		return s.Refuses(ctx, h, string(verb), unit)
	}
	words := []string{string(verb)}
	if !block {
		words = append(words, "--no-block")
	}
	return s.run(ctx, h, append(words, "--", unit)...)
}

// Refuses jobs where no manager runs, and to have a unit running that is one command which ends.
func (s systemctl) Refuses(ctx context.Context, h host.Reader, verb, unit string) error {
	switch Verb(verb) {
	case Start, Stop, Restart, Reload, ReloadOrRestart:
	default:
		return nil
	}
	if s.offline() {
		return fmt.Errorf("cannot %s %s: no service manager runs in the tree %s", verb, unit, s.root)
	}
	if verb != string(Start) {
		return nil
	}
	out, err := h.Query(ctx, host.Cmd{Args: s.args("show", "--no-pager", "--property=Type,RemainAfterExit", "--", unit)})
	if err == nil && slices.Equal(strings.Fields(string(out.Stdout)), []string{"Type=oneshot", "RemainAfterExit=no"}) {
		return fallen(fmt.Sprintf("Service %s failed to start: it starts and ends at once", short(unit)))
	}
	return nil
}

func (s systemctl) Files(ctx context.Context, h host.Host, verb FileVerb, unit string, runtime bool) error {
	words := []string{string(verb)}
	if runtime {
		words = append(words, "--runtime")
	}
	return s.run(ctx, h, append(words, "--", unit)...)
}

func (s systemctl) ReloadManager(ctx context.Context, h host.Host) error {
	if s.offline() {
		return nil
	}
	return s.run(ctx, h, "daemon-reload")
}

func (s systemctl) run(ctx context.Context, h host.Host, words ...string) error {
	out, err := h.Run(ctx, host.Cmd{Args: s.args(words...)})
	if err != nil {
		return fmt.Errorf("systemctl %s: %w", strings.Join(words, " "), err)
	}
	if out.Code != 0 {
		return errors.New("systemctl " + strings.Join(words, " ") + ": " + firstLine(out))
	}
	return nil
}

func firstLine(out *host.Output) string { return line(out, func(l []string) string { return l[0] }) }
func lastLine(out *host.Output) string {
	return line(out, func(l []string) string { return l[len(l)-1] })
}

func line(out *host.Output, which func([]string) string) string {
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	if text == "" {
		return fmt.Sprintf("it ended with exit code %d", out.Code)
	}
	return which(strings.Split(text, "\n"))
}
