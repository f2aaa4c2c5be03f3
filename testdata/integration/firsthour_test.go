//go:build integration && release

package integration

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/testdata/terminal"
)

const docs = "../../docs/"

// TestFirstHour runs the commands of docs/first-hour.md, from the installation of the package in bin/first on, and
// compares what they print with what stands there; -update writes it. A block behind `<!-- shot: NAME COLUMNS -->` is a
// picture, too. FIRST_HOUR_PAGE names a file for the page of HTML that the hour leaves.
func TestFirstHour(t *testing.T) {
	m := boot(t, "web1", "../../bin/first")
	m.offline()
	m.sh("cp /mnt/gostate/first/*.deb /mnt/gostate/first/SHA256SUMS /root")
	var page strings.Builder
	blocks := strings.Split(readDoc(t, "first-hour.md"), "```console\n")
	page.WriteString(blocks[0])
	for i, block := range blocks[1:] {
		body, rest, _ := strings.Cut(block, "```\n")
		name, cols := shotOf(blocks[i])
		said, seen := m.session(body, cols)
		page.WriteString("```console\n" + said + "```\n")
		if name != "" {
			file := "shots/first-hour-" + name + ".svg"
			hold(t, file, terminal.Show(seen, cols).SVG("gostate: "+name))
			rest = "\n![" + name + "](" + file + ")\n" + picture.ReplaceAllString(rest, "")
		}
		page.WriteString(rest)
		if file := os.Getenv("FIRST_HOUR_PAGE"); file != "" && strings.Contains(body, "run.html") {
			check(t, os.WriteFile(file, []byte(m.sh("cat /root/run.html")), 0o644))
		}
	}
	hold(t, "first-hour.md", page.String())
}

var (
	shot    = regexp.MustCompile(`<!-- shot: ([a-z]+) (\d+) -->\n$`)
	picture = regexp.MustCompile(`^\n!\[[a-z]+\]\(.*\)\n`)
)

// shotOf is the name of the picture that the text before a block asks for, "" for none, and the width of the terminal.
func shotOf(before string) (name string, cols int) {
	m := shot.FindStringSubmatch(before)
	if m == nil {
		return "", 80
	}
	cols, _ = strconv.Atoi(m[2])
	return m[1], cols
}

// session runs the commands of a block at a terminal: the block with what they print, and what the terminal was sent.
func (m *machine) session(body string, cols int) (said, seen string) {
	for _, command := range typed(body) {
		script := fmt.Sprintf("stty cols %d rows 50; cd /root; export TERM=xterm-256color\n%s", cols, command)
		check(m.t, os.WriteFile(filepath.Join(m.folder, "step"), []byte(script), 0o644))
		out, errs, _ := m.exec("script", "-qec", "bash /mnt/gostate/step", "/dev/null")
		if errs != "" {
			m.t.Errorf("%s: %s", command, errs)
		}
		out = same(out)
		prompt := "\x1b[1m# " + strings.ReplaceAll(command, "\n", "\r\n") + "\x1b[0m\r\n"
		said, seen = said+"# "+command+"\n", seen+prompt+out
		if text := terminal.Show(out, cols).Text(); text != "" {
			said += text + "\n"
		}
	}
	return said, seen
}

// typed are the commands of a block, each behind a prompt and with its here-document.
func typed(body string) (out []string) {
	here := false
	for line := range strings.SplitSeq(body, "\n") {
		command, is := strings.CutPrefix(line, "# ")
		switch {
		case here:
			out[len(out)-1] += "\n" + line
			here = line != "EOF"
		case is:
			out = append(out, command)
			here = strings.HasSuffix(command, "<<'EOF'")
		}
	}
	return out
}

// same replaces what differs from run to run, and where it runs: times, durations, identifiers, the versions of what
// built it.
func same(text string) string {
	for _, r := range [][2]string{
		{`\d{8}T\d{6}\.\d{3}Z-[0-9a-f]{6}`, "20261123T100000.000Z-000000"},
		{`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`, "2026-11-23 10:00:00"},
		{`\d+(\.\d+)? ?(µs|ms)\b`, "10 ms"}, {`\(\d+(\.\d+)? s\)`, "(10 ms)"}, {`\(go1\.[0-9.]+,`, "(go1.26,"},
		{`\d+ (seconds?|minutes?) ago`, "1 second ago"},
	} {
		text = regexp.MustCompile(r[0]).ReplaceAllString(text, r[1])
	}
	return text
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func readDoc(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(docs + name)
	check(t, err)
	return string(data)
}

// hold compares a file of docs with what it should be, or writes it.
func hold(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		check(t, os.WriteFile(docs+name, []byte(want), 0o644))
	} else if d := cmp.Diff(readDoc(t, name), want); d != "" {
		t.Errorf("%s is not what was printed (-there +printed); make first-hour writes it:\n%s", name, d)
	}
}
