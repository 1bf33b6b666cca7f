package interceptor

import (
	"context"
	"net"
	"net/netip"
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
		if got := proxies(nil).stranger(ctx).addr.String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if proxies(nil).callerOf(ctx) != proxies(nil).stranger(ctx) || proxies(nil).callerOf(withCaller(ctx, caller{token: auth.Hash{1}})) != (caller{token: auth.Hash{1}}) {
			t.Errorf("%s: the token does not come first", name)
		}
	}
	if proxies(nil).stranger(context.Background()) != (caller{}) {
		t.Error("an empty context has an address")
	}
}

// TestProxies: of the hops that a call has come by, the last one that is no proxy
// of ours is the caller.
func TestProxies(t *testing.T) {
	ours := proxies{
		netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("2001:db8:9::/48"),
		netip.MustParsePrefix("fe80::/10"),
	}
	inproc := fakeAddr{"inproc", "0"}
	for name, c := range map[string]struct {
		peer net.Addr
		xff  []string
		want string
	}{
		"one hop":                      {inproc, []string{"192.0.2.7, 127.0.0.1"}, "192.0.2.7/32"},
		"spoofed before it":            {inproc, []string{"203.0.113.1, 192.0.2.7, 127.0.0.1"}, "192.0.2.7/32"},
		"spoofed as one of ours":       {inproc, []string{"203.0.113.1, 10.1.0.1, 192.0.2.7, 127.0.0.1"}, "192.0.2.7/32"},
		"spoofed past the proxy":       {inproc, []string{"203.0.113.1, 192.0.2.7"}, "192.0.2.7/32"},
		"spoofed in a line of its own": {inproc, []string{"203.0.113.1", "192.0.2.7, 127.0.0.1"}, "192.0.2.7/32"},
		"several hops":                 {inproc, []string{"203.0.113.1, 192.0.2.7, 10.1.2.3, 10.1.0.1, 127.0.0.1"}, "192.0.2.7/32"},
		"hops in lines of their own":   {inproc, []string{"192.0.2.7", "10.1.2.3", "127.0.0.1"}, "192.0.2.7/32"},
		"IPv6":                         {inproc, []string{"2001:db8:1:2:3:4:5:6, 2001:db8:9::1"}, "2001:db8:1:2::/64"},
		"IPv4 as IPv6":                 {inproc, []string{"::ffff:192.0.2.7, ::ffff:127.0.0.1"}, "192.0.2.7/32"},
		"a proxy with a zone":          {inproc, []string{"192.0.2.7, fe80::1%eth0"}, "192.0.2.7/32"},
		"nobody but ours":              {inproc, []string{"10.1.0.1, 127.0.0.1"}, "10.1.0.1/32"},
		"the proxy says nothing":       {inproc, []string{"127.0.0.1"}, "127.0.0.1/32"},
		"the proxy says nonsense":      {inproc, []string{"203.0.113.1, unknown, 127.0.0.1"}, "127.0.0.1/32"},
		"an address with a port":       {inproc, []string{"192.0.2.7:99, 127.0.0.1"}, "127.0.0.1/32"},
		"over gRPC":                    {fakeAddr{"tcp", "10.1.0.1:99"}, []string{"203.0.113.1, 192.0.2.7"}, "192.0.2.7/32"},
		"over gRPC, not by a proxy":    {fakeAddr{"tcp", "192.0.2.7:99"}, []string{"203.0.113.1"}, "192.0.2.7/32"},
		"over gRPC, IPv6":              {fakeAddr{"tcp", "[2001:db8:9::1]:99"}, []string{"2001:db8:1:2::5"}, "2001:db8:1:2::/64"},
	} {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.MD{"x-forwarded-for": c.xff})
		ctx = peer.NewContext(ctx, &peer.Peer{Addr: c.peer})
		if got := ours.stranger(ctx).addr.String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
