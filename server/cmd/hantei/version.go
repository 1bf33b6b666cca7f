package main

import (
	"fmt"
	"runtime/debug"
)

// version is set by the release build (-ldflags -X main.version=v1.2.3).
var version = ""

// versionCmd shows the version.
type versionCmd struct{}

// Run implements the command.
func (*versionCmd) Run(s streams) error {
	fmt.Fprintln(s.out, "hantei", versionText())
	return nil
}

// versionText is the release, or else what Go knows of the build.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	v := version
	if v == "" {
		v = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value
		}
	}
	return v + " " + info.GoVersion
}
