package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

var at = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// clone writes the files of a release as somebody's machine has them, and
// returns them in some order.
func clone(t *testing.T, mode os.FileMode, age time.Duration, names ...string) []string {
	t.Helper()
	dir := t.TempDir()
	var files []string
	for _, name := range names {
		full := filepath.Join(dir, name)
		if err := os.WriteFile(full, []byte("This is "+name), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(full, time.Time{}, at.Add(-age)); err != nil {
			t.Fatal(err)
		}
		files = append(files, full)
	}
	return files
}

// TestSameBytes packs what two machines have, which differ in everything that
// should not matter.
func TestSameBytes(t *testing.T) {
	for name, pack := range map[string]func([]file, time.Time) ([]byte, error){"tar": tarred, "zip": zipped} {
		var packed [][]byte
		for _, from := range [][]string{
			clone(t, 0o600, time.Hour, "hantei", "README.md", "LICENSE"),
			clone(t, 0o664, time.Minute, "LICENSE", "README.md", "hantei"),
		} {
			program := from[slices.IndexFunc(from, func(f string) bool { return filepath.Base(f) == "hantei" })]
			files, err := read("hantei-v1", from, program)
			if err != nil {
				t.Fatal(err)
			}
			b, err := pack(files, at)
			if err != nil {
				t.Fatal(err)
			}
			packed = append(packed, b)
		}
		if !bytes.Equal(packed[0], packed[1]) {
			t.Errorf("%s: other bytes", name)
		}
	}
}

// TestContent unpacks what was packed.
func TestContent(t *testing.T) {
	from := clone(t, 0o600, time.Hour, "hantei", "README.md")
	files, err := read("hantei-v1", from, from[0])
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"hantei-v1/README.md 644 2026-11-30T12:00:00Z This is README.md",
		"hantei-v1/hantei 755 2026-11-30T12:00:00Z This is hantei",
	}
	for name, list := range map[string]func([]file) ([]string, error){"tar": listTar, "zip": listZip} {
		if got, err := list(files); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v, %q", name, err, got)
		}
	}
}

func line(name string, mode os.FileMode, modified time.Time, content []byte) string {
	return fmt.Sprintf("%s %o %s %s", name, mode.Perm(), modified.UTC().Format(time.RFC3339), content)
}

func listTar(files []file) ([]string, error) {
	packed, err := tarred(files, at)
	if err != nil {
		return nil, err
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var out []string
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" {
			return nil, fmt.Errorf("%s belongs to %d:%d %s", h.Name, h.Uid, h.Gid, h.Uname)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		out = append(out, line(h.Name, os.FileMode(h.Mode), h.ModTime, content))
	}
}

func listZip(files []file) ([]string, error) {
	packed, err := zipped(files, at)
	if err != nil {
		return nil, err
	}
	r, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(opened)
		if err != nil {
			return nil, err
		}
		out = append(out, line(f.Name, f.Mode(), f.Modified, content))
	}
	return out, nil
}
