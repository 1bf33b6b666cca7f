// Command pack puts the Foundry module into a zip: what a game needs of it and
// nothing else, with the version in its manifest. `make foundry-zip` runs it in the
// repository's root.
//
// What it makes depends on the commit, the version and Go alone.
package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// module is the folder of the module, and shipped what of it is in the zip.
const module = "plugin-foundry"

var shipped = []string{"module.json", "README.md", "CHANGELOG.md", "scripts", "templates", "styles", "lang", "assets"}

// placeholder stands in the manifest for the version.
const placeholder = "#{VERSION}#"

func main() {
	out := flag.String("o", "build/foundry/hantei.zip", "the `file` to write")
	version := flag.String("version", "", "the module's version, such as 1.2.0; the newest tag's if it is not given")
	flag.Parse()
	if err := run(*out, *version); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
	fmt.Println(*out)
}

func run(out, version string) error {
	if version == "" {
		version = "0.0.0" // before the first tag
		if tag, err := git("describe", "--tags", "--abbrev=0"); err == nil {
			version = strings.TrimPrefix(tag, "v")
		}
	}
	committed, err := git("log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseInt(committed, 10, 64)
	if err != nil {
		return fmt.Errorf("the commit's time: %w", err)
	}
	files, err := collect(version)
	if err != nil {
		return err
	}
	packed, err := pack(files, time.Unix(seconds, 0).UTC())
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	return os.WriteFile(out, packed, 0o644)
}

// collect reads what git has of the shipped files, by their names in the module.
func collect(version string) (map[string][]byte, error) {
	args := []string{"ls-files", "--"}
	for _, name := range shipped {
		args = append(args, module+"/"+name)
	}
	listed, err := git(args...)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, path := range strings.Fields(listed) {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		files[strings.TrimPrefix(path, module+"/")] = content
	}
	// The licence is the repository's.
	if files["LICENSE"], err = os.ReadFile("LICENSE"); err != nil {
		return nil, err
	}
	files["module.json"], err = manifest(files, version)
	return files, err
}

var dotted = regexp.MustCompile(`^\d+(\.\d+)+$`)

// manifest fills in the version, and checks that whatever the manifest names is there.
func manifest(files map[string][]byte, version string) ([]byte, error) {
	// Foundry compares versions by their dotted numbers.
	if !dotted.MatchString(version) {
		return nil, fmt.Errorf("%q is no version of dotted numbers", version)
	}
	text := files["module.json"]
	if bytes.Count(text, []byte(placeholder)) != 1 {
		return nil, fmt.Errorf("module.json does not have %s once", placeholder)
	}
	text = bytes.ReplaceAll(text, []byte(placeholder), []byte(version))
	var named struct {
		ESModules, Styles []string
		Languages         []struct{ Path string }
		License, Readme   string
		Changelog         string
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return nil, fmt.Errorf("module.json: %w", err)
	}
	names := slices.Concat(named.ESModules, named.Styles, []string{named.License, named.Readme, named.Changelog})
	for _, language := range named.Languages {
		names = append(names, language.Path)
	}
	for _, name := range names {
		if _, ok := files[name]; name != "" && !ok && !strings.Contains(name, "://") {
			return nil, fmt.Errorf("module.json names %s, which is not shipped", name)
		}
	}
	return text, nil
}

// pack zips files, sorted by name, all as old as the commit.
func pack(files map[string][]byte, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
		header.SetMode(0o644)
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(files[name]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out)), nil
}
