package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// client calls the API, by REST or by gRPC.
type client interface {
	// call sends a request to a method and fills the response. path and verb are
	// REST's; method is gRPC's.
	call(token string, r route, request, response proto.Message) error
}

// route is where a method is, by gRPC and by REST.
type route struct{ method, verb, path string }

func createTable() route {
	return route{hanteiv1.TableService_CreateTable_FullMethodName, "POST", "/v1/tables"}
}

func inviteSeat(table string) route {
	return route{hanteiv1.SeatService_InviteSeat_FullMethodName, "POST", "/v1/tables/" + table + "/seats"}
}

func createCharacter(table string) route {
	return route{hanteiv1.CharacterService_CreateCharacter_FullMethodName, "POST", "/v1/tables/" + table + "/characters"}
}

func act(table string) route {
	return route{hanteiv1.PlayService_Act_FullMethodName, "POST", "/v1/tables/" + table + ":act"}
}

func answer(table, prompt string) route {
	return route{hanteiv1.PlayService_Answer_FullMethodName, "POST", "/v1/tables/" + table + "/prompts/" + prompt + ":answer"}
}

func listEvents(table string) route {
	return route{hanteiv1.PlayService_ListEvents_FullMethodName, "GET", "/v1/tables/" + table + "/events"}
}

func getView(table string) route {
	return route{hanteiv1.PlayService_GetView_FullMethodName, "GET", "/v1/tables/" + table + "/view"}
}

// rest calls over HTTP.
type rest struct{ addr string }

func (c rest) call(token string, r route, request, response proto.Message) error {
	status, b, err := c.exchange(token, r, request)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s: %s", r.verb, r.path, status, http.StatusText(status), b)
	}
	return protojson.Unmarshal(b, response)
}

// exchange sends a request and returns the status and the body of what comes back, with
// the texts in one of these languages.
func (c rest) exchange(token string, r route, request proto.Message, lang ...string) (int, []byte, error) {
	body := io.Reader(nil)
	if r.verb == "POST" {
		b, err := protojson.Marshal(request)
		if err != nil {
			return 0, nil, err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequest(r.verb, "http://"+c.addr+r.path, body)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	if len(lang) > 0 {
		req.Header.Set("Accept-Language", strings.Join(lang, ", "))
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	return res.StatusCode, b, err
}

// direct calls over gRPC.
type direct struct{ conn *grpc.ClientConn }

func dial(t testing.TB, addr string, options ...grpc.DialOption) direct {
	t.Helper()
	conn, err := grpc.NewClient(addr, append(options, grpc.WithTransportCredentials(insecure.NewCredentials()))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return direct{conn}
}

func (c direct) call(token string, r route, request, response proto.Message) error {
	return c.conn.Invoke(withToken(token), r.method, request, response)
}

func withToken(token string) context.Context { return tokenIn(context.Background(), token) }

func tokenIn(ctx context.Context, token string) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// watchSSE follows a table by server-sent events from the beginning and sends
// each commit. The stream ends with the test.
func watchSSE(t *testing.T, addr, token string) <-chan *hanteiv1.WatchResponse {
	t.Helper()
	frames := make(chan *hanteiv1.WatchResponse, 100)
	lines := watchLines(t, addr, token, "beginning", "text/event-stream")
	go func() {
		defer close(frames)
		for line := range lines {
			data, ok := bytes.CutPrefix(line, []byte("data: "))
			if !ok {
				continue
			}
			f := &hanteiv1.WatchResponse{}
			if err := protojson.Unmarshal(data, f); err != nil {
				return
			}
			frames <- f
		}
	}()
	return frames
}

// watchLines follows a table over HTTP from a cursor on and sends the lines of the
// stream, which is of the media type that is asked for. It ends with the test.
func watchLines(t *testing.T, addr, token, cursor, accept string) <-chan []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr+"/v1/watch?cursor="+url.QueryEscape(cursor), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", accept)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != accept {
		t.Fatalf("watch: %s, %s", res.Status, res.Header.Get("Content-Type"))
	}
	out := make(chan []byte, 100)
	go func() {
		defer close(out)
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			out <- bytes.Clone(lines.Bytes())
		}
	}()
	return out
}

// watchGRPC follows a table by gRPC from the beginning.
func watchGRPC(t *testing.T, c direct, token string) <-chan *hanteiv1.WatchResponse {
	t.Helper()
	return watchGRPCFrom(t, c, token, "beginning")
}

// watchGRPCFrom follows a table by gRPC from a cursor on.
func watchGRPCFrom(t *testing.T, c direct, token, cursor string) <-chan *hanteiv1.WatchResponse {
	t.Helper()
	ctx, cancel := context.WithCancel(withToken(token))
	t.Cleanup(cancel)
	stream, err := hanteiv1.NewPlayServiceClient(c.conn).Watch(ctx, &hanteiv1.WatchRequest{Cursor: cursor})
	if err != nil {
		t.Fatal(err)
	}
	frames := make(chan *hanteiv1.WatchResponse, 100)
	go func() {
		defer close(frames)
		for {
			f, err := stream.Recv()
			if err != nil {
				return
			}
			frames <- f
		}
	}()
	return frames
}
