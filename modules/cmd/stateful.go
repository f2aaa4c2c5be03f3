package cmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// A statefulness is the argument stateful: true, or a list with the command to run in test mode.
type statefulness struct {
	on       bool
	testName string
}

// BindValue takes a boolean or `- test_name: COMMAND`.
func (s *statefulness) BindValue(v value.Value) error {
	switch v := v.(type) {
	case *value.Dict:
		return s.take(v)
	case *value.List:
		for _, it := range v.Items {
			d, ok := it.(*value.Dict)
			if !ok {
				return errors.New("takes true, or a list with test_name")
			}
			if err := s.take(d); err != nil {
				return err
			}
		}
		return nil
	}
	on, err := modules.Boolean(v)
	s.on = on
	return err
}

func (s *statefulness) take(d *value.Dict) error {
	v, ok := d.GetStr("test_name")
	if !ok {
		return errors.New("takes true, or a list with test_name")
	}
	text, err := modules.Text(v)
	s.on, s.testName = true, text
	return err
}

// ArgType names the type in documentation.
func (*statefulness) ArgType() string { return "boolean, or a list with test_name" }

var errStateful = errors.New("Failed parsing script output! Stdout must be JSON or a line of name=value pairs.") //nolint:staticcheck // Salt's words

// reinterpret reads a stateful command's own report: JSON, or name=value pairs on its last line.
func reinterpret(o outcome) (changes *value.Dict, comment string, err error) {
	if o.stdout == "" {
		return nil, o.stderr, nil
	}
	data, isJSON, cut, err := parseStateful(o.stdout)
	if err != nil {
		if errors.Is(err, errStateful) {
			changes = o.changes()
		}
		return changes, err.Error(), err
	}
	changed, err := isTrue(data)
	if err != nil {
		return nil, err.Error(), err
	}
	if v, ok := data.GetStr("comment"); ok {
		comment = value.String(v)
		data.Delete(value.Str("comment"))
	}
	if !changed {
		return nil, comment, nil
	}
	given := o.changes()
	for k, v := range given.All() {
		if _, ok := data.Get(k); !ok {
			_ = data.Set(k, v)
		}
	}
	rest := ""
	if v, ok := data.GetStr("stdout"); ok && !isJSON {
		rest = slice(value.String(v), cut)
	}
	data.SetStr("stdout", value.Str(rest))
	return data, comment, nil
}

// slice is Python's text[:n], also for n below zero: as in Salt, the report alone on one line leaves itself but for its
// last character.
func slice(text string, n int) string {
	r := []rune(text)
	if n < 0 {
		n += len(r)
	}
	return string(r[:max(0, min(n, len(r)))])
}

// parseStateful gives the pairs, and where in the text their line begins (-1 when it is the only one).
func parseStateful(text string) (data *value.Dict, isJSON bool, cut int, err error) {
	if v, err := value.ParseJSON(text); err == nil {
		d, ok := v.(*value.Dict)
		if !ok {
			return nil, true, 0, fmt.Errorf("script JSON output must be a JSON object (e.g., {})!")
		}
		return d, true, 0, nil
	}
	runes := []rune(text)
	cut = -1
	for i, r := range runes {
		if r == '\n' {
			cut = i
		}
	}
	words, err := modules.Words(string(runes[cut+1:]))
	if err != nil {
		return nil, false, cut, errStateful
	}
	data = value.NewDict(len(words))
	for _, w := range words {
		k, v, ok := strings.Cut(w, "=")
		if !ok || strings.Contains(v, "=") {
			return nil, false, cut, errStateful
		}
		data.SetStr(k, value.Str(v))
	}
	return data, false, cut, nil
}

func isTrue(data *value.Dict) (bool, error) {
	v, ok := data.GetStr("changed")
	if !ok {
		return false, nil
	}
	text := value.String(v)
	switch strings.ToLower(text) {
	case "true", "yes", "1":
		return true, nil
	case "false", "no", "0":
		return false, nil
	}
	return false, fmt.Errorf("Failed parsing boolean value: %s", text) //nolint:staticcheck // Salt's words
}
