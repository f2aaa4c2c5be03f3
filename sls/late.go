package sls

import (
	"context"
)

// late takes what the late files declare.
func (l *loader) late(ctx context.Context) {
	byName := map[envSLS]*file{}
	for _, f := range l.files {
		if f.isLate {
			byName[envSLS{f.env, f.name}] = f
		}
	}
	if len(byName) == 0 {
		return
	}
	decls, faults := l.cfg.Late(ctx)
	l.diags.Add(faults.All...)
	for _, d := range decls {
		if f := byName[envSLS{d.Env, d.SLS}]; f != nil {
			f.add(d)
		}
	}
}
