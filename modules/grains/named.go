package grains

import (
	"strings"

	"github.com/gostate/gostate/modules"
)

// A named grain is what all states of grains are given.
type named struct {
	Name  string `arg:"name,required" doc:"The grain; a path with colons for one within another."`
	Delim string `arg:"delimiter" default:"':'" doc:"What parts the keys of the path."`
}

func (n *named) key() string { return strings.ReplaceAll(n.Name, n.Delim, ":") }

// Validate refuses an empty delimiter.
func (n *named) Validate() []modules.Fault {
	if n.Delim == "" {
		return []modules.Fault{{Arg: "delimiter", Msg: "the delimiter is empty"}}
	}
	return nil
}
