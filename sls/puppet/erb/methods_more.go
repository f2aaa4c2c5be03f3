package erb

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// classFunction is a function of a class: File.join, IPAddr.new.
func (c *invocation) classFunction() any {
	switch c.name {
	case "Gem::Version.new":
		return version(c.argText(0))
	case "IPAddr.new":
		return c.address(c.argText(0))
	case "File.join":
		var parts []string
		for _, v := range c.flat(nil, c.args) {
			parts = append(parts, c.text(v))
		}
		return slashes(parts)
	case "File.basename":
		return strings.TrimSuffix(path.Base(c.argText(0)), c.text(c.arg(1)))
	case "File.dirname":
		return path.Dir(c.argText(0))
	case "File.extname":
		return path.Ext(c.argText(0))
	case "Digest::MD5.hexdigest":
		return fmt.Sprintf("%x", md5.Sum([]byte(c.argText(0))))
	case "Digest::SHA1.hexdigest":
		return fmt.Sprintf("%x", sha1.Sum([]byte(c.argText(0))))
	case "Digest::SHA256.hexdigest":
		return fmt.Sprintf("%x", sha256.Sum256([]byte(c.argText(0))))
	case "Base64.strict_encode64":
		return base64.StdEncoding.EncodeToString([]byte(c.argText(0)))
	case "Puppet::Pops::Types::PSensitiveType::Sensitive.new":
		return &types.Sensitive{Of: c.export(c.arg(0))}
	}
	return nil
}

// slashes joins parts of a path as File.join does: one slash between two of them.
func slashes(parts []string) string {
	for i := range parts {
		if i > 0 {
			parts[i] = strings.TrimLeft(parts[i], "/")
		}
		if i < len(parts)-1 {
			parts[i] = strings.TrimRight(parts[i], "/")
		}
	}
	return strings.Join(parts, "/")
}

// address is an IPAddr: of a network the address is its first.
func (r *run) address(s string) network {
	if p, err := netip.ParsePrefix(s); err == nil {
		return network{p.Masked()}
	}
	a, err := netip.ParseAddr(s)
	if err != nil {
		r.fail("invalid address: %s", s)
	}
	return network{netip.PrefixFrom(a, a.BitLen())}
}

func networkMethods() map[string]method {
	of := func(c *invocation) netip.Prefix { return c.self.(network).Prefix }
	return map[string]method{
		"ipv4?": func(c *invocation) any { return of(c).Addr().Is4() },
		"ipv6?": func(c *invocation) any { return of(c).Addr().Is6() },
		"include?": func(c *invocation) any {
			other, ok := c.arg(0).(network)
			if !ok {
				other = c.address(c.argText(0))
			}
			return of(c).Contains(other.Addr()) && of(c).Bits() <= other.Bits()
		},
		"prefix": func(c *invocation) any { return int64(of(c).Bits()) },
	}
}

func scopeMethods() map[string]method {
	on := func(name string) method {
		return func(c *invocation) any { return c.scopeCall(name, c.args) }
	}
	return map[string]method{"[]": on("lookupvar"), "lookupvar": on("lookupvar"), "include?": on("include?"),
		"exist?": on("include?"), "to_hash": on("to_hash"), "call_function": on("call_function")}
}

// filled is Array.new(n), with what a block gives or a value.
func (r *run) filled(args []any, block *lambda) any {
	c := &invocation{run: r, name: "Array.new", args: args, block: block}
	out := &list{}
	if len(args) == 0 {
		return out
	}
	for i := range min(max(c.argNumber(0), 0), most) {
		v := c.arg(1)
		if block != nil {
			v = block.yield(int64(i))
		}
		out.of = append(out.of, v)
	}
	return out
}

// rounded is floor, ceil and round.
func (c *invocation) rounded() any {
	x, ok := c.self.(float64)
	if !ok {
		return c.self
	}
	f := map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "round": math.Round}[c.name]
	if len(c.args) > 0 {
		scale := math.Pow(10, float64(c.argNumber(0)))
		return f(x*scale) / scale
	}
	return c.number(f(x))
}

