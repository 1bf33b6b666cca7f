package host

import (
	"fmt"

	"github.com/hantei/hantei/engine/rule"
	"github.com/hantei/hantei/engine/view"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	"google.golang.org/protobuf/proto"
)

// etagBytes is how much of the code is sent.
const etagBytes = 16

// tagged gives the view of a character its etag: a code over what the seat sees
// of it and nothing else, so that what the seat may not know of does not show. The
// seat is part of it: two seats that compare theirs learn nothing.
func (k *keys) tagged(table, seat string, c *tablev1.CharacterView) *tablev1.CharacterView {
	if c == nil {
		return nil
	}
	c.Etag = ""
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(c)
	if err != nil {
		panic(fmt.Errorf("host: etag: %w", err)) // a text that is no UTF-8 cannot have been committed
	}
	c.Etag = strict64.EncodeToString(mac(k.etags, table, seat, string(b))[:etagBytes])
	return c
}

// shown is a character as the seat sees it now, with its etag; nil if it may not
// know of it.
func (t *table) shown(s *sitting, id string) *tablev1.CharacterView {
	return t.host.keys.tagged(t.id, s.seat.Id, view.Character(t.character(id), s.viewer, t.vis))
}

// checkEtag refuses an etag that is not that of what the seat sees now. None is
// none to check.
func (t *table) checkEtag(s *sitting, id, etag string) *rule.Refusal {
	if etag != "" && t.shown(s, id).GetEtag() != etag {
		return etagMismatch()
	}
	return nil
}
