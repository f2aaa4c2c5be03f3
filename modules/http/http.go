// Package http asks web servers: the state that an answer is as it should be, and the execution functions that give the
// answer.
package http

import (
	"context"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "http", States: []modules.StateSpec{querySpec(), waitSpec()}, Execs: execs()}
}

// asked are the parameters of the execution functions beside the address.
func asked() []string {
	return []string{"method=GET", "params:map=None", "data=None", "header_dict:map=None", "header_list:list=None",
		"username=None", "password=None", "decode=false", "decode_type=auto", "status=false", "headers=false", "text=false",
		"timeout:seconds=None", "verify_ssl=true", "raise_error=true", "data_file=None", "ca_bundle=None", "cert:list=None",
		"agent=None", "**kwargs"}
}

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("http.query", "query(url, method='GET', params=None, data=None, decode=False, status=False, "+
			"headers=False, ...): asks a web server.", httpQuery, append([]string{"url"}, asked()...)...),
		modules.NewExec("http.wait_for_successful_query", "wait_for_successful_query(url, wait_for=300, ...): asks a web "+
			"server until it gives an answer that is no error; with the arguments of http.query and request_interval.",
			httpWait, append([]string{"url", "wait_for:seconds=300"}, asked()...)...),
	}
}

// httpQuery asks a web server. What goes wrong is told under "error", not raised, as Salt does.
func httpQuery(ctx context.Context, c *modules.Call) (value.Value, error) {
	answer, err := request(c).ask(ctx, c.Env, c.Host)
	if err != nil {
		return nil, err
	}
	return answer, nil
}

func request(c *modules.Call) *Request {
	return &Request{URL: c.Str("url"), Method: c.Str("method"), Params: c.Dict("params"), Data: c.Arg("data"),
		HeaderDict: c.Dict("header_dict"), HeaderList: c.Strs("header_list"), Username: c.Str("username"),
		Password: c.Str("password"), Decode: c.Bool("decode"), DecodeType: c.Str("decode_type"), Status: c.Bool("status"),
		Headers: c.Bool("headers"), Text: c.Bool("text"), Timeout: c.Seconds("timeout"), VerifySSL: c.Bool("verify_ssl"),
		RaiseError: c.Bool("raise_error"), DataFile: c.Str("data_file"), CABundle: c.Str("ca_bundle"),
		Cert: c.Strs("cert"), Agent: c.Str("agent")}
}

// httpWait asks until the answer is no error.
func httpWait(ctx context.Context, c *modules.Call) (value.Value, error) {
	interval, err := modules.Seconds(c.Arg("request_interval"))
	if err != nil && c.Has("request_interval") {
		return nil, value.Raise("TypeError", "request_interval %v", err)
	}
	end := c.Time().Add(c.Seconds("wait_for"))
	for {
		answer, err := request(c).ask(ctx, c.Env, c.Host)
		if err != nil {
			return nil, err
		}
		if _, failed := answer.GetStr("error"); !failed || c.Time().After(end) {
			return answer, nil
		}
		if err := pause(ctx, interval); err != nil {
			return answer, nil
		}
	}
}

// least is the least time between two questions: a server that refuses at once is not asked a thousand times a second.
const least = 50 * time.Millisecond

// pause waits between two questions.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(max(d, least))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