// toFloat is the number that a text begins with.
func (c *invocation) toFloat() any {
	s := strings.TrimLeft(c.self.(string), " \t\n")
	for n := len(s); n > 0; n-- {
		if strings.IndexByte("0123456789.", s[n-1]) < 0 {
			continue
		}
		if v, err := strconv.ParseFloat(s[:n], 64); err == nil {
			return v
		}
	}
	return 0.0
}

// translate is tr('a-z', 'A-Z') and delete('a-z').
func (c *invocation) translate() any {
	from, to := spread(c.argText(0)), []rune{}
	if c.name == "tr" {
		to = spread(c.argText(1))
	}
	not := strings.HasPrefix(c.argText(0), "^") && len(c.argText(0)) > 1
	return strings.Map(func(ch rune) rune {
		i := slices.Index(from, ch)
		switch {
		case (i >= 0) == not:
			return ch
		case len(to) == 0:
			return -1
		case not:
			return to[len(to)-1]
		}
		return to[min(i, len(to)-1)]
	}, c.self.(string))
}

// spread writes the ranges of tr out.
func spread(s string) (out []rune) {
	if len(s) > 1 {
		s = strings.TrimPrefix(s, "^")
	}
	r := []rune(s)
	for i := 0; i < len(r); i++ {
		if i+2 < len(r) && r[i+1] == '-' {
			for ch := r[i]; ch <= r[i+2] && len(out) < 1000; ch++ {
				out = append(out, ch)
			}
			i += 2
			continue
		}
		out = append(out, r[i])
	}
	return out
}

// scan gives all that a regular expression matches, or its groups.
func (c *invocation) scan() any {
	s, out := c.self.(string), &list{}
	re := c.regexpOf(c.arg(0))
	c.steps += len(s)/16 + 1
	m, _ := re.Engine().FindStringMatch(s)
	for m != nil {
		groups := m.Groups()
		if len(groups) == 1 {
			out.of = append(out.of, m.String())
		} else {
			row := &list{}
			for _, g := range groups[1:] {
				row.of = append(row.of, g.String())
			}
			out.of = append(out.of, row)
		}
		c.step(0)
		m, _ = re.Engine().FindNextMatch(m)
	}
	return out
}

func (c *invocation) zip() any {
	out := &list{}
	for i, v := range c.of() {
		row := &list{[]any{v}}
		for _, a := range c.args {
			var other any
			if of := c.array(a).of; i < len(of) {
				other = of[i]
			}
			row.of = append(row.of, other)
		}
		out.of = append(out.of, row)
	}
	return out
}

func (c *invocation) sum() any {
	total := any(int64(0))
	if len(c.args) > 0 {
		total = c.arg(0)
	}
	for _, v := range c.of() {
		if c.block != nil {
			v = c.yield(v)
		}
		total = c.operate("+", total, v)
	}
	return total
}

func (c *invocation) groupBy() any {
	out := types.NewHash()
	for _, v := range c.of() {
		k := c.key(c.yield(v))
		if l, ok := out.Value(k).(*list); ok {
			l.of = append(l.of, v)
			continue
		}
		out.Set(k, &list{[]any{v}})
	}
	return out
}

// takeOut is shift and pop.
func (c *invocation) takeOut() any {
	l := c.self.(*list)
	if len(l.of) == 0 {
		return nil
	}
	at := 0
	if c.name == "pop" {
		at = len(l.of) - 1
	}
	v := l.of[at]
	l.of = slices.Delete(slices.Clone(l.of), at, at+1)
	return v
}

func (c *invocation) putIn() any {
	l := c.self.(*list)
	l.of = append(slices.Clone(c.args), l.of...)
	return l
}

// merged is merge; of keys that both have, a block says the value.
func (c *invocation) merged() any {
	out := c.hash().Clone()
	for _, a := range c.args {
		o, ok := a.(*types.Hash)
		if !ok {
			c.fail("merge takes hashes")
		}
		for k, v := range o.All() {
			if old, both := out.Get(k); both && c.block != nil {
				v = c.yield(k, old, v)
			}
			out.Set(k, v)
		}
	}
	return out
}

// changed makes a method that changes the hash of one that makes a new one.
func changed(m method) method {
	return func(c *invocation) any {
		from, to := m(c).(*types.Hash).Clone(), c.hash()
		for _, k := range to.Keys() {
			to.Delete(k)
		}
		for k, v := range from.All() {
			to.Set(k, v)
		}
		return to
	}
}
