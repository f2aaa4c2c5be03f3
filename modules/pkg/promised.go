package pkg

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// withStatus runs a command of apt on the database that it is given: in a file that is gone with the next boot, as apt
// reads no pipe.
const withStatus = `f=$(mktemp -p /dev/shm 2>/dev/null || mktemp) && trap 'rm -f "$f"' EXIT && cat >"$f" && apt=$1 && shift && "$apt" -o Dir::State::status="$f" "$@"`

// promised is dpkg's status file as it would be after what was promised, so that apt itself says what comes of it.
func (a *apt) promised(ctx context.Context, h host.Reader, db *Database) ([]byte, error) {
	text, err := h.ReadFile(a.status())
	if err != nil {
		return nil, fmt.Errorf("read the package database: %w", err)
	}
	var out strings.Builder
	for stanza := range strings.SplitSeq(string(text), "\n\n") {
		if ps, _ := parseStatus(strings.NewReader(stanza)); len(ps) == 1 {
			out.WriteString(restate(db, dpkgArches().key(ps[0].Name, ps[0].Arch, db.Native), stanza))
		}
	}
	fresh, err := a.controls(ctx, h, db)
	return []byte(out.String() + fresh), err
}

// restate is the entry of a package with its status as it was promised, "" where the package goes or becomes another.
func restate(db *Database, name, stanza string) string {
	now, was := db.packages[name], db.base.packages[name]
	switch {
	case now == was:
	case now.State == "not-installed", now.Version != was.Version:
		return ""
	default:
		stanza = regexp.MustCompile(`(?m)^Status: .*$`).ReplaceAllString(stanza, now.status())
	}
	return strings.TrimSpace(stanza) + "\n\n"
}

func (p *Package) status() string { return "Status: " + p.Want + " ok " + p.State }

// controls are entries of the packages that come in another version than they have, as the sources or their files
// describe them.
func (a *apt) controls(ctx context.Context, h host.Reader, db *Database) (string, error) {
	known, ask := map[string]string{}, []string{}
	for _, p := range db.fresh() {
		if known[p.Name] = p.control; p.control == "" {
			known[p.Name] = "Package: " + p.Name + "\nArchitecture: all\nVersion: " + p.Version
			ask = append(ask, p.Name+"="+p.Version)
		}
	}
	if len(ask) > 0 {
		out, err := h.Query(ctx, host.Cmd{Args: append(append([]string{"apt-cache"}, readOnly()...),
			append([]string{"show", "--"}, ask...)...), Env: environ()})
		if err != nil {
			return "", fmt.Errorf("ask apt what comes: %w", err)
		}
		for stanza := range strings.SplitSeq(string(out.Stdout), "\n\n") {
			if ps, _ := parseStatus(strings.NewReader(stanza)); len(ps) == 1 {
				known[dpkgArches().key(ps[0].Name, ps[0].Arch, db.Native)] = stanza
			}
		}
	}
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(known)) {
		all.WriteString(db.packages[name].status() + "\n" + strings.TrimSpace(known[name]) + "\n\n")
	}
	return all.String(), nil
}

// fresh are the packages that are promised in a version that is not there.
func (d *Database) fresh() (out []*Package) {
	for _, p := range d.All() {
		if was := d.base.packages[p.Name]; p != was && p.Installed() && (was == nil || was.Version != p.Version) {
			out = append(out, p)
		}
	}
	return out
}
