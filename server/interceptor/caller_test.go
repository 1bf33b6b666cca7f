package interceptor

import (
	"context"
	"net"
	"testing"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"github.com/hantei/hantei/server/auth"
)

// fakeAddr is an address as a transport names it.
type fakeAddr struct{ network, text string }

func (a fakeAddr) Network() string { return a.network }
func (a fakeAddr) String() string  { return a.text }

func TestStranger(t *testing.T) {
	inproc := fakeAddr{"inproc", "0"}
	for name, c := range map[string]struct {
		peer net.Addr
		xff  []string
		want string
	}{
		"IPv4":                 {fakeAddr{"tcp", "10.0.0.1:99"}, nil, "10.0.0.1/32"},
		"IPv6":                 {fakeAddr{"tcp", "[2001:db8:1:2:3:4:5:6]:99"}, nil, "2001:db8:1:2::/64"},
		"IPv4 as IPv6":         {fakeAddr{"tcp", "[::ffff:10.0.0.1]:99"}, nil, "10.0.0.1/32"},
		"with a zone":          {fakeAddr{"tcp", "[fe80::1%eth0]:99"}, nil, "fe80::/64"},
		"claimed over gRPC":    {fakeAddr{"tcp", "10.0.0.1:99"}, []string{"10.0.0.2"}, "10.0.0.1/32"},
		"REST":                 {inproc, []string{"10.0.0.3"}, "10.0.0.3/32"},
		"claimed over REST":    {inproc, []string{"10.0.0.2, 10.0.0.9, 10.0.0.3"}, "10.0.0.3/32"},
		"REST, IPv6":           {inproc, []string{"::1"}, "::/64"},
		"REST without address": {inproc, nil, "invalid Prefix"},
		"REST, nonsense":       {inproc, []string{"10.0.0.2, x"}, "invalid Prefix"},
		"socket":               {fakeAddr{"unix", "@"}, nil, "invalid Prefix"},
		"nobody":               {nil, nil, "invalid Prefix"},
	} {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.MD{"x-forwarded-for": c.xff})
		if c.peer != nil {
			ctx = peer.NewContext(ctx, &peer.Peer{Addr: c.peer})
		}
		if got := stranger(ctx).addr.String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if callerOf(ctx) != stranger(ctx) || callerOf(withCaller(ctx, auth.Hash{1}, auth.KindSeat)) != (caller{token: auth.Hash{1}}) {
			t.Errorf("%s: the token does not come first", name)
		}
	}
	if stranger(context.Background()) != (caller{}) {
		t.Error("an empty context has an address")
	}
}
