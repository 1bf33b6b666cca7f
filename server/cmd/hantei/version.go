package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version and commit are set by the release build (server/cmd/release).
var version, commit string

// versionCmd shows the version.
type versionCmd struct{}

// Help is shown by hantei version --help.
func (*versionCmd) Help() string {
	return `Shows the version, the commit that it was built from, and the version of Go. Please
put it into bug reports.

Examples:
  hantei version`
}

// Run implements the command.
func (*versionCmd) Run(s streams) error {
	info, _ := debug.ReadBuildInfo()
	v, c := release(info)
	fmt.Fprintf(s.out, "hantei %s\ncommit %s\n%s %s/%s\n", v, c, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return nil
}

// release is what the release build said, or else what Go knows of the build,
// which for `go run` is little.
func release(info *debug.BuildInfo) (v, c string) {
	v, c = version, commit
	if info != nil {
		if v == "" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			if c == "" && s.Key == "vcs.revision" {
				c = s.Value
			}
		}
	}
	if v == "" {
		v = "(devel)"
	}
	if c == "" {
		c = "unknown"
	}
	return v, c
}
