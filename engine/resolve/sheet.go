package resolve

import (
	"slices"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// AddCharacter brings a sheet to the table, also while a step waits.
func (r *Resolver) AddCharacter(env Env, sheet *tablev1.Character) (*tablev1.Commit, error) {
	if r.table.Character(sheet.Id) != nil {
		return nil, rule.Core(tablev1.Reason_REASON_ALREADY_EXISTS, "character_id")
	}
	what := &tablev1.Command_Sheet{Sheet: &tablev1.Sheet{Character: sheet}}
	return r.aside(&env, &tablev1.Command{What: what}, func(ctx *rule.Ctx) {
		ctx.Emit(ctx.Event(nameCharacterCreated, "", sheet.Id).Change(rule.AddCharacter(sheet)))
	})
}

// UpdateCharacter changes a sheet, also while a step waits, in whose journal it
// stands then. It returns nil and no error if everything has its value already.
//
// What the GM writes of a sheet is approved, what a player writes of it is
// submitted; a name, the profile and the notes say nothing that the rules read. A
// draft stays one. The values of a
// sheet that was begun as a draft are made by the ruleset's actions, which know what
// may be spent: its player does not write them by hand before it was approved,
// MADE_BY_THE_RULES. Nothing is taken off a sheet while
// a step waits, which may count on it: PROMPT_PENDING. A sheet that nobody has
// approved does not fight, so a player does not change one that does: IN_ENCOUNTER.
// The seat's right to the character is the caller's to check.
func (r *Resolver) UpdateCharacter(env Env, u *tablev1.UpdateSheet) (*tablev1.Commit, error) {
	was := r.table.Character(u.Character)
	if was == nil {
		return nil, unknownCharacter(r.view(&env), "character_id", u.Character)
	}
	now := proto.Clone(was).(*tablev1.Character)
	if u.Side != nil {
		now.Side = *u.Side
	}
	if err := refuses(func() *rule.Refusal { return r.rules.Revise(now, u) }); err != nil {
		return nil, err
	}
	sheet := !proto.Equal(was, now)
	switch {
	case u.Review != tablev1.Review_REVIEW_UNSPECIFIED:
		now.Review = u.Review
	case sheet && !env.Seat.GM && was.Drafted && !rule.ApprovedOnce(was) && values(u, was, now):
		return nil, rule.Core(tablev1.Reason_REASON_MADE_BY_THE_RULES, "sheet")
	case sheet && was.Review == tablev1.Review_REVIEW_DRAFT:
	case sheet && env.Seat.GM:
		now.Review = tablev1.Review_REVIEW_APPROVED
	case sheet && r.fights(u.Character):
		return nil, rule.Core(tablev1.Reason_REASON_IN_ENCOUNTER, "sheet")
	case sheet:
		now.Review = tablev1.Review_REVIEW_SUBMITTED
	}
	if now.Review != was.Review {
		now.ApprovedOnce = rule.ApprovedOnce(was)
	}
	if u.Name != nil {
		now.Name = *u.Name
	}
	if u.Profile != nil {
		now.Profile = u.Profile.Entries
	}
	if u.Notes != nil {
		now.Notes = *u.Notes
	}
	changes := table.Changes(was, now)
	if len(changes) == 0 {
		return nil, nil
	}
	if r.running != nil && table.Loses(was, now) {
		return nil, r.pending()
	}
	what := &tablev1.Command_Update{Update: u}
	return r.aside(&env, &tablev1.Command{What: what}, func(ctx *rule.Ctx) {
		quiet, loud := quietly(was, changes)
		if len(loud) > 0 {
			e := ctx.Event(nameCharacterUpdated, "", was.Id).Change(loud...)
			if now.Name != was.Name {
				e.Text(factName, "", rule.Public, now.Name).Text(factFormerName, "", rule.Public, was.Name)
			}
			ctx.Emit(e)
		}
		if len(quiet) > 0 {
			ctx.Emit(ctx.Event(nameCharacterUpdated, "", was.Id).For(rule.HP).Change(quiet...))
		}
	})
}

// values reports whether an update writes what the actions of creation do. Those know
// nothing of what a skill is of, which is the player's to say.
func values(u *tablev1.UpdateSheet, was, now *tablev1.Character) bool {
	return len(u.Resources) > 0 || u.Details != nil ||
		!slices.EqualFunc(was.Stats, now.Stats, func(a, b *typev1.Stat) bool { return a.Key == b.Key && a.GetValue() == b.GetValue() })
}

// quietly parts the changes of a sheet from those that only those may hear of who
// see the numbers: of an NPC's hit points whose band stays, all others would be
// told the band, and by it that the GM has changed something.
func quietly(was *tablev1.Character, changes []*tablev1.Change) (quiet, loud []*tablev1.Change) {
	for _, c := range changes {
		after := c.GetResource().GetAfter()
		if after.GetAudience() == rule.HP && was.Kind == tablev1.CharacterKind_CHARACTER_KIND_NPC &&
			after.Band == table.Resource(was, after.Key).GetBand() {
			quiet = append(quiet, c)
			continue
		}
		loud = append(loud, c)
	}
	return quiet, loud
}

// RemoveCharacter takes a character from the table, with the standing prompts that
// ask it or are about it. It is refused while a step waits, and while the character
// fights. The seat's right to the character is the caller's to check.
func (r *Resolver) RemoveCharacter(env Env, id string) (*tablev1.Commit, error) {
	gone := r.table.Character(id)
	switch {
	case gone == nil:
		return nil, unknownCharacter(r.view(&env), "character_id", id)
	case r.running != nil:
		return nil, r.pending()
	case r.fights(id):
		return nil, rule.Core(tablev1.Reason_REASON_IN_ENCOUNTER, "character_id")
	}
	what := &tablev1.Command_Remove{Remove: &tablev1.RemoveSheet{Character: id}}
	return r.aside(&env, &tablev1.Command{What: what}, func(ctx *rule.Ctx) {
		withdraw(ctx, id)
		// Told by its name, which nothing else has any more.
		e := ctx.Event(nameCharacterRemoved, "", id).Text(factName, "", rule.Public, gone.Name)
		for _, w := range ctx.State.Windows {
			if !w.Open && mentions(w, id) {
				// It could still be addressed, and nobody is there to speak of.
				e.Change(forgotten(w))
			}
		}
		ctx.Emit(e.Change(rule.RemoveCharacter(id)))
	})
}

// fights reports whether a character is in the running encounter.
func (r *Resolver) fights(id string) bool {
	return slices.Contains(r.State().Encounter.GetRoster(), id)
}

// withdraw settles what standing windows ask a character: the whole window if it
// is about the character, else its own slot.
func withdraw(ctx *rule.Ctx, id string) {
	for _, w := range slices.Clone(ctx.State.Windows) {
		about := w.BecauseOf == id || w.About == id
		for i, s := range w.Slots {
			if !w.Open || s.State != tablev1.SlotState_SLOT_STATE_OPEN || !about && s.Character != id {
				continue
			}
			w = settled(w, i, tablev1.SlotState_SLOT_STATE_WITHDRAWN, false)
			e := ctx.Event(namePromptWithdrawn, w.Rule, w.BecauseOf).For(w.Audience).Words(factPrompt, "", rule.Public, w.Name)
			if s.Character != "" {
				e.On(s.Character)
			}
			ctx.Emit(e.Change(rule.SetWindow(w)))
		}
	}
}

// mentions reports whether a window speaks of a character.
func mentions(w *tablev1.Window, id string) bool {
	return w.BecauseOf == id || w.About == id || w.TakenBy == id ||
		slices.ContainsFunc(w.Slots, func(s *tablev1.Slot) bool { return s.Character == id }) ||
		slices.ContainsFunc(w.Leads, func(l *tablev1.Lead) bool { return l.Character == id })
}

// aside makes a commit of what is no step: it changes the table at once, also
// while a step waits, whose replay meets it where it waits now.
func (r *Resolver) aside(env *Env, cmd *tablev1.Command, f func(*rule.Ctx)) (*tablev1.Commit, error) {
	c := r.begin(env, cmd)
	if r.running == nil {
		r.table.Forget()
	}
	run, err := r.inject(env, cmd.Audience, f)
	if err != nil {
		return nil, err
	}
	c.Runs = append(c.Runs, run)
	return r.finish(c), nil
}
