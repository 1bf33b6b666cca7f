package app_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/config"
)

// server is a whole server with fake services, on ports of the system's choice.
type server struct {
	t      *testing.T
	play   *fakePlay
	store  fakeStore
	closed []string
	log    lockedBuffer
	token  string // a seat's
	admin  string
	url    string
	app    *app.App
	roots  *x509.CertPool // nil without TLS
	conn   *grpc.ClientConn
	http   *http.Client
	stop   func() error // shuts down and waits
}

type fakeStore struct{ down atomic.Bool }

func (f *fakeStore) Ping(context.Context) error {
	if f.down.Load() {
		return io.ErrUnexpectedEOF
	}
	return nil
}

func start(t *testing.T, change ...func(*config.Server)) *server {
	t.Helper()
	leaks := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, leaks) })

	s := &server{
		t: t, play: &fakePlay{slow: make(chan struct{})},
		token: auth.NewToken(auth.KindSeat), admin: auth.NewToken(auth.KindAdmin),
	}
	cfg := config.Server{
		GRPCAddr: "127.0.0.1:0", HTTPAddr: "127.0.0.1:0", DB: "x", LogLevel: "debug", LogFormat: "json",
		MaxBody: 64 << 10, Heartbeat: time.Second, ShutdownGrace: 5 * time.Second,
		CORSOrigins: []string{"https://vtt.example"},
	}
	for _, c := range change {
		c(&cfg)
	}
	seats := auth.AuthenticatorFunc(func(_ context.Context, h auth.Hash) (auth.Principal, error) {
		if h.Equal(auth.HashToken(s.token)) {
			return auth.Principal{Seat: "seat1", Table: "t1"}, nil
		}
		return auth.Principal{}, auth.ErrUnknownToken
	})
	closer := func(name string) func() error {
		return func() error { s.closed = append(s.closed, name); return nil }
	}
	a, err := app.New(cfg, app.Deps{
		Log:      slog.New(slog.NewJSONHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Services: fakes(s.play),
		Auth:     auth.WithAdmin(auth.HashToken(s.admin), seats),
		Store:    &s.store,
		Version:  "v1.2.3",
		Close:    []func() error{closer("host"), closer("store")},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	s.stop = sync.OnceValue(func() error { cancel(); return <-done })

	s.app, s.url = a, a.URL()
	s.http = &http.Client{Transport: &http.Transport{}}
	creds := insecure.NewCredentials()
	if cfg.TLSCert != "" {
		s.roots = readRoots(t, cfg.TLSCert)
		s.http.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: s.roots}, ForceAttemptHTTP2: true}
		creds = credentials.NewTLS(&tls.Config{RootCAs: s.roots})
	}
	s.conn, err = grpc.NewClient(a.GRPCAddr().String(), grpc.WithTransportCredentials(creds))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.http.CloseIdleConnections()
		s.conn.Close()
		if err := s.stop(); err != nil && !t.Failed() {
			t.Errorf("Run: %v", err)
		}
	})
	s.eventually("ready", func() bool { return s.get("/readyz").StatusCode == http.StatusOK })
	return s
}

// ctx is a call's context with the seat's token.
func (s *server) ctx() context.Context {
	return metadata.AppendToOutgoingContext(s.t.Context(), "authorization", "Bearer "+s.token)
}

func (s *server) eventually(what string, ok func() bool) {
	s.t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	s.t.Fatalf("never came true: %s", what)
}

// answer is an HTTP answer, read to its end.
type answer struct {
	*http.Response
	body string
}

// field returns a field of the JSON body.
func (a answer) field(name string) any {
	var m map[string]any
	if json.Unmarshal([]byte(a.body), &m) != nil {
		return nil
	}
	return m[name]
}

// do sends a request with the seat's token; headers as "Name: value".
func (s *server) do(method, path, body string, headers ...string) answer {
	s.t.Helper()
	resp := s.open(s.t.Context(), method, path, body, headers...)
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer{resp, string(b)}
}

func (s *server) get(path string, headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, path, "", headers...)
}

// open sends a request and leaves the body to be read.
func (s *server) open(ctx context.Context, method, path, body string, headers ...string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
		if value == "" {
			req.Header.Del(name)
		}
	}
	resp, err := s.http.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp
}

// lines sends a request and returns the lines of its answer as they come.
func (s *server) lines(ctx context.Context, path string, headers ...string) (*http.Response, func() string) {
	s.t.Helper()
	resp := s.open(ctx, http.MethodGet, path, "", headers...)
	s.t.Cleanup(func() { resp.Body.Close() })
	scan := bufio.NewScanner(resp.Body)
	return resp, func() string {
		if !scan.Scan() {
			return "EOF"
		}
		return scan.Text()
	}
}

// lockedBuffer is a log that is written and read at once.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
