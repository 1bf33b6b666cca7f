package api_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/hantei/hantei/engine/coc"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/api"
	"github.com/hantei/hantei/server/auth"
	"github.com/hantei/hantei/server/host"
	"github.com/hantei/hantei/server/store/sqlite"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// bridge makes a bridge.
func (s *server) bridge(name string) *hanteiv1.Bridge {
	s.tb.Helper()
	r, err := s.Bridge.CreateBridge(as(s.tb, auth.Admin), &hanteiv1.CreateBridgeRequest{Name: name})
	s.ok(err)
	return r.Bridge
}

// calling is the context of a call of a bridge for a seat; for none if it is empty.
func calling(bridge, seat string) context.Context {
	ctx := auth.NewContext(context.Background(), auth.Principal{Bridge: bridge}, auth.Hash{})
	return naming(ctx, seat)
}

// naming adds the header to a call.
func naming(ctx context.Context, seat string) context.Context {
	if seat == "" {
		return ctx
	}
	return metadata.NewIncomingContext(ctx, metadata.Pairs("hantei-seat", seat))
}

// admit admits a bridge to the table, for all seats if none is named.
func (t *table) admit(bridge string, seats ...string) {
	t.tb.Helper()
	_, err := t.Bridge.AdmitBridge(t.gm, &hanteiv1.AdmitBridgeRequest{TableId: t.id, BridgeId: bridge, SeatIds: seats, AllSeats: len(seats) == 0})
	t.ok(err)
}

func (t *table) dismiss(bridge string) error {
	_, err := t.Bridge.DismissBridge(t.gm, &hanteiv1.DismissBridgeRequest{TableId: t.id, BridgeId: bridge})
	return err
}

// admitted are the bridges that a caller is told of, with their seats.
func (t *table) admitted(ctx context.Context) string {
	t.tb.Helper()
	r, err := t.Bridge.ListAdmittedBridges(ctx, &hanteiv1.ListAdmittedBridgesRequest{TableId: t.id})
	t.ok(err)
	var out []string
	for _, a := range r.Admissions {
		seats := strings.Join(a.SeatIds, ",")
		if a.AllSeats {
			seats += "all"
		}
		out = append(out, a.Name+" "+a.BridgeId+" "+seats)
	}
	return strings.Join(out, "; ")
}

// commands are the commands of the log.
func (t *table) commands() []*tablev1.Command {
	t.tb.Helper()
	commits, err := t.store.Commits(context.Background(), t.id, 0, 1000)
	t.ok(err)
	var out []*tablev1.Command
	for _, stored := range commits {
		c := &tablev1.Commit{}
		t.ok(proto.Unmarshal(stored.Bytes, c))
		out = append(out, c.Command)
	}
	return out
}

