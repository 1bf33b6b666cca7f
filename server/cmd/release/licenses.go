package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// licenses collects what the authors of the linked modules, and of Go, ask to be
// passed on with a program.
func licenses(env []string) ([]byte, error) {
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}", "./server/cmd/hantei")
	list.Env = env
	list.Stderr = os.Stderr
	listed, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	modules := append(strings.Split(strings.TrimSpace(string(listed)), "\n"), "Go "+strings.TrimSpace(string(root)))
	slices.Sort(modules)
	var out bytes.Buffer
	out.WriteString("This program contains the following, under their own licenses.\n")
	for _, m := range slices.Compact(modules) {
		name, dir, _ := strings.Cut(m, " ")
		texts, err := licenseFiles(dir)
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			return nil, fmt.Errorf("%s has no license", name)
		}
		fmt.Fprintf(&out, "\n==== %s\n", name)
		for _, text := range texts {
			fmt.Fprintf(&out, "\n%s\n", bytes.TrimSpace(text))
		}
	}
	return out.Bytes(), nil
}

// licenseFiles reads the licenses and notices in a module's folder.
func licenseFiles(dir string) ([][]byte, error) {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || strings.HasSuffix(name, ".GO") {
			continue
		}
		for _, start := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"} {
			if strings.HasPrefix(name, start) {
				text, err := os.ReadFile(filepath.Join(dir, e.Name()))
				if err != nil {
					return nil, err
				}
				texts = append(texts, text)
				break
			}
		}
	}
	return texts, nil
}
