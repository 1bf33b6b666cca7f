package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestIntegrate makes every call of the page for integrators, in the order in
// which they stand there, and compares what the server answers with what the page
// says: every field that is named must have its value, elements of lists must be
// there in that order, and $NAME stands for the same text wherever it stands.
func TestIntegrate(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "integrate.md"))
	if err != nil {
		t.Fatal(err)
	}
	s := fresh(t)
	p := &page{t: t, http: s.http, known: map[string]string{"ADMIN": s.admin}}
	calls := 0
	for _, section := range regexp.MustCompile(`(?m)^## `).Split(string(text), -1) {
		for _, block := range blocks(section) {
			p.call(block)
			calls++
		}
		p.endStreams()
	}
	if calls < 30 {
		t.Errorf("only %d calls on the page", calls)
	}
}

// blocks are the calls of a part of the page.
func blocks(text string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?s)```http\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// page is somebody who does what the page says.
type page struct {
	t     *testing.T
	http  string
	known map[string]string // by $NAME
	open  []*streamed
}

// streamed is a stream with the frames that the page shows of it.
type streamed struct {
	want   []string
	frames chan []byte
	body   io.Closer
}

// call makes a call: a line, headers, a body; the status and the answer.
func (p *page) call(block string) {
	p.t.Helper()
	// A prompt that a stream tells is known when the stream was read so far.
	p.readStreams(block)
	parts := strings.Split(strings.TrimSpace(block), "\n\n")
	head := strings.Split(parts[0], "\n")
	body := ""
	if len(parts) == 3 {
		body = p.filled(parts[1])
	}
	status, answer, _ := strings.Cut(parts[len(parts)-1], "\n")
	verb, path, _ := strings.Cut(head[0], " ")
	r, err := http.NewRequest(verb, "http://"+p.http+p.filled(path), strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, line := range head[1:] {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, p.filled(value))
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	if strconv.Itoa(got.StatusCode) != status {
		b, _ := io.ReadAll(got.Body)
		p.t.Fatalf("%s: %s, want %s\n%s", head[0], got.Status, status, b)
	}
	if strings.Contains(path, "/v1/watch") {
		p.stream(got.Body, strings.Split(answer, "\n"))
		return
	}
	defer got.Body.Close()
	b, err := io.ReadAll(got.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.compare(answer, b); err != nil {
		p.t.Fatalf("%s: %v\n got: %s\nwant: %s", head[0], err, b, answer)
	}
}

// filled is a text with what is known in it.
func (p *page) filled(text string) string {
	return regexp.MustCompile(`\$[A-Z_]+`).ReplaceAllStringFunc(text, func(name string) string {
		value, ok := p.known[name[1:]]
		if !ok {
			p.t.Fatalf("%s is not known yet, in %s", name, text)
		}
		return value
	})
}

func (p *page) compare(want string, got []byte) error {
	var w, g any
	if err := json.Unmarshal([]byte(want), &w); err != nil {
		return fmt.Errorf("the page's own JSON: %w", err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return err
	}
	learned := make(map[string]string)
	if err := p.match(w, g, learned); err != nil {
		return err
	}
	for name, value := range learned {
		p.known[name] = value
	}
	return nil
}

// match compares what is wanted with what is there. What the names stand for is
// learned on the way.
func (p *page) match(want, got any, learned map[string]string) error {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Errorf("no object: %v", got)
		}
		for key, value := range w {
			if g[key] == nil {
				return fmt.Errorf("no %s", key)
			}
			if err := p.match(value, g[key], learned); err != nil {
				return fmt.Errorf("%s: %w", key, err)
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok || len(w) == 0 && len(g) > 0 {
			return fmt.Errorf("not the list: %v", got)
		}
		for _, one := range w {
			found := false
			for !found && len(g) > 0 {
				mine := make(map[string]string)
				for k, v := range learned {
					mine[k] = v
				}
				if found = p.match(one, g[0], mine) == nil; found {
					for k, v := range mine {
						learned[k] = v
					}
				}
				g = g[1:]
			}
			if !found {
				return fmt.Errorf("no element %v", one)
			}
		}
		return nil
	case string:
		name, isName := strings.CutPrefix(w, "$")
		text, isText := got.(string)
		if !isName || !isText {
			break
		}
		known, ok := p.known[name]
		if !ok {
			known, ok = learned[name]
		}
		switch {
		case text == "":
			return fmt.Errorf("%s is empty", w)
		case name == "_":
			return nil
		case ok && known != text:
			return fmt.Errorf("%s is %s, not %s", w, text, known)
		}
		learned[name] = text
		return nil
	}
	if want != got {
		return fmt.Errorf("%v, not %v", got, want)
	}
	return nil
}

// stream begins to read a stream of lines.
func (p *page) stream(body io.ReadCloser, want []string) {
	s := &streamed{want: want, frames: make(chan []byte, 1000), body: body}
	p.open = append(p.open, s)
	go func() {
		defer close(s.frames)
		lines := bufio.NewScanner(body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			s.frames <- bytes.Clone(lines.Bytes())
		}
	}()
}

// readStreams reads on until all names in a block are known that only a stream
// tells.
func (p *page) readStreams(block string) {
	for _, s := range p.open {
		for len(s.want) > 0 {
			call, _, _ := strings.Cut(block, "\n")
			missing := false
			for _, name := range regexp.MustCompile(`\$[A-Z_]+`).FindAllString(call, -1) {
				_, ok := p.known[name[1:]]
				missing = missing || !ok
			}
			if !missing {
				break
			}
			p.frame(s)
		}
	}
}

// frame reads until the next frame that the page shows.
func (p *page) frame(s *streamed) {
	p.t.Helper()
	late := time.After(20 * time.Second)
	for {
		select {
		case b, ok := <-s.frames:
			if !ok {
				p.t.Fatalf("the stream ended before %s", s.want[0])
			}
			var f struct{ Result json.RawMessage }
			if err := json.Unmarshal(b, &f); err != nil {
				p.t.Fatal(err)
			}
			if p.compare(s.want[0], f.Result) == nil {
				s.want = s.want[1:]
				return
			}
		case <-late:
			p.t.Fatalf("no frame like %s", s.want[0])
		}
	}
}

// endStreams reads the streams to what the page shows last.
func (p *page) endStreams() {
	for _, s := range p.open {
		for len(s.want) > 0 {
			p.frame(s)
		}
		s.body.Close()
		for range s.frames {
		}
	}
	p.open = nil
}
