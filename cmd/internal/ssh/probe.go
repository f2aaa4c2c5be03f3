package ssh

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// probeScript asks a machine what it is and where the program can lie. Any shell runs it: it comes on standard input of
// sh. A directory must be ours alone, and let programs run.
const probeScript = `LC_ALL=C
export LC_ALL
u=$(id -u)
echo "MARK system $(uname -s) $(uname -m) $(uname -r) $u"
for base in $TMPDIR /var/tmp "$HOME/.cache" /run/user/$u /dev/shm /tmp; do
  [ -d "$base" ] || continue
  d=$base/.gostate-$u
  mkdir -m 700 "$d" 2>/dev/null
  if [ -L "$d" ] || [ ! -d "$d" ] || [ ! -O "$d" ]; then echo "MARK not $base cannot have a directory of ours there"; continue; fi
  case $(ls -ld "$d") in drwx------*) ;; *) echo "MARK not $d can be opened by others"; continue;; esac
  if ! { printf '#!/bin/sh\nexit 0\n' >"$d/try-$$" && chmod 700 "$d/try-$$"; } 2>/dev/null; then
    rm -f "$d/try-$$"; echo "MARK not $d cannot be written to, is the disk full?"; continue; fi
  if "$d/try-$$" 2>/dev/null; then rm -f "$d/try-$$"; else rm -f "$d/try-$$"; echo "MARK not $d is mounted noexec"; continue; fi
  echo "MARK dir $d"
  for f in "$d"/gostate-*; do [ -x "$f" ] && echo "MARK have ${f##*/gostate-}"; done
  break
done
echo "MARK end"
`

// A machine is what was heard of one.
type machine struct {
	system, arch, kernel string
	uid                  int
	dir                  string   // where the program lies, "" where it can lie nowhere
	have                 []string // hashes of the programs there
	not                  []string // why it cannot lie elsewhere
	noise                string   // what a shell printed beside
	ended                bool
}

// newMark is a word that nobody else prints.
func newMark() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return "gostate-" + hex.EncodeToString(b[:])
}

// probe asks the machine what it is.
func (c *conn) probe(ctx context.Context) (*machine, error) {
	mark := newMark()
	cmd := c.command(ctx, "sh -s")
	cmd.Stdin = strings.NewReader(strings.ReplaceAll(probeScript, "MARK", mark))
	var out, heard bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &heard
	err := cmd.Run()
	m := readProbe(out.String(), mark)
	switch {
	case m.ended:
		return m, m.fit()
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case cmd.ProcessState == nil:
		return nil, &Fault{Msg: "ssh cannot be started", Heard: err.Error(), Hint: "install OpenSSH's client"}
	case cmd.ProcessState.ExitCode() == 255:
		return nil, c.unreached(heard.String())
	}
	return nil, &Fault{Msg: "its shell does not run sh", Heard: lastLine(firstOf(heard.String(), out.String())),
		Hint: "ssh " + c.host.Destination() + " sh -c true must print nothing and succeed"}
}

func firstOf(words ...string) string {
	for _, w := range words {
		if strings.TrimSpace(w) != "" {
			return w
		}
	}
	return ""
}

// readProbe reads what the script printed; what else there is, a shell's profile did.
func readProbe(text, mark string) *machine {
	m := &machine{uid: -1}
	for line := range strings.Lines(text) {
		_, words, ours := strings.Cut(strings.TrimRight(line, "\r\n"), mark+" ")
		kind, rest, _ := strings.Cut(words, " ")
		switch {
		case !ours:
			m.noise += line
		case kind == "system":
			f := strings.Fields(rest)
			if len(f) == 4 {
				m.system, m.arch, m.kernel = f[0], f[1], f[2]
				m.uid, _ = strconv.Atoi(f[3])
			}
		case kind == "dir":
			m.dir = rest
		case kind == "have":
			m.have = append(m.have, rest)
		case kind == "not":
			m.not = append(m.not, rest)
		case kind == "end":
			m.ended = true
		}
	}
	return m
}

// oldest is the oldest Linux that a program of Go's runs on.
const oldest = "3.2"

// fit says why the machine is none for gostate.
func (m *machine) fit() error {
	var major, minor int
	_, _ = fmt.Sscanf(m.kernel, "%d.%d", &major, &minor)
	switch {
	case m.system != "Linux":
		return &Fault{Msg: "it runs " + firstOf(m.system, "an unknown system") + ", and gostate is for Linux"}
	case major < 3 || major == 3 && minor < 2:
		return &Fault{Msg: "its kernel is " + m.kernel + ", and gostate needs " + oldest + " at least"}
	case m.dir == "":
		return &Fault{Msg: "the program can lie nowhere there", Heard: strings.Join(m.not, "; "),
			Hint: "give it room, and no noexec, in /var/tmp or the user's ~/.cache"}
	}
	return nil
}
