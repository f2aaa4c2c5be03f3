//go:build integration

package integration

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/all"
)

// TestPreviewWritesNothingAtAll previews an example of every state function under strace: neither gostate nor a command
// that it runs changes a file outside of temporary ones and gostate's own, and every command is one that looks.
func TestPreviewWritesNothingAtAll(t *testing.T) {
	m := boot(t, "gs-strace")
	m.offline()
	m.config("strict: false\n") // an example may refer to states that are not part of it
	for name, text := range examples() {
		m.write(map[string]string{name: text})
		m.source(text)
		t.Run(name, func(t *testing.T) {
			m := &machine{t: t, name: m.name, folder: m.folder}
			_, errs, code := m.exec("sh", "-c", "rm -rf /tmp/trace; mkdir /tmp/trace; exec strace -ff -qq -y -s 4096 -o "+
				"/tmp/trace/t -e trace="+traced+
				" /mnt/gostate/gostate --config-dir /mnt/gostate/conf --file-root /mnt/gostate/tree --test --out quiet sls "+name)
			if code != 0 && code != 2 {
				t.Fatalf("exit code %d\n%s", code, errs)
			}
			for _, fault := range readTrace(m.sh("cd /tmp/trace; for f in t.*; do sed \"s/^/${f#t.} /\" $f; done")) {
				t.Error(fault)
			}
		})
	}
}

