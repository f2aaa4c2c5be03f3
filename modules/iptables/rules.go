package iptables

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// rules are the chains of the tables that are in use.
type rules map[string][]*chain

// A chain is a chain with its rules, as iptables-save writes them.
type chain struct {
	name, policy   string // the policy is "-" where it can have none
	packets, bytes string
	lines          []string
	// What earlier states of a preview did: the rules taken away are gone; of those in other, it is not known which of the
	// lines they are, since they wrote them otherwise. asked says that the machine's own rules are still in the chain, so
	// that iptables can be asked for them.
	gone  map[string]bool
	other []string
	asked bool
}

// builtin are the chains that a table always has.
func builtin(table string) []string {
	switch table {
	case "filter", "security":
		return []string{"INPUT", "FORWARD", "OUTPUT"}
	case "nat":
		return []string{"PREROUTING", "INPUT", "OUTPUT", "POSTROUTING"}
	case "mangle":
		return []string{"PREROUTING", "INPUT", "FORWARD", "OUTPUT", "POSTROUTING"}
	case "raw":
		return []string{"PREROUTING", "OUTPUT"}
	}
	return nil
}

// parse reads what iptables-save writes.
func parse(text string) rules {
	all, table := rules{}, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "*"):
			table = strings.ReplaceAll(line, "*", "")
			all[table] = []*chain{}
		case strings.HasPrefix(line, ":"):
			policy, counters, _ := strings.Cut(rest, " ")
			packets, bytes, _ := strings.Cut(strings.Trim(counters, "[]"), ":")
			all[table] = append(all[table], &chain{name: word[1:], policy: policy, packets: packets, bytes: bytes, asked: true})
		case word == "-A":
			name, _, _ := strings.Cut(rest, " ")
			if c := all.chain(table, name); c != nil {
				c.lines = append(c.lines, strings.TrimSpace(strings.TrimPrefix(rest, name)))
			}
		}
	}
	return all
}

func (r rules) chain(table, name string) *chain {
	for _, c := range r[table] {
		if c.name == name {
			return c
		}
	}
	return nil
}

// has says whether there is a chain. Those that are built in come with the first use of their table.
func (r rules) has(table, name string) bool {
	return r.chain(table, name) != nil || slices.Contains(builtin(table), name)
}

// use makes the built-in chains of a table, as its first use does.
func (r rules) use(table string) {
	for _, name := range builtin(table) {
		if r.chain(table, name) == nil {
			r[table] = append(r[table], &chain{name: name, policy: "ACCEPT", packets: "0", bytes: "0"})
		}
	}
}

// policy is that of a chain, "" where nobody has used its table.
func (r rules) policy(table, name string) string {
	if c := r.chain(table, name); c != nil {
		return c.policy
	}
	return ""
}

// named says whether a rule of the table leads to a chain, which can then not be deleted.
func (r rules) named(table, name string) bool {
	n := 0
	for _, c := range r[table] {
		n += leading(c.lines, name) - leading(c.other, name)
	}
	return n > 0
}

// leading counts the rules that lead to a chain.
func leading(lines []string, name string) (n int) {
	for _, line := range lines {
		words := strings.Fields(line)
		for i := 1; i < len(words); i++ {
			if words[i] == name && slices.Contains([]string{"-j", "-g", "--jump", "--goto"}, words[i-1]) {
				n++
			}
		}
	}
	return n
}

