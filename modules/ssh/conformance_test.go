package ssh

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

const (
	key   = "AAAAC3NzaC1lZDI1NTE5AAAAIE0=" // of nobody
	other = "AAAAC3NzaC1lZDI1NTE5AAAAIE1="
)

// tools are ssh-keyscan: one host answers.
func tools(_ *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[len(c.Args)-1] != "git.example.org" {
		return &host.Output{Stderr: []byte("getaddrinfo: no")}, nil
	}
	return &host.Output{Stdout: []byte("git.example.org ssh-ed25519 " + key + "\n")}, nil
}

func TestConformance(t *testing.T) {
	raw, _ := base64.StdEncoding.DecodeString(key)
	print := sha256.Sum256(raw)
	with := func(keys, known string) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			m.AddUser("alice", 1000)
			m.MustMkdir("/home/alice")
			m.MustMkdir("/etc/ssh")
			if keys != "" {
				m.MustWrite("/home/alice/.ssh/authorized_keys", keys, 0o600)
				m.MustWrite("/home/alice/.ssh/known_hosts", known, 0o600)
			}
		})
	}
	on := func(fun, name string, args ...any) modtest.Deed {
		return modtest.State(fun, name, append(args, "user", "alice")...)
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"no file": with("", ""),
			"other keys": with("# x\nssh-ed25519 "+other+" bob\n", "other.example.org ssh-rsa AAAABBBB\n"),
			"the key": with("no-pty ssh-ed25519 "+key+" alice\nssh-ed25519 "+other+"\n",
				"git.example.org,10.0.0.1 ssh-ed25519 "+other+"\n")},
		Deeds: []modtest.Deed{
			on("ssh_auth.present", "ssh-ed25519 "+key+" alice@laptop"),
			on("ssh_auth.present", key, "enc", "ed25519", "options", []string{"no-pty"}),
			modtest.State("ssh_auth.present", key, "user", "nobody-here"), on("ssh_auth.present", "no key"),
			on("ssh_auth.absent", key), modtest.State("ssh_auth.absent", key, "user", "nobody-here"),
			on("ssh_auth.manage", "keys", "ssh_keys", []string{"ssh-ed25519 " + key}),
			on("ssh_known_hosts.present", "git.example.org", "key", "ssh-ed25519 "+key, "hash_known_hosts", false),
			modtest.State("ssh_known_hosts.present", "git.example.org", "key", key, "enc", "ed25519"),
			on("ssh_known_hosts.present", "git.example.org", "enc", "ed25519", "fingerprint", hex.EncodeToString(print[:]),
				"port", 2222),
			on("ssh_known_hosts.present", "down.example.org", "fingerprint", "SHA256:x"),
			on("ssh_known_hosts.absent", "git.example.org"),
		},
		Moment: regexp.MustCompile(`\|1\|\S+`), // a name hashed with a salt by chance
	}.Run(t)
}
