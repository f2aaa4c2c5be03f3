//go:build linux

package view

import (
	"bufio"
	"encoding/binary"
	"net"
	"strings"
	"testing"

	"github.com/godbus/dbus/v5"
)

// TestQuestionsOnly: of a service manager only questions are asked; what would do something ends the connection before
// it gets out.
func TestQuestionsOnly(t *testing.T) {
	ours, bus := net.Pipe()
	got := make(chan string, 8)
	go answerBus(bus, got)
	c, err := dbus.NewConn(questionsOnly(ours))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Auth([]dbus.Auth{dbus.AuthExternal("0")}); err != nil {
		t.Fatal(err)
	}
	manager := c.Object("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
	if err := manager.Call("org.freedesktop.systemd1.Manager.GetUnit", 0, "cron.service").Err; err != nil {
		t.Errorf("a question: %v", err)
	}
	if err := manager.Call("org.freedesktop.systemd1.Manager.StopUnit", 0, "cron.service", "replace").Err; err == nil {
		t.Error("a rehearsal can stop a unit")
	}
	close(got)
	var asked []string
	for m := range got {
		asked = append(asked, m)
	}
	if strings.Join(asked, " ") != "GetUnit" {
		t.Errorf("the bus was asked %q", asked)
	}
}

// answerBus lets the client in and answers every call with nothing.
func answerBus(c net.Conn, got chan<- string) {
	in := bufio.NewReader(c)
	for {
		line, err := in.ReadString('\n')
		switch {
		case err != nil:
			return
		case strings.HasPrefix(line, "BEGIN"):
			answerCalls(c, in, got)
			return
		case strings.HasSuffix(line, "AUTH\r\n"):
			_, _ = c.Write([]byte("REJECTED EXTERNAL\r\n"))
		case strings.Contains(line, "NEGOTIATE"):
			_, _ = c.Write([]byte("ERROR\r\n"))
		default:
			_, _ = c.Write([]byte("OK 0123456789abcdef0123456789abcdef\r\n"))
		}
	}
}

func answerCalls(c net.Conn, in *bufio.Reader, got chan<- string) {
	for {
		msg, err := dbus.DecodeMessage(in)
		if err != nil {
			return
		}
		got <- msg.Headers[dbus.FieldMember].Value().(string)
		reply := &dbus.Message{Type: dbus.TypeMethodReply,
			Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(msg.Serial())}}
		reply.Headers[dbus.FieldSender] = dbus.MakeVariant(":1.1")
		if err := reply.EncodeTo(c, binary.LittleEndian); err != nil {
			return
		}
	}
}
