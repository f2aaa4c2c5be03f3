package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/requisite/draw"
	"github.com/gostate/gostate/state/history"
)

func whyCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "why", Usage: "say why a state ran, was skipped, changed or failed in the last run", Category: catLook,
		ArgsUsage: "ID [REPORT]",
		UsageText: "gostate why ID [REPORT]\n\nREPORT is as in gostate report show: last is the default.\n\nExamples:\n  " +
			"gostate " +
			"why /etc/httpd.conf\n  gostate why apache2 last~1",
		Action: func(c *cli.Context) error {
			if c.NArg() == 0 || c.NArg() > 2 {
				return usagef("why needs the ID of a state\nhint: gostate report show last tells what the last run did")
			}
			r, err := openReports(c, p)
			if err != nil {
				return err
			}
			defer r.Close()
			word := "last"
			if c.NArg() == 2 {
				word = c.Args().Get(1)
			}
			run, err := r.read(word)
			if err != nil {
				return err
			}
			states, err := statesNamed(run, c.Args().First())
			if err != nil {
				return err
			}
			text := ""
			for i, s := range states {
				if i > 0 {
					text += "\n"
				}
				text += whyText(run, s)
			}
			return r.print(text, states)
		},
	}
}

// statesNamed are the states of a run that a word names: an ID, a name, or `module: ID`.
func statesNamed(r *history.Run, word string) ([]*history.State, error) {
	module, target, dotted := strings.Cut(word, ":")
	target = strings.TrimSpace(target)
	var out []*history.State
	var known []string
	for i := range r.States {
		s := &r.States[i]
		known = append(known, s.ID, s.Name)
		own := dotted && (module == s.Fun || strings.HasPrefix(s.Fun, module+".")) && (target == s.ID || target == s.Name)
		if s.ID == word || s.Name == word || own {
			out = append(out, s)
		}
	}
	if out == nil {
		return nil, draw.NotNamed(word, known, "gostate report show "+r.ID+" shows what ran; gostate explain ID tells of a "+
			"state that did not run yet")
	}
	return out, nil
}

// whyText tells of one state.
func whyText(r *history.Run, s *history.State) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", s.Label(), s.Outcome())
	if s.SLS != "" {
		fmt.Fprintf(&b, ", SLS %s", s.SLS)
	}
	if s.Pos != "" {
		fmt.Fprintf(&b, "   [%s]", s.Pos)
	}
	fmt.Fprintf(&b, "\n  in %s (gostate %s), %s\n", r.ID, r.Command, r.Time.Local().Format(clock))
	whyRan(&b, r, s)
	whyChanged(&b, r, s)
	if s.Comment != "" {
		b.WriteString("it said\n" + indented(strings.TrimSpace(s.Comment), "  ") + "\n")
	}
	if s.Result == history.False && s.Cause == nil {
		if n := followersOf(r, s); len(n) > 0 {
			b.WriteString("what failed because of it\n" + indented(strings.Join(n, "\n"), "  ") + "\n")
		}
	}
	return b.String()
}

// whyRan tells what let the state run, or kept it from that.
func whyRan(b *strings.Builder, r *history.Run, s *history.State) {
	list := func(title string, lines []string) {
		b.WriteString(title + "\n")
		if len(lines) > 0 {
			b.WriteString(indented(strings.Join(lines, "\n"), "  ") + "\n")
		}
	}
	switch s.How {
	case history.HowConditional:
		list("did not run: its conditions (onlyif, unless, creates) held it back", nil)
	case history.HowOnchanges:
		list("did not run: nothing of what it has in onchanges changed", requisitesOf(r, s, "onchanges"))
	case history.HowOnfail:
		list("did not run: nothing of what it has in onfail failed", requisitesOf(r, s, "onfail"))
	case history.HowPrereq:
		list("did not run: nothing that it is prereq for would have changed", requisitesOf(r, s, "prereq"))
	case history.HowRequisite:
		list("did not run: a state failed that it depends on", nil)
	case history.HowListened:
		list("was called at the end, for what it listens to changed", labels(r, s.Because))
	case history.HowWatched:
		list("reacted to a change of what it watches", labels(r, s.Because))
	case "":
		if len(s.Because) > 0 {
			list("ran, because these changed", labels(r, s.Because))
		} else if waits := requisitesOf(r, s, ""); len(waits) > 0 {
			list("ran, as what it depends on let it", waits)
		} else {
			list("ran: it depends on nothing", nil)
		}
	default:
		list("did not run: "+s.How, nil)
	}
	if s.Cause != nil {
		list("the cause", whatFailed(r, *s.Cause))
	}
}

// whyChanged tells what changed, and whose doing that was.
func whyChanged(b *strings.Builder, r *history.Run, s *history.State) {
	switch {
	case !s.Changed():
		return
	case s.Class == history.Intentional:
		b.WriteString("changed, since it is declared otherwise than when it was last in order, or is new\n")
	case s.Class == history.Corrective && s.Corrected > 1:
		fmt.Fprintf(b, "changed, though its declaration is the same: the machine was changed, in %d runs running\n",
			s.Corrected)
	case s.Class == history.Corrective:
		b.WriteString("changed, though its declaration is the same: the machine was changed\n")
	default:
		b.WriteString("changed\n")
	}
	for _, p := range s.Altered() {
		propertyText(b, &p)
	}
}

// requisitesOf are the requisites of a kind, all for "", with what became of each.
func requisitesOf(r *history.Run, s *history.State, kind string) (out []string) {
	for _, e := range s.Requires {
		if !strings.HasPrefix(e.Kind, kind) {
			continue
		}
		for _, n := range e.To {
			t := stateOf(r, n)
			if t == nil {
				continue
			}
			if text := e.Kind + ": " + t.Label() + ", " + t.Outcome(); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	return out
}

func stateOf(r *history.Run, n int) *history.State {
	for i := range r.States {
		if s := &r.States[i]; s.N == n && s.How != history.HowListened {
			return s
		}
	}
	return nil
}

func whatFailed(r *history.Run, n int) []string {
	s := stateOf(r, n)
	if s == nil {
		return nil
	}
	first, _, _ := strings.Cut(strings.TrimSpace(s.Comment), "\n")
	return []string{s.Label() + ": " + first}
}

func followersOf(r *history.Run, s *history.State) (out []string) {
	for i := range r.States {
		if c := r.States[i].Cause; c != nil && *c == s.N && r.States[i].N != s.N {
			out = append(out, r.States[i].Label())
		}
	}
	return out
}
