package iptables

import (
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// dict are the rules in the shape that Salt gives them: tables, chains, and in them policy, counters and rules.
func (r rules) dict(text string) *value.Dict {
	all := value.NewDict(len(r))
	for line := range strings.Lines(text) { // in the order of the text
		table, ok := strings.CutPrefix(strings.TrimSpace(line), "*")
		if !ok {
			continue
		}
		chains := value.NewDict(len(r[table]))
		for _, c := range r[table] {
			chains.SetStr(c.name, c.dict())
		}
		all.SetStr(table, chains)
	}
	return all
}

func (c *chain) dict() *value.Dict {
	list, comments := value.NewList(), value.NewDict(0)
	for _, line := range c.lines {
		d := options(line)
		list.Items = append(list.Items, d)
		if v, ok := d.GetStr("comment"); ok {
			text, _ := modules.Text(v.(*value.List).Items[0])
			comments.SetStr(strings.Trim(text, `"`), d)
		}
	}
	return value.DictOf("policy", value.Str(c.policy), "packet count", value.Str(c.packets), "byte count",
		value.Str(c.bytes), "rules", list, "rules_comment", comments)
}

// long is the name under which Salt lists an option.
func long(option string) string {
	name := strings.TrimLeft(option, "-")
	switch name {
	case "p":
		return "protocol"
	case "s":
		return "source"
	case "d":
		return "destination"
	case "j":
		return "jump"
	case "g":
		return "goto"
	case "i":
		return "in-interface"
	case "o":
		return "out-interface"
	case "f":
		return "fragment"
	case "c":
		return "set-counters"
	case "m":
		return "match"
	case "sport", "source-port":
		return "source_port"
	case "dport", "destination-port":
		return "destination_port"
	case "sports":
		return "source-ports"
	case "dports":
		return "destination-ports"
	case "src-cc":
		return "source-country"
	case "dst-cc":
		return "destination-country"
	}
	return name
}

// options are the words of a rule as a map: each option with the list of its values, "! 192.0.2.1" for a negated one.
func options(line string) *value.Dict {
	words, _ := modules.Words(line)
	d, no := value.NewDict(0), ""
	for i := 0; i < len(words); {
		if words[i] == "!" {
			no, i = "! ", i+1
			continue
		}
		name := long(words[i])
		var vals []string
		for i++; i < len(words) && words[i] != "!" && !strings.HasPrefix(words[i], "-"); i++ {
			vals = append(vals, words[i])
		}
		was, _ := d.GetStr(name)
		list, ok := was.(*value.List)
		if !ok {
			list = value.NewList()
			d.SetStr(name, list)
		}
		list.Items = append(list.Items, value.Str(no+strings.Join(vals, " ")))
		no = ""
	}
	return d
}
