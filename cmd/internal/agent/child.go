package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
)

// Child runs gostate as a process of its own: a run that crashes ends no agent.
type Child struct {
	Program string   // gostate
	Options []string // before its command: --id, --root, --config-dir, --state-dir
	Secrets []string // patterns of this machine's configuration
	Dir     string   // for what is there while it runs; a tmpfs, where there is one
	Wait    time.Duration
}

// The largest output that is read, and what is kept of the messages.
const (
	maxOutput   = 256 << 20
	maxMessages = 64 << 10
)

// Run writes the configuration of the run, whose pillar is readable by its owner alone and removed at the end.
func (c *Child) Run(ctx context.Context, j Job) (Outcome, error) {
	dir := filepath.Join(c.Dir, "run")
	if err := os.RemoveAll(dir); err != nil { // what a killed agent has left
		return Outcome{}, err
	}
	defer os.RemoveAll(dir)
	if err := c.write(dir, j); err != nil {
		return Outcome{}, fmt.Errorf("prepare the run: %w", err)
	}
	words := []string{"--local-config", filepath.Join(dir, "agent.conf"), "--wait", c.Wait.String(), "--out", "json"}
	if len(j.Words) == 0 {
		j.Words = []string{"highstate"}
	}
	out, err := c.start(ctx, append(words, j.Words...)...)
	if err == nil && out.Exit == 1 && strings.Contains(out.Messages, "gostate is already running") {
		err = errors.New("another run holds this machine: " + firstLine(out.Messages))
	}
	return out, err
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// write lays out what the run reads beside the machine's own configuration.
func (c *Child) write(dir string, j Job) error {
	pillar := filepath.Join(dir, "pillar")
	if err := os.MkdirAll(pillar, 0o700); err != nil {
		return err
	}
	envs, err := os.ReadDir(j.Tree)
	if err != nil {
		return err
	}
	roots := map[string][]string{}
	for _, e := range envs {
		roots[e.Name()] = []string{filepath.Join(j.Tree, e.Name())}
	}
	conf, err := json.Marshal(map[string]any{
		"file_roots": roots, "pillar_roots": map[string][]string{"base": {pillar}}, "pillarenv": "base",
		"secrets":    slices.Concat(c.Secrets, j.Sealed.Secrets),
		"ext_pillar": []string{}, "decrypt_pillar": []string{}, // which the operator's gostate has done
	})
	if err != nil {
		return err
	}
	for name, text := range map[string]string{
		"agent.conf": string(conf), "pillar/top.sls": "base: {'*': [pillar]}",
		"pillar/pillar.sls": "#!yaml\n" + j.Sealed.Pillar,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// start runs gostate to its end. When the context ends it is asked to stop, and its running states finish.
func (c *Child) start(ctx context.Context, words ...string) (Outcome, error) {
	cmd := exec.CommandContext(ctx, c.Program, append(slices.Clone(c.Options), words...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a key typed at a terminal is for the agent alone
	cmd.WaitDelay = 5 * time.Minute
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "GOSTATE_FILE_ROOT=") || strings.HasPrefix(kv, "GOSTATE_PILLAR_ROOT=")
	})
	var out bytes.Buffer
	tail := &lastBytes{}
	cmd.Stdout, cmd.Stderr = &bounded{w: &out, left: maxOutput}, tail
	err := cmd.Run()
	var exit *exec.ExitError
	o := Outcome{Output: out.Bytes(), Messages: string(tail.data)}
	switch {
	case errors.As(err, &exit) && exit.Exited():
		o.Exit = exit.ExitCode()
	case errors.As(err, &exit):
		return o, fmt.Errorf("gostate was ended: %s", exit)
	case err != nil:
		return o, fmt.Errorf("gostate cannot be started: %w", err)
	}
	return o, nil
}

// Grains asks gostate for those of the machine.
func (c *Child) Grains(ctx context.Context) (map[string]json.RawMessage, error) {
	o, err := c.start(ctx, "--out", "json", "grains")
	if err != nil || o.Exit != 0 {
		return nil, fmt.Errorf("ask for the grains: %s: %w", firstLine(o.Messages), err)
	}
	var doc struct {
		Local map[string]json.RawMessage
	}
	if err := json.Unmarshal(o.Output, &doc); err != nil {
		return nil, fmt.Errorf("read the grains: %w", err)
	}
	return doc.Local, nil
}

// bounded takes no more than is left.
type bounded struct {
	w    *bytes.Buffer
	left int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("gostate said too much")
	}
	return b.w.Write(p)
}

// lastBytes keeps the end of what is written.
type lastBytes struct{ data []byte }

func (l *lastBytes) Write(p []byte) (int, error) {
	l.data = append(l.data, p...)
	if extra := len(l.data) - maxMessages; extra > 0 {
		l.data = slices.Delete(l.data, 0, extra)
	}
	return len(p), nil
}

var _ Runner = (*Child)(nil)
var _ release.Source = release.Dir{}
