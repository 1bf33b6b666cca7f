package resolve

import (
	"crypto/sha256"
	"encoding/base32"
	"strings"

	"github.com/hantei/hantei/engine/prompt"
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Offers lists what the seat of a view can declare, possible or not, for the
// characters that it controls and, for the GM, for the table. The view is on the
// state as the seat sees it: an offer that the whole truth would refuse is
// refused by Act.
func Offers(r *rule.Ruleset, v *rule.View) []*tablev1.Offer {
	waits, paused := waitsFor(v.State), pausedIn(r, v.State)
	var out []*tablev1.Offer
	for _, a := range r.Actions() {
		if a.GM && !v.Seat.GM {
			continue
		}
		why := ""
		switch {
		case paused && !whilePaused(a, v.Seat):
			why = pausedRefusal().Reason
		case !a.Lever:
			why = waits
		}
		if a.Table {
			out = append(out, finished(a, a.Offers(v, ""), "", why)...)
			continue
		}
		for _, c := range v.State.Characters {
			if v.Controls(c.Id) {
				out = append(out, finished(a, a.Offers(v, c.Id), c.Id, why)...)
			}
		}
	}
	return out
}

// Offer finds an offer by its id, or returns nil.
func Offer(r *rule.Ruleset, v *rule.View, id string) *tablev1.Offer {
	for _, o := range Offers(r, v) {
		if o.Id == id {
			return o
		}
	}
	return nil
}

// Take fills an offer in.
func Take(o *tablev1.Offer, values []*tablev1.Value) (*tablev1.Action, *rule.Refusal) {
	return prompt.Fill(o.Action, o.Inputs, values)
}

// finished gives the offers of an action what they do not say themselves. If why is
// not empty, none of them can be taken now, for this reason.
func finished(a *rule.ActionInfo, offers []*tablev1.Offer, by, why string) []*tablev1.Offer {
	for _, o := range offers {
		o.Actor, o.Secret = by, a.Secret
		o.Id = offerID(by, o.Action)
		if o.Possible && why != "" {
			o.Possible, o.Reason = false, why
		}
	}
	return offers
}

// waitsFor is the reason why nothing can be declared while somebody must decide.
func waitsFor(s *tablev1.State) string {
	for _, w := range s.Windows {
		if w.Open && !w.Standing {
			return rule.Core(tablev1.Reason_REASON_PROMPT_PENDING, "").Reason
		}
	}
	return ""
}

// offerID is the same for the same actor and action whenever it is offered.
func offerID(actor string, a *tablev1.Action) string {
	h := sha256.New()
	h.Write([]byte(actor))
	h.Write([]byte{0})
	h.Write(table.Canonical(a))
	return strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil)[:10]))
}
