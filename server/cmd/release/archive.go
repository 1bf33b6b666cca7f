package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string // with the archive's folder before it
	mode    int64
	content []byte
}

// read takes files from the disk into a folder of the archive, sorted by name.
// The modes are fixed, since those on the disk depend on who cloned: only the
// program can be run.
func read(folder string, from []string, program string) ([]file, error) {
	var files []file
	for _, name := range from {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		mode := int64(0o644)
		if name == program {
			mode = 0o755
		}
		files = append(files, file{path.Join(folder, filepath.Base(name)), mode, content})
	}
	slices.SortFunc(files, func(a, b file) int { return cmp.Compare(a.name, b.name) })
	return files, nil
}

// tarred packs files as tar.gz. They belong to root and are as old as the commit.
func tarred(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out) // its header has no time and no name
	w := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: f.name, Size: int64(len(f.content)), Mode: f.mode,
			ModTime: at, Format: tar.FormatPAX,
		}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err := compressed.Close()
	return out.Bytes(), err
}

// zipped packs files as zip, for Windows.
func zipped(files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(os.FileMode(f.mode))
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
