package rule

import tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"

// The offers of the core levers.

func offerPlace(v *View, _ string) []*tablev1.Offer {
	var movable []string
	for _, c := range v.State.Characters {
		if validPlace(v, "", &tablev1.Place{Character: c.Id}) == nil {
			movable = append(movable, c.Id)
		}
	}
	if len(movable) == 0 {
		return nil
	}
	return []*tablev1.Offer{leverOffer("place", wrap[*tablev1.Action](&tablev1.Place{}),
		CharacterInput("character", "core.place.character", movable),
		&tablev1.Input{Name: "square", Path: "core.place.square", Kind: tablev1.InputKind_INPUT_KIND_SQUARE, MaxCount: 1},
	)}
}

// offerModify offers a modifier for each sheet: what it can apply to is that sheet's.
func offerModify(v *View, _ string) []*tablev1.Offer {
	var out []*tablev1.Offer
	for _, c := range v.State.Characters {
		o := leverOffer("modify", wrap[*tablev1.Action](&tablev1.Modify{Character: c.Id}),
			&tablev1.Input{Name: "applies_to", Path: "core.modify.applies_to", Kind: tablev1.InputKind_INPUT_KIND_CHOICE, Choices: statKeys(c), MaxCount: 1},
			&tablev1.Input{Name: "value", Path: "core.modify.value", Kind: tablev1.InputKind_INPUT_KIND_NUMBER, MinCount: 1, MaxCount: 1, Min: -100, Max: 100},
			&tablev1.Input{Name: "reason", Path: "core.modify.reason", Kind: tablev1.InputKind_INPUT_KIND_TEXT, MaxCount: 1, Max: 200},
		)
		o.Label = append(o.Label, c.Id)
		out = append(out, o)
	}
	return out
}

func offerNote(*View, string) []*tablev1.Offer {
	return []*tablev1.Offer{leverOffer("note", wrap[*tablev1.Action](&tablev1.Note{}),
		&tablev1.Input{Name: "text", Path: "core.note.text", Kind: tablev1.InputKind_INPUT_KIND_TEXT, MinCount: 1, MaxCount: 1, Min: 1, Max: 2000},
	)}
}

func offerCancel(v *View, _ string) []*tablev1.Offer {
	if validCancel(v, "", nil) != nil {
		return nil
	}
	return []*tablev1.Offer{leverOffer("cancel_step", wrap[*tablev1.Action](&tablev1.CancelStep{}))}
}

func offerEndScene(*View, string) []*tablev1.Offer {
	return []*tablev1.Offer{leverOffer("end_scene", wrap[*tablev1.Action](&tablev1.EndScene{}))}
}

func leverOffer(action string, a *tablev1.Action, inputs ...*tablev1.Input) *tablev1.Offer {
	return &tablev1.Offer{Action: a, Label: []string{"action." + action}, Inputs: inputs, Possible: true}
}
