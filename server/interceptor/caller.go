package interceptor

import (
	"context"
	"net/netip"
	"slices"
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
func withCaller(ctx context.Context, holder caller) context.Context {
	return context.WithValue(ctx, callerKey{}, holder)
}

// proxies are the networks of those whose word for whom they speak for is taken.
type proxies []netip.Prefix

// callerOf is who calls.
func (p proxies) callerOf(ctx context.Context) caller {
	if c, ok := ctx.Value(callerKey{}).(caller); ok {
		return c
	}
	return p.stranger(ctx)
}

// stranger is who calls, whatever the token.
func (p proxies) stranger(ctx context.Context) caller { return caller{addr: network(p.remote(ctx))} }

// remote is the address that a call comes from; the zero one if it cannot be told.
// Each hop writes behind the others from whom it had the call. So the last one that
// is no proxy of ours counts: what stands before it, anybody may have written.
func (p proxies) remote(ctx context.Context) netip.Addr {
	from, ok := peer.FromContext(ctx)
	if !ok {
		return netip.Addr{}
	}
	var at netip.Addr
	claimed := metadata.ValueFromIncomingContext(ctx, "x-forwarded-for")
	// Over REST the gateway has written last whom it had the call from; the peer is
	// the channel between it and us, by its own name for itself.
	if from.Addr.Network() != "inproc" {
		a, _ := netip.ParseAddrPort(from.Addr.String())
		at = a.Addr()
	} else {
		claimed, at = cutLast(claimed)
	}
	for p.trusts(at) && len(claimed) > 0 {
		var before netip.Addr
		if claimed, before = cutLast(claimed); !before.IsValid() {
			break // our proxy said nothing that we understand: it is the proxy, then
		}
		at = before
	}
	return at
}

// cutLast takes the last address off a list, whose elements may be lists.
func cutLast(all []string) ([]string, netip.Addr) {
	if len(all) == 0 {
		return nil, netip.Addr{}
	}
	rest, last := all[:len(all)-1], all[len(all)-1]
	if i := strings.LastIndexByte(last, ','); i >= 0 {
		rest, last = append(slices.Clone(rest), last[:i]), last[i+1:]
	}
	a, _ := netip.ParseAddr(strings.TrimSpace(last))
	return rest, a
}

// trusts reports whether an address is that of one of our proxies.
func (p proxies) trusts(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return slices.ContainsFunc(p, func(n netip.Prefix) bool { return n.Contains(a) })
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
