package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/app"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/config"
	"github.com/hantei/hantei/server/store/sqlite"
)

// inFlight is how many calls are on their way at once.
const inFlight = 16

// BenchmarkActOverEcho is a check over gRPC on loopback against a bare method, on
// a server of the same options without interceptors: it takes bytes as long as the
// request and returns bytes as long as the response. ratio is the one rate by the
// other.
func BenchmarkActOverEcho(b *testing.B) {
	s := serve(b)
	call, size := s.players(b)
	compare(b, call, echoes(b, s.cfg, size))
}

// BenchmarkActOverJSON is a check over REST against a handler of net/http that
// decodes a body of the request's size with encoding/json and encodes one of the
// answer's, which is mostly one long text. The client is the same for both and
// decodes nothing.
func BenchmarkActOverJSON(b *testing.B) {
	s := serve(b)
	call, plain := s.browsers(b)
	compare(b, call, plain)
}

// compare calls all of the one and all of the other in turns, each function by a
// goroutine of its own.
func compare(b *testing.B, acts, bare []func() error) {
	var act, floor time.Duration
	const rounds = 8
	share(b, 400, acts)
	share(b, 400, bare) // connections are open and pools are filled
	b.ReportAllocs()
	b.ResetTimer()
	for range rounds {
		n := int64(b.N/rounds + 1)
		act += share(b, n, acts)
		b.StopTimer()
		floor += share(b, n, bare)
		b.StartTimer()
	}
	n := float64(rounds * (b.N/rounds + 1))
	b.ReportMetric(float64(floor)/float64(act), "ratio")
	b.ReportMetric(n/act.Seconds(), "acts/s")
	b.ReportMetric(n/floor.Seconds(), "bare/s")
}

// share has each function called by a goroutine of its own, n times in all.
func share(b *testing.B, n int64, all []func() error) time.Duration {
	var left atomic.Int64
	left.Store(n)
	var done sync.WaitGroup
	began := time.Now()
	for _, f := range all {
		done.Go(func() {
			for left.Add(-1) >= 0 {
				if err := f(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
	return time.Since(began)
}

// measured is a whole server as it is shipped, but on a store that does not wait
// for the disk, and without limits on how often one may call.
type measured struct {
	cfg   config.Server
	url   string
	conn  *grpc.ClientConn
	admin string
}

func serve(tb testing.TB) *measured {
	tb.Helper()
	cfg := config.Server{
		GRPCAddr: "127.0.0.1:0", HTTPAddr: "127.0.0.1:0", DB: filepath.Join(tb.TempDir(), "hantei.db"),
		LogLevel: "info", LogFormat: "json", MaxBody: 1 << 20, Heartbeat: 15 * time.Second, ShutdownGrace: 5 * time.Second,
	}
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	ok := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	store, err := sqlite.Open(tb.Context(), cfg.DB, sqlite.Options{Relaxed: true})
	ok(err)
	var out strings.Builder
	deps, _, err := app.OpenOn(tb.Context(), store, cfg, log, &out)
	ok(err)
	a, err := app.New(cfg, deps)
	ok(err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			tb.Error(err)
		}
	})
	m := &measured{cfg: cfg, url: a.URL()}
	_, m.admin, _ = strings.Cut(strings.TrimSpace(out.String()), ": ")
	m.conn = dial(tb, a.GRPCAddr().String())
	return m
}

func dial(tb testing.TB, addr string) *grpc.ClientConn {
	tb.Helper()
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { conn.Close() })
	return conn
}

func bearer(token string) context.Context {
	return metadata.AppendToOutgoingContext(context.Background(), "authorization", "Bearer "+token)
}

// table makes a table with a thug, whose criticals open no prompts that stay, and
// returns its id and the GM's token.
func (m *measured) table(tb testing.TB) (id, token string) {
	tb.Helper()
	made, err := hanteiv1.NewTableServiceClient(m.conn).CreateTable(bearer(m.admin), &hanteiv1.CreateTableRequest{Name: "Test", Ruleset: "coc"})
	if err != nil {
		tb.Fatal(err)
	}
	_, err = hanteiv1.NewCharacterServiceClient(m.conn).CreateCharacter(bearer(made.GmToken), &hanteiv1.CreateCharacterRequest{
		TableId: made.Table.Id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return made.Table.Id, made.GmToken
}

// check declares a check of the thug, with a request id of its own.
func check(table string, n int) *hanteiv1.ActRequest {
	return &hanteiv1.ActRequest{
		TableId: table, Actor: "thug", RequestId: fmt.Sprint("request-", n),
		What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: &cocv1.Action{
			Action: &cocv1.Action_Check{Check: &cocv1.Check{Skill: "spot"}},
		}}}},
	}
}

// sizes are the bytes of a request and of its response.
type sizes struct{ request, response int }

// players are functions that each play at a table of their own.
func (m *measured) players(tb testing.TB) (all []func() error, size sizes) {
	tb.Helper()
	play := hanteiv1.NewPlayServiceClient(m.conn)
	for range inFlight {
		table, token := m.table(tb)
		ctx, n := bearer(token), 0
		act := func() (*hanteiv1.ActRequest, *hanteiv1.ActResponse, error) {
			n++
			r := check(table, n)
			response, err := play.Act(ctx, r)
			return r, response, err
		}
		request, response, err := act()
		if err != nil {
			tb.Fatal(err)
		}
		size = sizes{proto.Size(request), proto.Size(response)}
		all = append(all, func() error {
			_, _, err := act()
			return err
		})
	}
	return all, size
}

// echoes are functions that each call a bare method, which takes bytes as long as
// the request and returns bytes as long as the response.
func echoes(tb testing.TB, cfg config.Server, size sizes) (all []func() error) {
	tb.Helper()
	const service, method = "test.Echo", "Echo"
	response := wrapperspb.Bytes(make([]byte, size.response))
	s := grpc.NewServer(app.Transport(cfg, nil)...)
	s.RegisterService(&grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{{
		MethodName: method,
		Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			return response, decode(new(wrapperspb.BytesValue))
		},
	}}}, nil)
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(lis) }()
	tb.Cleanup(func() {
		s.Stop()
		if err := <-done; err != nil {
			tb.Error(err)
		}
	})
	conn := dial(tb, lis.Addr().String())
	// As a client of ours does, it sends a header of a token's length.
	ctx := bearer(auth.NewToken(auth.KindSeat))
	request := wrapperspb.Bytes(make([]byte, size.request))
	for range inFlight {
		all = append(all, func() error {
			return conn.Invoke(ctx, "/"+service+"/"+method, request, new(wrapperspb.BytesValue))
		})
	}
	return all
}

