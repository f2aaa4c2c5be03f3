package state

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/gostate/gostate/state/value"
)

// queried is a state that says some of everything.
func queried() *Low {
	l := &Low{ID: "conf", Name: "/etc/app//x.conf", Module: "file", Func: "managed", SLS: "web.config", chunk: []Arg{
		{Name: "mode", Val: value.Str("0644")}, {Name: "makedirs", Val: value.Bool(true)},
		{Name: "groups", Val: value.NewList(value.Str("a"), value.Int(7))}}}
	l.SetMeta().Tags = []string{"front"}
	return l
}

func TestQuery(t *testing.T) {
	for query, want := range map[string]bool{
		"id=conf": true, "title == 'conf'": true, "name=/etc/app/*": true, "path=/etc/app/x.conf": true,
		"path=/etc/app//x.conf": false, "sls=web.*": true, "fun=managed": true, "fun=file.managed": true,
		"tag=front": true, "tag=FRONT": true, "tag=config": true, "tags=back": false, "tag!=back": true,
		"mode=644": true, "mode=0644": true, "mode=0640": false, "mode!=0640": true, "makedirs=True": true,
		"makedirs=true": true, "groups=a": true, "groups=7": true, "groups!=a": false, "groups=b": false,
		"owner=root": false, "owner!=root": true, "id=conf and mode=0600": false,
		"id=x and mode=0600 or tag=front": true, "id=conf or id=x and mode=1": true,
	} {
		q, ok := ParseQuery(query)
		if !ok || q.Match(queried()) != want {
			t.Errorf("%q: parsed %t, matches %t, want %t", query, ok, q.Match(queried()), want)
		}
	}
	for _, none := range []string{"", "conf", "/etc/a=b", "=x", "a b=c", "id=x or /y=z"} {
		if _, ok := ParseQuery(none); ok {
			t.Errorf("%q is taken for a query", none)
		}
	}
}

// TestCatalog holds that what a catalog finds by its tables is what the query matches, one state after the other.
func TestCatalog(t *testing.T) {
	r := rand.New(rand.NewSource(7))
	one := func(words ...string) string { return words[r.Intn(len(words))] }
	for range 200 {
		var low []*Low
		for i := range 1 + r.Intn(20) {
			l := &Low{ID: fmt.Sprint("s", i), Name: one("/a/b", "/a/c", "d"), Module: one("file", "test"), Func: "nop"}
			for _, key := range []string{"mode", "user"} {
				if r.Intn(2) == 0 {
					l.chunk = append(l.chunk, Arg{Name: key, Val: value.Str(one("1", "2", "12"))})
				}
			}
			low = append(low, l)
		}
		text := ""
		for range 1 + r.Intn(3) {
			text += one("mode", "user", "name", "id") + one("=", "!=") + one("1", "1*", "2", "/a/*", "s1*", "s3") +
				one(" and ", " or ")
		}
		text += "tag!=x"
		ref := Ref{Module: one("file", "test", "id"), Target: text}
		q, _ := ParseQuery(text)
		var want []int32
		for i, l := range low {
			if q.Match(l) && (ref.Module == "id" || ref.Module == l.Module) {
				want = append(want, int32(i))
			}
		}
		if got := NewCatalog(low).Find(ref); !slices.Equal(got, want) {
			t.Fatalf("%s: %s: found %v, want %v", ref.Module, text, got, want)
		}
	}
}
