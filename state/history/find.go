package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A FindError says that a word names no report, or several.
type FindError struct {
	Word string
	// Like are the reports that it may mean; empty where there is none at all.
	Like []string
	None bool
	// Of is how many reports there are, for a word that counts back beyond the first.
	Of int
}

func (e *FindError) Error() string {
	switch {
	case e.None:
		return "no run has left a report yet"
	case e.Of > 0:
		return fmt.Sprintf("there is no report %q: there are %d", e.Word, e.Of)
	case len(e.Like) > 1:
		return fmt.Sprintf("%q is the beginning of %d reports", e.Word, len(e.Like))
	}
	return fmt.Sprintf("there is no report %q", e.Word)
}

// Find is the ID that a word names: an ID, the beginning of one, last, or last~N for the N-th before the last.
func (d *Dir) Find(word string) (string, error) {
	ids, err := d.IDs()
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", &FindError{Word: word, None: true}
	}
	if n, ok := back(word); ok {
		if n >= len(ids) {
			return "", &FindError{Word: word, Of: len(ids)}
		}
		return ids[len(ids)-1-n], nil
	}
	var like []string
	for _, id := range ids {
		if id == word {
			return id, nil
		}
		if word != "" && strings.HasPrefix(id, word) {
			like = append(like, id)
		}
	}
	if len(like) == 1 {
		return like[0], nil
	}
	if len(like) == 0 {
		like = nearest(word, ids)
	}
	return "", &FindError{Word: word, Like: like}
}

// back is how many runs before the last the word means.
func back(word string) (int, bool) {
	rest, ok := strings.CutPrefix(word, "last")
	if !ok || rest == "" {
		return 0, ok
	}
	text, ok := strings.CutPrefix(rest, "~")
	if !ok {
		return 0, false
	}
	if text == "" {
		return 1, true
	}
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= 0
}

// nearest is the ID that shares the longest beginning or end with the word.
func nearest(word string, ids []string) []string {
	best, most := "", 3
	for _, id := range slices.Backward(ids) {
		n := 0
		for n < len(id) && n < len(word) && id[n] == word[n] {
			n++
		}
		if _, random, _ := strings.Cut(id, "-"); word != "" && strings.HasPrefix(random, word) {
			n = len(id)
		}
		if n > most {
			best, most = id, n
		}
	}
	if best == "" {
		return nil
	}
	return []string{best}
}

// Drifting are the states that were corrected in at least so many runs, one after the other, the last that they were in
// among these. What the last run of all states did not have is gone.
func (d *Dir) Drifting(least int) ([]State, error) {
	ids, err := d.IDs()
	if err != nil {
		return nil, err
	}
	e := &Earlier{dir: d, seen: map[string]Past{}, any: true}
	for _, id := range slices.Backward(ids) {
		if e.read(id) {
			break
		}
	}
	var out []State
	for key, p := range e.seen {
		s := State{Corrected: p.Corrected}
		if p.Corrected < least || json.Unmarshal([]byte(key+"}"), &s) != nil {
			continue
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b State) int { return strings.Compare(a.Label(), b.Label()) })
	return out, nil
}
