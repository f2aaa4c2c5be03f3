package pkgrepo

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "pkgrepo", Other: []string{"repository", "repo"},
		Doc: "Sources of packages: lines of apt's lists; files of other formats and of other package managers as a " +
			"whole.",
		Left: "Lines that are commented out, but with --system.",
		Rank: 5, Describe: describe}
}

// whole are files of sources that no state reads.
func whole() []string {
	return []string{"/etc/apt/sources.list.d/*.sources", "/etc/yum.repos.d/*.repo", "/etc/zypp/repos.d/*.repo",
		"/etc/apk/repositories", "/etc/pacman.conf"}
}

func describe(ctx context.Context, l *modules.Look) error {
	all, err := lists(l.Host)
	if err != nil {
		return err
	}
	var keys []string
	for _, file := range all {
		for _, line := range file.lines {
			s, ok := parse(line)
			if !ok || !l.Wants(!s.disabled, s.uri, line, file.path, hostOf(s.uri)) {
				continue
			}
			if key := s.option("signed-by"); strings.HasPrefix(key, "/etc/") {
				keys = append(keys, key)
			}
			tell(ctx, l, s, file.path)
		}
	}
	if err := wholeFiles(ctx, l, keys); err != nil {
		return err
	}
	for _, n := range l.Absent() {
		l.Lack(n, "")
	}
	return nil
}

// tell tells of a line of apt's.
func tell(ctx context.Context, l *modules.Look, s source, file string) {
	on := s
	on.disabled, on.comment = false, ""
	t := l.Tell(on.String(), "pkgrepo.managed", "file", file).SetIf(s.disabled, "disabled", true)
	t.SetIf(s.comment != "", "comments", []string{s.comment})
	if l.Holds(ctx, t) != nil {
		l.Things = l.Things[:len(l.Things)-1]
		l.Remark(t.ID, "%s says: %s; another line is about the same source", file, s)
	}
}

// wholeFiles tells of keys, before the lines that need them, and of sources that are files as a whole.
func wholeFiles(ctx context.Context, l *modules.Look, names []string) error {
	for _, pattern := range whole() {
		for _, n := range modules.Glob(l.Host, pattern) {
			if l.Wants(true, n) {
				names = append(names, n)
			}
		}
	}
	if len(names) == 0 {
		return nil
	}
	things, err := l.Kinds(ctx, "file", names)
	l.Things = append(things, l.Things...)
	return err
}
