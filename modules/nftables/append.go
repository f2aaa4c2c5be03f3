package nftables

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Append keeps a rule in a chain, at its end when it is missing.
type Append struct{ Rule }

// ruleDoc says what the arguments of a rule are.
const ruleDoc = "The rule is made of: if and of (interfaces), proto (the protocol of ports), connstate, icmp-type, " +
	"pkttype, counter, saddr or source, daddr or destination, dport, sport (1:5 is a range), dports, sports (numbers with " +
	"commas), jump or target (what becomes of the packet, in nft's words), redirect-to, to-source, to-destination, " +
	"reject-with. match and state are taken and mean nothing."

func appendSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "nftables.append",
		Doc:  "Keeps a rule in a chain, at its end when it is missing. " + ruleDoc,
		Example: "web:\n  nftables.append:\n    - family: inet\n    - table: filter\n    - chain: input\n" +
			"    - connstate: new\n    - proto: tcp\n    - dport: 80\n    - jump: accept\n    - save: true",
		New: func() modules.StateFunc { return &Append{} },
	}
}

// Act appends the rule.
//
// Salt differs: it looks for the text of the rule in the list that nft shows, in which nft writes most rules otherwise,
// so that it adds these in each run; and finds it in the end of a longer rule, so that it leaves out others.
func (a *Append) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return a.put(ctx, env, h, "add", "", "(%s) for %s")
}
