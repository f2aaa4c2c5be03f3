package history

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// Earlier tells what the runs before this one made of states: each report is read when a state was not found in those
// after it.
type Earlier struct {
	dir  *Dir
	left []string // the reports that were not read yet, oldest first
	key  string   // of the hashes that may be compared
	any  bool     // nothing is compared
	seen map[string]Past
}

// A Past is what the last run made of a state in which it was in order: nothing was to be done, or it was done.
type Past struct {
	Hash      string
	Corrected int
}

// Earlier are the runs before the one of the header.
func (d *Dir) Earlier(h *Header) *Earlier {
	ids, _ := d.IDs()
	for len(ids) > 0 && ids[len(ids)-1] >= h.ID {
		ids = ids[:len(ids)-1]
	}
	return &Earlier{dir: d, left: ids, key: h.Key, seen: map[string]Past{}}
}

// Of is the past of a state, and whether it has one.
func (e *Earlier) Of(s *State) (Past, bool) {
	key := appendKey(nil, s)
	for {
		if p, ok := e.seen[string(key)]; ok {
			return p, true
		}
		if len(e.left) == 0 {
			return Past{}, false
		}
		id := e.left[len(e.left)-1]
		e.left = e.left[:len(e.left)-1]
		e.read(id)
	}
}

// read notes what one report tells of states that are not known from a later one. What cannot be read tells nothing. It
// says whether the run was of all states, to its end.
func (e *Earlier) read(id string) (whole bool) {
	f, err := e.dir.open(id)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return false
	}
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	var run Run
	if run.header(first) != nil || run.Key != e.key && !e.any {
		return false
	}
	found := map[string]Past{}
	for l := range bytes.Lines(rest) {
		if key, p, ok := past(l); ok {
			found[key] = p
		}
	}
	for key, p := range found {
		if _, known := e.seen[key]; !known {
			e.seen[key] = p
		}
	}
	return run.Whole && bytes.HasPrefix(lastLine(text), []byte(`{"footer":`))
}

// past reads a line as far as it tells of the past of a state that was in order: see appendState.
func past(l []byte) (string, Past, bool) {
	key, rest, ok := strings.Cut(string(l), `,"hash":"`)
	if !ok || !strings.HasPrefix(key, `{"fun":`) || !strings.HasSuffix(rest, "}\n") {
		return "", Past{}, false
	}
	hash, rest, _ := strings.Cut(rest, `"`)
	rest, _, _ = strings.Cut(rest, `,"start":`) // what is behind it may hold anything
	if !strings.Contains(rest, `,"result":"true"`) || held(rest) {
		return "", Past{}, false
	}
	p := Past{Hash: hash}
	if _, n, ok := strings.Cut(rest, `,"corrected":`); ok {
		p.Corrected, _ = strconv.Atoi(n)
	}
	return key, p, true
}

// held says whether a line is of a state whose function was not called, or not in earnest.
func held(rest string) bool {
	_, how, ok := strings.Cut(rest, `,"how":"`)
	return ok && !strings.HasPrefix(how, HowWatched) || strings.Contains(rest, `,"noop":true`)
}
