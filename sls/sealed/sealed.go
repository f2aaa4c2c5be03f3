// Package sealed opens the encrypted values of the pillar: PGP messages, age files, and documents of sops.
//
// Values in dicts are sealed where they stand (value.Sealed) and opened when something asks for them, each cipher once
// a run; what nobody asks for is never decrypted. PGP messages are given to the system's gpg on its standard input, the
// rest is decrypted here. What was decrypted is registered as a secret, is written to no disk and no command line, and
// stands in no error. A value that cannot be opened is an undefined value whose error names its place: what uses it
// fails, a default does not stand in for it.
package sealed

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// Keys are what opens the values of a run.
type Keys struct {
	// Host is the machine that has the keys, and gpg.
	Host host.Reader
	// GPGDir is gpg's home, AgeFiles are files of age identities or SSH keys.
	GPGDir   string
	AgeFiles []string
	// Lenient leaves a message that gpg cannot decrypt as it is, with a warning, as Salt does.
	Lenient bool
	Warn    func(text string)
	Secrets *secret.Store

	mu     sync.Mutex // guards all below, and is held while something is decrypted
	opened map[string][]byte
	faults []*diag.Diagnostic
	used   bool // something was sealed or opened
	age    *identities
}

// A Source is where values come from.
type Source struct {
	Ctx context.Context
	// At leads from a mark to the place that users know; nil knows none.
	At func(value.Mark) diag.Pos
	// Escaped: in the ciphers, newlines are written as a backslash and an n. PGP messages may always be so.
	Escaped bool
}

func (s Source) pos(m value.Mark) diag.Pos {
	if s.At == nil {
		return diag.Pos{}
	}
	return s.At(m)
}

// A Format is a way in which texts are encrypted within a value.
type Format uint8

// PGP and Age are the formats, by the names of their renderers.
const (
	PGP Format = iota
	Age
)

// Used says whether a value was sealed or opened.
func (k *Keys) Used() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.used
}

// Err is what could not be opened.
func (k *Keys) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	var l diag.List
	l.Add(k.faults...)
	return l.Err()
}

// Text decrypts what a text holds. The error is a *diag.Diagnostic.
func (k *Keys) Text(f Format, text string, s Source, at value.Mark) (value.Value, error) {
	if s.Escaped {
		text = strings.ReplaceAll(text, `\n`, "\n")
	}
	places := f.places(text)
	if len(places) == 0 {
		return value.Str(text), nil
	}
	var out bytes.Buffer
	end := 0
	for _, p := range places {
		plain, err := k.message(s.Ctx, f, text[p[0]:p[1]])
		if err != nil {
			return nil, k.fault(s.pos(at), err)
		}
		out.WriteString(text[end:p[0]])
		out.Write(plain)
		end = p[1]
	}
	out.WriteString(text[end:])
	v := value.TextOf(bytes.TrimRight(out.Bytes(), "\n"))
	k.Secrets.Mark(v)
	return v, nil
}

// message decrypts one cipher, once a run.
func (k *Keys) message(ctx context.Context, f Format, cipher string) ([]byte, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used = true
	cipher = strings.ReplaceAll(cipher, `\n`, "\n")
	if plain, ok := k.opened[cipher]; ok {
		return plain, nil
	}
	open := k.gpg
	if f == Age {
		open = k.unage
	}
	plain, err := open(ctx, cipher)
	if err != nil {
		return nil, err
	}
	k.Secrets.Mark(value.Bytes(bytes.TrimRight(plain, "\n")))
	if k.opened == nil {
		k.opened = map[string][]byte{}
	}
	k.opened[cipher] = plain
	return plain, nil
}

// fault notes what could not be opened.
func (k *Keys) fault(pos diag.Pos, err error) *diag.Diagnostic {
	d := diag.Errorf(pos, "%v", err)
	var hinted *hint
	if errors.As(err, &hinted) {
		d.Hint = hinted.hint
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.faults = append(k.faults, d)
	return d
}

// A hint is an error with what to do about it.
type hint struct {
	error
	hint string
}

func (h *hint) Unwrap() error { return h.error }
