package disk

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Status watches how full a file system is.
type Status struct {
	Name     string `arg:"name,required,path" doc:"Where it is mounted, or a directory of it."`
	Maximum  string `arg:"maximum" doc:"The most that may be used, in percent, or in kilobytes with absolute."`
	Minimum  string `arg:"minimum" doc:"The least that has to be used."`
	Absolute bool   `arg:"absolute" doc:"Counts kilobytes."`
	Free     bool   `arg:"free" doc:"Counts what is free."`
}

func statusSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "disk.status", Doc: "Fails where a file system is too full, or too empty. It changes nothing.",
		Example: "/:\n  disk.status:\n    - maximum: 90", New: func() modules.StateFunc { return &Status{} },
	}
}

// limit reads a number with its unit; ok is false where there is none.
func (s *Status) limit(text string) (n float64, ok bool, err error) {
	if text == "" {
		return 0, false, nil
	}
	unit := "% "
	if s.Absolute {
		unit = "KB "
	}
	i, err := strconv.Atoi(strings.Trim(text, unit))
	if err == nil && !s.Absolute && (i < 0 || i > 100) {
		return 0, false, fmt.Errorf("must be in the range [0, 100]")
	} else if err != nil {
		return 0, false, fmt.Errorf("must be an integer")
	}
	return float64(i), true, nil
}

// Validate refuses limits that cannot be.
func (s *Status) Validate() []modules.Fault {
	var out []modules.Fault
	most, hasMost, err := s.limit(s.Maximum)
	if err != nil {
		out = append(out, modules.Fault{Arg: "maximum", Msg: "maximum " + err.Error()})
	}
	least, hasLeast, err := s.limit(s.Minimum)
	if err != nil {
		out = append(out, modules.Fault{Arg: "minimum", Msg: "minimum " + err.Error()})
	}
	if hasMost && hasLeast && least >= most {
		out = append(out, modules.Fault{Arg: "minimum", Msg: "minimum must be less than maximum"})
	}
	return out
}

// Act looks. As in Salt it makes no difference whether it is a preview.
func (s *Status) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	used, free, err := s.space(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	what, have, unit := "used", used, "%"
	if s.Free {
		what, have = "available", free
	}
	if s.Absolute {
		unit = "KB"
	}
	fault := func(side string, limit float64) (state.Effect, error) {
		return state.Effect{}, fmt.Errorf("Disk %s space is %s of %v %s at %v %s", what, side, limit, unit, plain(have),
			unit) //nolint:staticcheck // Salt's words
	}
	if least, ok, _ := s.limit(s.Minimum); ok && have < least {
		return fault("below minimum", least)
	}
	if most, ok, _ := s.limit(s.Maximum); ok && have > most {
		return fault("above maximum", most)
	}
	return state.Settled("Disk used space in acceptable range"), nil
}

// plain is a number without an exponent.
func plain(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// space is what is used and what is free: of a mount as df counts it, of a directory of all that there is.
func (s *Status) space(ctx context.Context, h host.Reader) (used, free float64, err error) {
	i, err := h.Stat(s.Name)
	if err != nil || !i.IsDir() {
		if host.IsUnknown(err) {
			return 0, 0, err
		}
		return 0, 0, host.Missing("Disk mount %s not present. Directory %s does not exist or is not a directory", s.Name,
			s.Name)
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"df", "-P", s.Name}, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return 0, 0, fmt.Errorf("run df: %w", err)
	}
	rows := lines(out)
	if len(rows) == 0 {
		return 0, 0, modules.Complaint("df", out)
	}
	var n [3]float64 // all, used, free
	for i := range n {
		n[i], _ = strconv.ParseFloat(rows[0][i+1], 64)
	}
	share := func(part float64) float64 { return math.Round(part/max(n[0], 1)*1000) / 10 }
	switch mounted := rows[0][5] == s.Name; {
	case s.Absolute && mounted:
		return n[1], n[2], nil
	case s.Absolute:
		return n[0] - n[2], n[2], nil
	case mounted:
		used, err = strconv.ParseFloat(strings.TrimSuffix(rows[0][4], "%"), 64)
		return used, 100 - used, err
	}
	return share(n[0] - n[2]), share(n[2]), nil
}
