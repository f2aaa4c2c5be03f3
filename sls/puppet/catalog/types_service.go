package catalog

import "github.com/gostate/gostate/state/value"

// serviceOf keeps a service running or stopped, and starting at boot or not.
func serviceOf(a *attrs) []*call {
	name := a.title("name")
	a.ignore("hasstatus", "hasrestart", "flags", "timeout")
	provider := a.word("provider", "systemd", "debian", "redhat", "init", "service", "upstart", "openrc", "base")
	ensure := a.word("ensure", "running", "true", "stopped", "false")
	enable := a.word("enable", "true", "false", "manual", "mask")
	if provider == "base" || a.has("start") || a.has("stop") || a.has("status") {
		return a.byCommands(name, ensure)
	}
	var calls []*call
	switch enable {
	case "mask":
		calls = append(calls, of("service.masked", name))
	case "manual":
		enable = "false"
	}
	on := enable == "true"
	switch {
	case ensure == "running" || ensure == "true":
		calls = append(calls, of("service.running", name))
	case ensure != "":
		calls = append(calls, of("service.dead", name))
	case on:
		return append(calls, of("service.enabled", name).truth("unmask", true))
	case enable == "false":
		return append(calls, of("service.disabled", name))
	}
	if len(calls) > 0 && (on || enable == "false") {
		calls[0].truth("enable", on)
		if on && calls[0].fn == "running" { // Puppet unmasks what it enables
			calls[0].truth("unmask", true)
		}
	}
	return a.restarting(name, calls)
}

// restarting adds the command that a refresh runs in place of a restart. It comes first, so that a service that has to
// be started is not restarted as well.
func (a *attrs) restarting(name string, calls []*call) []*call {
	command := a.text("restart")
	for i, c := range calls {
		c.deaf = command != ""
		if i > 0 {
			c.id = a.r.Ref() + " (state)"
		}
	}
	if command == "" || !a.m.told[a.r] {
		return calls
	}
	return append([]*call{a.restart(command, "systemctl is-active --quiet "+value.ShellQuote(name))}, calls...)
}

// restart is the call for a refresh, where the service is running.
func (a *attrs) restart(command, status string) *call {
	c := of("cmd.wait", command).text("cwd", "/").text("onlyif", status)
	c.id = a.r.Ref() + " (restart)"
	return c
}

// byCommands keeps a service that its own commands start, stop and judge.
func (a *attrs) byCommands(name, ensure string) []*call {
	status, start, stop := a.text("status"), a.text("start"), a.text("stop")
	restart := a.text("restart")
	if status == "" {
		status = "pgrep -f " + value.ShellQuote(name)
		if p := a.text("pattern"); p != "" {
			status = "pgrep -f " + value.ShellQuote(p)
		}
	}
	if enable := a.text("enable"); enable != "" {
		a.m.fault(a.r, "enable is not supported beside start, stop and status")
	}
	if restart == "" {
		restart = stop + "; " + start
	}
	var calls []*call
	if a.m.told[a.r] && !stopped(ensure) {
		calls = append(calls, a.restart(restart, status))
	}
	if ensure == "" {
		return calls
	}
	run := of("cmd.run", start).text("unless", status)
	if stopped(ensure) {
		run = of("cmd.run", stop).text("onlyif", status)
	}
	if run.deaf = true; run.name() == "" {
		a.m.fault(a.r, "there is no command for ensure => %s", ensure).WithHint("give start, stop and status")
	}
	return append(calls, run.text("cwd", "/"))
}

func stopped(ensure string) bool { return ensure == "stopped" || ensure == "false" }
