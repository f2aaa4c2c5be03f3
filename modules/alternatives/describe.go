package alternatives

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "alternatives", ByName: true, Other: []string{"alternative"},
		Doc:  "Names of update-alternatives for which somebody chose.",
		Left: "Names in automatic mode: packages choose for them.", Rank: 80, Describe: describe}
}

func describe(_ context.Context, l *modules.Look) error {
	told := map[string]bool{}
	for _, dir := range []string{"/var/lib/alternatives", "/var/lib/dpkg/alternatives"} {
		files, err := l.Host.ReadDir(dir)
		if err != nil && !modules.Gone(err) {
			return fmt.Errorf("read the alternatives: %w", err)
		}
		for _, f := range files {
			c, err := look(l.Host, f.Path)
			if err != nil {
				return err
			}
			if told[f.Path] || len(c.options) == 0 || !l.Wants(!c.auto, f.Path) {
				continue
			}
			told[f.Path] = true
			if c.auto {
				l.Tell(f.Path, "alternatives.auto").Note("%s is taken", c.current)
				continue
			}
			l.Tell(f.Path, "alternatives.set", "path", c.current)
		}
	}
	for _, n := range l.Absent() {
		l.Lack(n, "")
	}
	return nil
}
