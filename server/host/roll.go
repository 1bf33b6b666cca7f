package host

import (
	"context"

	"github.com/hantei/hantei/engine/resolve"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Roll is dice that a seat throws without a rule.
type Roll struct {
	// Request identifies the request.
	Request Request
	// Roll is what is thrown.
	Roll resolve.Roll
	// Given are dice thrown by hand.
	Given []string
}

// Roll throws dice that no rule asks for.
func (h *Host) Roll(ctx context.Context, by Caller, r Roll) (*Outcome, error) {
	return h.play(ctx, by, r.Request, func(t *table, s *sitting) (*tablev1.Commit, error) {
		given, refusal := t.given(s, r.Given)
		if refusal != nil {
			return nil, refusal
		}
		if refusal := t.checkKnown(s, "actor", r.Roll.Actor); refusal != nil {
			return nil, refusal
		}
		return t.res.Roll(t.env(context.WithoutCancel(ctx), s, given), r.Roll)
	})
}
