package iptables

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// afterJump are the options of targets: they follow the jump, in this order.
func afterJump() []string {
	return strings.Fields(`j jump
		add-set and-mark and-tos checksum-fill clamp-mss-to-pmtu clustermac ctevents ctmask del-set
		ecn-tcp-remove exist expevents gateway hash-init hashmode helper label local-node log-ip-options
		log-level log-prefix log-tcp-options log-tcp-sequence log-uid mask new nfmask nflog-group
		nflog-prefix nflog-range nflog-threshold nodst notrack on-ip on-port or-mark or-tos persistent
		queue-balance queue-bypass queue-num random rateest-ewmalog rateest-interval rateest-name
		reject-with restore restore-mark save-mark selctx set-class set-dscp set-dscp-class set-mark
		set-mss set-tos set-xmark strip-options timeout to to-destination to-ports to-source total-nodes
		tproxy-mark ttl-dec ttl-inc ttl-set type ulog-cprange ulog-nlgroup ulog-prefix ulog-qthreshold
		xor-mark xor-tos zone dst-pfx hl-dec hl-inc hl-set hmark-dport-mask hmark-dst-prefix hmark-mod
		hmark-offset hmark-proto-mask hmark-rnd hmark-spi-mask hmark-sport-mask hmark-src-prefix
		hmark-tuple led-always-blink led-delay led-trigger-id queue-cpu-fanout src-pfx to-port addr
		and-mask delude honeypot or-mask prefix reset reuse set-mac shift static tarpit tname ttl
	`)
}

// A spelling is the arguments of a rule on their way to iptables' words.
type spelling struct {
	args  *value.Dict
	words []string
}

// spell writes a rule as iptables takes it: "--source 127.0.0.1 --jump ACCEPT".
func spell(args *value.Dict) (string, error) {
	s := &spelling{args: args.Copy()}
	if v, ok := s.pop("target"); ok {
		s.args.SetStr("jump", v)
	}
	for _, no := range [...]string{"name", "state", "chain", "save", "table", "position"} {
		s.pop(no)
	}
	s.interfaces()
	protocol := s.protocol()
	s.matches()
	s.sets()
	s.negatable("connstate", "-m state", "--state")
	s.negatable("dport", "", "--dport")
	s.negatable("sport", "", "--sport")
	for _, name := range [...]string{"dports", "sports"} {
		if !s.ports(name, protocol) {
			return "", fmt.Errorf("%s takes a protocol beside it: protocol: tcp", name)
		}
	}
	if v, ok := s.pop("comment"); ok {
		s.once("-m comment")
		s.add(`--comment "%s"`, value.String(v))
	}
	if v, ok := s.args.GetStr("set"); ok && value.Truth(v) {
		s.negatable("set", "", "--match-set")
	}
	jump := s.jump()
	s.others()
	return strings.Join(append(s.words, jump...), " "), nil
}

func (s *spelling) add(format string, args ...any) {
	s.words = append(s.words, fmt.Sprintf(format, args...))
}

// once adds a word that may stand there already.
func (s *spelling) once(word string) {
	if word != "" && !slices.Contains(s.words, word) {
		s.words = append(s.words, word)
	}
}

// pop takes an argument.
func (s *spelling) pop(name string) (value.Value, bool) {
	v, ok := s.args.GetStr(name)
	if ok {
		s.args.Delete(value.Str(name))
	}
	return v, ok
}

// negation is the word before an option that is negated, and the text without what negates it.
func negation(v value.Value) (string, string) {
	text := value.String(v)
	if strings.HasPrefix(text, "!") || strings.HasPrefix(text, "not") {
		return "! ", regexp.MustCompile(`(!|not)\s?`).ReplaceAllString(text, "")
	}
	return "", text
}

// negatable writes an argument as an option that may be negated, after the match that it needs.
func (s *spelling) negatable(name, match, option string) bool {
	v, ok := s.pop(name)
	if ok {
		s.once(match)
		no, text := negation(v)
		s.add("%s%s %s", no, option, text)
	}
	return ok
}

func (s *spelling) interfaces() {
	s.negatable("if", "", "-i")
	s.negatable("of", "", "-o")
}

// policy says whether proto is that of the match policy, and not the rule's.
func (s *spelling) policy() bool {
	v, _ := s.args.GetStr("match")
	return v == value.Str("policy")
}

func (s *spelling) protocol() bool {
	if !s.policy() {
		if v, ok := s.pop("proto"); ok {
			s.args.SetStr("protocol", v)
		}
	}
	return s.negatable("protocol", "", "-p")
}

func (s *spelling) matches() {
	policy := s.policy()
	v, ok := s.pop("match")
	if !ok {
		return
	}
	names := []string{value.String(v)}
	if _, list := v.(*value.List); list {
		names, _ = modules.Texts(v)
	} else {
		names = strings.Split(names[0], ",")
	}
	for _, m := range names {
		s.add("-m %s", m)
		if !slices.Contains([]string{"pknock", "quota2", "recent"}, strings.TrimSpace(m)) {
			continue
		}
		if name, ok := s.pop("name_"); ok {
			s.add("--name %s", value.String(name))
		}
	}
	if policy {
		s.negatable("proto", "", "--proto")
	}
}

func (s *spelling) sets() {
	v, ok := s.pop("match-set")
	if !ok {
		return
	}
	names, _ := modules.Texts(v)
	for _, name := range names {
		no, text := negation(value.Str(name))
		s.add("-m set %s--match-set %s", no, text)
	}
}

// ports writes a list of ports; false where it lacks the protocol.
func (s *spelling) ports(name string, protocol bool) bool {
	v, ok := s.pop(name)
	if !ok {
		return true
	}
	if !slices.Contains(s.words, "-m multiport") {
		if s.once("-m multiport"); !protocol {
			return false
		}
	}
	texts, _ := modules.Texts(v)
	negated := false
	for i, text := range texts {
		no, plain := negation(value.Str(text))
		texts[i], negated = plain, negated || no != ""
	}
	if negated {
		s.words = append(s.words, "!")
	}
	s.add("--%s %s", name, strings.Join(texts, ","))
	return true
}

// jump writes the target and its options.
func (s *spelling) jump() []string {
	var out []string
	for _, name := range afterJump() {
		v, ok := s.pop(name)
		text := value.String(v)
		switch {
		case !ok:
		case v == value.None || text == "":
			out = append(out, "--"+name)
		case strings.ContainsAny(text, " \t\n\r\v\f"):
			out = append(out, "--"+name+` "`+text+`"`)
		default:
			out = append(out, "--"+name+" "+text)
		}
	}
	return out
}

// others writes all that is left as it is.
func (s *spelling) others() {
	for k, v := range s.args.All() {
		name, option := value.String(k), ""
		if option = "--" + name; len(name) == 1 {
			option = "-" + name
		}
		no, text := negation(v)
		if v == value.None || text == "" {
			s.add("%s%s", no, option)
			continue
		}
		s.add("%s%s %s", no, option, text)
	}
}

// command is the whole command as Salt shows it.
func (d deed) command(h host.Reader) (string, error) {
	path, err := full(h, d.family)
	return fmt.Sprintf("%s --wait -t %s -%c %s %s", path, d.table, d.verb, d.chain, d.rest), err
}
