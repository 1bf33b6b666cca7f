// Command release builds the program for every platform and packs it: an archive
// each, and SHA256SUMS. `make release` runs it in the repository's root.
//
// What it makes depends on the commit and the version of Go alone, so that
// anybody can build an archive again and compare its bytes.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// everywhere lists the platforms of a release.
const everywhere = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

func main() {
	out := flag.String("out", "build/release", "the `folder` for the archives; what is in it is deleted")
	platforms := flag.String("platforms", everywhere, "what to build for, with commas between")
	flag.Parse()
	if err := release(*out, strings.Split(*platforms, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release makes the archives and their sums.
func release(out string, platforms []string) error {
	src, err := describe()
	if err != nil {
		return err
	}
	// An archive of an earlier build must not stand beside the sums of this one.
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var sums []string
	for _, platform := range platforms {
		system, machine, ok := strings.Cut(platform, "/")
		if !ok || !slices.Contains(strings.Split(everywhere, ","), platform) {
			return fmt.Errorf("%q is not one of %s", platform, everywhere)
		}
		name, packed, err := src.pack(system, machine)
		if err != nil {
			return fmt.Errorf("%s: %w", platform, err)
		}
		if err := os.WriteFile(filepath.Join(out, name), packed, 0o644); err != nil {
			return err
		}
		sums = append(sums, fmt.Sprintf("%x  %s\n", sha256.Sum256(packed), name))
		fmt.Println(filepath.Join(out, name))
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), []byte(strings.Join(sums, "")), 0o644)
}

// source is what is built.
type source struct {
	version string // the tag and what came after it, or "dev" before the first tag
	commit  string // "-dirty" after it says that git does not have what was built
	time    time.Time
}

// describe asks git what is checked out.
func describe() (source, error) {
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return source{}, err
	}
	committed, err := git("log", "-1", "--format=%ct")
	if err != nil {
		return source{}, err
	}
	seconds, err := strconv.ParseInt(committed, 10, 64)
	if err != nil {
		return source{}, fmt.Errorf("the commit's time: %w", err)
	}
	// Abbreviated ids grow with the clone that git looks at: here they must not.
	version, err := git("describe", "--tags", "--abbrev=12", "--dirty")
	if err != nil {
		version = "dev"
	}
	changed, err := git("status", "--porcelain")
	if err != nil {
		return source{}, err
	}
	if changed != "" {
		commit += "-dirty"
	}
	return source{version: version, commit: commit, time: time.Unix(seconds, 0).UTC()}, nil
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}

// pack builds the program for a platform and returns the archive with its name.
func (s source) pack(system, machine string) (name string, packed []byte, err error) {
	temp, err := os.MkdirTemp("", "hantei-release-")
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(temp)
	binary := filepath.Join(temp, "hantei")
	if system == "windows" {
		binary += ".exe"
	}
	env := environment(system, machine)
	if err := s.build(binary, env); err != nil {
		return "", nil, err
	}
	others, err := licenses(env)
	if err != nil {
		return "", nil, err
	}
	theirs := filepath.Join(temp, "THIRD-PARTY-LICENSES.txt")
	if err := os.WriteFile(theirs, others, 0o644); err != nil {
		return "", nil, err
	}
	folder := strings.Join([]string{"hantei", s.version, system, machine}, "-")
	from := []string{"README.md", "LICENSE", "server/docs/install.md", theirs, binary}
	if system == "linux" {
		from = append(from, "server/docs/hantei.service")
	}
	files, err := read(folder, from, binary)
	if err != nil {
		return "", nil, err
	}
	if system == "windows" {
		packed, err = zipped(files, s.time)
		return folder + ".zip", packed, err
	}
	packed, err = tarred(files, s.time)
	return folder + ".tar.gz", packed, err
}

// build compiles the program. -trimpath and -buildvcs=false keep this machine's
// folders and the state of its clone out of it.
func (s source) build(binary string, env []string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", fmt.Sprintf("-s -w -X main.version=%s -X main.commit=%s", s.version, s.commit),
		"-o", binary, "./server/cmd/hantei")
	cmd.Env = env
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// environment is this process's, for another platform. What a developer has set
// for Go besides must not change what comes out.
func environment(system, machine string) []string {
	return append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine,
		"GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=", "GOEXPERIMENT=", "GOFIPS140=off", "GODEBUG=", "GOWORK=off")
}
