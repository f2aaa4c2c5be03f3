package nftables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// saves says whether the argument save asks for it.
func saves(v value.Value) bool { return v != nil && value.Truth(v) }

// usual is the file that rules are saved to.
func usual(env *modules.Env) (string, error) {
	if slices.Contains([]string{"RedHat", "Arch", "Debian"}, env.Grains.Text("os_family")) ||
		env.Grains.Text("os") == "Gentoo" {
		return "/etc/nftables", nil
	}
	return "", fmt.Errorf("nobody knows where %s loads rules from: give a file name", env.Grains.Text("os"))
}

// target is the file for a name, "" for the usual one.
func target(env *modules.Env, h host.Reader, name string) (string, error) {
	if name == "" {
		var err error
		if name, err = usual(env); err != nil {
			return "", err
		}
	}
	if i, err := h.Stat(name); err == nil && i.IsDir() {
		return name + "/salt-all-in-one.nft", nil
	}
	return name, nil
}

// save writes all rules to a file.
func save(ctx context.Context, env *modules.Env, h host.Host, name string) error {
	_, err := store(ctx, env, h, name)
	return err
}

// store writes all rules to a file. Its answer is what it wrote, "" where nobody knows yet how nft writes it.
func store(ctx context.Context, env *modules.Env, h host.Host, name string) (string, error) {
	file, err := target(env, h, name)
	if err != nil {
		return "", err
	}
	if told(h) != nil {
		return "", h.Do(ctx, host.Deed{What: "save the rules to " + file, On: host.FactPath,
			Foretell: func(o host.Host) error {
				o.Promise(host.Fact{Kind: host.FactPath, Name: file, Value: "unknown"})
				return nil
			}})
	}
	text := "#! nft -f\n"
	for _, family := range []string{"ip", "ip6", "inet", "arp", "bridge", "netdev"} {
		out, err := lists(ctx, h, family)
		if err != nil {
			return "", err
		}
		if len(out) > 0 {
			text += "\n" + strings.Join(out, "\n")
		}
	}
	text += "\n"
	return text, modules.WriteLines(h, file, strings.Split(strings.TrimSuffix(text, "\n"), "\n"))
}

// lists are the tables of a family as nft lists them.
func lists(ctx context.Context, h host.Reader, family string) ([]string, error) {
	all, err := read(ctx, h)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, t := range all.tables {
		if t.Family != family {
			continue
		}
		out, err := ask(ctx, h, "", "--numeric", "--numeric", "--numeric", "list", "table", family, t.Name)
		if err == nil {
			err = refusal(out)
		}
		if err != nil {
			return nil, err
		}
		texts = append(texts, strings.TrimRight(string(out.Stdout), "\n"))
	}
	return texts, nil
}
