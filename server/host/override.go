package host

import (
	"context"
	"strings"

	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
)

// Override is a change of a sheet by the GM's word.
type Override struct {
	// Request identifies the request.
	Request Request
	// Override is the core lever that it is.
	Override *tablev1.Override
}

// Override changes a sheet by the GM's word, also while a step waits. It is the core
// lever of that name; a refusal names the fields of the method instead of the action's.
func (h *Host) Override(ctx context.Context, by Caller, o Override) (*Outcome, error) {
	return h.play(ctx, by, o.Request, func(t *table, s *sitting) (*tablev1.Commit, error) {
		if !s.gm() {
			return nil, notYours("").Say("gm_only")
		}
		c, err := t.act(ctx, s, Act{Action: rule.Wrap[*tablev1.Action](o.Override)})
		if refusal, ok := err.(*rule.Refusal); ok {
			short := *refusal
			short.Field = strings.TrimPrefix(refusal.Field, "action.core.override.")
			return nil, &short
		}
		return c, err
	})
}
