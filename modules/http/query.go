package http

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// Query asks a web server and looks at its answer.
type Query struct {
	Name string `arg:"name,required,word" doc:"The address."`
	Request
	Match      string        `arg:"match,text" doc:"What the text of the answer holds."`
	MatchType  string        `arg:"match_type" default:"string" choices:"string|pcre" doc:"Whether match is a text or a pattern."`
	Wanted     value.Value   `arg:"status,text" doc:"The status of the answer, or a list of them."`
	StatusType string        `arg:"status_type" default:"string" choices:"string|pcre|list" doc:"Whether status is a number, a pattern or a list."`
	WaitFor    time.Duration `arg:"wait_for" doc:"How long an answer that is no error is waited for."`
	Interval   time.Duration `arg:"request_interval" doc:"The time between two questions."`
	TestURL    string        `arg:"test_url,word" doc:"The address to ask in test mode; it is asked nothing when not given."`
	Others     value.Value   `arg:"backend" alias:"text,headers,opts,node,port,cookies,cookie_jar,cookie_format,persist_session,session_cookie_jar,data_render,data_renderer,header_file,header_render,header_renderer,template_dict,auth,text_out,headers_out,decode_out,stream,handle,hide_fields,decode_body,formdata,formdata_fieldname,formdata_filename,test" doc:"No effect."`

	again bool // asks until the answer is as it should be
}

func querySpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "http.query", Doc: "Asks a web server, and fails where its answer is not as it should be.", AnyArgs: true,
		Example: "http://localhost/health:\n  http.query:\n    - status: 200\n    - match: ok",
		New:     func() modules.StateFunc { return &Query{} },
	}
}

func waitSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "http.wait_for_successful_query",
		Doc:     "Asks a web server until its answer is as it should be, for at most wait_for seconds (300).",
		Example: "http://localhost/health:\n  http.wait_for_successful_query:\n    - status: 200\n    - request_interval: 2",
		New:     func() modules.StateFunc { return &Query{WaitFor: 300 * time.Second, again: true} }, AnyArgs: true,
	}
}

// Validate finds what cannot be compared.
func (q *Query) Validate() (out []modules.Fault) {
	if q.Match == "" && q.Wanted == nil {
		out = append(out, modules.Fault{Arg: "match", Msg: "it needs match or status",
			Hint: "say what the answer should be"})
	}
	if _, list := q.Wanted.(*value.List); list != (q.StatusType == "list") && q.Wanted != nil {
		out = append(out, modules.Fault{Arg: "status", Msg: "a list of statuses goes with status_type: list, and only that",
			Hint: "give one status, or status_type: list"})
	}
	if q.MatchType == "pcre" {
		if _, err := pyre.Compile(q.Match, 0); err != nil {
			out = append(out, modules.Fault{Arg: "match", Msg: err.Error()})
		}
	}
	if q.StatusType == "pcre" {
		if _, err := pyre.Compile(value.String(q.Wanted), 0); err != nil {
			out = append(out, modules.Fault{Arg: "status", Msg: err.Error()})
		}
	}
	return out
}

// Act asks. A preview asks nothing but test_url: what a question does to a server is not known.
func (q *Query) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e := state.Effect{Pending: true, Once: true, Preview: "(TEST MODE)"}
	err := h.Do(ctx, host.Deed{What: "ask " + q.Name, On: host.Nothing,
		Do: func(ctx context.Context) (err error) {
			e.Comment, err = q.asked(ctx, env, h)
			return err
		},
		Foretell: func(o host.Host) error {
			if q.TestURL != "" {
				said, err := q.try(ctx, env, o, q.TestURL)
				e.Preview = fmt.Sprintf("%s (TEST MODE, TEST URL WAS: %s)", words(said, err), q.TestURL)
			}
			return nil
		}})
	return e, err
}

func words(said string, err error) string {
	if err != nil {
		return err.Error()
	}
	return said
}

// asked asks once, or until the answer is right.
func (q *Query) asked(ctx context.Context, env *modules.Env, h host.Reader) (string, error) {
	end := env.Time().Add(q.WaitFor)
	for {
		env.Progress("ask " + q.Name)
		said, err := q.try(ctx, env, h, q.Name)
		unanswered := errors.As(err, new(*silence))
		if err == nil || !q.again && !unanswered || env.Time().After(end) {
			return said, err
		}
		if pause(ctx, q.Interval) != nil {
			return said, err
		}
	}
}

// silence is the fault that a server gave no answer, or an error.
// Salt differs: its comment does not say why.
type silence struct{ error }

// try asks once and judges.
func (q *Query) try(ctx context.Context, env *modules.Env, h host.Reader, url string) (string, error) {
	r := q.Request
	r.URL, r.Status, r.Text = url, true, true
	answer, err := r.ask(ctx, env, h)
	if err != nil {
		return "", err
	}
	said, err := q.judge(answer)
	if why, failed := answer.GetStr("error"); failed && err != nil {
		return said, &silence{fmt.Errorf("%w (%s)", err, value.String(why))}
	}
	return said, err
}

// judge says in Salt's words whether an answer is right.
func (q *Query) judge(answer *value.Dict) (string, error) {
	var said []string
	ok := true
	add := func(found bool, is, isNot string) {
		ok = ok && found
		if !found {
			is = isNot
		}
		said = append(said, is)
	}
	text, status := field(answer, "text"), field(answer, "status")
	switch {
	case q.Match != "" && q.MatchType == "pcre":
		what := fmt.Sprintf("Match pattern %q was ", q.Match)
		add(found(q.Match, text), what+"found.", what+"not found.")
	case q.Match != "":
		what := `Match text "` + q.Match + `" was `
		add(strings.Contains(text, q.Match), what+"found.", what+"not found.")
	}
	wanted := value.String(q.Wanted)
	switch {
	case q.Wanted == nil:
	case q.StatusType == "list":
		list, _ := modules.Texts(q.Wanted)
		in := false
		for _, s := range list {
			in = in || s == status
		}
		add(in, "Status "+status+" was found.", "Statuses "+value.Repr(q.Wanted)+" were not found.")
	case q.StatusType == "pcre":
		what := `Status pattern "` + wanted + `" was `
		add(found(wanted, status), what+"found.", what+"not found.")
	default:
		add(wanted == status, "Status "+wanted+" was found.", "Status "+wanted+" was not found.")
	}
	all := strings.Join(said, " ")
	if !ok {
		return "", errors.New(all)
	}
	return all, nil
}

func found(pattern, text string) bool {
	re, err := pyre.Compile(pattern, 0)
	if err != nil {
		return false
	}
	m, err := re.Search(text)
	return err == nil && m != nil
}

func field(d *value.Dict, name string) string {
	v, ok := d.GetStr(name)
	if !ok {
		return ""
	}
	return value.String(v)
}
