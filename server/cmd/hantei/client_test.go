package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
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
	body := io.Reader(nil)
	if r.verb == "POST" {
		b, err := protojson.Marshal(request)
		if err != nil {
			return err
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequest(r.verb, "http://"+c.addr+r.path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s: %s", r.verb, r.path, res.Status, b)
	}
	return protojson.Unmarshal(b, response)
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
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+addr+"/v1/watch?cursor=beginning", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("watch: %s, %s", res.Status, res.Header.Get("Content-Type"))
	}
	frames := make(chan *hanteiv1.WatchResponse, 100)
	go func() {
		defer close(frames)
		defer res.Body.Close()
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			f := &hanteiv1.WatchResponse{}
			if err := protojson.Unmarshal([]byte(data), f); err != nil {
				return
			}
			frames <- f
		}
	}()
	return frames
}

// watchGRPC follows a table by gRPC from the beginning.
func watchGRPC(t *testing.T, c direct, token string) <-chan *hanteiv1.WatchResponse {
	t.Helper()
	ctx, cancel := context.WithCancel(withToken(token))
	t.Cleanup(cancel)
	stream, err := hanteiv1.NewPlayServiceClient(c.conn).Watch(ctx, &hanteiv1.WatchRequest{Cursor: "beginning"})
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
