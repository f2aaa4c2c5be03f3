package main

import (
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// templates renders a loop of 2,000 turns beside CPython's Jinja, where that is installed (Debian: python3-jinja2).
// Start-up is taken off: a figure is what 200 further renderings cost.
func (b *bench) templates() error {
	const few, many, runs = 50, 250, 7
	const file = "testdata/bench/jinjaloop/loop.jinja"
	ours := []string{b.dir + "/jinjaloop"}
	sides := [][]string{ours}
	if python := pythonWithJinja(); python != "" {
		sides = append(sides, []string{python, "testdata/bench/jinjaloop/jinjaloop.py"})
	}
	fmt.Println("loop of 2,000 turns in Jinja, for each rendering (goal: rendered 5x faster than CPython's)")
	for _, mode := range []string{"text", "lines", "parse"} {
		var cmds [][]string
		for _, side := range sides {
			for _, n := range []int{few, many} {
				cmds = append(cmds, append(side[:len(side):len(side)], mode, strconv.Itoa(n), file))
			}
		}
		fs, err := measure(runs, cmds...)
		if err != nil {
			return err
		}
		title := map[string]string{"text": "rendered as a file", "lines": "rendered as an SLS",
			"parse": "parsed and rendered as an SLS"}[mode]
		us := (fs[1].cpu - fs[0].cpu) / (many - few)
		fmt.Printf("  %-34s cpu %8.3f ms", title, milliseconds(us))
		if len(sides) > 1 {
			theirs := (fs[3].cpu - fs[2].cpu) / (many - few)
			fmt.Printf("  CPython %8.3f ms, %.2fx as long", milliseconds(theirs), float64(theirs)/float64(us))
		}
		fmt.Println()
	}
	if len(sides) == 1 {
		fmt.Println("  CPython's Jinja is not installed: not compared")
	}
	return nil
}

// pythonWithJinja is a Python that has Jinja, the system's first, "" when there is none.
func pythonWithJinja() string {
	for _, python := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(python, "-c", "import jinja2").Run() == nil {
			return python
		}
	}
	return ""
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
