package host

import (
	"context"
	"fmt"

	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// CharacterUpdate is what is to change of a character.
type CharacterUpdate struct {
	// Request identifies the request.
	Request Request
	// Character is its id.
	Character string
	// Name, Sheet and Review are the new values.
	Name   string
	Sheet  *tablev1.SheetInput
	Review tablev1.Review
	// Mask has the paths of what is to change; none for all that is filled in.
	Mask []string
	// Etag of the view that the change is made from; empty for none.
	Etag string
}

// UpdateCharacter changes a character, and returns it as the caller's seat sees it
// then. The GM may change any, a player a player character of the own seat. What
// changes nothing makes no commit.
func (h *Host) UpdateCharacter(ctx context.Context, by Caller, n CharacterUpdate) (*tablev1.CharacterView, error) {
	out, kept, err := command(ctx, h, by, n.Request, func(t *table) (*tablev1.CharacterView, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return nil, refusal
		}
		if refusal := t.mayChange(s, n.Character); refusal != nil {
			return nil, refusal
		}
		if refusal := t.checkEtag(s, n.Character, n.Etag); refusal != nil {
			return nil, refusal
		}
		u, refusal := n.written(s, t.character(n.Character))
		if refusal != nil {
			return nil, refusal
		}
		// The log keeps it, and the request is the caller's.
		u = proto.CloneOf(u)
		c, err := t.res.UpdateCharacter(t.env(context.WithoutCancel(ctx), s, nil), u)
		if err != nil {
			return nil, err
		}
		if c == nil {
			err = t.unchanged(context.WithoutCancel(ctx), by, n.Request)
		} else {
			_, err = t.conclude(context.WithoutCancel(ctx), c, conclusion{by: by, request: n.Request})
		}
		if err != nil {
			return nil, err
		}
		return t.shown(s, n.Character), nil
	})
	if err != nil || kept == nil {
		return out, err
	}
	return h.updated(ctx, by, n.Character, *kept)
}

// unchanged keeps the record of a request that changed nothing.
func (t *table) unchanged(ctx context.Context, by Caller, r Request) error {
	kept := record{Commit: t.res.Number()}
	request, err := r.entry(by, kept, t.host.now().UnixMilli())
	if err != nil || request == nil {
		return err
	}
	if err := t.host.store.Record(ctx, t.id, *request); err != nil {
		return err
	}
	t.done.add(by.principal(), r, kept)
	return nil
}

// updated is the answer to a request that was carried out: the character as the
// seat saw it after the record's commit.
func (h *Host) updated(ctx context.Context, by Caller, id string, kept record) (*tablev1.CharacterView, error) {
	look, now, err := h.Look(ctx, by)
	if err != nil {
		return nil, err
	}
	c, err := h.commit(ctx, by.Table, kept.Commit)
	if err != nil {
		return nil, fmt.Errorf("host: commit %d of table %s: %w", kept.Commit, now.Table, err)
	}
	res, _, err := h.resolver(ctx, look.Game, nil, by.Table, kept.Commit, nil) // nothing is resolved, so nothing needs an id
	if err != nil {
		return nil, err
	}
	then := table{res: res}
	return h.keys.tagged(by.Table, by.Seat, view.Character(then.character(id), look.viewer, c.Visibility)), nil
}
