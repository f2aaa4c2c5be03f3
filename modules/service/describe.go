package service

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "service", ByName: true, Other: []string{"services"},
		Doc: "Services, timers, sockets and paths: whether they run, start at boot, are masked.",
		Left: "Units that are as their vendor left them and do not start at boot, units that come with others " +
			"(static, generated, aliases), and other kinds of units.",
		Rank: 950, Describe: describe}
}

func describe(ctx context.Context, l *modules.Look) error {
	p, err := providerOf(ctx, l.Env, l.Host)
	if err != nil {
		return err
	}
	units, err := p.Units(ctx, l.Host)
	if err != nil {
		return err
	}
	for i := range units {
		units[i].FileState = scripted(l.Host, units[i].ID, units[i].FileState)
	}
	presets := presetsOf(ctx, l.Host, units)
	for _, u := range units {
		if !u.Exists() || !isUsual(u.ID) && len(l.Names) == 0 ||
			!l.Wants(grown(l.Host, u, presets[u.ID]), u.ID, short(u.ID)) {
			continue
		}
		if err := tell(ctx, l, u); err != nil {
			return err
		}
	}
	for _, n := range l.Absent() {
		l.Lack(n, "service.dead")
	}
	return nil
}

// isUsual says whether a unit is of a kind that people manage.
func isUsual(unit string) bool {
	return slices.ContainsFunc([]string{".service", ".timer", ".socket", ".path"},
		func(s string) bool { return strings.HasSuffix(canonical(unit), s) })
}

// grown says whether a unit starts at boot, or is other than its vendor's preset.
func grown(h host.Reader, u Unit, preset string) bool {
	switch u.FileState {
	case "enabled":
		return true
	case "masked", "masked-runtime": // and not by its vendor, or as the alias of another one
		to, err := h.Readlink(maskDir(u.FileState != "masked") + u.ID)
		return err == nil && to == "/dev/null"
	case "disabled":
		return preset == "enabled" || u.Running() && !strings.Contains(u.ID, "@")
	}
	return false
}

// presetsOf is what the vendor wants of each unit that does not start at boot.
func presetsOf(ctx context.Context, h host.Reader, units []Unit) map[string]string {
	args := systemctl{}.args("show", "--no-pager", "--property=Id,UnitFilePreset", "--")
	n := len(args)
	for _, u := range units {
		if u.FileState == "disabled" && isUsual(u.ID) && !template(u.ID) {
			args = append(args, u.ID)
		}
	}
	presets := map[string]string{}
	if len(args) == n || h.Root() != "/" {
		return presets
	}
	out, err := h.Query(ctx, host.Cmd{Args: args})
	if err != nil {
		return presets
	}
	for stanza := range strings.SplitSeq(string(out.Stdout), "\n\n") {
		unit := ""
		for line := range strings.Lines(stanza) {
			key, val, _ := strings.Cut(strings.TrimSpace(line), "=")
			switch key {
			case "Id":
				unit = val
			case "UnitFilePreset":
				presets[unit] = val
			}
		}
	}
	return presets
}

// tell tells of a unit by the first state that holds.
func tell(ctx context.Context, l *modules.Look, u Unit) (err error) {
	unit, s := u.ID, &sight{now: u}
	if !template(unit) {
		s, err = look(ctx, l.Env, l.Host, unit)
	}
	if err != nil || s.now.ID != unit && s.now.ID != "" && len(l.Names) == 0 { // another one's alias
		return err
	}
	id := short(unit)
	up := s.now.Running() && l.Host.Root() == "/" && !template(unit)
	switch {
	case s.now.Masked() && !grown(l.Host, s.now, ""):
		l.Remark(id, "%s is masked by its vendor", unit)
	case s.now.Masked():
		l.Tell(id, "service.masked").SetIf(s.now.FileState == "masked-runtime", "runtime", true)
	case up:
		t := l.Tell(id, "service.running")
		t.SetIf(s.now.FileState == "enabled", "enable", true).SetIf(s.now.FileState == "disabled", "enable", false)
		if l.Holds(ctx, t) == nil {
			return nil
		}
		l.Things = l.Things[:len(l.Things)-1]
		l.Remark(id, "%s is %s, and no state of service keeps it so", unit, s.now.Active)
	case s.now.FileState == "enabled":
		l.Tell(id, "service.enabled")
	case s.now.FileState == "disabled" && (template(unit) || l.Host.Root() != "/"):
		l.Tell(id, "service.disabled")
	case s.now.FileState == "disabled":
		l.Tell(id, "service.dead", "enable", false)
	case !template(unit) && l.Host.Root() == "/":
		l.Tell(id, "service.dead")
	default:
		l.Remark(id, "%s is %s: it neither starts at boot by itself nor can be kept from it", unit, s.now.FileState)
	}
	return nil
}
