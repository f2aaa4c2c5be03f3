package session

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

// SaltOptions are those that Salt's command line has.
type SaltOptions struct {
	OutIndent *int // of json, yaml and pprint; nil for their own
	// LocalConfig is a file read over the configuration, TopFile one in the place of its top file.
	LocalConfig, TopFile string
	// ModuleDirs and StatesDir are more directories of modules of the tree's own.
	ModuleDirs []string
	StatesDir  string
	// Concurrent runs without the lock, Mock calls no state function, OutputDiff shows only what changed.
	Concurrent, Mock, OutputDiff bool
	// LogFile gets the log, too, from LogFileLevel on.
	LogFile, LogFileLevel string
}

// configure reads the configuration and what the command line puts over it.
func (s *Session) configure(root string) (*config.Config, error) {
	if r := s.process.Remote; r != nil {
		return config.Given(root, s.opts.ConfigDir, r.Config)
	}
	c, err := config.Read(root, s.opts.ConfigDir, s.opts.ConfigDirSet)
	if err != nil {
		return nil, err
	}
	if salts := c.Salts(); salts != "" && !s.opts.ConfigDirSet && s.process.SaltCall {
		if c, err = config.Read(root, salts, true); err != nil {
			return nil, err
		}
	}
	return c, c.Add(s.opts.LocalConfig, s.opts.ModuleDirs, s.opts.StatesDir)
}

// tellUnheeded warns of a Salt minion's configuration that is not read, and of its keys that say nothing here.
func (s *Session) tellUnheeded() {
	if salts := s.config.Salts(); salts != "" && !s.opts.ConfigDirSet && len(s.opts.FileRoots) == 0 {
		s.warn("there is no configuration in "+s.config.Dir+", and Salt's in "+salts+" is not read",
			"gostate -c "+salts+" ... reads it, as GOSTATE_CONFIG_DIR="+salts+" does")
	}
	var l diag.List
	for _, u := range s.config.Unheeded() {
		l.Add(diag.Warnf(s.config.Pos(u.Key), "the key %s does nothing: %s", u.Key, u.Why))
	}
	for _, dir := range missing(s.opts.PillarRoots) { // a tree needs no pillar
		l.Add(diag.Warnf(diag.Pos{File: dir}, "--pillar-root is no directory: nothing is read from it"))
	}
	if len(l.All) > 0 {
		s.Show(&l)
	}
}

// noDirs is the error of roots on the command line that are no directories. Salt differs: it finds nothing in them.
func noDirs(o Options) error {
	var l diag.List
	for _, dir := range missing(o.FileRoots) {
		l.Add(diag.Errorf(diag.Pos{File: dir}, "--file-root is no directory"))
	}
	return l.Err()
}

// missing are those that are no directories.
func missing(dirs []string) (out []string) {
	for _, dir := range dirs {
		if i, err := os.Stat(dir); err != nil || !i.IsDir() {
			out = append(out, dir)
		}
	}
	return out
}

// openLog opens the file that the log goes to, too.
func (s *Session) openLog() error {
	if s.opts.LogFile == "" {
		return nil
	}
	file, err := os.OpenFile(s.opts.LogFile, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o640)
	if err != nil {
		return fmt.Errorf("write the log: %w", err)
	}
	s.logFile = file // until the program ends
	return nil
}

// logTo writes a line of the log as Salt's files have them.
func (s *Session) logTo(w io.Writer, level, msg string) {
	now := strings.Replace(time.Now().Format("2006-01-02 15:04:05.000"), ".", ",", 1)
	fmt.Fprintf(w, "%s [gostate][%-8s][%d] %s\n", now, strings.ToUpper(level), os.Getpid(), msg)
}

// mocked stands for any state function, and does nothing.
type mocked struct{}

func (mocked) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Settled("Not called, mocked"), nil
}

// mock puts mocked functions in the place of all.
func mock(bound []modules.StateFunc) {
	for i := range bound {
		bound[i] = mocked{}
	}
}
