package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/hub"
	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/fleet/tool"
)

func initCommand() *cli.Command {
	return &cli.Command{
		Name: "init", Usage: "make a hub: its keys, accounts and certificates", ArgsUsage: "[DIR]",
		Flags: []cli.Flag{hubFlag(),
			&cli.StringSliceFlag{Name: "name", Usage: "machines reach it by `NAME`, a host's or an address (repeatable)"},
			&cli.IntFlag{Name: "port", Value: 4222, Usage: "machines reach it at `PORT`"},
		},
		Action: initialize,
	}
}

func initialize(c *cli.Context) error {
	dir := c.Path("hub")
	if c.NArg() > 0 {
		dir = c.Args().First()
	}
	names := c.StringSlice("name")
	if len(names) == 0 {
		host, err := os.Hostname()
		if err != nil {
			return err
		}
		names = []string{host}
	}
	names = append(names, "localhost", "127.0.0.1", "::1")
	site, err := hub.Init(dir, names, c.Int("port"))
	if err != nil {
		return err
	}
	ca, err := os.ReadFile(filepath.Join(dir, "operator", "ca.crt"))
	if err != nil {
		return err
	}
	print, err := hub.Fingerprint(ca)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.ErrWriter, "%s is the operator's: keep it where operators are. %s is the server's.\n",
		filepath.Join(dir, "operator"), filepath.Join(dir, "server"))
	fmt.Fprintf(c.App.Writer, "hub: %s\nca_fingerprint: %s\n", site.URLs[0], print)
	return nil
}

func serveCommand() *cli.Command {
	return &cli.Command{
		Name: "serve", Usage: "run the server of the hub in this process, without a cluster",
		Flags: append(uiFlags(), hubFlag(),
			&cli.StringFlag{Name: "listen", Value: "0.0.0.0:4222", Usage: "listen at `HOST:PORT` for machines"},
			&cli.PathFlag{Name: "store", Usage: "keep the streams in `DIR` (default: server/data of the hub)"},
			&cli.StringFlag{Name: "ui", Usage: "show the fleet in a browser at `HOST:PORT`, with the operator's keys"},
			listFlag(), sinceFlag(),
		),
		Action: serve,
	}
}

func serve(c *cli.Context) error {
	if c.NArg() > 0 {
		return tool.Usagef("serve takes no %q", c.Args().First())
	}
	s := hub.Server{Dir: c.Path("hub"), Listen: c.String("listen"), Store: c.Path("store")}
	r, err := s.Start(c.Context, hub.Log{W: c.App.ErrWriter})
	if err != nil {
		return err
	}
	defer r.Stop()
	fmt.Fprintf(c.App.Writer, "ready at %s\n", r.Server.Addr())
	if address := c.String("ui"); address != "" {
		b, err := operator(c)
		if err != nil {
			return fmt.Errorf("the page needs the operator's keys (fleet ui shows it where they are): %w", err)
		}
		defer b.Close()
		return serveUI(c, operate.Hub{Bus: b}, address)
	}
	<-c.Context.Done()
	return nil
}

func setupCommand() *cli.Command {
	return &cli.Command{
		Name: "setup", Usage: "make the streams and buckets in a cluster, which serve does in its own server",
		Flags: []cli.Flag{hubFlag(),
			&cli.IntFlag{Name: "replicas", Value: 3, Usage: "keep everything on `N` servers"},
		},
		Action: func(c *cli.Context) error {
			b, err := operator(c)
			if err != nil {
				return err
			}
			defer b.Close()
			return b.Setup(c.Context, c.Int("replicas"))
		},
	}
}

func configCommand() *cli.Command {
	return &cli.Command{
		Name: "config", Usage: "print the configuration of a nats-server, alone or in a cluster, with this hub's accounts",
		Flags: []cli.Flag{hubFlag(),
			&cli.StringFlag{Name: "listen", Value: "0.0.0.0:4222", Usage: "listen at `HOST:PORT` for machines"},
			&cli.PathFlag{Name: "store", Usage: "keep the streams in `DIR` (default: server/data of the hub)"},
			&cli.StringFlag{Name: "name", Value: "hub", Usage: "the server's `NAME`, which no other of the cluster has"},
			&cli.StringFlag{Name: "cluster", Usage: "listen at `HOST:PORT` for the other servers"},
			&cli.StringSliceFlag{Name: "route", Usage: "another server is at `HOST:PORT` (repeatable)"},
		},
		Action: func(c *cli.Context) error {
			s := hub.Server{Dir: c.Path("hub"), Listen: c.String("listen"), Store: c.Path("store"), Name: c.String("name"),
				Cluster: c.String("cluster"), Routes: c.StringSlice("route")}
			text, err := s.Config()
			if err == nil {
				fmt.Fprint(c.App.Writer, text)
			}
			return err
		},
	}
}
