package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gostate/gostate/state/host/view"
)

// scriptUser is the environment variable that makes gostate in a script give up root for this user before anything
// else.
const scriptUser = "SCRIPT_USER"

// asUser gives up root as the environment asks. Where the test does not run as root, it is nobody special already.
func asUser() {
	uid, err := strconv.Atoi(os.Getenv(scriptUser))
	if err != nil || os.Geteuid() != 0 {
		return
	}
	for _, err := range []error{syscall.Setgroups(nil), syscall.Setgid(uid), syscall.Setuid(uid)} {
		if err != nil {
			panic(err)
		}
	}
}

// scriptCommands are what scripts know besides testscript's own commands.
func scriptCommands() map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"mkbytes": mkbytes, "code": code, "waitfile": waitfile, "smalldisk": smalldisk, "giveaway": giveaway,
	}
}

// mkbytes FILE TEXT... writes the texts, with Go's escapes (\xff, \r, \n), to a file.
func mkbytes(ts *testscript.TestScript, _ bool, args []string) {
	text := ""
	for _, a := range args[1:] {
		s, err := strconv.Unquote(`"` + strings.ReplaceAll(a, `"`, `\"`) + `"`)
		ts.Check(err)
		text += s
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// code N PROGRAM ARGUMENT... runs a program that must end with the exit code N.
func code(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	default:
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\n%s", got, want, ts.ReadFile("stderr"))
	}
}

// waitfile FILE [TEXT] waits until the file is there, and has the text, a minute at most.
func waitfile(ts *testscript.TestScript, _ bool, args []string) {
	want := strings.Join(args[1:], " ")
	for range 6000 {
		_, err := os.Lstat(ts.MkAbs(args[0]))
		text, _ := os.ReadFile(ts.MkAbs(args[0]))
		if err == nil && strings.Contains(string(text), want) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s did not appear", args[0])
}

// scriptCondition knows the conditions of scripts: [mount], file systems can be mounted here; [view], there can be a
// view.
func scriptCondition(cond string) (bool, error) {
	switch cond {
	case "view":
		v, err := view.Open(context.Background())
		if err != nil {
			return false, nil
		}
		return true, v.Close()
	case "python3", "gpg":
		_, err := exec.LookPath(cond)
		return err == nil, nil
	case "mount":
	default:
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	dir, err := os.MkdirTemp("", "mount")
	if err != nil {
		return false, err
	}
	defer os.Remove(dir)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		return false, nil
	}
	return true, syscall.Unmount(dir, 0)
}

// smalldisk DIR KILOBYTES puts a file system of that size on a directory until the script ends.
func smalldisk(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+args[1]+"k"))
	ts.Defer(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// giveaway FILE... gives files to the user that SCRIPT_USER names; without root they are the user's already.
func giveaway(ts *testscript.TestScript, _ bool, args []string) {
	uid, err := strconv.Atoi(ts.Getenv(scriptUser))
	ts.Check(err)
	if os.Geteuid() != 0 {
		return
	}
	for _, a := range args {
		ts.Check(os.Lchown(ts.MkAbs(a), uid, uid))
	}
}