// TestBridges: the admin makes, lists and removes them.
func TestBridges(t *testing.T) {
	s := start(t)
	admin := as(t, auth.Admin)
	create := &hanteiv1.CreateBridgeRequest{Name: "Relay", RequestId: "r"}
	made, err := s.Bridge.CreateBridge(admin, create)
	s.ok(err)
	if kind, ok := auth.KindOf(made.Token); !ok || kind != auth.KindBridge || len(made.Bridge.Id) != 16 || made.Bridge.Name != "Relay" {
		t.Errorf("made %v", made)
	}
	again, err := s.Bridge.CreateBridge(admin, create)
	s.ok(err)
	same(t, again, made)
	_, err = s.Bridge.CreateBridge(admin, &hanteiv1.CreateBridgeRequest{Name: "Other", RequestId: "r"})
	refused(t, err, codes.AlreadyExists, "REQUEST_ID_REUSED")
	_, err = s.Bridge.CreateBridge(admin, &hanteiv1.CreateBridgeRequest{Name: " "})
	if info := refused(t, err, codes.InvalidArgument, "INVALID_FIELD"); info.Metadata["field"] != "name" {
		t.Errorf("%v", info)
	}

	who, err := s.host.PrincipalByToken(t.Context(), auth.HashToken(made.Token))
	if err != nil || who != (auth.Principal{Bridge: made.Bridge.Id}) {
		t.Errorf("%v, %v", who, err)
	}
	second := s.bridge("Second")
	first, err := s.Bridge.ListBridges(admin, &hanteiv1.ListBridgesRequest{PageSize: 1})
	s.ok(err)
	rest, err := s.Bridge.ListBridges(admin, &hanteiv1.ListBridgesRequest{PageToken: first.NextPageToken})
	s.ok(err)
	same(t, &hanteiv1.ListBridgesResponse{Bridges: append(first.Bridges, rest.Bridges...)},
		&hanteiv1.ListBridgesResponse{Bridges: []*hanteiv1.Bridge{second, made.Bridge}})
	_, err = s.Table.ListTables(admin, &hanteiv1.ListTablesRequest{PageToken: first.NextPageToken})
	refused(t, err, codes.InvalidArgument, "INVALID_FIELD")

	remove := &hanteiv1.DeleteBridgeRequest{BridgeId: made.Bridge.Id}
	_, err = s.Bridge.DeleteBridge(admin, remove)
	s.ok(err)
	if _, err := s.host.PrincipalByToken(t.Context(), auth.HashToken(made.Token)); err != auth.ErrUnknownToken {
		t.Errorf("its token: %v", err)
	}
	_, err = s.Bridge.DeleteBridge(admin, remove)
	if info := refused(t, err, codes.NotFound, "NOT_FOUND"); info.Metadata["field"] != "bridge_id" {
		t.Errorf("%v", info)
	}
	_, err = s.Bridge.CreateBridge(admin, create) // what it made is gone
	refused(t, err, codes.NotFound, "NOT_FOUND")
}

// TestBridgePlays: a bridge plays for seats, the log says so, and its requests are
// its own.
func TestBridgePlays(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	x, y := s.bridge("X").Id, s.bridge("Y").Id
	g.admit(x)
	g.admit(y, g.nurseSeat)

	// The same request id of four callers are four requests; each again is none.
	r := &hanteiv1.ActRequest{TableId: g.id, Actor: "nurse", RequestId: "r", What: &hanteiv1.ActRequest_Action{
		Action: &tablev1.Action{Ruleset: &tablev1.Action_Coc{Coc: check("spot")}},
	}}
	before := len(g.commands())
	callers := []context.Context{g.nurse, calling(x, g.nurseSeat), calling(y, g.nurseSeat), calling(x, g.gmSeat)}
	var first []*hanteiv1.ActResponse
	for range 2 {
		for i, ctx := range callers {
			got, err := g.Play.Act(ctx, r)
			s.ok(err)
			if i < len(first) && len(first) == len(callers) {
				same(t, got, first[i])
				continue
			}
			first = append(first, got)
		}
	}
	commands := g.commands()[before:]
	var log []string
	for _, c := range commands {
		log = append(log, c.Seat+" via "+c.Via)
	}
	want := []string{g.nurseSeat + " via ", g.nurseSeat + " via " + x, g.nurseSeat + " via " + y, g.gmSeat + " via " + x}
	if !slices.Equal(log, want) {
		t.Errorf("the log says %q, want %q", log, want)
	}

	// What the seat sees is what the bridge sees for it.
	same(t, viewed(g, calling(x, g.nurseSeat)), viewed(g, g.nurse))
	same(t, viewed(g, calling(x, g.gmSeat)), viewed(g, g.gm))
	_, err := g.Play.GetView(calling(y, g.nurseSeat), &hanteiv1.GetViewRequest{TableId: g.id, AsSeat: g.gmSeat})
	refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")

	// A GM's play is play: pausing, levers, characters.
	gm := calling(x, g.gmSeat)
	for _, paused := range []bool{true, false} {
		got, err := g.Table.UpdateTable(gm, &hanteiv1.UpdateTableRequest{TableId: g.id, Paused: &paused})
		s.ok(err)
		if got.Table.Paused != paused {
			t.Errorf("paused %v", got)
		}
	}
	_, err = g.Table.UpdateTable(gm, &hanteiv1.UpdateTableRequest{TableId: g.id, Options: []*tablev1.Option{{Key: "npc_values", Value: "shown"}}})
	if info := refused(t, err, codes.PermissionDenied, "NOT_FOR_BRIDGES"); info.Metadata["field"] != "options" {
		t.Errorf("%v", info)
	}
	_, err = g.Play.Act(gm, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{Action: note("x")}})
	s.ok(err)
	_, err = g.Character.CreateCharacter(gm, &hanteiv1.CreateCharacterRequest{TableId: g.id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "cultist"}})
	s.ok(err)
	for _, c := range g.commands()[before+len(want):] {
		if c.Via != x || c.Seat != g.gmSeat {
			t.Errorf("the log says %s via %s", c.Seat, c.Via)
		}
	}

	// The file of the table tells it, under other names, and can be played on.
	file, err := g.Table.ExportTable(g.gm, &hanteiv1.ExportTableRequest{TableId: g.id})
	s.ok(err)
	brought, err := g.Table.ImportTable(g.admin, &hanteiv1.ImportTableRequest{Content: file.Content})
	s.ok(err)
	copied := &table{server: s, id: brought.Table.Id}
	for i, c := range copied.commands()[before:len(g.commands())] { // and one more, by which its dice begin anew
		if old := g.commands()[before+i].Via; (c.Via == "") != (old == "") || c.Via != "" && c.Via == old {
			t.Errorf("command %d is via %q in the copy, %q in the table", i, c.Via, old)
		}
	}
}

