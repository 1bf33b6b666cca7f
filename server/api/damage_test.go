package api_test

import (
	"context"
	"database/sql"
	"testing"

	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"google.golang.org/grpc/codes"
)

// TestDamagedSeat: a disk that makes a player the GM makes nobody one. The table is
// closed to all, the others go on, and the admin still finds it and removes it.
func TestDamagedSeat(t *testing.T) {
	s := start(t)
	g, other := s.table(), s.table()
	s.stop()
	db, err := sql.Open("sqlite", s.path)
	s.ok(err)
	_, err = db.Exec(`UPDATE seats SET role = ? WHERE id = ?`, tablev1.SeatRole_SEAT_ROLE_GM, g.nurseSeat)
	s.ok(err)
	s.ok(db.Close())
	s.open()

	for name, ctx := range map[string]context.Context{"nurse": g.nurse, "GM": g.gm} {
		_, err := g.Play.GetView(ctx, &hanteiv1.GetViewRequest{TableId: g.id})
		if info := refused(t, err, codes.Internal, "INTERNAL"); info != nil && len(info.Metadata) > 0 {
			t.Errorf("the %s is told %v", name, info)
		}
	}
	if who, ok := s.known(g.nurseToken); !ok || who.Seat != g.nurseSeat {
		t.Errorf("the nurse's token is %v's", who)
	}
	other.view(other.nurse)
	all, err := s.Table.ListTables(g.admin, &hanteiv1.ListTablesRequest{})
	s.ok(err)
	if len(all.Tables) != 2 {
		t.Errorf("the admin is told of %v", all.Tables)
	}
	_, err = s.Table.DeleteTable(g.admin, &hanteiv1.DeleteTableRequest{TableId: g.id})
	s.ok(err)
}
