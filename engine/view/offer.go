package view

import (
	"github.com/hantei/hantei/engine/locale"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Offer returns an offer as it is sent, with its words in the language. It must
// have been made on the seat's own State: nothing of it is hidden here. name
// gives a character's name, "" if it is none.
func Offer(o *tablev1.Offer, lang string, catalog *locale.Catalog, name func(id string) string) *tablev1.OfferView {
	out := &tablev1.OfferView{
		Id:       o.Id,
		Actor:    o.Actor,
		Action:   o.Action,
		Inputs:   inputs(o.Inputs),
		Possible: o.Possible,
		Reason:   o.Reason,
		Form:     o.Form,
		Text:     catalog.Label(o.Label, lang, name),
		Stat:     o.Stat,
		Secret:   o.Secret,
	}
	w := words{lang, catalog, name}
	out.ReasonText = w.reason(o.Reason)
	w.inputs(out.Inputs)
	return out
}
