package persona

import (
	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/table"
	personav1 "github.com/hantei/hantei/gen/go/hantei/persona/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	"google.golang.org/protobuf/proto"
)

// codedSession are the rules of sessions that have code.
var codedSession = []string{"PER-MAC-06", "PER-SB-24"}

func (g *game) registerSession(r *rule.Ruleset) {
	rule.Register(r, rule.Action[*personav1.StartSession]{Rule: "PER-MAC-06", Group: groupSession, GM: true, Table: true, Offers: g.offerStartSession, Valid: g.validStartSession, Run: g.startSession})
	rule.Register(r, rule.Action[*personav1.NextScene]{Rule: "PER-MAC-06", Group: groupSession, GM: true, Table: true, Offers: g.offerNextScene, Valid: g.validNextScene, Run: g.nextScene})
	rule.Register(r, rule.Action[*personav1.EndSession]{Rule: "PER-SB-24", Group: groupSession, GM: true, Table: true, Offers: g.offerEndSession, Valid: g.validEndSession, Run: g.endSession})
}

// session is the table's session.
func session(s *tablev1.State) *personav1.Session { return tableDetails(s).GetSession() }

// inSession reports whether a session is running.
func inSession(s *tablev1.State) bool {
	return session(s).GetState() == personav1.SessionState_SESSION_STATE_RUNNING
}

// setSession writes the session, changed by f.
func setSession(s *tablev1.State, f func(*personav1.Session)) *tablev1.Change {
	after := &personav1.Session{}
	proto.Merge(after, session(s))
	f(after)
	return piece("", &personav1.Part{Part: &personav1.Part_Session{Session: after}})
}

// startSession begins a session, with its first scene (PER-MAC-06).
func (g *game) startSession(c *rule.Ctx, _ string, a *personav1.StartSession) {
	c.Emit(c.Event(sessionStarted, "PER-MAC-06", "").
		Number(fLevel, "", rule.Public, a.Level).
		Change(
			setSession(c.State, func(s *personav1.Session) {
				s.State, s.Level, s.Scene = personav1.SessionState_SESSION_STATE_RUNNING, a.Level, 1
			}),
			tick(c.State, typev1.Clock_CLOCK_SESSION), tick(c.State, typev1.Clock_CLOCK_SCENE),
		))
}

func (g *game) validStartSession(v *rule.View, _ string, _ *personav1.StartSession) *rule.Refusal {
	if inSession(v.State) {
		return rule.Refuse(whySessionRunning, "PER-MAC-06", "")
	}
	return nil
}

func (g *game) offerStartSession(v *rule.View, by string) []*tablev1.Offer {
	o := rule.NewOffer(&personav1.StartSession{}, g.validStartSession(v, by, nil), "start_session")
	o.Inputs = []*tablev1.Input{needed(rule.NumberInput("level", "persona.start_session.level", 0, 99))}
	return []*tablev1.Offer{o}
}

// nextScene begins the next scene; what stands open takes its default (section 5.2).
func (g *game) nextScene(c *rule.Ctx, _ string, _ *personav1.NextScene) {
	rule.SettleAll(c, g.rules)
	scene := session(c.State).Scene + 1
	c.Emit(c.Event(sceneStarted, "PER-MAC-06", "").
		Number(fScene, "", rule.Public, scene).
		Change(setSession(c.State, func(s *personav1.Session) { s.Scene = scene }), tick(c.State, typev1.Clock_CLOCK_SCENE)))
}

func (g *game) validNextScene(v *rule.View, _ string, _ *personav1.NextScene) *rule.Refusal {
	return betweenExplorations(v, "PER-MAC-06")
}

// betweenExplorations refuses where no session is running, and while an exploration is
// going on.
func betweenExplorations(v *rule.View, id string) *rule.Refusal {
	switch {
	case !inSession(v.State):
		return rule.Refuse(whyNoSession, id, "")
	case v.Encounter() != nil:
		return rule.Refuse(whyExplorationActive, id, "")
	}
	return nil
}

func (g *game) offerNextScene(v *rule.View, by string) []*tablev1.Offer {
	return []*tablev1.Offer{rule.NewOffer(&personav1.NextScene{}, g.validNextScene(v, by, nil), "next_scene")}
}

// endSession ends the session and pays the rewards to the living (PER-SB-24).
func (g *game) endSession(c *rule.Ctx, _ string, _ *personav1.EndSession) {
	rule.SettleAll(c, g.rules)
	for _, me := range c.State.Characters {
		p := details(me).GetPending()
		if p.GetExp() == 0 && p.GetMacca() == 0 {
			continue
		}
		gone := endPiece(me.Id, &personav1.Part{Part: &personav1.Part_Pending{Pending: &personav1.Pending{}}})
		if has(me, stDead) {
			c.Change(gone)
			continue
		}
		c.Emit(c.Event(rewardsPaid, "PER-SB-24", me.Id).
			Number(fExp, "", rule.Values, p.Exp).
			Number(fMacca, "", rule.Values, p.Macca).
			Change(gone, setResource(me, kMacca, resource(me, kMacca)+p.Macca)))
	}
	c.Emit(c.Event(sessionEnded, "PER-SB-24", "").
		Change(setSession(c.State, func(s *personav1.Session) { s.State = personav1.SessionState_SESSION_STATE_AFTER })))
}

func (g *game) validEndSession(v *rule.View, _ string, _ *personav1.EndSession) *rule.Refusal {
	return betweenExplorations(v, "PER-SB-24")
}

func (g *game) offerEndSession(v *rule.View, by string) []*tablev1.Offer {
	return []*tablev1.Offer{rule.NewOffer(&personav1.EndSession{}, g.validEndSession(v, by, nil), "end_session")}
}

// tick sets a clock forward by one.
func tick(s *tablev1.State, clock typev1.Clock) *tablev1.Change {
	return rule.SetClock(clock, table.Clock(s, clock)+1)
}