// viewed is a view without what differs each time.
func viewed(t *table, ctx context.Context) *tablev1.TableView {
	v := t.view(ctx)
	v.Cursor = ""
	return v
}

// TestAdmissions: who is admitted to what, and who may say so and know it.
func TestAdmissions(t *testing.T) {
	s := start(t)
	g, other := s.table(), s.table()
	x, y := s.bridge("X").Id, s.bridge("Y").Id
	g.admit(x, g.nurseSeat, g.gmSeat)
	g.admit(y)
	want := "X " + x + " " + g.gmSeat + "," + g.nurseSeat + "; Y " + y + " all"
	for _, ctx := range []context.Context{g.admin, g.gm, g.student, calling(x, ""), calling(y, g.nurseSeat)} {
		if got := g.admitted(ctx); got != want {
			t.Errorf("admitted are %q, want %q", got, want)
		}
	}
	admit := func(ctx context.Context, r *hanteiv1.AdmitBridgeRequest) error {
		r.TableId = g.id
		_, err := s.Bridge.AdmitBridge(ctx, r)
		return err
	}
	for name, c := range map[string]struct {
		err    error
		code   codes.Code
		reason string
		field  string
	}{
		"player":       {admit(g.nurse, &hanteiv1.AdmitBridgeRequest{BridgeId: x, AllSeats: true}), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"another GM":   {admit(other.gm, &hanteiv1.AdmitBridgeRequest{BridgeId: x, AllSeats: true}), codes.NotFound, "NOT_FOUND", "table_id"},
		"neither":      {admit(g.gm, &hanteiv1.AdmitBridgeRequest{BridgeId: x}), codes.InvalidArgument, "INVALID_FIELD", "seat_ids"},
		"both":         {admit(g.gm, &hanteiv1.AdmitBridgeRequest{BridgeId: x, AllSeats: true, SeatIds: []string{g.gmSeat}}), codes.InvalidArgument, "INVALID_FIELD", "seat_ids"},
		"twice":        {admit(g.gm, &hanteiv1.AdmitBridgeRequest{BridgeId: x, SeatIds: []string{g.gmSeat, g.gmSeat}}), codes.InvalidArgument, "INVALID_FIELD", "seat_ids"},
		"no seat":      {admit(g.gm, &hanteiv1.AdmitBridgeRequest{BridgeId: x, SeatIds: []string{other.nurseSeat}}), codes.NotFound, "NOT_FOUND", "seat_ids"},
		"no bridge":    {admit(g.admin, &hanteiv1.AdmitBridgeRequest{BridgeId: "unknown", AllSeats: true}), codes.NotFound, "NOT_FOUND", "bridge_id"},
		"dismiss none": {g.dismiss("unknown"), codes.NotFound, "NOT_FOUND", "bridge_id"},
	} {
		if info := refused(t, c.err, c.code, c.reason); info.GetMetadata()["field"] != c.field {
			t.Errorf("%s: field %q, want %q", name, info.GetMetadata()["field"], c.field)
		}
	}

	// It lasts, and what is replaced, revoked or dismissed is gone, also when the
	// table is loaded anew.
	s.restart()
	if got := g.admitted(g.gm); got != want {
		t.Errorf("after a restart %q, want %q", got, want)
	}
	act := func(bridge, seat string) error {
		_, err := g.Play.ListOffers(calling(bridge, seat), &hanteiv1.ListOffersRequest{TableId: g.id})
		return err
	}
	s.ok(act(x, g.nurseSeat))
	g.admit(x, g.nurseSeat)
	refused(t, act(x, g.gmSeat), codes.PermissionDenied, "NOT_YOUR_SEAT")
	_, err := g.Seat.RevokeSeat(g.gm, &hanteiv1.RevokeSeatRequest{TableId: g.id, SeatId: g.nurseSeat})
	s.ok(err)
	refused(t, act(x, g.nurseSeat), codes.NotFound, "NOT_FOUND") // it was admitted to that seat alone
	refused(t, act(y, g.nurseSeat), codes.PermissionDenied, "NOT_YOUR_SEAT")
	s.ok(act(y, g.gmSeat))
	seat, _, _ := g.invite("aide")
	s.ok(act(y, seat))
	if got := g.admitted(g.gm); got != "Y "+y+" all" {
		t.Errorf("admitted are %q", got)
	}
	_, err = s.Bridge.DeleteBridge(g.admin, &hanteiv1.DeleteBridgeRequest{BridgeId: y})
	s.ok(err)
	refused(t, act(y, g.gmSeat), codes.NotFound, "NOT_FOUND")
	if got := g.admitted(g.gm); got != "" {
		t.Errorf("admitted are %q", got)
	}
	refused(t, g.dismiss(y), codes.NotFound, "NOT_FOUND")
	s.restart()
	if got := g.admitted(g.gm); got != "" {
		t.Errorf("after a restart %q", got)
	}
}

// TestAdmissionsBound: a table admits so many bridges and no more.
func TestAdmissionsBound(t *testing.T) {
	s := start(t)
	g := s.table()
	last := ""
	for range host.MaxBridges {
		last = s.bridge("X").Id
		g.admit(last)
	}
	_, err := s.Bridge.AdmitBridge(g.gm, &hanteiv1.AdmitBridgeRequest{TableId: g.id, BridgeId: s.bridge("One more").Id, AllSeats: true})
	refused(t, err, codes.ResourceExhausted, "TOO_LARGE")
	g.admit(last, g.nurseSeat) // replaces
}

// TestHeader: the header names the caller's own seat, or a bridge's for which it
// may act. What a bridge may not know it is told of in the same words as of what is
// not there.
func TestHeader(t *testing.T) {
	s := start(t)
	g, closed := s.table(), s.table()
	x := s.bridge("X").Id
	g.admit(x, g.nurseSeat)

	view := func(ctx context.Context, table string) error {
		_, err := s.Play.GetView(ctx, &hanteiv1.GetViewRequest{TableId: table})
		return err
	}
	s.ok(view(naming(g.nurse, g.nurseSeat), g.id))
	s.ok(view(calling(x, g.nurseSeat), g.id))
	twice := metadata.NewIncomingContext(g.nurse, metadata.Pairs("hantei-seat", g.nurseSeat, "hantei-seat", g.nurseSeat))
	_, admins := s.Table.GetTable(naming(g.admin, g.gmSeat), &hanteiv1.GetTableRequest{TableId: g.id})
	for name, c := range map[string]struct {
		err    error
		code   codes.Code
		reason string
	}{
		"another's":       {view(naming(g.nurse, g.gmSeat), g.id), codes.PermissionDenied, "NOT_YOUR_SEAT"},
		"the admin's":     {admins, codes.PermissionDenied, "NOT_YOUR_SEAT"},
		"two":             {view(twice, g.id), codes.InvalidArgument, "INVALID_FIELD"},
		"no id":           {view(naming(g.nurse, "Ω"), g.id), codes.InvalidArgument, "INVALID_FIELD"},
		"not represented": {view(calling(x, g.gmSeat), g.id), codes.PermissionDenied, "NOT_YOUR_SEAT"},
	} {
		if info := refused(t, c.err, c.code, c.reason); info.GetMetadata()["field"] != "Hantei-Seat" {
			t.Errorf("%s: field %q", name, info.GetMetadata()["field"])
		}
	}
	japanese := metadata.NewIncomingContext(g.nurse, metadata.Pairs("hantei-seat", "Ω", "accept-language", "ja"))
	if got := told(view(japanese, g.id)); !strings.Contains(got, "席のIDを1つだけ指定してください") {
		t.Errorf("a bad header in Japanese: %s", got)
	}
	if a, b := told(view(calling(x, g.gmSeat), g.id)), told(view(calling(x, "aaaaaaaaaaaaaaaa"), g.id)); a != b {
		t.Errorf("seats that are there and not:\n%s\n%s", a, b)
	}

	const nowhere = "aaaaaaaaaaaaaaaa"
	for name, call := range map[string]func(ctx context.Context, table string) error{
		"view": view,
		"table": func(ctx context.Context, table string) error {
			_, err := s.Table.GetTable(ctx, &hanteiv1.GetTableRequest{TableId: table})
			return err
		},
		"seats": func(ctx context.Context, table string) error {
			_, err := s.Seat.ListSeats(ctx, &hanteiv1.ListSeatsRequest{TableId: table})
			return err
		},
		"bridges": func(ctx context.Context, table string) error {
			_, err := s.Bridge.ListAdmittedBridges(ctx, &hanteiv1.ListAdmittedBridgesRequest{TableId: table})
			return err
		},
		"act": func(ctx context.Context, table string) error {
			_, err := s.Play.Act(ctx, &hanteiv1.ActRequest{TableId: table, RequestId: "r", What: &hanteiv1.ActRequest_Action{Action: note("x")}})
			return err
		},
		"pause": func(ctx context.Context, table string) error {
			_, err := s.Table.UpdateTable(ctx, &hanteiv1.UpdateTableRequest{TableId: table, Paused: proto.Bool(true)})
			return err
		},
		"revoke": func(ctx context.Context, table string) error {
			_, err := s.Seat.RevokeSeat(ctx, &hanteiv1.RevokeSeatRequest{TableId: table, SeatId: closed.nurseSeat})
			return err
		},
		"watch": func(ctx context.Context, table string) error {
			return s.Play.Watch(&hanteiv1.WatchRequest{TableId: []string{table}, SeatId: []string{closed.gmSeat}}, &watch{ctx: calling(x, "")})
		},
	} {
		for _, seat := range []string{"", g.nurseSeat, closed.gmSeat, closed.nurseSeat} {
			there, not := call(calling(x, seat), closed.id), call(calling(x, seat), nowhere)
			if there == nil || told(there) != told(not) {
				t.Errorf("%s for seat %q: of a table that is there it is told\n%s\nof one that is not\n%s", name, seat, told(there), told(not))
			}
		}
	}
	_, err := s.Table.ListTables(calling(x, closed.gmSeat), &hanteiv1.ListTablesRequest{})
	refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
	closed.admit(x, closed.gmSeat)
	for seat, want := range map[string][]string{"": {closed.id, g.id}, closed.gmSeat: {closed.id}} {
		r, err := s.Table.ListTables(calling(x, seat), &hanteiv1.ListTablesRequest{})
		s.ok(err)
		var got []string
		for _, table := range r.Tables {
			got = append(got, table.Id)
		}
		if !slices.Equal(got, want) {
			t.Errorf("tables for seat %q: %q, want %q", seat, got, want)
		}
	}

	// Without the header it is told of it, in either language.
	for lang, part := range map[string]string{"en": "a bridge names it in the header Hantei-Seat", "ja": "ヘッダー Hantei-Seat"} {
		ctx := as(t, auth.Principal{Bridge: x}, lang)
		_, err := s.Play.GetView(ctx, &hanteiv1.GetViewRequest{TableId: g.id})
		refused(t, err, codes.InvalidArgument, "SEAT_MISSING")
		if got := told(err); !strings.Contains(got, part) {
			t.Errorf("%s: %s", lang, got)
		}
	}
}

// TestBridgeSeats: without a seat, a bridge is told of the seats what those for
// which it may act are told, together.
func TestBridgeSeats(t *testing.T) {
	hides, err := host.NewGame(lurking, coc.DefaultPack())
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(h *host.Options, _ *api.Options, _ *sqlite.Options) { h.Games = []*host.Game{hides} })
	g := s.table()
	g.sample("nurse", "cultist")
	keeper, _, _ := g.invite("cultist")
	x := s.bridge("X").Id
	for _, c := range []struct {
		seats []string
		want  []string // of the keeper's characters
	}{
		{[]string{g.nurseSeat}, nil},
		{[]string{g.nurseSeat, g.gmSeat}, []string{"cultist"}},
		{nil, []string{"cultist"}},
	} {
		g.admit(x, c.seats...)
		r, err := s.Seat.ListSeats(calling(x, ""), &hanteiv1.ListSeatsRequest{TableId: g.id})
		s.ok(err)
		if len(r.Seats) != 4 {
			t.Errorf("%d seats", len(r.Seats))
		}
		for _, seat := range r.Seats {
			if seat.Id == keeper && !slices.Equal(seat.Characters, c.want) {
				t.Errorf("for %q: %q, want %q", c.seats, seat.Characters, c.want)
			}
		}
		r, err = s.Seat.ListSeats(calling(x, g.nurseSeat), &hanteiv1.ListSeatsRequest{TableId: g.id})
		s.ok(err)
		if i := slices.IndexFunc(r.Seats, func(s *tablev1.Seat) bool { return s.Id == keeper }); len(r.Seats[i].Characters) > 0 {
			t.Errorf("the nurse is told %v", r)
		}
	}
}

