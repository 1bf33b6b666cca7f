package rule

import (
	"slices"

	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// Override is what a ruleset has to say on the core lever of that name: the zero value
// takes all but pieces of its own details, and tells it as the core does.
type Override struct {
	// Rule is the rule that allows it, and Event the name of its event; the core's
	// overridden if it has none.
	Rule  string
	Event EventName
	// Reason is the fact that says why, and Why who may see it; the core's, for all who
	// see the event, if there is none.
	Reason FactKey
	Why    typev1.Audience
	// Unknown refuses a character that is not there; nil for the core's refusal.
	Unknown func(v *View, character, field string) *Refusal
	// Valid refuses what no sheet of the rules can have, beyond what the core refuses;
	// nil refuses nothing. field is where the operation stands.
	Valid func(sheet *tablev1.Character, o *tablev1.Operation, field string) *Refusal
	// Piece is a piece of the details of a sheet as it is written, with the audience of its kind,
	// which is not the GM's to set; nil where there are no pieces.
	Piece func(of *tablev1.Character, p *tablev1.Part) *tablev1.Part
	// Then has the table go on where it stood still until that was written, and does
	// nothing where a step waits; nil for nothing.
	Then func(c *Ctx)
}

var (
	nameOverridden = Name(tablev1.EventName_EVENT_NAME_OVERRIDDEN)

	// mostOverride is the greatest number that a sheet is given, and mostEndless that of
	// a resource that has no maximum.
	mostOverride int32 = 9999
	mostEndless  int32 = 9_999_999
)

const overrideField = "action.core.override."

// event is the name of the event.
func (o *Override) event() EventName {
	if o.Event.name == "" {
		return nameOverridden
	}
	return o.Event
}

// why is the fact that says why, and who may see it.
func (o *Override) why() (FactKey, typev1.Audience) {
	if o.Reason.name == "" {
		return factText, Public
	}
	return o.Reason, o.Why
}

func registerOverride(r *Ruleset) {
	Register(r, Action[*tablev1.Override]{
		Rule: r.Override.Rule, Group: leverGroup, GM: true, Lever: true, Table: true, Offers: offerOverride,
		Valid: func(v *View, _ string, a *tablev1.Override) *Refusal { return validOverride(r, v, a) },
		Run:   func(c *Ctx, _ string, a *tablev1.Override) { override(r, c, a) },
	})
}

// validOverride refuses what does not stand on the sheet, and what nothing can be.
func validOverride(r *Ruleset, v *View, a *tablev1.Override) *Refusal {
	const field = overrideField + "operation."
	me := v.Character(a.Character)
	switch {
	case me == nil && r.Override.Unknown != nil:
		return r.Override.Unknown(v, a.Character, overrideField+"character")
	case me == nil:
		return Core(tablev1.Reason_REASON_NOT_FOUND, overrideField+"character").Suggest(a.Character, v.CharacterIDs())
	}
	var refusal *Refusal
	switch what := a.Operation.GetOperation().(type) {
	case *tablev1.Operation_Resource:
		refusal = validNumbers(table.Resource(me, what.Resource.GetKey()), what.Resource, me, field+"resource.")
	case *tablev1.Operation_Stat:
		refusal = validStat(me, what.Stat, field+"stat.")
	case *tablev1.Operation_Status:
		var keys []string
		for _, s := range r.Sheet.Statuses {
			keys = append(keys, s.Key)
		}
		if !slices.Contains(keys, what.Status.GetKey()) {
			return Core(invalidField, field+"status.key").Say("not_on_sheet", Sent("sent", what.Status.GetKey())).Suggest(what.Status.GetKey(), keys)
		}
	case *tablev1.Operation_EndModifier:
		if table.Modifier(me, what.EndModifier) == nil {
			var ids []string
			for _, m := range me.Modifiers {
				ids = append(ids, m.Id)
			}
			return Core(invalidField, field+"end_modifier").Say("not_on_sheet", Sent("sent", what.EndModifier)).Suggest(what.EndModifier, ids)
		}
	case *tablev1.Operation_Part:
		if r.Override.Piece == nil {
			return Core(invalidField, field+"part").Say("no_parts")
		}
		if m, path := Unwrap(orEmpty(what.Part)); m == nil || path[0] != r.Name {
			return Core(invalidField, field+"part").Say("required")
		}
	case *tablev1.Operation_Position:
	default:
		return Core(invalidField, overrideField+"operation").
			Say("oneof", Code("names", "resource", "stat", "status", "end_modifier", "part", "position"))
	}
	if refusal == nil && r.Override.Valid != nil {
		refusal = r.Override.Valid(me, a.Operation, overrideField+"operation")
	}
	return refusal
}

func orEmpty(p *tablev1.Part) *tablev1.Part {
	if p == nil {
		return &tablev1.Part{}
	}
	return p
}

func validNumbers(r *typev1.Resource, in *tablev1.ResourceInput, me *tablev1.Character, field string) *Refusal {
	if r == nil {
		keys := make([]string, len(me.Resources))
		for i, own := range me.Resources {
			keys[i] = own.Key
		}
		return Core(invalidField, field+"key").Say("not_on_sheet", Sent("sent", in.GetKey())).Suggest(in.GetKey(), keys)
	}
	if in.Value == nil && in.Max == nil {
		return Core(invalidField, field+"value").Say("oneof", Code("names", "value", "max"))
	}
	value, most := numbers(r, in)
	if r.Max == nil && in.Max == nil {
		most = mostEndless
	}
	switch {
	case in.Max != nil && (most < 0 || most > mostOverride):
		return Core(invalidField, field+"max").Say("int32.gte_lte", Number("gte", 0), Number("lte", mostOverride))
	case value > most:
		return Core(invalidField, field+"value").Say("above_maximum", Number("max", most))
	case value < -mostOverride:
		return Core(invalidField, field+"value").Say("int32.gte", Number("gte", -mostOverride))
	}
	return nil
}

// numbers are value and maximum of a resource afterwards.
func numbers(r *typev1.Resource, in *tablev1.ResourceInput) (value, most int32) {
	value, most = r.GetValue(), r.GetMax()
	if in.Value != nil {
		value = *in.Value
	}
	if in.Max != nil {
		most = *in.Max
	}
	return value, most
}

func validStat(me *tablev1.Character, in *tablev1.StatInput, field string) *Refusal {
	switch {
	case table.Stat(me, in.GetKey()) == nil:
		return Core(invalidField, field+"key").Say("not_on_sheet", Sent("sent", in.GetKey())).Suggest(in.GetKey(), statKeys(me))
	case in.Value < 0 || in.Value > mostOverride:
		return Core(invalidField, field+"value").Say("int32.gte_lte", Number("gte", 0), Number("lte", mostOverride))
	}
	return nil
}

// override changes a sheet by the GM's word; no rule follows from it. Who may see
// what changed hears of it.
func override(r *Ruleset, c *Ctx, a *tablev1.Override) {
	me := c.Character(a.Character)
	e := c.Event(r.Override.event(), r.Override.Rule, a.Character)
	if a.Reason != "" {
		key, audience := r.Override.why()
		e.Text(key, "", audience, a.Reason)
	}
	switch what := a.Operation.Operation.(type) {
	case *tablev1.Operation_Resource:
		was := table.Resource(me, what.Resource.Key)
		value, most := numbers(was, what.Resource)
		if me.Kind == tablev1.CharacterKind_CHARACTER_KIND_NPC && was.Audience == HP && BandOf(value, most) == was.Band {
			// The others see no more than the band: that it stays would tell them of it.
			e.For(HP)
		}
		after := proto.CloneOf(was)
		if was.Max != nil || what.Resource.Max != nil { // what has no end stays so
			after.Max = &most
		}
		e.Change(SetResource(me.Id, after, value))
	case *tablev1.Operation_Stat:
		after := proto.CloneOf(table.Stat(me, what.Stat.Key))
		after.Value = &what.Stat.Value
		if what.Stat.Speciality != nil {
			after.Speciality = *what.Stat.Speciality
		}
		e.Change(SetStat(me.Id, after))
	case *tablev1.Operation_Status:
		after := &typev1.Status{Key: what.Status.Key, Causes: what.Status.Causes, Audience: r.Sheet.StatusAudience(what.Status.Key)}
		if what.Status.Ends {
			e.Change(EndStatus(me.Id, after))
		} else {
			e.Change(SetStatus(me.Id, after))
		}
	case *tablev1.Operation_EndModifier:
		e.Change(EndModifier(me.Id, table.Modifier(me, what.EndModifier)))
	case *tablev1.Operation_Part:
		e.Change(SetPart(me.Id, r.Override.Piece(me, what.Part)))
	case *tablev1.Operation_Position:
		e.Change(SetPosition(me.Id, what.Position.GetSquare(), Public))
	}
	c.Emit(e)
	if r.Override.Then != nil {
		r.Override.Then(c)
	}
}

// offerOverride is a form: what can be written is the whole sheet.
func offerOverride(*View, string) []*tablev1.Offer {
	o := leverOffer("override", wrap[*tablev1.Action](&tablev1.Override{}))
	o.Form = true
	return []*tablev1.Offer{o}
}