// poster sends bodies to an address and reads the answers.
type poster struct {
	client     *http.Client
	url, token string
}

func (p poster) post(body []byte) ([]byte, error) {
	r, err := http.NewRequest(http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	r.Header.Set("Content-Type", "application/json")
	resp, err := p.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", resp.Status, answer)
	}
	return answer, err
}

// browsers are functions that each play at a table of their own over REST, and as
// many that post the same bodies to a plain handler.
func (m *measured) browsers(tb testing.TB) (acts, plain []func() error) {
	tb.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: inFlight}}
	tb.Cleanup(client.CloseIdleConnections)
	var first []byte
	for range inFlight {
		table, token := m.table(tb)
		p := poster{client, m.url + "/v1/tables/" + table + ":act", token}
		n := 0
		act := func() ([]byte, error) {
			n++
			return p.post(body(n))
		}
		answer, err := act()
		if err != nil {
			tb.Fatal(err)
		}
		first = answer
		acts = append(acts, func() error {
			_, err := act()
			return err
		})
	}
	url := plainHandler(tb, len(first))
	for range inFlight {
		p := poster{client, url, auth.NewToken(auth.KindSeat)}
		n := 0
		plain = append(plain, func() error {
			n++
			_, err := p.post(body(n))
			return err
		})
	}
	return acts, plain
}

// plainHandler serves a handler that decodes a check and answers with a sentence
// about it, as long as our answer is. It returns its address.
func plainHandler(tb testing.TB, size int) string {
	tb.Helper()
	type request struct {
		Actor     string `json:"actor"`
		RequestID string `json:"requestId"`
		Action    struct {
			Coc struct {
				Check struct {
					Skill string `json:"skill"`
				} `json:"check"`
			} `json:"coc"`
		} `json:"action"`
	}
	type response struct {
		StepID string  `json:"stepId"`
		Actor  string  `json:"actor"`
		Skill  string  `json:"skill"`
		Faces  []int32 `json:"faces"`
		Text   string  `json:"text"`
	}
	sentence := strings.Repeat("Thug: Spot Hidden (25): 21. ", size/28+1)
	empty, err := json.Marshal(response{Actor: "thug", Skill: "spot", StepID: "request-1000", Faces: []int32{21}})
	if err != nil {
		tb.Fatal(err)
	}
	sentence = sentence[:size-len(empty)]
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		// An error tells that the client has gone.
		_ = json.NewEncoder(w).Encode(response{
			StepID: q.RequestID, Actor: q.Actor, Skill: q.Action.Coc.Check.Skill, Faces: []int32{21}, Text: sentence,
		})
	}))
	tb.Cleanup(s.Close)
	return s.URL
}

// body is a check in JSON.
func body(n int) []byte {
	return fmt.Appendf(nil, `{"actor":"thug","requestId":"request-%d","action":{"coc":{"check":{"skill":"spot"}}}}`, n)
}
