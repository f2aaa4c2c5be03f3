//go:build page

package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gostate/gostate/cmd/internal/page/chromium"
)

// sample is a run as people have them: n states, some of which changed, failed or were skipped.
func sample(n int) *Page {
	p := &Page{Title: "gostate highstate on web1.example.com", Facts: []Fact{{"When", "2026-11-22 22:07:53 UTC"},
		{"Took", "12.4 s"}, {"By", "root (anna)"}, {"Tree", "f0af5e79377e36c76adf4443dfa58ae79bf707a6"}},
		Notes: []string{"never converging: file.managed /etc/motd was corrected in 4 runs running"}, Took: int64(n) * 10000}
	words := []string{"/etc/nginx/conf.d/a-rather-long-name-of-a-site-that-does-not-end.example.com.conf", "nginx",
		"users",
		"/etc/ssh/sshd_config", "backup-timer"}
	for i := range n {
		s := State{ID: fmt.Sprintf("%s-%d", words[i%5], i), Fun: []string{"file.managed", "service.running", "user.present",
			"file.line", "cmd.run"}[i%5], SLS: "web.server", Place: fmt.Sprintf("/srv/salt/web/server.sls:%d:1", i*4+1),
			Comment: "The state is as wanted.", Start: int64(i) * 10000, Took: 9000, Cause: -1, Kind: InOrder}
		s.Name = s.ID
		switch {
		case i%10 == 3:
			s.Kind, s.Comment = Changed, "File updated"
			s.Properties = []Property{{"mode", "0600", "0644"},
				{"diff", "", "--- a\n+++ b\n@@ -1,2 +1,2 @@\n-worker_processes 1;\n" +
					"+worker_processes 8; # " + strings.Repeat("long ", 40) + "\n events {}"}}
		case i%97 == 12:
			s.Kind, s.Comment = Failed, "Command failed: exit code 1"
		}
		if i > 0 {
			s.Waits = []Wait{{"require", i - 1}}
		}
		p.States = append(p.States, s)
	}
	return p
}

// loud counts the states that something became of.
func loud(p *Page) (n int) {
	for _, s := range p.States {
		if s.Kind != InOrder {
			n++
		}
	}
	return n
}

func saved(t *testing.T, p *Page) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte(write(t, p)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// shown counts the states that are seen.
const shown = `[...document.querySelectorAll("#list > details")].filter((d) => d.offsetHeight > 0).length`

// TestInChromium: search, filters, links, keys and colours do in a browser what they are for, at any width.
func TestInChromium(t *testing.T) {
	b := chromium.Start(t)
	run := sample(300)
	path := saved(t, run)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int{1280, 320} { // of which 320 is a window of 40 columns
			b.Open("file://"+path, width, scheme)
			what := fmt.Sprintf("%s, %d wide: ", scheme, width)
			b.Want(what+"the page is no wider than the window", "document.documentElement.scrollWidth <= innerWidth", true)
			b.Want(what+"only what became something is shown at first", shown, loud(run))
			back := `getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).reduce((a, c) => a + +c, 0) < 380`
			b.Want(what+"it is dark", back, scheme == "dark")
			b.Shot(fmt.Sprintf("%s-%d", scheme, width))
			b.Eval(`document.querySelector("#list > details:not([hidden])").open = true`)
			b.Want(what+"an open state is no wider than the window", "document.documentElement.scrollWidth <= innerWidth", true)
			b.Eval(`document.querySelector("#list > details:not([hidden])").scrollIntoView()`)
			b.Shot(fmt.Sprintf("%s-%d-open", scheme, width))
		}
	}
	b.Open("file://"+path, 1280, "light")
	b.Press("/", "/")
	b.Want("/ goes to the search", "document.activeElement.id", "q")
	for _, c := range "sshd" {
		b.Press(string(c), string(c))
	}
	b.Want("the search has its words", `document.getElementById("q").value`, "sshd")
	b.Want("what is found is shown, with what waits for it", shown, 31)
	b.Eval(`document.querySelectorAll("#filter input[type=checkbox]").forEach((c) => { if (!c.checked) c.click(); })`)
	b.Want("and of all kinds", shown, 120)
	b.Want("how many there are is said", `document.getElementById("shown").value`, "120 of 300 shown")
	b.Eval(`location.hash = "#s1"`)
	b.Want("a link opens its state", `document.getElementById("s1").open && document.activeElement.closest("details").id`,
		"s1")
	b.Press("Enter", "\r")
	b.Want("Enter closes it", `document.getElementById("s1").open`, false)
	b.Eval(`document.activeElement.blur(); window.scrollTo(0, 0); location.hash = ""`)
	b.Reaches("theme")
	b.Press(" ", " ")
	b.Want("the button makes it dark", `document.documentElement.dataset.theme`, "dark")
	b.Want("the button says so", `document.getElementById("theme").getAttribute("aria-pressed")`, "true")
	b.Want("the focus is seen", `getComputedStyle(document.activeElement).outlineStyle !== "none"`, true)
	b.Shot("dark-by-hand")
	b.Reaches("graph")
	b.Shot("graph")
	box := `document.querySelector("#graph svg").getAttribute("viewBox")`
	before := b.Eval(box)
	b.Press("+", "+")
	if after := b.Eval(box); after == before {
		t.Error("+ does not draw the graph larger")
	}
	b.Press("0", "0")
	if after := b.Eval(box); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("0 draws the graph as %v, which was %v", after, before)
	}
	if len(b.Faults) > 0 {
		t.Errorf("the page tells of %s", b.Faults)
	}
}

// TestPictures takes pictures of the page that PAGE_FILE names.
func TestPictures(t *testing.T) {
	path := os.Getenv("PAGE_FILE")
	if path == "" {
		t.Skip("PAGE_FILE names no page")
	}
	b := chromium.Start(t)
	for _, scheme := range []string{"light", "dark"} {
		b.Open("file://"+path, 1000, scheme)
		b.Eval(`document.querySelector("#list > details:not([hidden])").open = true`)
		b.Shot("first-hour-page-" + scheme)
	}
	b.Eval(`document.querySelectorAll("#list > details[open]").forEach((d) => { d.open = false; })`)
	b.Reaches("graph")
	b.Shot("first-hour-page-graph")
	if len(b.Faults) > 0 {
		t.Errorf("the page tells of %s", b.Faults)
	}
}

// TestManyInChromium: ten thousand states are searched without a wait that is felt.
func TestManyInChromium(t *testing.T) {
	b := chromium.Start(t)
	run := sample(10000)
	b.Open("file://"+saved(t, run), 1280, "light")
	b.Want("what became something is shown", shown, loud(run))
	took := b.Eval(`new Promise((done) => {
		const begin = performance.now(), q = document.getElementById("q"), shown = document.getElementById("shown");
		const was = shown.value;
		q.value = "sshd_config-9993"; q.dispatchEvent(new Event("input", { bubbles: true }));
		(function wait() { shown.value === was ? setTimeout(wait, 5) : done(performance.now() - begin); })();
	})`)
	t.Logf("a search took %.0f ms", took)
	if ms, ok := took.(float64); !ok || ms > 5000 {
		t.Errorf("a search took %v ms", took)
	}
	b.Want("the one that was searched is shown", shown, 1)
	b.Shot("many")
	if len(b.Faults) > 0 {
		t.Errorf("the page tells of %s", b.Faults)
	}
}
