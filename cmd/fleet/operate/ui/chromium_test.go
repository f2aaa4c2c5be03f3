//go:build page

package ui

import (
	"fmt"
	"testing"

	"github.com/gostate/gostate/cmd/internal/page/chromium"
)

// TestInChromium: who has the token comes in and goes from the fleet to a machine, a run and what is otherwise, in
// windows of 40 columns and with hostile texts, and no script but the page's own runs.
func TestInChromium(t *testing.T) {
	s, runs := serve(t)
	b := chromium.Start(t)
	for _, width := range []int{1280, 320} { // of which 320 is a window of 40 columns
		fits := func(what string) {
			t.Helper()
			b.Want(what+" is no wider than the window", "document.documentElement.scrollWidth <= innerWidth", true)
			b.Shot(fmt.Sprintf("fleet-%s-%d", what, width))
		}
		b.Open(s.URL+"/machine/bad1", width, "light")
		if width == 1280 {
			b.Want("the token is asked for", "location.pathname", "/login")
			fits("login")
			b.Eval(`document.querySelector("[name=token]").value = "` + token + `"; document.forms[0].submit()`)
		}
		b.Want("the way goes on to where it led", "location.pathname", "/machine/bad1")
		b.Want("the machine is there", `document.querySelectorAll("#runs > li").length`, 2)
		fits("machine")
		b.Want("no script sees the session", "document.cookie", "")
		b.Open(s.URL+"/", width, "dark")
		b.Want("those that want somebody are there", `document.querySelectorAll("#machines > li").length`, 3)
		fits("overview")
		b.Eval(`document.querySelector("#machines a").click()`)
		b.Want("a link leads to the machine", "location.pathname", "/machine/bad1")
		b.Open(s.URL+"/machine/bad1/run/"+runs["bad1"], width, "light")
		b.Want("the run is there", `document.querySelectorAll("#list > details").length`, 2)
		b.Want("its style is", `getComputedStyle(document.querySelector(".counts")).display`, "flex")
		b.Want("its script runs", `document.getElementById("shown").value`, "2 of 2 shown")
		fits("run")
		b.Open(s.URL+"/machine/bad1/diff?from="+runs["old"]+"&to="+runs["bad1"], width, "light")
		b.Want("what is otherwise is there", `document.querySelectorAll("#states > li").length`, 2)
		fits("diff")
		b.Want("nothing hostile is an element", `document.querySelectorAll("img, script:not([src])").length`, 0)
	}
	if len(b.Faults) > 0 {
		t.Errorf("the pages tell of %s", b.Faults)
	}
}
