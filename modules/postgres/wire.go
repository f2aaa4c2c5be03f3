package postgres

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/gostate/gostate/state/host"
)

// A session is a connection to one database.
type session struct {
	conn host.Conn
	wire *pgproto3.Frontend
}

// A refusal is an error that the server tells.
type refusal struct{ code, text, detail string }

func (r refusal) Error() string {
	if r.detail != "" {
		return r.text + " (" + strings.TrimRight(r.detail, ".") + ")"
	}
	return r.text
}

// The codes of errors that are treated in a way of their own.
const (
	codeStarting   = "57P03" // the server is starting up or shutting down
	codeNoDatabase = "3D000"
	codeNoWrite    = "25006" // a transaction that only reads is to write
)

// open begins a session on a connection.
func open(ctx context.Context, conn host.Conn, s *server, database string) (*session, error) {
	out := &session{conn: conn}
	defer out.until(ctx)()
	if err := out.begin(ctx, s, database); err != nil {
		out.close()
		return nil, err
	}
	return out, nil
}

// until ends what waits for the server when the context ends; the answer takes that back.
func (s *session) until(ctx context.Context) (done func()) {
	conn := s.conn
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	return func() { stop() }
}

func (s *session) close() {
	if s.wire != nil {
		s.wire.Send(&pgproto3.Terminate{})
		_ = s.wire.Flush()
	}
	_ = s.conn.Close()
}

// begin speaks the beginning of the protocol: TLS where the server has it, who and where, the password.
func (s *session) begin(ctx context.Context, sv *server, database string) error {
	if sv.tcp() {
		if err := s.secure(ctx, sv.host); err != nil {
			return err
		}
	}
	s.wire = pgproto3.NewFrontend(s.conn, s.conn)
	s.wire.Send(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersion30, Parameters: map[string]string{
		"user": sv.user, "database": database, "client_encoding": "UTF8", "DateStyle": "ISO, MDY",
		"application_name": "gostate",
	}})
	if err := s.wire.Flush(); err != nil {
		return err
	}
	login := login{wire: s.wire, user: sv.user, password: sv.password}
	for {
		m, err := s.receive()
		if err != nil {
			return err
		}
		if _, ok := m.(*pgproto3.ReadyForQuery); ok {
			return nil
		}
		if err := login.answer(m); err != nil {
			return err
		}
	}
}

// secure asks for TLS as psql does: it is used where the server has it, and no certificate is asked for.
func (s *session) secure(ctx context.Context, name string) error {
	request, _ := (&pgproto3.SSLRequest{}).Encode(nil)
	if _, err := s.conn.Write(request); err != nil {
		return err
	}
	answer := make([]byte, 1)
	if _, err := io.ReadFull(s.conn, answer); err != nil || answer[0] != 'S' {
		return err
	}
	t := tls.Client(s.conn, &tls.Config{ServerName: name, InsecureSkipVerify: true})
	if err := t.HandshakeContext(ctx); err != nil {
		return err
	}
	s.conn = t
	return nil
}

// receive is the next message that is not said beside the matter. An error of the server's is one.
func (s *session) receive() (pgproto3.BackendMessage, error) {
	for {
		m, err := s.wire.Receive()
		if err != nil {
			return nil, err
		}
		switch m := m.(type) {
		case *pgproto3.ErrorResponse:
			return nil, refusal{m.Code, m.Message, m.Detail}
		case *pgproto3.NoticeResponse, *pgproto3.ParameterStatus, *pgproto3.BackendKeyData, *pgproto3.NotificationResponse:
			continue
		}
		return m, nil
	}
}

// A result is what a query gives: NULL is the empty text, as psql prints it.
type result struct {
	columns []string
	rows    [][]string
}

// ask runs one query with parameters.
func (s *session) ask(ctx context.Context, query string, args ...string) (result, error) {
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	s.wire.Send(&pgproto3.Parse{Query: query})
	s.wire.Send(&pgproto3.Bind{Parameters: params})
	s.wire.Send(&pgproto3.Describe{ObjectType: 'P'})
	s.wire.Send(&pgproto3.Execute{})
	s.wire.Send(&pgproto3.Sync{})
	return s.gather(ctx)
}

// gives says whether a query gives rows.
func (s *session) gives(ctx context.Context, query string) (bool, error) {
	s.wire.Send(&pgproto3.Parse{Query: query})
	s.wire.Send(&pgproto3.Describe{ObjectType: 'S'})
	s.wire.Send(&pgproto3.Sync{})
	r, err := s.gather(ctx)
	return r.columns != nil, err
}

// run runs statements, all or none of them where the server can.
func (s *session) run(ctx context.Context, statements string) error {
	s.wire.Send(&pgproto3.Query{String: statements})
	_, err := s.gather(ctx)
	return err
}

// gather takes what the server answers until it is ready for more.
func (s *session) gather(ctx context.Context) (out result, err error) {
	defer s.until(ctx)()
	if err := s.wire.Flush(); err != nil {
		return out, lost(ctx, err)
	}
	for {
		m, fault := s.receive()
		if r := (refusal{}); errors.As(fault, &r) {
			err = r
			continue
		} else if fault != nil {
			if err != nil { // the server said why before it hung up
				return out, err
			}
			return out, lost(ctx, fault)
		}
		switch m := m.(type) {
		case *pgproto3.RowDescription:
			for _, f := range m.Fields {
				out.columns = append(out.columns, string(f.Name))
			}
		case *pgproto3.DataRow:
			row := make([]string, len(m.Values))
			for i, v := range m.Values {
				row[i] = string(v)
			}
			out.rows = append(out.rows, row)
		case *pgproto3.ReadyForQuery:
			return out, err
		}
	}
}

// lost is the error for a connection that ended in the middle.
func lost(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("the PostgreSQL server did not answer in time: %w", cause)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = errors.New("it hung up")
	}
	return fmt.Errorf("the connection to the PostgreSQL server was lost: %w", err)
}
