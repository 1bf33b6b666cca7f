package host

import (
	"context"
	"errors"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/store"
)

// NewBridge is a bridge that is to be made.
type NewBridge struct {
	// Request identifies the request.
	Request Request
	// Name is for people.
	Name string
}

// MadeBridge is a new bridge with its token, which is shown this once, and again
// to whoever repeats the request.
type MadeBridge struct {
	Bridge store.Bridge
	Token  string
}

// CreateBridge makes a bridge. The admin may.
func (h *Host) CreateBridge(ctx context.Context, by Caller, n NewBridge) (MadeBridge, error) {
	if refusal := administers(by); refusal != nil {
		return MadeBridge{}, refusal
	}
	if refusal := checkName("name", n.Name); refusal != nil {
		return MadeBridge{}, refusal
	}
	out, kept, err := onlyOnce(ctx, h, store.AdminScope, by, n.Request, func() (MadeBridge, error) { return h.createBridge(ctx, by, n) })
	if err != nil || kept == nil {
		return out, err
	}
	return h.madeBridge(ctx, by, n, *kept)
}

func (h *Host) createBridge(ctx context.Context, by Caller, n NewBridge) (MadeBridge, error) {
	b := store.Bridge{ID: newID(), Name: n.Name, CreateTimeMS: h.now().UnixMilli()}
	token := h.keys.token(auth.KindBridge, store.AdminScope, by, n.Request)
	request, err := n.Request.entry(by, record{Bridge: b.ID}, b.CreateTimeMS)
	if err != nil {
		return MadeBridge{}, err
	}
	err = h.store.CreateBridge(ctx, store.NewBridge{Bridge: b, Token: store.Hash(auth.HashToken(token)), Request: request})
	if err != nil {
		return MadeBridge{}, err
	}
	return MadeBridge{Bridge: b, Token: token}, nil
}

// madeBridge is what was answered to a request that made a bridge.
func (h *Host) madeBridge(ctx context.Context, by Caller, n NewBridge, kept record) (MadeBridge, error) {
	b, err := h.store.Bridge(ctx, kept.Bridge)
	if errors.Is(err, store.ErrNotFound) { // it was removed since
		return MadeBridge{}, notFound("")
	}
	if err != nil {
		return MadeBridge{}, err
	}
	return MadeBridge{Bridge: b, Token: h.keys.token(auth.KindBridge, store.AdminScope, by, n.Request)}, nil
}

// Bridges lists a page of all bridges, newest first, and the token of the next
// page. The admin may.
func (h *Host) Bridges(ctx context.Context, by Caller, size int, token string) ([]store.Bridge, string, error) {
	if refusal := administers(by); refusal != nil {
		return nil, "", refusal
	}
	after, ok := h.keys.page(bridgesKind, token)
	if !ok {
		return nil, "", badPage()
	}
	all, next, err := h.store.Bridges(ctx, store.Page{After: after, Limit: size})
	if err != nil {
		return nil, "", err
	}
	return all, h.keys.pageToken(bridgesKind, next), nil
}

// DeleteBridge removes a bridge: its token dies, no table admits it any more, and
// its streams end. What it has begun at a table may still end there. The admin may.
func (h *Host) DeleteBridge(ctx context.Context, by Caller, id string) error {
	if refusal := administers(by); refusal != nil {
		return refusal
	}
	err := h.store.DeleteBridge(context.WithoutCancel(ctx), id)
	h.tokens.forget() // also if it failed: it may be gone all the same
	switch {
	case err == nil:
		h.removed.Store(id, true)
	case !errors.Is(err, store.ErrNotFound):
		h.removed.LoadOrStore(id, false)
		return err
	case !h.removed.CompareAndSwap(id, false, true):
		return notFound("bridge_id")
	}
	h.tell.Publish(&Moment{Bridge: id})
	if err != nil {
		return notFound("bridge_id")
	}
	return nil
}

// administers refuses everybody but the admin.
func administers(by Caller) *rule.Refusal {
	if by.Admin {
		return nil
	}
	return notYours("").Say("admin_only")
}

// notForBridges refuses what a bridge may not do for a seat.
func notForBridges(field string) *rule.Refusal {
	return rule.Core(tablev1.Reason_REASON_NOT_FOR_BRIDGES, field)
}
