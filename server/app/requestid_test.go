package app_test

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// logged returns the code of the one call that the log has under a request id.
func (s *server) logged(id string) string {
	s.t.Helper()
	var found []string
	s.eventually("the id is in the log", func() bool {
		found = nil
		for scan := bufio.NewScanner(strings.NewReader(s.log.String())); scan.Scan(); {
			var line struct {
				Msg, Code string
				RequestID string `json:"request_id"`
			}
			if json.Unmarshal(scan.Bytes(), &line) == nil && line.Msg == "call" && line.RequestID == id {
				found = append(found, line.Code)
			}
		}
		return len(found) > 0
	})
	return strings.Join(found, " ")
}

func TestRequestIDOverREST(t *testing.T) {
	s := start(t)
	for id, c := range map[string]struct{ path, code string }{
		"good-1":  {"/v1/tables/t1/view", "OK"},
		"wrong-1": {"/v1/tables?pageSize=2000", "InvalidArgument"},
		"fault-1": {"/v1/tables/fault/view", "Internal"},
		"panic-1": {"/v1/tables/panic/view", "Internal"},
	} {
		a := s.get(c.path, "X-Request-Id: "+id)
		if got := a.Header.Values("X-Request-Id"); len(got) != 1 || got[0] != id {
			t.Errorf("%s: header %q", id, got)
		}
		if code := s.logged(id); code != c.code {
			t.Errorf("%s: the log has %s", id, code)
		}
		inBody := strings.Contains(a.body, `"metadata":{"request_id":"`+id+`"}`)
		if inBody != (c.code == "Internal") {
			t.Errorf("%s: %s", id, a.body)
		}
	}
	// One is made, also where there is no call, or the caller's cannot be used.
	for _, path := range []string{"/v1/rulesets", "/v1/nothing"} {
		for _, sent := range []string{"", "<script>"} {
			if id := s.get(path, "X-Request-Id: "+sent).Header.Get("X-Request-Id"); len(id) < 16 || strings.Contains(id, "<") {
				t.Errorf("%s: id %q", path, id)
			}
		}
	}
	s.logged(s.get("/v1/rulesets").Header.Get("X-Request-Id"))
}

func TestRequestIDOverGRPC(t *testing.T) {
	s := start(t)
	play := hanteiv1.NewPlayServiceClient(s.conn)
	for id, c := range map[string]struct {
		table string
		code  codes.Code
	}{
		"good-1": {"t1", codes.OK}, "wrong-1": {"", codes.InvalidArgument}, "fault-1": {"fault", codes.Internal}, "panic-1": {"panic", codes.Internal},
	} {
		var header metadata.MD
		_, err := play.GetView(metadata.AppendToOutgoingContext(s.ctx(), "x-request-id", id), &hanteiv1.GetViewRequest{TableId: c.table}, grpc.Header(&header))
		if status.Code(err) != c.code || strings.Join(header.Get("x-request-id"), " ") != id {
			t.Errorf("%s: %v, %v", id, err, header)
		}
		if code := s.logged(id); code != c.code.String() {
			t.Errorf("%s: the log has %s", id, code)
		}
		for _, d := range status.Convert(err).Details() {
			if info, ok := d.(*errdetails.ErrorInfo); ok && c.code == codes.Internal && info.GetMetadata()["request_id"] != id {
				t.Errorf("%s: %v", id, info)
			}
		}
	}

	w, err := play.Watch(metadata.AppendToOutgoingContext(s.ctx(), "x-request-id", "stream-1"), &hanteiv1.WatchRequest{TableId: []string{"refused"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Recv()
	header, _ := w.Header()
	if status.Code(err) != codes.NotFound || strings.Join(header.Get("x-request-id"), " ") != "stream-1" || s.logged("stream-1") != "NotFound" {
		t.Errorf("stream: %v, %v", err, header)
	}
}
