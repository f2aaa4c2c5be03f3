//go:build integration

package integration

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const tutorial = "../../docs/tutorial.md"

// TestTutorial runs the commands that the tutorial shows and compares what they print with what it says. With -update
// it writes what they print into the tutorial, between the markers of each transcript.
func TestTutorial(t *testing.T) {
	m := boot(t, "gs-tutorial", "../trees/httpd-local")
	m.offline()
	m.sh("mkdir -p /srv && cp -r /mnt/gostate/httpd-local /srv/salt && ln -s /mnt/gostate/gostate /usr/local/bin/gostate")
	steps := []struct {
		name, prepare string
		commands      []string
	}{
		{"preview", "", []string{"gostate --file-root /srv/salt --test highstate"}},
		{"run", "", []string{"gostate --file-root /srv/salt --state-output changes highstate"}},
		{"again", "", []string{"gostate --file-root /srv/salt --state-output changes highstate"}},
		{"edit", "", []string{"sed -i 's/KeepAliveTimeout 5/KeepAliveTimeout 15/' /srv/salt/httpd/tuning.conf",
			"gostate --file-root /srv/salt --state-output changes highstate"}},
		{"repair", "systemctl reset-failed gst-httpd", []string{"systemctl stop gst-httpd",
			"gostate --file-root /srv/salt --state-output changes highstate"}},
		{"failure", "sed -i 's/name: gst-httpd$/name: gst-htpd/;0,/gst-htpd/!s/gst-htpd/gst-httpd/' /srv/salt/httpd/init.sls",
			[]string{"gostate --file-root /srv/salt --state-output changes highstate"}},
	}
	for _, s := range steps {
		if s.prepare != "" {
			m.sh(s.prepare)
		}
		var b strings.Builder
		for _, c := range s.commands {
			out, errs, _ := m.exec("bash", "-c", c)
			fmt.Fprintf(&b, "# %s\n%s%s", c, out, errs)
		}
		compare(t, s.name, steady(b.String()))
	}
}

// steady replaces what differs from run to run: times of the day and durations.
func steady(text string) string {
	for _, r := range []struct{ pattern, with string }{
		{`Started: (- )?\d\d:\d\d:\d\d\.\d+`, "Started: ${1}10:00:00.000000"},
		{`\d+(\.\d+)? +ms`, "1.000 ms"}, {`run time: +\d+(\.\d+)? +m?s`, "run time: 1.000 s"},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.with)
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// compare holds a transcript against the one in the tutorial, or writes it there.
func compare(t *testing.T, name, got string) {
	t.Helper()
	data, err := os.ReadFile(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	begin, end := "<!-- transcript: "+name+" -->\n", "<!-- end of transcript -->"
	i := strings.Index(text, begin)
	if i < 0 {
		t.Errorf("%s has no marker %q", filepath.Base(tutorial), strings.TrimSpace(begin))
		return
	}
	i += len(begin)
	j := strings.Index(text[i:], end)
	if j < 0 {
		t.Fatalf("%s: the transcript %q has no end", filepath.Base(tutorial), name)
	}
	want := "```console\n" + got + "\n```\n"
	if *update {
		if err := os.WriteFile(tutorial, []byte(text[:i]+want+text[i+j:]), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(text[i:i+j], want); d != "" {
		t.Errorf("transcript %q differs from the tutorial (-tutorial +printed); rewrite it with -update:\n%s", name, d)
	}
}
