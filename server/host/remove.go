package host

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"github.com/hantei/hantei/server/store"
	"google.golang.org/protobuf/proto"
)

// CharacterRemoval is a character that is to be removed.
type CharacterRemoval struct {
	// Request identifies the request.
	Request Request
	// Character is its id.
	Character string
	// Etag of the view that it is decided on; empty for none.
	Etag string
}

// DeleteCharacter removes a character, and takes it from the seats that control
// it. The GM may remove any, a player a player character of the own seat that was
// never approved.
func (h *Host) DeleteCharacter(ctx context.Context, by Caller, n CharacterRemoval) error {
	_, _, err := command(ctx, h, by, n.Request, func(t *table) (*Moment, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return nil, refusal
		}
		if refusal := t.mayChange(s, n.Character); refusal != nil {
			return nil, refusal
		}
		if !s.gm() && rule.ApprovedOnce(t.character(n.Character)) {
			return nil, notYours("character_id").Say("gm_removes_approved")
		}
		if refusal := t.checkEtag(s, n.Character, n.Etag); refusal != nil {
			return nil, refusal
		}
		c, err := t.res.RemoveCharacter(t.env(context.WithoutCancel(ctx), s, nil), n.Character)
		if err != nil {
			return nil, err
		}
		with := conclusion{by: by, request: n.Request}
		with.seats, with.changed = t.release(n.Character)
		return t.conclude(context.WithoutCancel(ctx), c, with)
	})
	return err
}

// mayChange refuses a seat that does not change a character: all but the GM, and a
// player whose own player character it is.
func (t *table) mayChange(s *sitting, id string) *rule.Refusal {
	if s.viewer.Observer {
		return notYours("").Say("you_look_on")
	}
	if refusal := t.checkKnown(s, "character_id", id); refusal != nil {
		return refusal
	}
	pc := t.character(id).Kind == tablev1.CharacterKind_CHARACTER_KIND_PC
	if !s.gm() && !(pc && slices.Contains(s.seat.Characters, id)) {
		return notYours("character_id").Say("gm_changes_others")
	}
	return nil
}

// release takes characters from the seats that control them.
func (t *table) release(characters ...string) ([]*tablev1.Seat, []store.SeatCharacters) {
	seats := slices.Clone(t.seats)
	var changed []store.SeatCharacters
	for i, old := range t.seats {
		goes := func(id string) bool { return slices.Contains(characters, id) }
		if !slices.ContainsFunc(old.Characters, goes) {
			continue
		}
		after := proto.CloneOf(old) // moments share the old one
		after.Characters = slices.DeleteFunc(after.Characters, goes)
		seats[i] = after
		changed = append(changed, store.SeatCharacters{SeatID: old.Id, Characters: after.Characters})
	}
	if changed == nil {
		return nil, nil
	}
	return seats, changed
}
