package logrotate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A setting is a command of logrotate's and what it is to be: beside all blocks, or in the block of a name.
type setting struct {
	file, block, command string
	want                 value.Value
}

// now is what the setting is, False where there is none. misplaced says that the file has a block where a command is
// asked for, or the other way round.
func (s setting) now(c *conf) (is value.Value, misplaced error) {
	key := s.command
	if s.block != "" {
		key = s.block
	}
	v, ok := c.d.GetStr(key)
	block, isBlock := v.(*value.Dict)
	switch {
	case !ok:
		return value.Bool(false), nil
	case s.block == "" && isBlock:
		return block, fmt.Errorf("Error: %s includes a dict, and a specific setting inside the dict was not "+
			"declared", key) //nolint:staticcheck // Salt's words
	case s.block != "" && !isBlock:
		return value.Bool(false), errors.New("Error: A setting for a dict was declared, but the configuration line given " +
			"is not a dict") //nolint:staticcheck // Salt's words
	case s.block == "":
		return v, nil
	}
	if v, ok = block.GetStr(s.command); !ok {
		v = value.Bool(false)
	}
	return v, nil
}

// is says whether a value is what is wanted; a missing one, False, is no 0.
func (s setting) is(v value.Value) bool {
	_, flag := v.(value.Bool)
	_, wanted := s.want.(value.Bool)
	return flag == wanted && value.Equal(v, s.want)
}

// line is the setting's line; "" where it is to be gone.
func (s setting) line() string {
	switch s.want {
	case value.Value(value.Bool(true)):
		return s.command
	case value.Value(value.Bool(false)):
		return ""
	}
	return s.command + " " + value.String(s.want)
}

// write puts the setting into the file that has it, or into the main one: a new one at its beginning, a new block at
// its end.
//
// Salt differs: it replaces each line that begins with the letters of the command, writes a block anew from what it has
// read of it (several paths, scripts and comments are lost), takes a path for a pattern, deletes a number of 0, and
// fails where nothing is included.
func (s setting) write(h host.Host, c *conf) error {
	key := s.command
	if s.block != "" {
		key = s.block
	}
	file := s.file
	if in := c.from[key]; in != "" {
		file = in
	}
	lines, err := modules.ReadLines(h, file)
	if err != nil {
		return err
	}
	return modules.WriteLines(h, file, s.put(lines))
}

// put replaces the setting's lines, or adds one.
func (s setting) put(lines []string) (out []string) {
	text, done, at := s.line(), false, -1
	for _, l := range scan(lines) {
		mine := s.block == "" && l.heads == nil || s.block != "" && slices.Contains(l.heads, s.block)
		switch {
		case mine && l.is == command && l.words[0] == s.command:
			if text != "" && !done {
				out = append(out, l.text[:strings.Index(l.text, s.command)]+text)
			}
			done = true
			continue
		case mine && l.is == end && at < 0:
			at = len(out)
		}
		out = append(out, l.text)
	}
	switch {
	case done || text == "":
		return out
	case s.block == "":
		return slices.Insert(out, 0, text)
	case at < 0:
		return append(out, s.block+" {", "    "+text, "}")
	}
	return slices.Insert(out, at, "    "+text)
}
