package session

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// checkTemplate has lint render the template of a file, on an overlay that is thrown away, and reports what is wrong
// with it at its place in the real file.
func (s *Session) checkTemplate(l *state.Low, f modules.StateFunc, all *diag.List) {
	user, ok := f.(modules.SourceUser)
	if s.unjudged == nil || !ok || l.Module != "file" || l.Args == nil || !isText(l.Args, "template", "jinja") {
		return
	}
	for _, use := range user.UsesSources() {
		for _, src := range use.Any {
			if use.Dir || !strings.HasPrefix(src, "salt://") {
				return
			}
		}
	}
	h := host.NewOverlay(s.machine)
	env := s.env(h)
	env.Low = l
	_, err := f.Act(context.Background(), env, h)
	var d *diag.Diagnostic
	if !errors.As(err, &d) || !strings.HasPrefix(d.Pos.File, "salt://") {
		return
	}
	found := *d
	path, _, _ := strings.Cut(strings.TrimPrefix(d.Pos.File, "salt://"), "?")
	if file, err := s.roots.Find(l.SourceEnv(), path); err == nil {
		found.Pos.File = file.Abs
		found.Pos.Col = columnOf(found)
	}
	found.Related = append(found.Related, diag.Related{Pos: l.Pos, Msg: "the state that renders it"})
	if s.lenient() || mayBeHeld(l) {
		found.Severity = diag.Warning
	}
	all.Add(&found)
}

func isText(args *value.Dict, key, want string) bool {
	v, _ := args.GetStr(key)
	text, ok := v.(value.Str)
	return ok && string(text) == want
}

// columnOf is where the first word that a message quotes stands in the line, as long as it stands there once.
func columnOf(d diag.Diagnostic) int {
	parts := strings.SplitN(d.Msg, "'", 3)
	text, err := os.ReadFile(d.Pos.File)
	if d.Pos.Col > 0 || err != nil || len(parts) < 3 {
		return d.Pos.Col
	}
	lines := strings.Split(string(text), "\n")
	if d.Pos.Line < 1 || d.Pos.Line > len(lines) || strings.Count(lines[d.Pos.Line-1], parts[1]) != 1 {
		return 0
	}
	return len([]rune(lines[d.Pos.Line-1][:strings.Index(lines[d.Pos.Line-1], parts[1])])) + 1
}
