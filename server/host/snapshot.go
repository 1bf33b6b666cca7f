package host

import (
	"context"
	"slices"

	"github.com/hantei/hantei/engine/resolve"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// View is the table as a seat sees it, in one snapshot. The GM may look as
// another seat; asSeat is empty for the own.
func (h *Host) View(ctx context.Context, by Caller, asSeat string) (*tablev1.TableView, error) {
	type snapshot struct {
		look    *Look
		now     *Moment
		table   *tablev1.TableView
		offered *rule.View
	}
	s, err := ask(ctx, h, by.Table, func(t *table) (snapshot, error) {
		s, refusal := t.sitAs(by, asSeat)
		if refusal != nil {
			return snapshot{}, refusal
		}
		out := view.Table(t.res.State(), s.viewer, t.vis, t.seatsNow())
		out.TableId = t.id
		for _, c := range out.Characters {
			t.host.keys.tagged(t.id, s.seat.Id, c)
		}
		out.Options = t.game.Rules.Options.InForce(t.res.State().Options)
		if s.gm() && s.seat.Id == by.Seat {
			out.StateHash = t.res.Hash()
		}
		return snapshot{t.look(s, by.Lang), t.present(), out, t.projected(s)}, nil
	})
	if err != nil {
		return nil, err
	}
	// What is left concerns the snapshot alone: the table goes on meanwhile.
	out := s.table
	for _, p := range out.Prompts {
		view.RenderPrompt(p, by.Lang, s.look.Game.Texts, s.now.names.of)
	}
	for _, seat := range out.Seats {
		view.RenderSeat(seat, by.Lang, s.look.Game.Texts, s.now.names.of)
	}
	view.RenderDungeon(out.Dungeon, by.Lang, s.look.Game.Texts, s.now.names.of)
	s.now.due.show(out.Prompts, out.WaitingOn, s.now.Windows)
	out.Offers = s.look.offers(s.offered, s.now, "")
	out.Cursor = s.look.Cursor(s.now.Commit)
	return out, nil
}

// Offers are what the seat's characters can do now, possible ones first; only
// those of one actor if it is not empty.
func (h *Host) Offers(ctx context.Context, by Caller, actor string) ([]*tablev1.OfferView, error) {
	type snapshot struct {
		look    *Look
		now     *Moment
		offered *rule.View
	}
	s, err := ask(ctx, h, by.Table, func(t *table) (snapshot, error) {
		s, refusal := t.sit(by)
		if refusal != nil {
			return snapshot{}, refusal
		}
		if refusal := t.checkKnown(s, "actor", actor); refusal != nil {
			return snapshot{}, refusal
		}
		return snapshot{t.look(s, by.Lang), t.present(), t.projected(s)}, nil
	})
	if err != nil {
		return nil, err
	}
	return s.look.offers(s.offered, s.now, actor), nil
}

// offers are those of a view that is already the seat's own.
func (l *Look) offers(v *rule.View, now *Moment, actor string) []*tablev1.OfferView {
	if l.viewer.Observer {
		return nil
	}
	var possible, not []*tablev1.OfferView
	for _, o := range resolve.Offers(l.Game.Rules, v) {
		if actor != "" && o.Actor != actor {
			continue
		}
		out := view.Offer(o, l.lang, l.Game.Texts, now.names.of)
		out.Action = eventIDs(l.keys, l.tag, out.Action)
		if out.Possible {
			possible = append(possible, out)
		} else {
			not = append(not, out)
		}
	}
	return slices.Concat(possible, not)
}
