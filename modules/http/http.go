// Package http is the execution function that asks web servers.
package http

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

const (
	httpTimeout = 30 * time.Second
	maxBody     = 64 << 20
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "http", Execs: execs()} }

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("http.query", "query(url, method='GET', params=None, data=None, decode=False, status=False, "+
			"headers=False, ...): asks a web server.", httpQuery,
			"url", "method=GET", "params:map=None", "data=None", "header_dict:map=None", "header_list:list=None",
			"username=None",
			"password=None", "decode=false",
			"decode_type=auto", "status=false", "headers=false", "text=false", "timeout:seconds=None", "verify_ssl=true",
			"raise_error=true", "**kwargs"),
	}
}

// httpQuery asks a web server. What goes wrong is told under "error", not raised, as Salt does.
func httpQuery(ctx context.Context, c *modules.Call) (value.Value, error) {
	wait := httpTimeout
	if t := c.Seconds("timeout"); t > 0 {
		wait = t
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	req, err := request(ctx, c)
	if err != nil {
		return nil, err
	}
	client := &http.Client{}
	if !c.Bool("verify_ssl") {
		// asked for by verify_ssl=False
		client.Transport = &http.Transport{Proxy: http.ProxyFromEnvironment,
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	}
	resp, err := client.Do(req)
	if err != nil {
		return value.DictOf("error", value.Str(err.Error())), nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return value.DictOf("error", value.Str(err.Error())), nil
	}
	return answer(c, resp, body)
}

func sortedKeys(h http.Header) []string {
	keys := make([]string, 0, len(h))
	for k := range h {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func request(ctx context.Context, c *modules.Call) (*http.Request, error) {
	u, err := url.Parse(c.Str("url"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, value.Raise("CommandExecutionError", "http.query: '%s' is no http or https URL", c.Str("url"))
	}
	q := u.Query()
	for k, v := range c.Dict("params").All() {
		q.Set(value.String(k), value.String(v))
	}
	u.RawQuery = q.Encode()
	data, form := payload(c.Arg("data"))
	req, err := http.NewRequestWithContext(ctx, strings.ToUpper(c.Str("method")), u.String(), strings.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("http.query: %w", err)
	}
	if form {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	req.Header.Set("User-Agent", "Salt/3006.9")
	for _, l := range c.Strs("header_list") {
		if k, v, ok := strings.Cut(l, ":"); ok {
			req.Header.Set(strings.TrimSpace(k), strings.TrimSpace(v))
		}
	}
	for k, v := range c.Dict("header_dict").All() {
		req.Header.Set(value.String(k), value.String(v))
	}
	if c.Str("username") != "" {
		req.SetBasicAuth(c.Str("username"), c.Str("password"))
	}
	return req, nil
}

// payload is the body to send: a map as a form, text as it is.
func payload(v value.Value) (data string, form bool) {
	switch v := v.(type) {
	case value.NoneType:
		return "", false
	case *value.Dict:
		f := url.Values{}
		for k, it := range v.All() {
			f.Set(value.String(k), value.String(it))
		}
		return f.Encode(), true
	}
	return value.String(v), false
}

func answer(c *modules.Call, resp *http.Response, body []byte) (value.Value, error) {
	out := value.DictOf("body", value.TextOf(body))
	if c.Bool("status") || resp.StatusCode >= 400 {
		out.SetStr("status", value.Int(resp.StatusCode))
	}
	if resp.StatusCode >= 400 {
		out.SetStr("error", value.Str(fmt.Sprintf("HTTP %d: %s", resp.StatusCode, http.StatusText(resp.StatusCode))))
	}
	if c.Bool("headers") {
		h := value.NewDict(len(resp.Header))
		for _, k := range sortedKeys(resp.Header) {
			h.SetStr(k, value.Str(strings.Join(resp.Header[k], ", ")))
		}
		out.SetStr("headers", h)
	}
	if c.Bool("text") {
		out.SetStr("text", value.TextOf(body))
	}
	if !c.Bool("decode") || resp.StatusCode >= 400 {
		return out, nil
	}
	format := c.Str("decode_type")
	if kind := resp.Header.Get("Content-Type"); format == "auto" && strings.Contains(kind, "yaml") {
		format = "yaml"
	} else if format == "auto" && (strings.Contains(kind, "json") ||
		strings.HasPrefix(strings.TrimSpace(string(body)), "{")) {
		format = "json"
	}
	switch format {
	case "json", "yaml":
		v, err := c.Deserialize(format, string(body))
		if err != nil {
			return nil, err
		}
		out.SetStr("dict", v)
	case "auto", "plain":
		out.SetStr("text", value.TextOf(body))
	default:
		return nil, value.Raise("CommandExecutionError", "http.query: decode_type '%s' is not supported; use json, yaml or "+
			"plain", format)
	}
	return out, nil
}