// now are the rules as a state finds them: the machine's, and what earlier states of a preview would have done.
func now(ctx context.Context, h host.Reader, family string) (rules, error) {
	text, err := save(ctx, h, family)
	if err != nil {
		return nil, err
	}
	all := parse(text)
	for _, d := range told(h, family) {
		if err := all.take(d); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// told are the deeds of earlier states of a preview.
func told(h host.Reader, family string) []deed {
	f, ok := h.Fact(host.FactFirewall, family)
	if !ok || f.Value == "" {
		return nil
	}
	var out []deed
	for line := range strings.SplitSeq(f.Value, "\n") {
		w := strings.SplitN(line, " ", 4)
		out = append(out, deed{family: family, verb: w[0][0], table: w[1], chain: w[2], rest: w[3]})
	}
	return out
}

// foretell promises a deed, or says as what it would fail.
func foretell(ctx context.Context, o host.Host, d deed) error {
	all, err := now(ctx, o, d.family)
	if err == nil {
		err = all.take(d)
	}
	if err != nil {
		return err
	}
	was, _ := o.Fact(host.FactFirewall, d.family)
	line := fmt.Sprintf("%c %s %s %s", d.verb, d.table, d.chain, strings.ReplaceAll(d.rest, "\n", " "))
	o.Promise(host.Fact{Kind: host.FactFirewall, Name: d.family, Value: strings.TrimPrefix(was.Value+"\n"+line, "\n")})
	return nil
}

// take does to the rules what the deed does to those of the machine.
func (r rules) take(d deed) error {
	name := program(d.family)
	if builtin(d.table) == nil {
		return host.Missing("%s: table '%s' does not exist", name, d.table)
	}
	if d.verb == 'F' && d.chain == "" {
		for _, c := range r[d.table] {
			c.empty()
		}
		return nil
	}
	if d.verb == 'N' {
		if r.has(d.table, d.chain) {
			return fmt.Errorf("%s: Chain already exists.", name) //nolint:staticcheck // iptables' words
		}
		r.use(d.table)
		r[d.table] = append(r[d.table], &chain{name: d.chain, policy: "-", packets: "0", bytes: "0"})
		return nil
	}
	if !r.has(d.table, d.chain) {
		return host.Missing("%s: No chain/target/match by that name.", name)
	}
	r.use(d.table)
	return r.change(d, r.chain(d.table, d.chain))
}

// change does it to a chain that is there.
func (r rules) change(d deed, c *chain) error {
	name := program(d.family)
	switch d.verb {
	case 'P':
		if !slices.Contains(builtin(d.table), d.chain) {
			return fmt.Errorf("%s: Bad built-in chain name.", name) //nolint:staticcheck // iptables' words
		}
		if d.rest != "ACCEPT" && d.rest != "DROP" {
			return fmt.Errorf("%s: Bad policy name.", name) //nolint:staticcheck // iptables' words
		}
		c.policy = d.rest
	case 'F':
		c.empty()
	case 'X':
		if len(c.lines) > len(c.other) || r.named(d.table, d.chain) || slices.Contains(builtin(d.table), d.chain) {
			return fmt.Errorf("%s: CHAIN_DEL failed (Device or resource busy): chain %s", name, d.chain)
		}
		r[d.table] = slices.DeleteFunc(r[d.table], func(o *chain) bool { return o == c })
	case 'A':
		c.put(len(c.lines), d.rest)
	case 'I':
		at, rule, _ := strings.Cut(d.rest, " ")
		i, err := strconv.Atoi(at)
		if err != nil || i < 1 || i > len(c.lines)+1 {
			return fmt.Errorf("%s: Index of insertion too big.", name) //nolint:staticcheck // iptables' words
		}
		c.put(i-1, rule)
	case 'D':
		return c.drop(d)
	}
	return nil
}

func (c *chain) empty() { c.lines, c.gone, c.other, c.asked = nil, nil, nil, false }

// put puts a rule in the chain.
func (c *chain) put(i int, rule string) {
	c.lines = slices.Insert(c.lines, i, rule)
	delete(c.gone, rule)
}

// drop takes a rule from the chain, by its place or as it was written.
func (c *chain) drop(d deed) error {
	i := slices.Index(c.lines, d.rest)
	if n, err := strconv.Atoi(d.rest); err == nil {
		if i = n - 1; i < 0 || i >= len(c.lines) {
			return fmt.Errorf("%s: Index of deletion too big.", program(d.family)) //nolint:staticcheck // iptables' words
		}
	}
	rule := d.rest
	if i < 0 {
		c.other = append(c.other, rule)
	} else {
		rule = c.lines[i]
		c.lines = slices.Delete(c.lines, i, i+1)
	}
	if slices.Contains(c.lines, rule) { // it was there twice
		return nil
	}
	if c.gone == nil {
		c.gone = map[string]bool{}
	}
	c.gone[rule] = true
	return nil
}

// lists are the rules of each chain, without counters.
func (r rules) lists() [][]string {
	var out [][]string
	for _, table := range slices.Sorted(maps.Keys(r)) {
		for _, c := range r[table] {
			out = append(out, c.lines)
		}
	}
	return out
}
