package pkg

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// parseList reads `dnf list`: "name.arch version repository", a long row on two lines or three.
func (d *dnf) parseList(text string) map[string]Offer {
	offers := map[string]Offer{}
	var row []string
	for line := range strings.Lines(text) {
		lower := strings.ToLower(strings.TrimSpace(line))
		if strings.HasSuffix(lower, "packages") || strings.Contains(lower, "metadata expiration") {
			row = nil
			continue
		}
		if row = append(row, strings.Fields(line)...); len(row) < 3 {
			continue
		}
		i := strings.LastIndexByte(row[0], '.')
		if i < 0 {
			i = len(row[0])
		}
		name := d.name(row[0][:i], strings.TrimPrefix(row[0][i:], "."))
		offers[name] = offers[name].with(strings.TrimSuffix(row[1], "-"), d.Compare)
		row = nil
	}
	return offers
}

// parseTransaction reads the table of a transaction: what is done at the margin, below it rows of "name arch version
// repository size", one space before them, those with a long column on several lines, and packages that are replaced.
func (d *dnf) parseTransaction(text string) []Step {
	var steps []Step
	verb, row := "", []string(nil)
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
		case line[0] != ' ' && strings.HasSuffix(line, ":"):
			verb = strings.TrimSuffix(f[0], ":")
		case line[0] != ' ' && strings.HasPrefix(line, "Transaction"):
			return steps
		case verb == "" || line[0] != ' ':
		case f[0] == "replacing" && len(f) > 2:
			i := max(strings.LastIndexByte(f[1], '.'), 0)
			steps = append(steps, Step{Name: d.name(f[1][:i], strings.Trim(f[1][i:], ".")), Old: f[2]})
		default:
			if !strings.HasPrefix(line, "  ") {
				row = nil
			}
			whole := len(row) >= 3
			if row = append(row, f...); len(row) >= 3 && !whole {
				steps = append(steps, d.step(verb, row))
			}
		}
	}
	return steps
}

func (d *dnf) name(name, arch string) string { return rpmArches().key(name, arch, d.native) }

// step is a row below a verb: Installing, Upgrading (Updating), Downgrading, Reinstalling, Removing, and the like.
func (d *dnf) step(verb string, row []string) Step {
	s := Step{Name: d.name(row[0], row[1])}
	if verb == "Removing" {
		s.Old = row[2]
	} else {
		s.New, s.Beside = row[2], verb == "Installing"
	}
	return s
}

// dnfReason is why dnf failed, in one line: what it says behind "Error:", without its advice.
func dnfReason(out *host.Output) string {
	var all []string
	found := false
	for line := range strings.Lines(string(out.Stderr) + string(out.Stdout)) {
		text := strings.TrimSpace(line)
		rest, ok := strings.CutPrefix(text, "Error:")
		if found = found || ok; !found || strings.HasPrefix(text, "(try to add") || strings.HasPrefix(text, "You could try") {
			continue
		}
		if text = strings.TrimSpace(rest); !ok {
			text = strings.TrimSpace(line)
		}
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) == 0 {
		return lastLine(out)
	}
	return strings.Join(all, " ")
}
