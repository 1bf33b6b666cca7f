package gateway

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// A client that does not read must not hold a stream, and one that waits long
// between two frames must not lose it.
func TestWriteTimeout(t *testing.T) {
	ended := make(chan error, 1)
	s := httptest.NewServer(withWriteTimeout(200*time.Millisecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control, frame := http.NewResponseController(w), make([]byte, 1<<20)
		for {
			if _, err := w.Write(frame); err != nil {
				ended <- err
				return
			}
			if err := control.Flush(); err != nil {
				ended <- err
				return
			}
		}
	})))
	defer s.Close()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if e, ok := err.(net.Error); !ok || !e.Timeout() {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("the stream goes on")
	}
}

func TestPausesMayBeLong(t *testing.T) {
	s := httptest.NewUnstartedServer(withWriteTimeout(50*time.Millisecond, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range 3 {
			if _, err := w.Write([]byte("frame\n")); err != nil {
				t.Error(err)
			}
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			time.Sleep(150 * time.Millisecond)
		}
	})))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	resp, err := s.Client().Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	n := 0
	for b := make([]byte, 64); ; {
		k, err := resp.Body.Read(b)
		n += k
		if err != nil {
			break
		}
	}
	if resp.ProtoMajor != 2 || n != 18 {
		t.Errorf("HTTP/%d, %d bytes of 18", resp.ProtoMajor, n)
	}
}
