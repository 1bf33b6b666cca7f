package interceptor

import (
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
)

// wait says whether nothing runs any more.
func wait(t *testing.T, d *Drain) bool {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	return d.Wait(ctx) == nil
}

func TestDrainUnary(t *testing.T) {
	d := NewDrain()
	_, err := unary(t.Context(), d, method, nil, func(ctx context.Context, _ any) (any, error) {
		if wait(t, d) {
			t.Error("Wait returns before Close")
		}
		d.Close()
		d.Close() // twice is no fault
		if ctx.Err() != nil {
			t.Error("a call that runs may not finish")
		}
		if wait(t, d) {
			t.Error("Wait returns while a call runs")
		}
		return "done", nil
	})
	if err != nil || !wait(t, d) {
		t.Errorf("%v, nothing runs: %v", err, wait(t, d))
	}
	_, err = unary(t.Context(), d, method, nil, nil)
	if status.Code(err) != codes.Unavailable || infoOf(err).GetReason() != "SHUTTING_DOWN" {
		t.Errorf("after Close: %v", err)
	}
	if err := stream(&fakeStream{ctx: t.Context()}, d, method, nil); status.Code(err) != codes.Unavailable {
		t.Errorf("stream after Close: %v", err)
	}
}

func TestDrainWatch(t *testing.T) {
	for name, c := range map[string]struct {
		sends  []*hanteiv1.WatchResponse
		result error
		want   string // the cursor of the last frame
	}{
		"nothing sent":   {nil, context.Canceled, "from"},
		"sent":           {[]*hanteiv1.WatchResponse{{Cursor: "a"}, {Cursor: "b"}, {}}, context.Canceled, "b"},
		"returns nil":    {[]*hanteiv1.WatchResponse{{Cursor: "a"}}, nil, "a"},
		"goes on":        {[]*hanteiv1.WatchResponse{{Cursor: "a", EndReason: "TABLE_DELETED", GoesOn: true}}, context.Canceled, "a"},
		"ends by itself": {[]*hanteiv1.WatchResponse{{Cursor: "a"}, {Cursor: "z", EndReason: EndShutdown}}, nil, "z"},
	} {
		d := NewDrain()
		ss := &fakeStream{ctx: t.Context(), in: &hanteiv1.WatchRequest{Cursor: "from"}}
		err := stream(ss, d, method, func(_ any, ss grpc.ServerStream) error {
			if err := ss.RecvMsg(&hanteiv1.WatchRequest{}); err != nil {
				return err
			}
			d.Close()
			<-ss.Context().Done()
			if context.Cause(ss.Context()) != ErrShutdown {
				t.Errorf("%s: cause %v", name, context.Cause(ss.Context()))
			}
			for _, m := range c.sends {
				if err := ss.SendMsg(m); err != nil {
					return err
				}
			}
			return c.result
		})
		ends := 0
		for _, m := range ss.sent {
			if m := m.(*hanteiv1.WatchResponse); m.GetEndReason() != "" && !m.GetGoesOn() {
				ends++
			}
		}
		last := ss.sent[len(ss.sent)-1].(*hanteiv1.WatchResponse)
		if err != nil || ends != 1 || last.GetCursor() != c.want || last.GetEndReason() != EndShutdown {
			t.Errorf("%s: %v, %d ends, last %v", name, err, ends, last)
		}
		if !wait(t, d) {
			t.Errorf("%s: still running", name)
		}
	}
}

func TestDrainOtherStreams(t *testing.T) {
	d := NewDrain()
	err := stream(&fakeStream{ctx: t.Context()}, d, "/grpc.health.v1.Health/Watch", func(_ any, ss grpc.ServerStream) error {
		d.Close()
		<-ss.Context().Done()
		return ss.Context().Err()
	})
	if status.Code(err) != codes.Unavailable {
		t.Error(err)
	}
	// While the server runs, a stream's own end is its own.
	own := errors.New("own")
	if err := stream(&fakeStream{ctx: t.Context()}, NewDrain(), method, func(any, grpc.ServerStream) error { return own }); err != own {
		t.Error(err)
	}
}
