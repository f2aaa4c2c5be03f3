package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = ""

// versionText is the version of the build: the linker's, else the module's, else the commit's.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

func versionCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version", Category: catInfo,
		UsageText: "gostate version\n\nExample:\n  gostate version",
		Action:    func(c *cli.Context) error { return p.printText(c, versionLine()) },
	}
}

func versionLine() string {
	return fmt.Sprintf("gostate %s (%s, %s/%s)\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
