package iptables

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// bootFile is where the rules are loaded from at boot.
func bootFile(env *modules.Env, family string) (string, error) {
	pick := func(v4, v6 string) (string, error) {
		if family == "ipv6" {
			return v6, nil
		}
		return v4, nil
	}
	switch env.Grains.Text("os_family") {
	case "RedHat":
		return pick("/etc/sysconfig/iptables", "/etc/sysconfig/ip6tables")
	case "Arch", "Void":
		return pick("/etc/iptables/iptables.rules", "/etc/iptables/ip6tables.rules")
	case "Debian":
		return pick("/etc/iptables/rules.v4", "/etc/iptables/rules.v6")
	case "Gentoo":
		return pick("/var/lib/iptables/rules-save", "/var/lib/ip6tables/rules-save")
	case "Suse":
		return "/etc/sysconfig/scripts/SuSEfirewall2-custom", nil
	case "Alpine":
		return pick("/etc/iptables/rules-save", "/etc/iptables/rules6-save")
	}
	return "", fmt.Errorf("Saving iptables to file is not supported on %s: give save a path",
		env.Grains.Text("os")) //nolint:staticcheck // Salt's words
}

// saved is the file that the argument save means.
func saved(env *modules.Env, family string, save value.Value) (string, error) {
	if save == value.Bool(true) {
		return bootFile(env, family)
	}
	return modules.Text(save)
}

// store writes the rules to a file. Its answer is Salt's.
func store(ctx context.Context, env *modules.Env, h host.Host, family, file string) (string, error) {
	said := fmt.Sprintf("Wrote 1 lines to %q", file)
	if told(h, family) != nil { // nobody knows how iptables writes a rule that it does not have yet
		return said, h.Do(ctx, host.Deed{What: "save the rules to " + file, On: host.FactPath,
			Foretell: func(o host.Host) error {
				o.Promise(host.Fact{Kind: host.FactPath, Name: file, Value: "unknown"})
				return nil
			}})
	}
	text, err := save(ctx, h, family)
	if err != nil {
		return "", err
	}
	lines, err := kept(env, strings.Split(text, "\n"))
	if err != nil {
		return "", err
	}
	return said, modules.WriteLines(h, file, lines)
}

// kept are the lines that the option iptables.save_filters leaves.
func kept(env *modules.Env, lines []string) ([]string, error) {
	var filters []string
	for _, data := range []modules.Data{env.Opts, env.Grains, env.Pillar} {
		if data == nil {
			continue
		}
		if v, ok := data("iptables.save_filters"); ok {
			filters, _ = modules.Texts(v)
			break
		}
	}
	for _, f := range filters {
		re, err := regexp.Compile(f)
		if err != nil {
			return nil, fmt.Errorf("iptables.save_filters: %w", err)
		}
		lines = slices.DeleteFunc(lines, re.MatchString)
	}
	return lines, nil
}

// keep saves the rules where the argument save asks for it. Its answer is "" where it does not.
func keep(ctx context.Context, env *modules.Env, h host.Host, family string, save value.Value) (string, error) {
	if save == nil || !value.Truth(save) {
		return "", nil
	}
	file, err := saved(env, family, save)
	if err != nil {
		return "", err
	}
	return store(ctx, env, h, family, file)
}

// stale says whether the file that the argument save means holds other rules than the kernel.
func stale(ctx context.Context, env *modules.Env, h host.Host, family string, keep value.Value) (bool, error) {
	if keep == nil || !value.Truth(keep) || told(h, family) != nil {
		return false, nil
	}
	file, err := saved(env, family, keep)
	if err != nil {
		return false, err
	}
	text, err := save(ctx, h, family)
	if err != nil {
		return false, err
	}
	lines, err := modules.ReadLines(h, file)
	return !slices.EqualFunc(parse(text).lists(), parse(strings.Join(lines, "\n")).lists(), slices.Equal), err
}
