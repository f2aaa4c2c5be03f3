package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/view"
)

func TestMain(m *testing.M) {
	host.Begin()
	view.Begin()
	program := func() {
		asUser()
		main()
	}
	testscript.Main(m, map[string]func(){"gostate": program, "salt-call": program})
}

// TestScripts runs testdata/script/*.txtar: what a user types, and what the program answers. In a script, gostate finds
// its state tree in salt/ and pillar/ of the script's folder and works on the tree root/, as its environment says.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("..", "..", "testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds:                scriptCommands(),
		Condition:           scriptCondition,
		Setup:               scriptSetup,
	})
}

// scriptSetup makes the folders and the configuration of a script.
func scriptSetup(e *testscript.Env) error {
	// Scripts that give up root still read the tree.
	for _, d := range []string{e.WorkDir, filepath.Dir(e.WorkDir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			return err
		}
	}
	e.Setenv("GOSTATE_CONFIG_DIR", filepath.Join(e.WorkDir, "etc"))
	e.Setenv("GOSTATE_STATE_DIR", filepath.Join(e.WorkDir, "state"))
	e.Setenv("NO_COLOR", "1")
	for _, d := range []string{"etc", "salt", "pillar", "root"} {
		if err := os.MkdirAll(filepath.Join(e.WorkDir, d), 0o755); err != nil {
			return err
		}
	}
	if _, err := os.Stat(filepath.Join(e.WorkDir, "etc", "minion")); err == nil {
		return nil // the script brings its own
	}
	conf := "id: web1\nfile_roots: {base: ['" + filepath.Join(e.WorkDir, "salt") + "']}\n" +
		"pillar_roots: {base: ['" + filepath.Join(e.WorkDir, "pillar") + "']}\n"
	return os.WriteFile(filepath.Join(e.WorkDir, "etc", "minion"), []byte(conf), 0o644)
}
