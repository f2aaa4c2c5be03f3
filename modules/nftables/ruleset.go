package nftables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/host"
)

// A ruleset is what the kernel has: its tables, chains and rules.
type ruleset struct{ tables []*table }

type table struct {
	Handle       int
	Family, Name string
	chains       []*chain
}

// A chain is a base chain where it has a hook.
type chain struct {
	Family, Table, Name, Type, Hook, Policy string

	rules []rule
}

// A rule has a handle in the kernel. One that an earlier state of a preview would have added has none yet: it is the
// command at that place among those.
type rule struct {
	Family, Table, Chain string
	Handle               int

	told int
}

const (
	errNone   = complaint("nft: Could not process rule: No such file or directory")
	errSimple = complaint("nft: Could not process rule: Operation not supported")
)

// read is the ruleset of the machine.
func read(ctx context.Context, h host.Reader) (*ruleset, error) {
	out, err := ask(ctx, h, "", "-j", "list", "ruleset")
	if err == nil {
		err = refusal(out)
	}
	if err != nil || len(out.Stdout) == 0 {
		return &ruleset{}, err
	}
	var doc struct {
		Nftables []struct {
			Table *table
			Chain *chain
			Rule  *rule
		}
	}
	if err := json.Unmarshal(out.Stdout, &doc); err != nil {
		return nil, fmt.Errorf("read what nft says: %w", err)
	}
	all := &ruleset{}
	for _, item := range doc.Nftables {
		switch t := item; {
		case t.Table != nil:
			all.tables = append(all.tables, t.Table)
		case t.Chain != nil:
			if in := all.table(t.Chain.Family, t.Chain.Table); in != nil {
				in.chains = append(in.chains, t.Chain)
			}
		case t.Rule != nil:
			if in := all.chain(t.Rule.Family, t.Rule.Table, t.Rule.Chain); in != nil {
				in.rules = append(in.rules, *t.Rule)
			}
		}
	}
	return all, nil
}

// now is the ruleset as a state finds it: the machine's, and what the commands of a preview would have done.
func now(ctx context.Context, h host.Reader, lines []string) (*ruleset, error) {
	all, err := read(ctx, h)
	if err != nil {
		return nil, err
	}
	for i, line := range lines {
		if err := all.take(line, i); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (r *ruleset) table(family, name string) *table {
	for _, t := range r.tables {
		if t.Family == family && t.Name == name {
			return t
		}
	}
	return nil
}

func (r *ruleset) chain(family, table, name string) *chain {
	t := r.table(family, table)
	if t == nil {
		return nil
	}
	if i := slices.IndexFunc(t.chains, func(c *chain) bool { return c.Name == name }); i >= 0 {
		return t.chains[i]
	}
	return nil
}

// take does to the ruleset what a command does to the kernel's.
func (r *ruleset) take(line string, at int) error {
	w := strings.SplitN(line+"   ", " ", 6)
	verb, what, family, name, rest := w[0], w[1], w[2], w[3], strings.TrimSpace(w[5])
	if what == "table" {
		return r.takeTable(verb, family, name)
	}
	t := r.table(family, name)
	if t == nil {
		return errNone
	}
	c := r.chain(family, name, w[4])
	switch {
	case verb == "add" && what == "chain":
		return t.add(c, w[4], rest)
	case c == nil:
		return errNone
	case verb == "flush":
		c.rules = nil
	case verb == "delete" && what == "chain":
		t.chains = slices.DeleteFunc(t.chains, func(o *chain) bool { return o == c })
	case verb == "delete":
		return c.drop(rest)
	default:
		return c.put(verb, rest, at)
	}
	return nil
}

func (r *ruleset) takeTable(verb, family, name string) error {
	t := r.table(family, name)
	switch {
	case verb == "add" && t == nil:
		r.tables = append(r.tables, &table{Family: family, Name: name})
	case verb == "add":
	case t == nil:
		return errNone
	case verb == "delete":
		r.tables = slices.DeleteFunc(r.tables, func(o *table) bool { return o == t })
	case verb == "flush":
		for _, c := range t.chains {
			c.rules = nil
		}
	}
	return nil
}

// add makes a chain, or changes the policy of one.
func (t *table) add(c *chain, name, rest string) error {
	words := strings.Fields(strings.Trim(rest, "{} "))
	if c == nil {
		c = &chain{Family: t.Family, Table: t.Name, Name: name}
		t.chains = append(t.chains, c)
	}
	for i := 1; i < len(words); i += 2 {
		switch text := strings.TrimSuffix(words[i], ";"); words[i-1] {
		case "type":
			c.Type, c.Policy = text, "accept"
		case "hook":
			c.Hook = text
		case "policy":
			if c.Hook == "" {
				return errSimple
			}
			c.Policy = text
		}
	}
	return nil
}

// put puts a rule at the end, at the beginning, or before the one with a handle.
func (c *chain) put(verb, rest string, at int) error {
	i := len(c.rules)
	if verb == "insert" {
		i = 0
		if after, ok := strings.CutPrefix(rest, "position "); ok {
			word, _, _ := strings.Cut(after, " ")
			if i = c.find(word); i < 0 {
				return errNone
			}
		}
	}
	c.rules = slices.Insert(c.rules, i, rule{told: at})
	return nil
}

// drop takes the rule of "handle 5".
func (c *chain) drop(rest string) error {
	i := c.find(strings.TrimPrefix(rest, "handle "))
	if i < 0 {
		return errNone
	}
	c.rules = slices.Delete(c.rules, i, i+1)
	return nil
}

func (c *chain) find(handle string) int {
	n, err := strconv.Atoi(handle)
	if err != nil || n < 1 {
		return -1
	}
	return slices.IndexFunc(c.rules, func(r rule) bool { return r.Handle == n })
}
