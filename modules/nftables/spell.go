package nftables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// spell writes a rule as Salt does: what it matches in a fixed order, then what becomes of the packet. The protocol
// comes before each port. An argument that nft has no word for is left out, as match and state are.
func spell(args *value.Dict) (string, error) {
	var b strings.Builder
	get := func(names ...string) (text string, ok bool) {
		for _, name := range names {
			if v, there := args.GetStr(name); there {
				ok = true
				if value.Truth(v) || text == "" {
					text = value.String(v)
				}
				if value.Truth(v) {
					break
				}
			}
		}
		return text, ok
	}
	put := func(format string, names ...string) {
		if text, ok := get(names...); ok {
			if strings.Contains(format, "%s") {
				format = fmt.Sprintf(format, text)
			}
			b.WriteString(format + " ")
		}
	}
	put("meta iifname %s", "if")
	put("meta oifname %s", "of")
	put("ct state { %s }", "connstate")
	put("icmp type { %s }", "icmp-type")
	put("meta pkttype { %s }", "pkttype")
	put("counter", "counter")
	put("ip saddr %s", "saddr", "source")
	put("ip daddr %s", "daddr", "destination")
	if err := ports(args, &b); err != nil {
		return "", err
	}
	if target, ok := args.GetStr("target"); ok { // another name of jump, which it wins over
		b.WriteString(value.String(target) + " ")
	} else {
		put("%s", "jump")
	}
	put("%s", "j")
	put("redirect to %s", "redirect-to", "to-port")
	put("--to-ports %s", "to-ports")
	put("%s", "to-source")
	put("%s", "to-destination")
	put("reject with %s", "reject-with")
	proto, _ := get("proto")
	text := strings.ReplaceAll(strings.TrimSpace(b.String()), "dport", proto+" dport")
	return strings.ReplaceAll(text, "sport", proto+" sport"), nil
}

// ports are dport and sport, with a range of 1:5 as nft writes it, and the lists dports and sports, which Salt sorts.
func ports(args *value.Dict, b *strings.Builder) error {
	for _, name := range []string{"dport", "sport"} {
		if v, ok := args.GetStr(name); ok {
			fmt.Fprintf(b, "%s { %s } ", name, strings.ReplaceAll(value.String(v), ":", "-"))
		}
	}
	for _, name := range []string{"dports", "sports"} {
		v, ok := args.GetStr(name)
		if !ok {
			continue
		}
		var all []int
		for word := range strings.SplitSeq(value.String(v), ",") {
			n, err := strconv.Atoi(strings.TrimSpace(word))
			if err != nil {
				return fmt.Errorf("%s: %q is no port: give numbers with commas between them", name, strings.TrimSpace(word))
			}
			all = append(all, n)
		}
		slices.SortFunc(all, func(x, y int) int { return y - x })
		fmt.Fprintf(b, "%s { %s } ", name[:5], strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ", "), "[]"))
	}
	return nil
}

// uttered is a rule as nft gets it: quotes that a backslash keeps for it, as Salt needs them, are plain ones.
func uttered(rule string) (string, error) {
	if !strings.Contains(rule, `\`) {
		return rule, nil
	}
	list, err := modules.Words(rule)
	if err != nil {
		return "", fmt.Errorf("%s: %w", rule, err)
	}
	return strings.Join(list, " "), nil
}
