// Command jinjaloop renders a template many times, with the memory settings of gostate: the counterpart of
// jinjaloop.py.
//
//	jinjaloop text|lines|parse N FILE
//
// text renders as for file.managed, lines as for an SLS: with the places of its lines; parse is lines with the parsing.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

func main() {
	debug.SetGCPercent(400)
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(mode, times, file string) error {
	n, err := strconv.Atoi(times)
	if err != nil {
		return err
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	vars := value.DictOf("settings", value.DictOf("port", value.Int(80), "user", value.Str("www")))
	var tmpl *jinja.Template
	for i := range n {
		if i == 0 || mode == "parse" {
			if tmpl, err = jinja.New(jinja.Config{}).Parse("loop", file, src); err != nil {
				return err
			}
		}
		if mode == "text" {
			_, err = tmpl.Text(context.Background(), vars)
		} else {
			_, err = tmpl.Render(context.Background(), vars)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
