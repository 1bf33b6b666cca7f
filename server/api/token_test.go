package api_test

import (
	"context"
	"errors"
	"testing"

	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
)

// holder is the seat that a token stands for, "" if nobody's.
func (s *server) holder(token string) string {
	s.tb.Helper()
	p, err := s.host.PrincipalByToken(context.Background(), auth.HashToken(token))
	if errors.Is(err, auth.ErrUnknownToken) {
		return ""
	}
	s.ok(err)
	return p.Seat
}

// A token that has called before is remembered; it dies all the same with the call
// that kills it.
func TestTokensDie(t *testing.T) {
	for name, kill := range map[string]func(*table){
		"revoked": func(t *table) {
			_, err := t.Seat.RevokeSeat(t.gm, &hanteiv1.RevokeSeatRequest{TableId: t.id, SeatId: t.nurseSeat})
			t.ok(err)
		},
		"replaced": func(t *table) {
			paired, err := t.pair(t.code(t.nurse, t.nurseSeat, true).Code)
			t.ok(err)
			if got := t.holder(paired.Token); got != t.nurseSeat {
				t.tb.Errorf("the new token is that of %q", got)
			}
		},
		"deleted": func(t *table) {
			_, err := t.Table.DeleteTable(t.admin, &hanteiv1.DeleteTableRequest{TableId: t.id})
			t.ok(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			at := start(t).table()
			for range 2 {
				if got := at.holder(at.nurseToken); got != at.nurseSeat {
					t.Fatalf("the token is that of %q", got)
				}
			}
			kill(at)
			if got := at.holder(at.nurseToken); got != "" {
				t.Errorf("the token is still that of %q", got)
			}
		})
	}
}
