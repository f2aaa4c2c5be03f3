package alias

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "alias", ByName: true, Doc: "Mail aliases of /etc/aliases.", Left: "Nothing.",
		Rank:     115,
		Describe: describe}
}

func describe(_ context.Context, l *modules.Look) error {
	t, err := open(l.Env, l.Host)
	if err != nil {
		return err
	}
	told := map[string]bool{}
	for i, line := range t.lines {
		name := strings.Trim(line.name, `"`)
		if name == "" || told[name] || !l.Wants(true, name) {
			continue
		}
		told[name] = true
		thing := l.Tell(name, "alias.present", "target", t.get(name))
		if i+1 < len(t.lines) && strings.TrimLeft(t.lines[i+1].raw, " \t") != t.lines[i+1].raw {
			thing.Note("it goes on in lines below, which the state keeps where they are")
		}
	}
	for _, n := range l.Absent() {
		l.Lack(n, "alias.absent")
	}
	return nil
}
