package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// packed runs the command and opens what it made.
func packed(t *testing.T, version string) (raw []byte, files map[string]string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "hantei.zip")
	if err := run(out, version); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	files = map[string]string{}
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return raw, files
}

func TestOnlyWhatAGameNeeds(t *testing.T) {
	_, files := packed(t, "1.2.3")
	for name := range files {
		first, _, _ := strings.Cut(name, "/")
		switch first {
		case "module.json", "README.md", "CHANGELOG.md", "LICENSE", "scripts", "templates", "styles", "lang", "assets":
		default:
			t.Errorf("%s is in the zip", name)
		}
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal([]byte(files["module.json"]), &manifest); err != nil {
		t.Fatal(err)
	}
	if manifest.Version != "1.2.3" {
		t.Errorf("the version is %q", manifest.Version)
	}
}

var (
	imports   = regexp.MustCompile(`(?m)(?:^import|^} from|^(?:import|export) .* from) "([^"]+)"`)
	templates = regexp.MustCompile(`modules/hantei/([\w./-]+\.hbs)`)
)

func TestWhatScriptsNameIsThere(t *testing.T) {
	_, files := packed(t, "1.2.3")
	found := 0
	for name, text := range files {
		if !strings.HasSuffix(name, ".mjs") {
			continue
		}
		for _, m := range imports.FindAllStringSubmatch(text, -1) {
			found++
			if target := path.Join(path.Dir(name), m[1]); !strings.HasPrefix(m[1], ".") || files[target] == "" {
				t.Errorf("%s imports %s", name, m[1])
			}
		}
		for _, m := range templates.FindAllStringSubmatch(text, -1) {
			if files[m[1]] == "" {
				t.Errorf("%s names the template %s", name, m[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("%d imports were found", found)
	}
}

func TestTheSameBytesTwice(t *testing.T) {
	one, _ := packed(t, "1.2.3")
	two, _ := packed(t, "1.2.3")
	if !bytes.Equal(one, two) {
		t.Error("the bytes differ")
	}
}

func TestManifestIsChecked(t *testing.T) {
	good := map[string][]byte{"module.json": []byte(`{"version": "#{VERSION}#", "esmodules": ["a.mjs"]}`), "a.mjs": nil}
	if _, err := manifest(good, "1.0"); err != nil {
		t.Error(err)
	}
	for name, files := range map[string]map[string][]byte{
		"a script that is not there":    {"module.json": good["module.json"]},
		"a version that is there twice": {"module.json": []byte(`{"version": "#{VERSION}#", "title": "#{VERSION}#"}`)},
		"a version that is written out": {"module.json": []byte(`{"version": "1.0"}`)},
	} {
		if _, err := manifest(files, "1.0"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := manifest(good, "v1-rc"); err == nil {
		t.Error("a version that Foundry cannot compare: no error")
	}
}
