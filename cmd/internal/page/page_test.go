package page

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/state/host/hosttest"
)

const hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' onclick=alert(3) {{.}} " +
	"\x1b[2J\u009b\u202egnp\u2066\x00\xff"

func evil(n int) *Page {
	p := &Page{Title: hostile, Facts: []Fact{{"Run", hostile}}, Notes: []string{hostile}, Took: int64(n) * 1000}
	for i := range n {
		s := State{ID: hostile, Name: hostile + "n", Fun: "test." + hostile, SLS: hostile, Place: hostile, Note: hostile,
			Comment: hostile, Start: int64(i) * 1000, Took: 1000, Cause: -1, Kind: kinds()[i%6],
			Properties: []Property{{hostile, hostile, hostile}, {"diff", "", "--- a\n+++ b\n@@ -1 +1 @@\n-" + hostile + "\n+x"}}}
		if i > 0 {
			s.Waits, s.Because, s.Cause = []Wait{{"require", i - 1}, {hostile, i - 1}}, []int{i - 1}, 0
		}
		p.States = append(p.States, s)
	}
	return p
}

func write(t *testing.T, p *Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestHostile: whatever texts a run holds, the page has one script, its own, no attribute of theirs, no address of the
// network, and nothing that steers.
func TestHostile(t *testing.T) {
	text := write(t, evil(30))
	for what, n := range map[string]int{"<script": 1, "</script": 1, "<style": 1, "<img": 0, "</html>": 1} {
		if got := strings.Count(strings.ToLower(text), what); got != n {
			t.Errorf("%d of %s, want %d", got, what, n)
		}
	}
	tags := regexp.MustCompile(`<[a-zA-Z][^>]*>`).FindAllString(text, -1)
	for _, tag := range tags {
		quoted := regexp.MustCompile(`"[^"]*"`).ReplaceAllString(tag, "")
		if strings.Contains(quoted, "onclick") || strings.Contains(quoted, "onerror") || strings.Contains(quoted, "style=") {
			t.Errorf("the tag %q", tag)
		}
		if strings.Contains(tag, "href=") && !regexp.MustCompile(`href="#(s\d+|list)"`).MatchString(tag) {
			t.Errorf("the tag %q leads elsewhere", tag)
		}
	}
	if at := regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f\u202a-\u202e\u2066-\u2069]").FindStringIndex(text); at != nil {
		t.Errorf("at %d: %q", at[0], text[max(0, at[0]-80):at[1]+10])
	}
	if strings.Contains(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", ""), "://") {
		t.Error("the page names an address")
	}
}

// TestEveryTextIsEscaped: what the template prints goes through see, or is a number, a word of the program's own, or
// its script, style and picture.
func TestEveryTextIsEscaped(t *testing.T) {
	own := regexp.MustCompile(`^(see |if |range |else|end|\$v := \.|len |printf "%\.2f" \.|\$\.Word |\.(At|N|Kind|Kind\.Sign|` +
		`State\.Kind|Followers|Duration|State\.Duration|Left|Class|CSS|JS|Graph)$)`)
	raw := text("page.html")
	for _, m := range regexp.MustCompile(`\{\{(.*?)\}\}`).FindAllStringSubmatch(raw, -1) {
		if !own.MatchString(m[1]) {
			t.Errorf("{{%s}} is not escaped", m[1])
		}
	}
}

// TestPolicy: the page lets its own script and style run, and nothing else.
func TestPolicy(t *testing.T) {
	text := write(t, evil(3))
	for _, part := range []string{"default-src 'none'", "script-src 'sha256-" + sum(inside(text, "script"))[7:] + "'",
		"style-src 'sha256-" + sum(inside(text, "style"))[7:] + "'"} {
		if !strings.Contains(strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(text), part) {
			t.Errorf("the policy lacks %s", part)
		}
	}
}

// inside is what stands in the first tag of a name.
func inside(text, tag string) string {
	_, rest, _ := strings.Cut(text, "<"+tag+">")
	in, _, _ := strings.Cut(rest, "</"+tag+">")
	return in
}

// TestMany: a page of ten thousand states is made in time, and shows at first what something became of.
func TestMany(t *testing.T) {
	p := &Page{Title: "big", Took: 1e6}
	for i := range 10000 {
		s := State{ID: fmt.Sprint("s", i), Name: fmt.Sprint("s", i), Fun: "test.nop", SLS: "big", Kind: InOrder, Cause: -1,
			Took: 90}
		if i%100 == 0 {
			s.Kind = Changed
		}
		if i > 0 {
			s.Waits = []Wait{{"require", i - 1}}
		}
		p.States = append(p.States, s)
	}
	begin := hosttest.CPU()
	text := write(t, p)
	if d := hosttest.CPU() - begin; d > 20*time.Second {
		t.Errorf("the page took %v", d)
	}
	if n := len(text); n > 8<<20 {
		t.Errorf("the page has %d bytes", n)
	}
	if n := strings.Count(text, `data-kind="unchanged" hidden`); n != 9900 {
		t.Errorf("%d are hidden at first", n)
	}
	if n := strings.Count(text, "<title>"); n > 2*maxNodes+maxNodes {
		t.Errorf("the picture has %d titles", n)
	}
	for _, label := range []string{`role="search"`, `aria-live="polite"`, `lang="en"`, "<summary>",
		`aria-labelledby="h-list"`} {
		if !strings.Contains(text, label) {
			t.Errorf("the page lacks %s", label)
		}
	}
}

// TestServed: a page of a server has its style and script beside it, and leads back.
func TestServed(t *testing.T) {
	p := evil(3)
	p.Server, p.Back = true, []Link{{"up " + hostile, "/machine/x"}}
	text := write(t, p)
	for _, want := range []string{`<link rel="stylesheet" href="/page.css">`, `<script src="/page.js"></script>`,
		`<a href="/machine/x">up &lt;/script&gt;`, "style-src &#39;self&#39;; script-src &#39;self&#39;"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, name := range []string{"page.css", "page.js"} {
		if strings.Contains(text, Asset(name)) {
			t.Errorf("%s is in the page, too", name)
		}
	}
}
