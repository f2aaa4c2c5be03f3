package gitroots

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// An address is where a repository is. url holds no account: who may see git's arguments, and its messages, sees none.
type address struct {
	url            string
	scheme, host   string
	user, password string
}

// parseAddress takes an address apart: a URL, a path, or ssh's [USER@]HOST:PATH.
func parseAddress(text string) (a address, err error) {
	text = strings.TrimSpace(text)
	scheme, _, isURL := strings.Cut(text, "://")
	scheme = strings.ToLower(scheme)
	switch {
	case text == "" || strings.HasPrefix(text, "-") || strings.ContainsAny(text, "\x00\n\r"):
		return a, errors.New("has no address")
	case strings.Contains(text, "::"):
		return a, fmt.Errorf("'%s' would have git run a program of its own: give https, ssh, git or file", hidden(text))
	case isURL && (scheme == "http" || scheme == "https" || scheme == "git+http" || scheme == "git+https"):
		return parseHTTP(strings.TrimPrefix(scheme, "git+"), text)
	case isURL && (scheme == "ssh" || scheme == "git+ssh" || scheme == "ssh+git"):
		u, err := url.Parse(text)
		if err != nil || u.Host == "" {
			return a, fmt.Errorf("'%s' is no address", hidden(text))
		}
		if _, has := u.User.Password(); has {
			return a, fmt.Errorf("'%s' has a password, which ssh does not take: give a privkey", hidden(text))
		}
		return address{url: text, scheme: "ssh"}, nil
	case isURL && (scheme == "git" || scheme == "file"):
		return address{url: text, scheme: scheme}, nil
	case isURL:
		return a, fmt.Errorf("'%s' has the scheme '%s': git takes https, http, ssh, git and file", hidden(text), scheme)
	case filepath.IsAbs(text):
		return address{url: text, scheme: "file"}, nil
	case strings.Contains(text, ":") && !strings.Contains(strings.SplitN(text, ":", 2)[0], "/"):
		return address{url: text, scheme: "ssh"}, nil
	}
	return a, fmt.Errorf("'%s' is no address: give a URL, an absolute path or HOST:PATH", hidden(text))
}

func parseHTTP(scheme, text string) (a address, err error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return a, fmt.Errorf("'%s' is no address", hidden(text))
	}
	a.user = u.User.Username()
	a.password, _ = u.User.Password()
	u.User, u.Scheme = nil, scheme
	a.url, a.scheme, a.host = u.String(), scheme, u.Host
	return a, nil
}

// check finds what is wrong with the account of a remote.
func (a *address) check(r *remote) error {
	switch {
	case r.key != "":
		if a.scheme != "ssh" {
			return fmt.Errorf("a privkey is for ssh, and %s is none", a.url)
		}
		if _, err := os.Stat(r.key); err != nil {
			return fmt.Errorf("its privkey cannot be read: %w", err)
		}
	case a.password == "":
	case a.scheme == "http" && !r.insecure:
		return errors.New("http would send its password for everybody to read: give https, or insecure_auth: true")
	case a.scheme != "http" && a.scheme != "https":
		return fmt.Errorf("a user with a password is for https, and %s is none", a.url)
	}
	return nil
}

// hidden is a text for messages, without the account in an address.
func hidden(text string) string {
	before, rest, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	host, path, slash := strings.Cut(rest, "/")
	if i := strings.LastIndex(host, "@"); i >= 0 {
		host = host[i+1:]
	}
	if slash {
		path = "/" + path
	}
	return before + "://" + host + path
}
