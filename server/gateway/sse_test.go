package gateway

import (
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

func TestSSEFrames(t *testing.T) {
	for want, m := range map[string]*hanteiv1.WatchResponse{
		"heartbeat": {Cursor: "c"},
		"message":   {Cursor: "c", Events: []*tablev1.EventView{{Name: "line\nbreak"}}},
		"end":       {Cursor: "c", EndReason: "SHUTTING_DOWN"},
	} {
		b, err := sseCodec{}.Marshal(map[string]any{"result": m})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(b); !strings.HasPrefix(got, "id: c\nevent: "+want+"\ndata: {") || strings.Count(got, "\n") != 3 {
			t.Errorf("%s: %q", want, got)
		}
	}
	for _, m := range []*hanteiv1.WatchResponse{
		{Cursor: "c", OffersChanged: true}, {Cursor: "c", PromptsTold: true},
		{Cursor: "c", SeatId: "s", EndReason: "TABLE_DELETED", GoesOn: true},
	} {
		if kindOf(m) != "message" {
			t.Errorf("%v is a %s", m, kindOf(m))
		}
	}
	b, err := sseCodec{}.Marshal(map[string]proto.Message{"error": status.New(codes.OutOfRange, "behind").Proto()})
	if want := "event: error\ndata: {\"code\":11,\"status\":\"OUT_OF_RANGE\",\"message\":\"behind\"}\n"; err != nil || string(b) != want {
		t.Errorf("error: %q, %v", b, err)
	}
	if got := string(event("a\nevent: x", "message", []byte("{}"))); strings.Contains(got, "id:") {
		t.Errorf("an id with a newline: %q", got)
	}
}

func TestAcceptsSSE(t *testing.T) {
	for header, want := range map[string]bool{
		"": false, "*/*": false, "application/json": false, "text/event-stream": true,
		"text/event-stream;q=0.9": true, "application/json, text/event-stream": true, "text/event-streamx": false,
	} {
		if acceptsSSE([]string{header}) != want {
			t.Errorf("%q: want %v", header, want)
		}
	}
}
