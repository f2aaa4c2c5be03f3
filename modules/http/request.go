package http

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

const (
	httpTimeout = 30 * time.Second
	maxBody     = 64 << 20
)

// A Request is what is asked of a web server, and which parts of its answer are wanted.
type Request struct {
	URL        string
	Method     string        `arg:"method,word" default:"GET" doc:"The method."`
	Params     *value.Dict   `arg:"params,text" doc:"The query of the address."`
	Data       value.Value   `arg:"data,text" doc:"The body: a text, or a map, which is sent as a form."`
	DataFile   string        `arg:"data_file,path" doc:"The file with the body."`
	HeaderDict *value.Dict   `arg:"header_dict" doc:"Headers."`
	HeaderList []string      `arg:"header_list" doc:"Headers, each as 'Name: value'."`
	Username   string        `arg:"username" doc:"The account."`
	Password   string        `arg:"password,secret" doc:"Its password."`
	Decode     bool          `arg:"decode" doc:"Read the answer as JSON or YAML."`
	DecodeType string        `arg:"decode_type" default:"auto" choices:"auto|json|yaml|plain" doc:"The format to read it as: auto, json, yaml or plain."`
	Timeout    time.Duration `arg:"timeout" doc:"How long each answer is waited for; 30 seconds when not given."`
	VerifySSL  bool          `arg:"verify_ssl" default:"true" doc:"Check the certificate of the server."`
	RaiseError bool          `arg:"raise_error" default:"true" doc:"Take an answer of 400 and above for an error, whose text is not looked at."`
	CABundle   string        `arg:"ca_bundle,path" doc:"The file of certificates that the server's is checked with."`
	Cert       []string      `arg:"cert,path" doc:"The file with the own certificate, and the one with its key."`
	Agent      string        `arg:"agent" default:"Salt/3006.0" doc:"How gostate calls itself."`

	Status, Headers, Text bool
}

// ask asks. What goes wrong on the way is told under "error".
func (r *Request) ask(ctx context.Context, env *modules.Env, h host.Reader) (*value.Dict, error) {
	wait := httpTimeout
	if r.Timeout > 0 {
		wait = r.Timeout
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	req, err := r.request(ctx, h)
	if err != nil {
		return nil, err
	}
	client, err := r.client(h)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return r.failed(err), nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return r.failed(err), nil
	}
	return r.answer(env, resp, body)
}

// failed is the answer where there was none.
func (r *Request) failed(err error) *value.Dict {
	out := value.DictOf("error", value.Str(err.Error()))
	if r.Status {
		out.SetStr("status", value.Int(0))
	}
	return out
}

// client is one with the certificates that are asked for.
func (r *Request) client(h host.Reader) (*http.Client, error) {
	if r.VerifySSL && r.CABundle == "" && len(r.Cert) == 0 {
		return &http.Client{}, nil
	}
	conf := &tls.Config{InsecureSkipVerify: !r.VerifySSL} // asked for by verify_ssl=False
	if r.CABundle != "" {
		text, err := h.ReadFile(r.CABundle)
		if err != nil {
			return nil, fmt.Errorf("read the certificates: %w", err)
		}
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(text) {
			return nil, value.Raise("CommandExecutionError", "%s holds no certificate", r.CABundle)
		}
	}
	if len(r.Cert) > 0 {
		own, err := keyPair(h, r.Cert[0], r.Cert[len(r.Cert)-1])
		if err != nil {
			return nil, err
		}
		conf.Certificates = []tls.Certificate{own}
	}
	return &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, TLSClientConfig: conf}}, nil
}

func keyPair(h host.Reader, cert, key string) (tls.Certificate, error) {
	c, err := h.ReadFile(cert)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read the certificate: %w", err)
	}
	k, err := h.ReadFile(key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("read the key: %w", err)
	}
	return tls.X509KeyPair(c, k)
}

func (r *Request) request(ctx context.Context, h host.Reader) (*http.Request, error) {
	u, err := url.Parse(r.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return nil, value.Raise("CommandExecutionError", "http.query: '%s' is no http or https URL", r.URL)
	}
	if r.Params != nil && r.Params.Len() > 0 {
		q := u.Query()
		for k, v := range r.Params.All() {
			q.Set(value.String(k), value.String(v))
		}
		u.RawQuery = q.Encode()
	}
	data, form := payload(r.Data)
	if r.DataFile != "" {
		raw, err := h.ReadFile(r.DataFile)
		if err != nil {
			return nil, fmt.Errorf("read what is to be sent: %w", err)
		}
		data = string(raw)
	}
	req, err := http.NewRequestWithContext(ctx, strings.ToUpper(r.Method), u.String(), strings.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("http.query: %w", err)
	}
	if form {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.addHeaders(req)
	return req, nil
}

func (r *Request) addHeaders(req *http.Request) {
	agent := r.Agent
	if agent == "" {
		agent = "Salt/3006.0"
	}
	req.Header.Set("User-Agent", agent)
	for _, l := range r.HeaderList {
		if k, v, ok := strings.Cut(l, ":"); ok {
			req.Header.Set(strings.TrimSpace(k), strings.TrimSpace(v))
		}
	}
	if r.HeaderDict != nil {
		for k, v := range r.HeaderDict.All() {
			req.Header.Set(value.String(k), value.String(v))
		}
	}
	if host := req.Header.Get("Host"); host != "" {
		req.Host = host
	}
	if r.Username != "" {
		req.SetBasicAuth(r.Username, r.Password)
	}
}

// payload is the body to send: a map as a form, text as it is.
func payload(v value.Value) (data string, form bool) {
	switch v := v.(type) {
	case nil, value.NoneType:
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

func (r *Request) answer(env *modules.Env, resp *http.Response, body []byte) (*value.Dict, error) {
	out := value.DictOf("body", value.TextOf(body))
	bad := resp.StatusCode >= 400 && r.RaiseError
	if r.Status || bad {
		out.SetStr("status", value.Int(resp.StatusCode))
	}
	if bad {
		out.SetStr("error", value.Str(fmt.Sprintf("HTTP %d: %s", resp.StatusCode, http.StatusText(resp.StatusCode))))
		return out, nil
	}
	if r.Headers {
		h := value.NewDict(len(resp.Header))
		for _, k := range sortedKeys(resp.Header) {
			h.SetStr(k, value.Str(strings.Join(resp.Header[k], ", ")))
		}
		out.SetStr("headers", h)
	}
	if r.Text {
		out.SetStr("text", value.TextOf(body))
	}
	if !r.Decode {
		return out, nil
	}
	return out, r.decode(env, out, resp.Header.Get("Content-Type"), body)
}

func (r *Request) decode(env *modules.Env, out *value.Dict, kind string, body []byte) error {
	format := r.DecodeType
	if format == "auto" && strings.Contains(kind, "yaml") {
		format = "yaml"
	} else if format == "auto" && (strings.Contains(kind, "json") ||
		strings.HasPrefix(strings.TrimSpace(string(body)), "{")) {
		format = "json"
	}
	switch format {
	case "json", "yaml":
		v, err := env.Deserialize(format, string(body))
		if err != nil {
			return err
		}
		out.SetStr("dict", v)
	case "auto", "plain":
		out.SetStr("text", value.TextOf(body))
	default:
		return value.Raise("CommandExecutionError", "http.query: decode_type '%s' is not supported; use json, yaml or "+
			"plain", format)
	}
	return nil
}

func sortedKeys(h http.Header) []string {
	keys := make([]string, 0, len(h))
	for k := range h {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
