package nftables

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// A translation is a rule as the kernel takes it, and where it is: the handle is 0 for one of a trial.
type translation struct {
	family, table, chain string
	handle               int
	code                 string
}

// parse reads what --debug=netlink shows: sets without a name, and rules of lines in brackets that may ask these.
//
//	ip t @__set0                                a set of the kernel's; in a trial: __set%d t 3 size 2
//		element 00001600  : 0 [end]
//	ip t c 5 4                                  a rule with its handle and the one before it
//	  [ lookup reg 1 set __set0 0x0 ]
func parse(text string) []translation {
	var out []translation
	var sets []set // in the order of their rules
	in := false    // a rule
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		words := strings.Fields(bare)
		switch {
		case len(words) == 0:
			in = false
		case strings.HasPrefix(bare, "[") || strings.HasPrefix(bare, "userdata"):
			if in {
				last := &out[len(out)-1]
				last.code += plain(bare, last.table, &sets) + "\n"
			}
		case words[0] == "element":
			if len(sets) > 0 {
				sets[len(sets)-1].take(bare)
			}
		case strings.HasPrefix(words[0], "__"): // twice: its size, then its elements
			if i := slices.IndexFunc(words, func(w string) bool { return w == "size" }); i > 0 {
				sets = append(sets, set{name: words[1] + " " + words[0]})
			}
		case len(words) == 3 && strings.HasPrefix(words[2], "@"):
			sets = append(sets, set{name: words[1] + " " + words[2][1:]})
		case len(words) >= 3 && len(words) <= 5 && !strings.HasSuffix(bare, "{"):
			in = true
			handle := 0
			if len(words) > 3 {
				handle, _ = strconv.Atoi(words[3])
			}
			out = append(out, translation{family: words[0], table: words[1], chain: words[2], handle: handle})
		}
	}
	return slices.DeleteFunc(out, func(t translation) bool { return t.code == "" }) // a chain, or a deletion
}

// A set is one without a name of the user's, by its table and the name that it got.
type set struct {
	name    string
	members []string
}

// take reads the elements of a line.
func (s *set) take(line string) {
	for part := range strings.SplitSeq(line, "[end]") {
		if words := strings.Fields(part); len(words) > 0 {
			s.members = append(s.members, strings.Join(words[1:], " "))
		}
	}
}

// plain is a line of a rule without what the kernel adds: counts, defaults, and the name of a set, in whose place its
// elements come. In a trial all sets have one name, and come in the order in which they are asked.
func plain(line, table string, sets *[]set) string {
	words := strings.Fields(strings.Trim(line, "[] "))
	switch words[0] {
	case "counter":
		return "counter"
	case "quota":
		words = without(words, "consumed", "")
	case "log":
		words = without(words, "level", "4")
	case "nat", "redir", "masq":
		words = translated(words)
	}
	at := slices.Index(words, "set") + 1
	if at == 0 || at >= len(words) || !strings.HasPrefix(words[at], "__") {
		return strings.Join(slices.DeleteFunc(words, zero), " ")
	}
	name := table + " " + words[at]
	i := slices.IndexFunc(*sets, func(s set) bool { return s.name == name })
	if i >= 0 {
		slices.Sort((*sets)[i].members)
		words[at] = "{" + strings.Join((*sets)[i].members, " ") + "}"
		*sets = slices.Delete(*sets, i, i+1)
	}
	return strings.Join(slices.DeleteFunc(words, zero), " ")
}

// translated are the words of a translation of addresses without a range's end that is its beginning, and without the
// flags that say that there are addresses (1) or ports (2): the kernel shows them where nft left them out.
//
//	nat dnat ip addr_min reg 1 addr_max reg 1 flags 0x1
func translated(words []string) []string {
	for _, what := range []string{"addr", "proto"} {
		low, high := slices.Index(words, what+"_min"), slices.Index(words, what+"_max")
		if low >= 0 && high >= 0 && words[low+2] == words[high+2] {
			words = slices.Delete(words, high, high+3)
		}
	}
	if i := slices.Index(words, "flags"); i >= 0 && i+1 < len(words) {
		if n, err := strconv.ParseUint(words[i+1], 0, 32); err == nil {
			words[i+1] = fmt.Sprintf("0x%x", n&^3)
		}
		words = without(words, "flags", "0x0")
	}
	return words
}

// zero says whether a word is a field of flags without any, which only the kernel shows.
func zero(word string) bool { return word == "0x0" }

// without drops a word and the one that follows it, where that is a default; "" for any.
func without(words []string, name, value string) []string {
	i := slices.Index(words, name)
	if i < 0 || i+1 >= len(words) || value != "" && words[i+1] != value {
		return words
	}
	return slices.Delete(words, i, i+2)
}

// codes are the translations of the rules of a chain, in its order; want is that of a rule that would be added there.
// What nft says of a rule that it does not take is the complaint.
func codes(ctx context.Context, h host.Reader, c *chain, text string) (have []string, want string, complaint error) {
	add := strings.Join([]string{"add rule", c.Family, c.Table, c.Name, text}, " ")
	_, coming, err := program(h)
	if err != nil {
		return nil, "", err
	}
	lines := append(told(h), add)
	if coming { // nobody can translate: rules are the same that are written the same
		for _, r := range c.rules {
			have = append(have, words(lines[r.told]))
		}
		return have, words(add), nil
	}
	shown, err := try(ctx, h, add)
	if err != nil {
		return nil, "", err
	}
	trial := parse(shown)
	by, err := listed(ctx, h, c)
	if err != nil {
		return nil, "", err
	}
	for _, r := range c.rules {
		if r.Handle != 0 {
			have = append(have, by[r.Handle])
		} else {
			have = append(have, nth(trial, lines, r.told))
		}
	}
	return have, nth(trial, lines, len(lines)-1), nil
}

// words are those of a command that adds a rule, without its place.
func words(line string) string {
	w := strings.Fields(line)
	if len(w) > 6 && w[5] == "position" {
		return strings.Join(w[7:], " ")
	}
	return strings.Join(w[5:], " ")
}

// nth is the translation of the command at a place: each that adds a rule has one.
func nth(trial []translation, lines []string, at int) string {
	n := 0
	for _, line := range lines[:at] {
		if strings.HasPrefix(line, "add rule ") || strings.HasPrefix(line, "insert rule ") {
			n++
		}
	}
	if n >= len(trial) {
		return ""
	}
	return trial[n].code
}

// listed are the translations of the machine's rules in a chain, by handle.
func listed(ctx context.Context, h host.Reader, c *chain) (map[int]string, error) {
	by := map[int]string{}
	if !slices.ContainsFunc(c.rules, func(r rule) bool { return r.Handle != 0 }) {
		return by, nil
	}
	out, err := ask(ctx, h, "", "--debug=netlink", "list", "chain", c.Family, c.Table, c.Name)
	if err == nil {
		err = refusal(out)
	}
	if err != nil {
		return nil, err
	}
	for _, t := range parse(string(out.Stdout)) {
		if t.chain == c.Name && t.handle != 0 {
			by[t.handle] = t.code
		}
	}
	return by, nil
}