// TestReadTrace: what writes is found, and what looks, fails, is temporary or happens in a view is not.
func TestReadTrace(t *testing.T) {
	for line, want := range map[string]string{
		`1 openat(AT_FDCWD</>, "/etc/x", O_WRONLY|O_CREAT, 0644) = 3</etc/x>`: "opens for writing: /etc/x",
		`1 openat(AT_FDCWD</>, "/etc/x", O_RDONLY) = 3</etc/x>`:               "",
		`1 openat(AT_FDCWD</>, "/tmp/x", O_RDWR|O_CREAT, 0644) = 3</tmp/x>`:   "",
		`1 unlink("/etc/x") = 0`:                                                                                             `unlink("/etc/x")`,
		`1 unlink("/etc/x") = -1 ENOENT (No such file or directory)`:                                                         "",
		`1 execve("/bin/rm", ["rm", "-f", "/x"], 0x1 /* 2 vars */) = 0`:                                                      "runs rm -f /x",
		`1 execve("/usr/bin/apt-get", ["apt-get", "-s", "install", "x"], 0x1 /* 2 vars */) = 0`:                              "",
		"1 clone(child_stack=NULL, flags=CLONE_NEWNS|SIGCHLD) = 2\n2 clone(flags=SIGCHLD) = 3\n3 rename(\"/a\", \"/b\") = 0": "",
	} {
		if got := strings.Join(readTrace(line), "; "); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// examples are the examples of all state functions, by a name for each.
func examples() map[string]string {
	out := map[string]string{}
	for _, f := range all.Families() {
		for _, s := range f.States {
			out[strings.ReplaceAll(s.Name, ".", "-")] = s.Example
		}
	}
	return out
}

// config writes the configuration that the host finds in /mnt/gostate/conf.
func (m *machine) config(text string) {
	dir := filepath.Join(m.folder, "conf")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "minion"), []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// source makes the sources that an SLS names.
func (m *machine) source(text string) {
	for _, src := range regexp.MustCompile(`salt://([\w./-]+)`).FindAllStringSubmatch(text, -1) {
		file := filepath.Join(m.folder, "tree", src[1])
		if path.Ext(file) == "" && strings.Contains(text, "recurse") {
			file = filepath.Join(file, "member")
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			m.t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("text\n"), 0o644); err != nil {
			m.t.Fatal(err)
		}
	}
}

// traced are the calls of the kernel that make a process, or change a file or what stands for one.
const traced = "execve,clone,clone3,fork,vfork,unshare,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir," +
	"link,linkat,symlink,symlinkat,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,truncate,ftruncate,utimensat,setxattr,lsetxattr," +
	"fsetxattr,removexattr,lremovexattr,fremovexattr,mknod,mknodat,mount,umount2,sethostname,settimeofday,clock_settime,init_module,finit_module,delete_module,swapon,swapoff"

// readTrace gives what a preview must not have done. Processes in a mount namespace of their own are a throwaway view:
// what they write is theirs.
func readTrace(trace string) []string {
	call := regexp.MustCompile(`^(\d+) (\w+)\((.*)\)\s+= (-?\d+)(?:<([^>]*)>)?`)
	inView := map[string]bool{}
	parent := map[string]string{}
	var lines [][]string
	for line := range strings.Lines(trace) {
		if c := call.FindStringSubmatch(line); c != nil && !strings.HasPrefix(c[4], "-") {
			lines = append(lines, c)
			if strings.HasPrefix(c[2], "clone") || strings.HasSuffix(c[2], "fork") {
				parent[c[4]] = c[1]
				inView[c[4]] = inView[c[4]] || strings.Contains(c[3], "CLONE_NEWNS")
			}
			inView[c[1]] = inView[c[1]] || c[2] == "unshare" && strings.Contains(c[3], "CLONE_NEWNS")
		}
	}
	var faults []string
	for _, c := range lines {
		if view(c[1], parent, inView) {
			continue
		}
		if fault := judge(c[2], c[3], c[5]); fault != "" {
			faults = append(faults, fault)
		}
	}
	slices.Sort(faults)
	return slices.Compact(faults)
}

// view says whether a process, or one that it comes from, is in a view.
func view(pid string, parent map[string]string, inView map[string]bool) bool {
	for ; pid != ""; pid = parent[pid] {
		if inView[pid] {
			return true
		}
	}
	return false
}

// judge says what is wrong with a call that succeeded, "" for nothing.
func judge(name, args, result string) string {
	switch {
	case strings.HasPrefix(name, "clone"), strings.HasSuffix(name, "fork"), name == "unshare":
		return ""
	case name == "execve":
		return judgeCommand(args)
	case strings.HasPrefix(name, "open"):
		if !strings.Contains(args, "O_WRONLY") && !strings.Contains(args, "O_RDWR") && !strings.Contains(args, "O_CREAT") &&
			!strings.Contains(args, "O_TRUNC") {
			return ""
		}
		if temporary(result) {
			return ""
		}
		return "opens for writing: " + result
	}
	for _, p := range regexp.MustCompile(`["<](/[^">]*)`).FindAllStringSubmatch(args, 2) {
		if temporary(p[1]) {
			return ""
		}
	}
	return fmt.Sprintf("%s(%s)", name, args)
}

// temporary says whether a preview may write there: temporary files, terminals and the void, gostate's own state.
func temporary(name string) bool {
	for _, dir := range []string{"/tmp/", "/var/tmp/", "/dev/null", "/dev/tty", "/dev/pts/", "/var/lib/gostate/",
		"/mnt/gostate/"} {
		if strings.HasPrefix(name+"/", strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}
	return strings.HasPrefix(name, "/proc/") && strings.Contains(name, "/fd/")
}

// looks are the commands that change nothing, as they are called.
func looks() []string {
	return []string{
		`/mnt/gostate/gostate`, `dpkg-query`, `dpkg .*--print-`, `dpkg --compare-versions`,
		`apt-get .*(-s|--simulate|--print-uris)`, `apt-cache`, `apt-mark show`, `apt-config`,
		`systemctl (show|is-|list-|cat|status|--version)`, `getent`, `lsattr`, `locale -a`,
		`update-alternatives --(query|display|list|get-selections)`,
		`debconf-show`, `git .*(rev-parse|config --get|ls-remote|status|for-each-ref|remote|describe|symbolic-ref|diff|merge-base|show-ref|--version)`,
		`pip3? .*(list|freeze|--version)`, `python3? .*-m pip .*(list|freeze|--version)`, `npm .*(ls|list|view|--version)`,
		`gem (list|--version)`, `lsmod`, `modinfo`, `modprobe .*-n`,
		`df -P`, `blockdev (--get\w+ )+/dev/`, `ip -o link show`,
		`sysctl -n`, `mount$`, `findmnt`, `blkid`, `lsblk`, `ssh-keyscan`, `ssh-keygen -(l|F|E)`, `crontab -l`,
		`timedatectl show`, `localectl`, `apachectl`, `apache2ctl -[tVM]`, `a2query`, `sh -c dpkg-query`,
		`/usr/bin/dpkg --(print|compare)`, `/usr/lib/apt/methods/`, `/usr/bin/gpgv?`,
	}
}

func judgeCommand(args string) string {
	var words []string
	for _, w := range regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(args, -1) {
		words = append(words, w[1])
	}
	if len(words) < 2 {
		return "runs " + args
	}
	line := path.Base(words[1]) + " " + strings.Join(words[2:], " ")
	full := words[0] + " " + strings.Join(words[2:], " ")
	for _, l := range looks() {
		re := regexp.MustCompile("^" + l)
		if re.MatchString(strings.TrimSpace(line)) || re.MatchString(strings.TrimSpace(full)) {
			return ""
		}
	}
	return "runs " + line
}