// TestDismissedAtOnce: when a bridge was dismissed, nothing more comes of it,
// whatever was under way.
func TestDismissedAtOnce(t *testing.T) {
	s := start(t)
	x := ""
	for name, end := range map[string]func(*table) error{
		"dismissed": func(g *table) error { return g.dismiss(x) },
		"replaced": func(g *table) error {
			_, err := s.Bridge.AdmitBridge(g.gm, &hanteiv1.AdmitBridgeRequest{TableId: g.id, BridgeId: x, SeatIds: []string{g.gmSeat}})
			return err
		},
		"removed": func(g *table) error {
			_, err := s.Bridge.DeleteBridge(g.admin, &hanteiv1.DeleteBridgeRequest{BridgeId: x})
			return err
		},
	} {
		x = s.bridge("X").Id
		g := s.tables(1, x)[0]
		begun, done := make(chan struct{}), make(chan error)
		for i := range 4 {
			go func() {
				for n := 0; ; n++ {
					_, err := g.Play.Act(calling(x, g.nurseSeat), g.request("nurse", check("spot")))
					if n == 0 && i == 0 {
						close(begun)
					}
					if err != nil {
						done <- err
						return
					}
				}
			}()
		}
		<-begun
		s.ok(end(g))
		head := g.head()
		for range 4 {
			if err := <-done; details(err).GetReason() != "NOT_FOUND" && details(err).GetReason() != "NOT_YOUR_SEAT" {
				t.Errorf("%s: %v", name, err)
			}
		}
		// One that is removed is not waited for at each of its tables: what has begun
		// may end.
		if name != "removed" && g.head() != head {
			t.Errorf("%s: it went on", name)
		}
	}
}
