package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/run"
)

func statusCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "status", Usage: "show the last run, what is still owed, and who runs now", Category: catLook,
		UsageText: "gostate status\n\nExample:\n  gostate status --out json",
		Action: func(c *cli.Context) error {
			s, err := session.Look(&p.Process, cachedOptions(c))
			if err != nil {
				return err
			}
			st, err := s.Status()
			if err != nil {
				return err
			}
			v, err := valueOf(statusData(st))
			if err != nil {
				return err
			}
			return p.printEither(c, statusText(st, session.Width(p.Out)), v)
		},
	}
}

// statusOf is a Status as programs read it.
type statusOf struct {
	Last    *history.Run    `json:"last"`
	Running *holderOf       `json:"running"`
	Owed    []owedOf        `json:"owed"`
	Never   []history.State `json:"never_converging"`
}

type holderOf struct {
	PID     int    `json:"pid"`
	Command string `json:"command"`
	// Left says that it is what a killed run has left.
	Left bool `json:"left,omitempty"`
}

type owedOf struct {
	history.Owed
	// Next is when it is tried again; zero: in the next run.
	Next time.Time `json:"next,omitzero"`
}

func statusData(st *session.Status) *statusOf {
	out := &statusOf{Last: st.Last, Owed: []owedOf{}, Never: st.Drifting}
	if st.Drifting == nil {
		out.Never = []history.State{}
	}
	if h := st.Holder; h != nil {
		out.Running = &holderOf{h.PID, h.Command, h.Left}
	}
	for i, o := range session.OwedOf(st.Owed) {
		out.Owed = append(out.Owed, owedOf{o, st.Owed[i].Due()})
	}
	return out
}

func statusText(st *session.Status, width int) string {
	var b strings.Builder
	switch {
	case st.LastErr != nil:
		fmt.Fprintf(&b, "last run: %v\n", st.LastErr)
	case st.Last == nil:
		b.WriteString("last run: none has left a report\n")
	default:
		b.WriteString("last run: " + runLine(st.Last, max(0, width-len("last run: "))))
	}
	b.WriteString("running now: " + holderText(st.Holder) + "\n")
	if len(st.Owed) == 0 {
		b.WriteString("owed: nothing\n")
	}
	for i := range st.Owed {
		b.WriteString("owed: " + owedText(&st.Owed[i]) + "\n")
	}
	for i := range st.Drifting {
		s := &st.Drifting[i]
		fmt.Fprintf(&b, "never converging: %s was corrected in %d runs running\n", s.Label(), s.Corrected)
	}
	return b.String()
}

func holderText(h *host.Held) string {
	switch {
	case h == nil:
		return "nothing"
	case h.Left:
		return fmt.Sprintf("pid %d, a command of a run that was killed: %s", h.PID, h.Command)
	}
	return fmt.Sprintf("pid %d: %s", h.PID, h.Command)
}

// owedText says what a state owes, since when and why, how often it was tried, and when it is tried again.
func owedText(d *run.Debt) string {
	part := strings.Split(d.Tag, "_|-")
	who := d.Tag
	if len(part) == 4 {
		who = part[0] + "." + part[3] + " " + part[1]
	}
	text := fmt.Sprintf("%s, since %s, as %s changed", who, d.Since.Local().Format(clock), d.Cause)
	if d.Held != "" {
		text += "; held back by " + d.Held
	}
	if d.Tries > 0 {
		text += fmt.Sprintf("; failed %d times, last at %s", d.Tries, d.Tried.Local().Format(clock))
	}
	if due := d.Due(); due.After(time.Now()) {
		return text + "; tried again after " + due.Local().Format(clock)
	}
	return text + "; tried in the next run"
}
