package main

import "github.com/urfave/cli/v2"

// The flag library asks a flag for its names for every flag that it looks for, and strips each name with a regular
// expression every time: half a millisecond of each run. These flags know their names.
type (
	stringFlag struct {
		*cli.StringFlag
		names []string
	}
	sliceFlag struct {
		*cli.StringSliceFlag
		names []string
	}
	boolFlag struct {
		*cli.BoolFlag
		names []string
	}
)

func (f stringFlag) Names() []string { return f.names }
func (f sliceFlag) Names() []string  { return f.names }
func (f boolFlag) Names() []string   { return f.names }

// named gives the flags with their names kept.
func named(flags []cli.Flag) []cli.Flag {
	out := make([]cli.Flag, len(flags))
	for i, f := range flags {
		switch f := f.(type) {
		case *cli.StringFlag:
			out[i] = &stringFlag{f, append([]string{f.Name}, f.Aliases...)}
		case *cli.StringSliceFlag:
			out[i] = &sliceFlag{f, append([]string{f.Name}, f.Aliases...)}
		case *cli.BoolFlag:
			out[i] = &boolFlag{f, append([]string{f.Name}, f.Aliases...)}
		default:
			out[i] = f
		}
	}
	return out
}

// uncategorized takes the flags' categories away, which only help shows: the library prints every flag to sort it into
// one.
func uncategorized(flags []cli.Flag) {
	for _, f := range flags {
		switch f := f.(type) {
		case *cli.StringFlag:
			f.Category = ""
		case *cli.StringSliceFlag:
			f.Category = ""
		case *cli.BoolFlag:
			f.Category = ""
		case *cli.IntFlag:
			f.Category = ""
		case *cli.DurationFlag:
			f.Category = ""
		}
	}
}
