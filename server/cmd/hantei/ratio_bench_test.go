package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
)

// The benchmarks of this file compare the program with the barest server that
// could do in its place: both are processes of their own, and the client is a
// third, so that all three share the processors.

// inFlight is how many calls are on their way at once.
const inFlight = 16

// BenchmarkActOverEcho is a check over gRPC on loopback against a bare method that
// takes bytes as long as the request and returns bytes as long as the response.
// ratio is the one rate by the other. The store does not wait for the disk.
func BenchmarkActOverEcho(b *testing.B) {
	m := measure(b)
	acts, size := m.players(b)
	echo, _ := startBare(b, size.response)
	compare(b, acts, echoes(b, echo, size))
}

// BenchmarkActOverJSON is a check over REST against a handler of net/http that
// decodes a body of the request's size with encoding/json and encodes one of the
// answer's, which is mostly one long text. The client is the same for both and
// decodes nothing.
func BenchmarkActOverJSON(b *testing.B) {
	m := measure(b)
	acts, size := m.browsers(b)
	_, plain := startBare(b, size)
	client := browser(b)
	var bare []func() error
	for range inFlight {
		p := poster{client, "http://" + plain, auth.NewToken(auth.KindSeat)}
		n := 0
		bare = append(bare, func() error {
			n++
			_, err := p.post(body(n))
			return err
		})
	}
	compare(b, acts, bare)
}

// compare calls all of the one and all of the other in turns, each function by a
// goroutine of its own.
func compare(b *testing.B, acts, bare []func() error) {
	var act, floor time.Duration
	const rounds = 8
	share(b, 400, acts)
	share(b, 400, bare) // connections are open and pools are filled
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

// measured is the program as it is shipped, without limits on how often one may call.
type measured struct {
	*child
	direct
}

func measure(b *testing.B) measured {
	b.Helper()
	s := fresh(b, "HANTEI_DB_SYNC=normal", "HANTEI_RATE_LIMIT=0")
	return measured{s, dial(b, s.grpc)}
}

// table makes a table with a thug, whose criticals open no prompts that stay, and
// returns its id and the GM's token.
func (m measured) table(b *testing.B) (id, token string) {
	b.Helper()
	made := &hanteiv1.CreateTableResponse{}
	err := m.call(m.admin, createTable(), &hanteiv1.CreateTableRequest{Name: "Test", Ruleset: "coc"}, made)
	if err != nil {
		b.Fatal(err)
	}
	id, token = made.Table.Id, made.GmToken
	err = m.call(token, createCharacter(id), &hanteiv1.CreateCharacterRequest{
		TableId: id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"},
	}, &hanteiv1.CreateCharacterResponse{})
	if err != nil {
		b.Fatal(err)
	}
	return id, token
}

// checks declares the n-th check of the thug, with a request id of its own.
func checks(table string, n int) *hanteiv1.ActRequest {
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
func (m measured) players(b *testing.B) (all []func() error, size sizes) {
	b.Helper()
	for range inFlight {
		table, token := m.table(b)
		ctx, n := withToken(token), 0
		act := func() (*hanteiv1.ActRequest, *hanteiv1.ActResponse, error) {
			n++
			r, response := checks(table, n), &hanteiv1.ActResponse{}
			return r, response, m.conn.Invoke(ctx, hanteiv1.PlayService_Act_FullMethodName, r, response)
		}
		request, response, err := act()
		if err != nil {
			b.Fatal(err)
		}
		size = sizes{proto.Size(request), proto.Size(response)}
		all = append(all, func() error {
			_, _, err := act()
			return err
		})
	}
	return all, size
}

const bareMethod = "/test.Echo/Echo"

// echoes are functions that each call the bare method, as a client of ours does
// with a header of a token's length.
func echoes(b *testing.B, addr string, size sizes) (all []func() error) {
	b.Helper()
	c := dial(b, addr)
	ctx := withToken(auth.NewToken(auth.KindSeat))
	request := wrapperspb.Bytes(make([]byte, size.request))
	for range inFlight {
		all = append(all, func() error {
			return c.conn.Invoke(ctx, bareMethod, request, new(wrapperspb.BytesValue))
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

func browser(b *testing.B) *http.Client {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: inFlight}}
	b.Cleanup(client.CloseIdleConnections)
	return client
}

// browsers are functions that each play at a table of their own over REST, with
// the size of an answer.
func (m measured) browsers(b *testing.B) (acts []func() error, size int) {
	b.Helper()
	client := browser(b)
	for range inFlight {
		table, token := m.table(b)
		p := poster{client, "http://" + m.http + "/v1/tables/" + table + ":act", token}
		n := 0
		act := func() ([]byte, error) {
			n++
			return p.post(body(n))
		}
		answer, err := act()
		if err != nil {
			b.Fatal(err)
		}
		size = len(answer)
		acts = append(acts, func() error {
			_, err := act()
			return err
		})
	}
	return acts, size
}

// body is a check in JSON.
func body(n int) []byte {
	return fmt.Appendf(nil, `{"actor":"thug","requestId":"request-%d","action":{"coc":{"check":{"skill":"spot"}}}}`, n)
}

// startBare runs the bare server as a process of its own, whose answers have a
// size, and returns its addresses for gRPC and HTTP.
func startBare(b *testing.B, size int) (echo, plain string) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asBare+"="+strconv.Itoa(size))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if _, err := fmt.Fscan(out, &echo, &plain); err != nil {
		b.Fatal(err)
	}
	return echo, plain
}

// bare is that process: it says where it listens, and serves until it is killed.
func bare(size int) error {
	response := wrapperspb.Bytes(make([]byte, size))
	s := grpc.NewServer()
	service, method, _ := strings.Cut(strings.TrimPrefix(bareMethod, "/"), "/")
	s.RegisterService(&grpc.ServiceDesc{ServiceName: service, HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{{
		MethodName: method,
		Handler: func(_ any, _ context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
			return response, decode(new(wrapperspb.BytesValue))
		},
	}}}, nil)
	calls, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	pages, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(calls.Addr(), pages.Addr())
	ended := make(chan error, 2)
	go func() { ended <- s.Serve(calls) }()
	go func() { ended <- http.Serve(pages, plain(size)) }()
	return <-ended
}

// plain is a handler that decodes a check and answers with a sentence about it, as
// long as our answer is.
func plain(size int) http.Handler {
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
	sentence := strings.Repeat("Thug: Spot Hidden (25): 21. ", size/28+1)[:size]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	})
}
