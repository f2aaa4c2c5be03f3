//go:build linux

package view

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
)

// asks are the calls that only ask, of the bus and of systemd.
var asks = []string{
	"Hello", "AddMatch", "RemoveMatch", "GetNameOwner", "NameHasOwner", "Ping", "Introspect", "Get", "GetAll", "Subscribe",
	"Unsubscribe",
	"GetUnit", "LoadUnit", "GetUnitFileState", "GetDefaultTarget", "ListUnits", "ListUnitsFiltered", "ListUnitsByPatterns",
	"ListUnitsByNames",
	"ListUnitFiles", "ListUnitFilesByPatterns", "ListJobs",
}

var errAct = errors.New("a rehearsal only asks the service manager: it starts, stops and changes nothing")

// questionsOnly is the connection without the calls that do something: the first of them ends it.
func questionsOnly(c net.Conn) net.Conn {
	r, w := io.Pipe()
	guarded := &guard{Conn: c, w: w}
	go guarded.pass(r)
	return guarded
}

// A guard is a connection to a D-Bus whose messages are looked at before they go out.
type guard struct {
	net.Conn
	w *io.PipeWriter
}

func (g *guard) Write(p []byte) (int, error) { return g.w.Write(p) }

func (g *guard) Close() error { return errors.Join(g.w.Close(), g.Conn.Close()) }

// pass lets the lines of the login through, and then every message that asks.
func (g *guard) pass(r *io.PipeReader) {
	in := bufio.NewReader(r)
	err := g.login(in)
	for err == nil {
		var msg []byte
		if msg, err = readMessage(in); err != nil {
			break
		}
		if !slices.Contains(asks, member(msg)) {
			err = errAct
			break
		}
		_, err = g.Conn.Write(msg)
	}
	r.CloseWithError(err)
	g.Conn.Close()
}

// login passes on the lines up to BEGIN.
func (g *guard) login(in *bufio.Reader) error {
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return err
		}
		if _, err := g.Conn.Write(line); err != nil {
			return err
		}
		if bytes.Equal(bytes.TrimLeft(line, "\x00"), []byte("BEGIN\r\n")) {
			return nil
		}
	}
}

// maxMessage is the specification's limit.
const maxMessage = 128 << 20

func order(msg []byte) binary.ByteOrder {
	if msg[0] == 'B' {
		return binary.BigEndian
	}
	return binary.LittleEndian
}

// readMessage reads one whole message: 16 bytes with the lengths, the fields padded to 8, the body.
func readMessage(in *bufio.Reader) ([]byte, error) {
	head := make([]byte, 16)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, err
	}
	body, fields := order(head).Uint32(head[4:]), order(head).Uint32(head[12:])
	rest := uint64(body) + (uint64(fields)+7)&^7
	if rest > maxMessage {
		return nil, errors.New("a message to the bus is too long")
	}
	msg := append(head, make([]byte, rest)...)
	_, err := io.ReadFull(in, msg[16:])
	return msg, err
}

// member is the name of the method that a message calls; "" for what is no call, or cannot be read.
func member(msg []byte) string {
	const methodCall, fieldMember = 1, 3
	if msg[1] != methodCall {
		return ""
	}
	end := 16 + int(order(msg).Uint32(msg[12:]))
	for at := 16; at+8 <= end; {
		code, sig := msg[at], string(msg[at+2:at+2+int(msg[at+1])])
		at += 3 + int(msg[at+1])
		var text string
		switch sig {
		case "s", "o":
			at = (at + 3) &^ 3
			n := int(order(msg).Uint32(msg[at:]))
			text = string(msg[at+4 : at+4+n])
			at += 5 + n
		case "g":
			at += 2 + int(msg[at])
		case "u":
			at = (at+3)&^3 + 4
		default:
			return ""
		}
		if code == fieldMember {
			return strings.Clone(text)
		}
		at = (at + 7) &^ 7
	}
	return ""
}
