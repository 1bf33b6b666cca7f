package resolve

import (
	"github.com/hantei/hantei/engine/rule"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
)

// Fixture commits changes that no rule made, to put a table where play is to
// begin: in the third round of a fight, say. It is for scenario files and tests
// only; what a GM may change at a running table are commands of their own.
//
// The commit has an empty command, and an event that nobody is told of. Nothing
// is changed on an error; there is one while a step waits.
func (r *Resolver) Fixture(changes ...*tablev1.Change) (*tablev1.Commit, error) {
	if r.running != nil || r.frozen {
		return nil, r.pending()
	}
	return r.aside(&Env{}, &tablev1.Command{}, func(ctx *rule.Ctx) {
		ctx.Emit(ctx.Event(nameStepTaken, "", "").For(typev1.Audience_AUDIENCE_NEVER).Change(changes...))
	})
}
