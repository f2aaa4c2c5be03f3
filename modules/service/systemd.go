package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	sd "github.com/coreos/go-systemd/v22/dbus"
	"github.com/godbus/dbus/v5"

	"github.com/gostate/gostate/state/host"
)

// systemd is the manager reached through D-Bus: one connection for the whole run.
type systemd struct {
	bus *sd.Conn
	ctl systemctl // for what D-Bus does not offer: scripts in /etc/init.d follow when a service is enabled
}

// connect reaches systemd on its private socket, which needs root and no bus daemon, else on the system bus.
func connect(ctx context.Context, h host.Reader) (*sd.Conn, error) {
	bus, err := dial(ctx, h, "/run/systemd/private", false)
	if err != nil {
		bus, err = dial(ctx, h, "/run/dbus/system_bus_socket", true)
	}
	return bus, err
}

func dial(ctx context.Context, h host.Reader, socket string, hello bool) (*sd.Conn, error) {
	open := func() (*dbus.Conn, error) {
		c, err := h.Dial(ctx, "unix", socket)
		if err != nil {
			return nil, err
		}
		bus, err := dbus.NewConn(c)
		if err != nil {
			c.Close()
			return nil, err
		}
		err = bus.Auth([]dbus.Auth{dbus.AuthExternal(strconv.Itoa(host.IdentityOf(h).UID))})
		if err == nil && hello {
			err = bus.Hello()
		}
		if err != nil {
			bus.Close()
			return nil, err
		}
		return bus, nil
	}
	conn, err := sd.NewConnection(open)
	if err != nil {
		return nil, fmt.Errorf("connect to systemd at %s: %w", socket, err)
	}
	if err := conn.Subscribe(); err != nil { // without it, systemd does not tell when a job ends
		conn.Close()
		return nil, fmt.Errorf("subscribe to systemd's jobs: %w", err)
	}
	return conn, nil
}

func (s *systemd) Canonical(name string) string { return canonical(name) }

func (s *systemd) Unit(ctx context.Context, _ host.Reader, unit string) (Unit, error) {
	props, err := s.bus.GetUnitPropertiesContext(ctx, unit)
	var bad dbus.Error
	switch {
	case errors.As(err, &bad) && (bad.Name == "org.freedesktop.systemd1.NoSuchUnit" ||
		bad.Name == "org.freedesktop.DBus.Error.UnknownObject"):
		return Unit{ID: unit, Load: "not-found"}, nil
	case err != nil:
		return Unit{}, fmt.Errorf("ask systemd about %s: %w", unit, err)
	}
	text := func(key string) string { v, _ := props[key].(string); return v }
	truth := func(key string) bool { v, _ := props[key].(bool); return v }
	return Unit{
		ID: text("Id"), Load: text("LoadState"), Active: text("ActiveState"), Sub: text("SubState"),
		FileState: text("UnitFileState"),
		Fragment:  text("FragmentPath"), NeedReload: truth("NeedDaemonReload"), CanReload: truth("CanReload"),
	}, nil
}

func (s *systemd) Units(ctx context.Context, _ host.Reader) ([]Unit, error) {
	files, err := s.bus.ListUnitFilesContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("list systemd's unit files: %w", err)
	}
	loaded, err := s.bus.ListUnitsContext(ctx)
	if err != nil {
		return nil, fmt.Errorf("list systemd's units: %w", err)
	}
	m := merger{}
	for _, f := range files {
		m.file(f.Path[strings.LastIndexByte(f.Path, '/')+1:], f.Path, f.Type)
	}
	for _, u := range loaded {
		m.unit(u.Name, u.LoadState, u.ActiveState, u.SubState)
	}
	return m.units(), nil
}

