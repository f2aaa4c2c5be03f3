package timezone

import (
	"context"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "timezone", Doc: "The machine's time zone, and whether its hardware clock runs in UTC.",
		Left: "Nothing.", Rank: 60, Describe: describe}
}

func describe(ctx context.Context, l *modules.Look) error {
	to, err := l.Host.Readlink(localtime)
	if err == nil && !path.IsAbs(to) {
		to = path.Join("/etc", to)
	}
	zone, ok := strings.CutPrefix(path.Clean(to), zones)
	switch {
	case !ok:
		l.Remark("timezone", "%s is no link to a zone of %s, so that its name is not known", localtime, zones)
	case l.Wants(true, zone):
		lines, err := modules.ReadLines(l.Host, adjtime)
		if err != nil {
			return err
		}
		local := len(lines) > 2 && lines[2] == "LOCAL"
		t := l.Tell("timezone", "timezone.system", "utc", !local).Called(zone)
		if err := l.Holds(ctx, t); err != nil {
			l.Things = l.Things[:len(l.Things)-1]
			l.Remark("timezone", "%s says %s, and %s something else: %v", localtime, zone, named, err)
		}
	}
	for _, n := range l.Absent() {
		l.Lack(n, "")
	}
	return nil
}
