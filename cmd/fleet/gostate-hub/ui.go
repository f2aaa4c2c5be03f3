package main

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/fleet/operate/ui"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/state/diag"
)

func uiCommand() *cli.Command {
	return &cli.Command{
		Name: "ui", Usage: "show the fleet in a browser: machines, runs, what two runs did otherwise",
		Flags: append(lookFlags(), append(uiFlags(),
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8022", Usage: "listen at `HOST:PORT`"})...),
		Action: func(c *cli.Context) error {
			if err := args(c, 0, 0); err != nil {
				return err
			}
			reports, end, err := reportsOf(c)
			if err != nil {
				return err
			}
			defer end()
			return serveUI(c, reports, c.String("listen"))
		},
	}
}

func uiFlags() []cli.Flag {
	return []cli.Flag{
		&cli.PathFlag{Name: "token-file", Usage: "who has the token in `FILE` sees the page (default: a new one, which is " +
			"printed)"},
		&cli.PathFlag{Name: "tls-cert", Usage: "be reached by https, with the certificate in `FILE`"},
		&cli.PathFlag{Name: "tls-key", Usage: "the certificate's key is in `FILE`"},
	}
}

// serveUI shows the page until it is told to end. Without https only this machine reaches it: the token would be read
// on the way.
func serveUI(c *cli.Context, reports operate.Reports, address string) error {
	token, err := tokenOf(c)
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("the page: %w", err)
	}
	scheme := "http"
	if cert := c.Path("tls-cert"); cert != "" {
		pair, err := tls.LoadX509KeyPair(cert, c.Path("tls-key"))
		if err != nil {
			l.Close()
			return fmt.Errorf("the certificate of the page: %w", err)
		}
		scheme = "https"
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12,
			NextProtos: []string{"http/1.1"}})
	} else if a, ok := l.Addr().(*net.TCPAddr); !ok || !a.IP.IsLoopback() {
		l.Close()
		return tool.Usagef("%s is reached from other machines: without https the token would be read on the way\nhint: "+
			"--tls-cert "+
			"and --tls-key, or --listen 127.0.0.1:8022 and a tunnel (ssh -L 8022:127.0.0.1:8022)", address)
	}
	u := &ui.UI{Reports: reports, Token: token, Secure: scheme == "https",
		Look: func(ctx context.Context) (*operate.Fleet, error) { return askOf(c, reports).Look(ctx) }}
	h, err := u.Handler()
	if err != nil {
		l.Close()
		return err
	}
	if c.Path("token-file") == "" {
		fmt.Fprintf(c.App.ErrWriter, "token: %s\n", token)
	}
	fmt.Fprintf(c.App.Writer, "the page is at %s://%s\n", scheme, l.Addr())
	return answer(c.Context, l, h)
}

// leastToken is how long a token is at least.
const leastToken = 16

// tokenOf reads the token, or makes one.
func tokenOf(c *cli.Context) (string, error) {
	file := c.Path("token-file")
	if file == "" {
		return rand.Text(), nil
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", fmt.Errorf("the token: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", diag.Errorf(diag.Pos{File: file}, "the token is open to others (mode %04o)", info.Mode().Perm()).
			WithHint("chmod 0600 %s", file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(data))
	if len(token) < leastToken {
		return "", diag.Errorf(diag.Pos{File: file}, "the token has fewer than %d characters", leastToken).
			WithHint("openssl rand -hex 16 > %s", file)
	}
	return token, nil
}