func (s *systemd) Do(ctx context.Context, _ host.Host, verb Verb, unit string, block bool) error {
	job := map[Verb]func(context.Context, string, string, chan<- string) (int, error){
		Start: s.bus.StartUnitContext, Stop: s.bus.StopUnitContext, Restart: s.bus.RestartUnitContext,
		Reload: s.bus.ReloadUnitContext, ReloadOrRestart: s.bus.ReloadOrRestartUnitContext,
	}[verb]
	if !block {
		_, err := job(ctx, unit, "replace", nil)
		return jobError(verb, unit, err)
	}
	end := make(chan string, 1)
	if _, err := job(ctx, unit, "replace", end); err != nil {
		return jobError(verb, unit, err)
	}
	select {
	case result := <-end:
		if result == "done" || result == "skipped" {
			return nil
		}
		return s.explain(ctx, verb, unit, result)
	case <-ctx.Done():
		return fmt.Errorf("%s %s: %w", verb, unit, ctx.Err())
	}
}

func (s *systemd) Refuses(ctx context.Context, h host.Reader, verb, unit string) error {
	return s.ctl.Refuses(ctx, h, verb, unit)
}

// explain says why a job failed, in one line: systemd's word for the job, and how the service's process ended.
func (s *systemd) explain(ctx context.Context, verb Verb, unit, result string) error {
	why := map[string]string{
		"canceled": "the job was cancelled by another one", "timeout": "it took longer than systemd allows",
		"dependency": "a unit that it needs failed",
	}[result]
	if why == "" {
		why = s.exitOf(ctx, unit)
	}
	return fmt.Errorf("systemd could not %s %s: %s; `journalctl -u %s` tells more", verb, unit, why, unit)
}

func (s *systemd) exitOf(ctx context.Context, unit string) string {
	props, err := s.bus.GetAllPropertiesContext(ctx, unit)
	if err != nil {
		return "the job failed"
	}
	result, _ := props["Result"].(string)
	code, _ := props["ExecMainStatus"].(int32)
	switch result {
	case "exit-code":
		if code == 0 {
			return "a command of it ended with an error"
		}
		return fmt.Sprintf("its process ended with exit code %d", code)
	case "signal", "core-dump":
		return fmt.Sprintf("its process was ended by signal %d", code)
	case "timeout":
		return "it took longer than systemd allows"
	case "success", "":
		return "the job failed"
	}
	return "the job failed (" + result + ")"
}

func jobError(verb Verb, unit string, err error) error {
	var bad dbus.Error
	if errors.As(err, &bad) && len(bad.Body) > 0 {
		return fmt.Errorf("systemd refused to %s %s: %v", verb, unit, bad.Body[0])
	}
	if err != nil {
		return fmt.Errorf("%s %s: %w", verb, unit, err)
	}
	return nil
}

// Files are systemctl's: D-Bus would not tell a script of the same name in /etc/init.d.
func (s *systemd) Files(ctx context.Context, h host.Host, verb FileVerb, unit string, runtime bool) error {
	return s.ctl.Files(ctx, h, verb, unit, runtime)
}

func (s *systemd) ReloadManager(ctx context.Context, _ host.Host) error {
	if err := s.bus.ReloadContext(ctx); err != nil {
		return fmt.Errorf("reload systemd: %w", err)
	}
	return nil
}

// A merger joins the list of unit files with the list of loaded units.
type merger map[string]*Unit

func (m merger) at(name string) *Unit {
	if m[name] == nil {
		m[name] = &Unit{ID: name}
	}
	return m[name]
}

func (m merger) file(name, path, state string) {
	u := m.at(name)
	u.Fragment, u.FileState, u.Load = path, state, "loaded"
	if u.Masked() {
		u.Load = "masked"
	}
}

func (m merger) unit(name, load, active, sub string) {
	if load == "not-found" && m[name] == nil {
		return
	}
	u := m.at(name)
	u.Load, u.Active, u.Sub = load, active, sub
}

func (m merger) units() []Unit {
	out := make([]Unit, 0, len(m))
	for _, u := range m {
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b Unit) int { return strings.Compare(a.ID, b.ID) })
	return out
}
