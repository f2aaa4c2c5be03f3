package agent

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
)

// maxText bounds a text of a state in a report, maxStates how many are told.
const (
	maxText   = 64 << 10
	maxStates = 1000
)

// runName is a name that sorts by time and is met once.
func runName(now time.Time) string {
	var chance [6]byte
	_, _ = rand.Read(chance[:])
	return now.UTC().Format("20060102T150405.000Z") + "-" + hex.EncodeToString(chance[:])
}

func applied(acc *release.Accepted, out Outcome, lastGood bool) *Applied {
	a := &Applied{Sequence: acc.Sequence, Tree: acc.Tree.Digest, Payload: acc.Payload, LastGood: lastGood, Exit: out.Exit}
	if out.Exit != 0 {
		a.Messages = cut(out.Messages)
	}
	a.read(out.Output)
	return a
}

// read takes the states from gostate's JSON: {"local": {TAG: STATE}}.
func (a *Applied) read(output []byte) {
	var doc struct{ Local json.RawMessage }
	var states map[string]map[string]any
	d := json.NewDecoder(bytes.NewReader(output))
	if d.Decode(&doc) != nil || json.Unmarshal(doc.Local, &states) != nil {
		return // of a run that did not come to its states
	}
	var told []map[string]any
	for tag, s := range states {
		a.Counts.Total++
		changes, _ := s["changes"].(map[string]any)
		result, known := s["result"].(bool)
		switch {
		case known && !result:
			a.Counts.Failed++
		case len(changes) > 0:
			a.Counts.Changed++
		default:
			a.Counts.Unchanged++
			continue
		}
		s["tag"] = tag
		told = append(told, s)
	}
	slices.SortFunc(told, func(x, y map[string]any) int { return cmp.Compare(place(x), place(y)) })
	for _, s := range told[:min(len(told), maxStates)] {
		if text, err := json.Marshal(shorten(s)); err == nil {
			a.States = append(a.States, text)
		}
	}
}

func place(s map[string]any) float64 {
	n, _ := s["__run_num__"].(float64)
	return n
}

// shorten cuts long texts at any depth.
func shorten(v any) any {
	switch v := v.(type) {
	case string:
		return cut(v)
	case []any:
		for i := range v {
			v[i] = shorten(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = shorten(v[k])
		}
	}
	return v
}

func cut(text string) string {
	if len(text) <= maxText {
		return text
	}
	return text[:maxText] + fmt.Sprintf("... (%d bytes more)", len(text)-maxText)
}
