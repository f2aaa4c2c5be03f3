//go:build linux

package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

// Inside is what a program in a rehearsal has to do with.
type Inside struct {
	client
	stage stage
	seeds map[string]string // how the files that were there by themselves were at the beginning

	noteMu sync.Mutex // guards all below
	notes  []string
	noted  map[string]bool
}

// Entered gives the rehearsal that this program runs in, nil when it runs in none.
func Entered() (*Inside, error) {
	text := os.Getenv(planVariable)
	if text == "" {
		return nil, nil
	}
	hide()
	in := &Inside{noted: map[string]bool{}, seeds: map[string]string{}}
	if err := json.Unmarshal([]byte(text), &in.stage); err != nil {
		return nil, fmt.Errorf("read what this rehearsal has: %w", err)
	}
	if err := os.Unsetenv(planVariable); err != nil {
		return nil, err
	}
	for fd := serverFD; fd < serverFD+1+2*len(in.stage.Layers)+len(in.stage.Sockets); fd++ {
		unix.CloseOnExec(fd)
	}
	for _, p := range in.stage.Seeds {
		in.seeds[p] = print(p)
	}
	for _, p := range in.stage.Bound {
		in.note("the file system on " + p + " could not be overlaid: it is read-only here")
	}
	in.wire = newWire(os.NewFile(serverFD, "server"))
	in.stop = func() { in.wire.file.Close() }
	return in, in.wire.ready()
}

// note says something that a run would do and a rehearsal does not.
func (in *Inside) note(text string) {
	in.noteMu.Lock()
	defer in.noteMu.Unlock()
	if !in.noted[text] {
		in.noted[text] = true
		in.notes = append(in.notes, text)
	}
}

// Notes are what could not be rehearsed, in the order in which it came up.
func (in *Inside) Notes() []string {
	in.noteMu.Lock()
	defer in.noteMu.Unlock()
	return slices.Clone(in.notes)
}

// run runs a command of the view and notes what it wanted outside.
func (in *Inside) run(ctx context.Context, c host.Cmd) (*host.Output, error) {
	out, reached, err := in.client.Run(ctx, c)
	if reached != "" && c.Users {
		in.note(fmt.Sprintf("%q asked for %s, which a rehearsal has not", line(c), reached))
	}
	return out, err
}

// downloads are the words by which package managers only fetch what they would install.
func downloads(c host.Cmd) (word string, ok bool) {
	if len(c.Args) == 0 || c.Shell != "" {
		return "", false
	}
	switch filepath.Base(c.Args[0]) {
	case "apt-get", "apt", "zypper":
		return "--download-only", true
	case "dnf", "yum", "dnf5":
		return "--downloadonly", true
	}
	return "", false
}

// refreshes says whether a package manager only reads what repositories offer, which runs nothing of them.
func refreshes(c host.Cmd) bool {
	verbs := []string{"update", "refresh", "makecache", "check-update"}
	return !slices.Contains(c.Args, "install") && slices.ContainsFunc(c.Args,
		func(w string) bool { return slices.Contains(verbs, w) })
}

// fetch lets a package manager fetch what it will need, with the network. done says that there is nothing more to run.
func (in *Inside) fetch(ctx context.Context, machine host.Host, c host.Cmd) (out *host.Output, done bool, err error) {
	word, ok := downloads(c)
	switch {
	case !ok:
		return nil, false, nil
	case refreshes(c) || slices.Contains(c.Args, word):
		out, err = machine.Run(ctx, c)
		return out, true, err
	}
	only := c
	only.Args = append([]string{c.Args[0], word}, c.Args[1:]...)
	out, err = machine.Run(ctx, only)
	return out, err != nil || out.Code != 0, err
}

var errOutside = errors.New("a rehearsal reaches nothing outside")
