package locale

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "locale", Doc: "The machine's locale, and the locales that are generated.",
		Left: "Locales that /etc/locale.gen does not name: C and POSIX are there anyway.", Rank: 70, Describe: describe}
}

func describe(ctx context.Context, l *modules.Look) error {
	lines, err := modules.ReadLines(l.Host, generated)
	if err != nil {
		return err
	}
	for _, line := range lines {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || strings.HasPrefix(name, "#") || !l.Wants(true, name) {
			continue
		}
		if there, err := (&Present{Name: name}).there(ctx, l.Host); err != nil || !there {
			l.Remark(name, "/etc/locale.gen names %s, and it is not generated", name)
			continue
		}
		l.Tell(name, "locale.present")
	}
	if lines, err = modules.ReadLines(l.Host, file(l.Host)); err != nil {
		return err
	}
	for _, line := range lines {
		name, ok := strings.CutPrefix(strings.NewReplacer(`"`, "", "'", "").Replace(strings.TrimSpace(line)), "LANG=")
		if ok && l.Wants(true, name, "system") {
			l.Tell("locale of the system", "locale.system").Called(name)
			break
		}
	}
	for _, n := range l.Absent() {
		l.Lack(n, "")
	}
	return nil
}
