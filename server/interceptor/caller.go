package interceptor

import (
	"context"
	"net/netip"
	"strings"

	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"

	"github.com/hantei/hantei/server/auth"
)

// caller is whose calls are counted together: who holds a token, or, without a
// good one, whoever is at an address.
type caller struct {
	token  auth.Hash
	bridge bool // the token is a bridge's
	addr   netip.Prefix
}

type callerKey struct{}

// withCaller says whose token a call has.
func withCaller(ctx context.Context, token auth.Hash, kind auth.Kind) context.Context {
	return context.WithValue(ctx, callerKey{}, holder(token, kind))
}

// holder is who holds a token.
func holder(token auth.Hash, kind auth.Kind) caller {
	return caller{token: token, bridge: kind == auth.KindBridge}
}

// callerOf is who calls.
func callerOf(ctx context.Context) caller {
	if c, ok := ctx.Value(callerKey{}).(caller); ok {
		return c
	}
	return stranger(ctx)
}

// stranger is who calls, whatever the token.
func stranger(ctx context.Context) caller { return caller{addr: network(remote(ctx))} }

// remote is the address that a call comes from; the zero one if it cannot be
// told. Over REST it is what the gateway has put last into x-forwarded-for:
// whatever stands before it, and all of it over gRPC, anybody may have written.
func remote(ctx context.Context) netip.Addr {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return netip.Addr{}
	}
	if p.Addr.Network() != "inproc" { // the channel's name for itself, which is REST
		a, _ := netip.ParseAddrPort(p.Addr.String())
		return a.Addr()
	}
	values := metadata.ValueFromIncomingContext(ctx, "x-forwarded-for")
	if len(values) == 0 {
		return netip.Addr{}
	}
	last := values[len(values)-1]
	a, _ := netip.ParseAddr(strings.TrimSpace(last[strings.LastIndex(last, ",")+1:]))
	return a
}

// network is what one customer has: an IPv4 address, or 64 bits of IPv6.
func network(a netip.Addr) netip.Prefix {
	a = a.Unmap()
	bits := a.BitLen()
	if a.Is6() {
		bits = 64
	}
	p, _ := a.Prefix(bits)
	return p
}
