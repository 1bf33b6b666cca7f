package api_test

import (
	"context"
	"maps"
	"strings"
	"testing"

	cocv1 "github.com/hantei/hantei/gen/go/hantei/coc/v1"
	tablev1 "github.com/hantei/hantei/gen/go/hantei/table/v1"
	typev1 "github.com/hantei/hantei/gen/go/hantei/type/v1"
	hanteiv1 "github.com/hantei/hantei/gen/go/hantei/v1"
	"github.com/hantei/hantei/server/auth"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

func sameError(t *testing.T, a, b error) {
	t.Helper()
	if x, y := told(a), told(b); a == nil || b == nil || x != y {
		t.Errorf("different answers:\n%v\n%v", x, y)
	}
}

// told is all that an error says. Maps have no order on the wire, here they do.
func told(err error) string {
	s := status.Convert(err)
	parts := []string{s.Code().String(), s.Message()}
	for _, d := range s.Details() {
		parts = append(parts, prototext.Format(d.(proto.Message)))
	}
	return strings.Join(parts, "\n")
}

// calls is every method that names a table, as a call of a seat.
func calls(s *server) map[string]func(ctx context.Context, table string) error {
	get := func(f func(ctx context.Context, table string) error) func(context.Context, string) error { return f }
	return map[string]func(context.Context, string) error{
		"GetTable": get(func(ctx context.Context, id string) error {
			_, err := s.Table.GetTable(ctx, &hanteiv1.GetTableRequest{TableId: id})
			return err
		}),
		"InviteSeat": get(func(ctx context.Context, id string) error {
			_, err := s.Seat.InviteSeat(ctx, &hanteiv1.InviteSeatRequest{TableId: id, Name: "x", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER})
			return err
		}),
		"UpdateTable": get(func(ctx context.Context, id string) error {
			name := "x"
			_, err := s.Table.UpdateTable(ctx, &hanteiv1.UpdateTableRequest{TableId: id, Name: &name})
			return err
		}),
		"ExportTable": get(func(ctx context.Context, id string) error {
			_, err := s.Table.ExportTable(ctx, &hanteiv1.ExportTableRequest{TableId: id})
			return err
		}),
		"DeleteTable": get(func(ctx context.Context, id string) error {
			_, err := s.Table.DeleteTable(ctx, &hanteiv1.DeleteTableRequest{TableId: id})
			return err
		}),
		"UpdateSeat": get(func(ctx context.Context, id string) error {
			_, err := s.Seat.UpdateSeat(ctx, &hanteiv1.UpdateSeatRequest{TableId: id, SeatId: "nonesuchnonesuch"})
			return err
		}),
		"RevokeSeat": get(func(ctx context.Context, id string) error {
			_, err := s.Seat.RevokeSeat(ctx, &hanteiv1.RevokeSeatRequest{TableId: id, SeatId: "nonesuchnonesuch"})
			return err
		}),
		"CreatePairingCode": get(func(ctx context.Context, id string) error {
			_, err := s.Seat.CreatePairingCode(ctx, &hanteiv1.CreatePairingCodeRequest{TableId: id, SeatId: "nonesuchnonesuch"})
			return err
		}),
		"ListSeats": get(func(ctx context.Context, id string) error {
			_, err := s.Seat.ListSeats(ctx, &hanteiv1.ListSeatsRequest{TableId: id})
			return err
		}),
		"CreateCharacter": get(func(ctx context.Context, id string) error {
			_, err := s.Character.CreateCharacter(ctx, &hanteiv1.CreateCharacterRequest{TableId: id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "nurse"}})
			return err
		}),
		"GetCharacter": get(func(ctx context.Context, id string) error {
			_, err := s.Character.GetCharacter(ctx, &hanteiv1.GetCharacterRequest{TableId: id, CharacterId: "nurse"})
			return err
		}),
		"UpdateCharacter": get(func(ctx context.Context, id string) error {
			_, err := s.Character.UpdateCharacter(ctx, &hanteiv1.UpdateCharacterRequest{TableId: id, CharacterId: "nurse", Name: "x"})
			return err
		}),
		"ImportCharacter": get(func(ctx context.Context, id string) error {
			_, err := s.Character.ImportCharacter(ctx, &hanteiv1.ImportCharacterRequest{TableId: id})
			return err
		}),
		"ExportCharacter": get(func(ctx context.Context, id string) error {
			_, err := s.Character.ExportCharacter(ctx, &hanteiv1.ExportCharacterRequest{TableId: id, CharacterId: "nurse"})
			return err
		}),
		"DeleteCharacter": get(func(ctx context.Context, id string) error {
			_, err := s.Character.DeleteCharacter(ctx, &hanteiv1.DeleteCharacterRequest{TableId: id, CharacterId: "nurse"})
			return err
		}),
		"ListCharacters": get(func(ctx context.Context, id string) error {
			_, err := s.Character.ListCharacters(ctx, &hanteiv1.ListCharactersRequest{TableId: id})
			return err
		}),
		"GetView": get(func(ctx context.Context, id string) error {
			_, err := s.Play.GetView(ctx, &hanteiv1.GetViewRequest{TableId: id})
			return err
		}),
		"ListOffers": get(func(ctx context.Context, id string) error {
			_, err := s.Play.ListOffers(ctx, &hanteiv1.ListOffersRequest{TableId: id})
			return err
		}),
		"Act": get(func(ctx context.Context, id string) error {
			_, err := s.Play.Act(ctx, &hanteiv1.ActRequest{TableId: id, What: &hanteiv1.ActRequest_Action{Action: note("x")}})
			return err
		}),
		"Answer": get(func(ctx context.Context, id string) error {
			_, err := s.Play.Answer(ctx, &hanteiv1.AnswerRequest{TableId: id, PromptId: "-"})
			return err
		}),
		"ListEvents": get(func(ctx context.Context, id string) error {
			_, err := s.Play.ListEvents(ctx, &hanteiv1.ListEventsRequest{TableId: id})
			return err
		}),
		"Watch": get(func(ctx context.Context, id string) error {
			return s.Play.Watch(&hanteiv1.WatchRequest{TableId: []string{id}}, &watch{ctx: ctx})
		}),
	}
}

// TestUnknownTable: to a seat, a table that is not its own does not exist.
func TestUnknownTable(t *testing.T) {
	s := start(t)
	g, other := s.table(), s.table()
	for name, call := range calls(s) {
		for who, ctx := range map[string]context.Context{"gm": g.gm, "player": g.nurse} {
			theirs, nobodys := call(ctx, other.id), call(ctx, "nonesuchnonesuch")
			refused(t, theirs, codes.NotFound, "NOT_FOUND")
			sameError(t, theirs, nobodys)
			if t.Failed() {
				t.Fatalf("%s as %s", name, who)
			}
		}
		refused(t, call(context.Background(), g.id), codes.Unauthenticated, "TOKEN_MISSING")
		// A principal whose seat is not at its table is nobody's business.
		if name != "GetTable" && name != "DeleteTable" {
			refused(t, call(as(t, auth.Principal{Seat: "aaaaaaaaaaaaaaaa", Table: g.id}), g.id), codes.NotFound, "NOT_FOUND")
		}
		err := call(g.admin, "nonesuchnonesuch")
		switch name {
		case "GetTable", "UpdateTable", "ExportTable", "DeleteTable", "InviteSeat", "UpdateSeat", "RevokeSeat", "CreatePairingCode", "ListSeats":
			refused(t, err, codes.NotFound, "NOT_FOUND")
		default:
			refused(t, err, codes.PermissionDenied, "NOT_YOUR_SEAT")
		}
		if t.Failed() {
			t.Fatal(name)
		}
	}
}

// TestRefusals goes through what a caller may get wrong.
func TestRefusals(t *testing.T) {
	s := start(t)
	g := s.table().fight()
	_, err := s.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "x", Role: tablev1.SeatRole_SEAT_ROLE_OBSERVER})
	g.ok(err)
	seats, err := s.Seat.ListSeats(g.gm, &hanteiv1.ListSeatsRequest{TableId: g.id})
	g.ok(err)
	observerSeat := seats.Seats[3].Id
	observer := as(t, auth.Principal{Seat: observerSeat, Table: g.id})
	huge := strings.Repeat("x", 100_000)

	act := func(ctx context.Context, r *hanteiv1.ActRequest) error { _, err := s.Play.Act(ctx, r); return err }
	answer := func(ctx context.Context, prompt, window string, a ...*hanteiv1.SlotAnswer) error {
		_, err := s.Play.Answer(ctx, &hanteiv1.AnswerRequest{TableId: g.id, PromptId: prompt, Window: window, Answers: a})
		return err
	}
	create := func(ctx context.Context, change func(*hanteiv1.CreateCharacterRequest)) error {
		r := &hanteiv1.CreateCharacterRequest{TableId: g.id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "nurse"}}
		change(r)
		_, err := s.Character.CreateCharacter(ctx, r)
		return err
	}
	table := func(ctx context.Context, name, ruleset string, o ...*tablev1.Option) error {
		_, err := s.Table.CreateTable(ctx, &hanteiv1.CreateTableRequest{Name: name, Ruleset: ruleset, Options: o})
		return err
	}
	invite := func(ctx context.Context, change func(*hanteiv1.InviteSeatRequest)) error {
		r := &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "x", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER}
		change(r)
		_, err := s.Seat.InviteSeat(ctx, r)
		return err
	}
	offers := func(ctx context.Context, actor string) error {
		_, err := s.Play.ListOffers(ctx, &hanteiv1.ListOffersRequest{TableId: g.id, Actor: actor})
		return err
	}
	events := func(size int32, cursor string) error {
		_, err := s.Play.ListEvents(g.nurse, &hanteiv1.ListEventsRequest{TableId: g.id, PageSize: size, Cursor: cursor})
		return err
	}
	watching := func(cursor string) error {
		return s.Play.Watch(&hanteiv1.WatchRequest{TableId: []string{g.id}, Cursor: cursor}, &watch{ctx: g.nurse})
	}
	tables := func(size int32, token string) error {
		_, err := s.Table.ListTables(g.admin, &hanteiv1.ListTablesRequest{PageSize: size, PageToken: token})
		return err
	}
	other := s.table()
	head := g.head()
	for name, c := range map[string]struct {
		err    error
		code   codes.Code
		reason string
		field  string
	}{
		"act: unknown actor":        {act(g.nurse, g.request("ghost", check("spot"))), codes.NotFound, "NOT_FOUND", "actor"},
		"act: huge actor":           {act(g.nurse, g.request(huge, check("spot"))), codes.NotFound, "NOT_FOUND", "actor"},
		"act: another's character":  {act(g.nurse, g.request("student", check("spot"))), codes.PermissionDenied, "NOT_YOUR_SEAT", "actor"},
		"act: an NPC":               {act(g.nurse, g.request("thug", endTurn())), codes.PermissionDenied, "NOT_YOUR_SEAT", "actor"},
		"act: the GM's":             {act(g.nurse, g.request("", startCombat("nurse"))), codes.PermissionDenied, "NOT_YOUR_SEAT", "action"},
		"act: observer":             {act(observer, g.request("nurse", check("spot"))), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"act: wrong turn":           {act(g.student, g.request("student", attack("fist", "thug"))), codes.FailedPrecondition, "NOT_YOUR_TURN", ""},
		"act: no actor":             {act(g.nurse, g.request("", check("spot"))), codes.NotFound, "NOT_FOUND", "actor"},
		"act: an actor too many":    {act(g.gm, g.request("nurse", startCombat("nurse"))), codes.InvalidArgument, "INVALID_FIELD", "actor"},
		"act: nothing":              {act(g.nurse, &hanteiv1.ActRequest{TableId: g.id}), codes.InvalidArgument, "INVALID_FIELD", "action"},
		"act: empty action":         {act(g.nurse, &hanteiv1.ActRequest{TableId: g.id, What: &hanteiv1.ActRequest_Action{}}), codes.InvalidArgument, "INVALID_FIELD", "action"},
		"act: action of nothing":    {act(g.nurse, &hanteiv1.ActRequest{TableId: g.id, Actor: "nurse", What: &hanteiv1.ActRequest_Action{Action: &tablev1.Action{}}}), codes.InvalidArgument, "INVALID_FIELD", "action"},
		"act: empty coc action":     {act(g.nurse, g.request("nurse", &cocv1.Action{})), codes.InvalidArgument, "INVALID_FIELD", "action"},
		"act: audience":             {act(g.nurse, &hanteiv1.ActRequest{TableId: g.id, Actor: "nurse", What: g.request("", check("spot")).What, Audience: typev1.Audience_AUDIENCE_NEVER}), codes.InvalidArgument, "INVALID_FIELD", "audience"},
		"act: huge request id":      {act(g.nurse, &hanteiv1.ActRequest{TableId: g.id, Actor: "nurse", What: g.request("", check("spot")).What, RequestId: huge}), codes.InvalidArgument, "INVALID_FIELD", "request_id"},
		"act: unknown skill":        {act(g.nurse, g.request("nurse", check(huge))), codes.FailedPrecondition, "UNKNOWN_SKILL", "action.coc.check.skill"},
		"answer: nothing is asked":  {answer(g.nurse, "-", ""), codes.FailedPrecondition, "PROMPT_CLOSED", "prompt_id"},
		"answer: unknown prompt":    {answer(g.nurse, "aaaaaaaaaaaaaaaa", ""), codes.NotFound, "NOT_FOUND", "prompt_id"},
		"answer: unknown window":    {answer(g.nurse, "-", "cover"), codes.NotFound, "NOT_FOUND", "window"},
		"answer: unknown character": {answer(g.nurse, "-", "", &hanteiv1.SlotAnswer{Character: "ghost"}), codes.NotFound, "NOT_FOUND", "answers.character"},
		"answer: another's":         {answer(g.nurse, "-", "", &hanteiv1.SlotAnswer{Character: "student"}), codes.PermissionDenied, "NOT_YOUR_SEAT", "answers.character"},
		"answer: own, not asked":    {answer(g.nurse, "-", "", &hanteiv1.SlotAnswer{Character: "nurse"}), codes.FailedPrecondition, "PROMPT_CLOSED", "prompt_id"},
		"answer: observer":          {answer(observer, "-", ""), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"create: NPC by a player": {create(g.nurse, func(r *hanteiv1.CreateCharacterRequest) {
			r.Source = &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"}
		}), codes.PermissionDenied, "NOT_YOUR_SEAT", "sample"},
		"create: NPC's sheet by a player": {create(g.nurse, func(r *hanteiv1.CreateCharacterRequest) {
			r.Source = &hanteiv1.CreateCharacterRequest_Sheet{Sheet: &tablev1.SheetInput{Kind: tablev1.CharacterKind_CHARACTER_KIND_NPC}}
		}), codes.PermissionDenied, "NOT_YOUR_SEAT", "sheet.kind"},
		"create: for another seat":   {create(g.nurse, func(r *hanteiv1.CreateCharacterRequest) { r.SeatId = g.gmSeat }), codes.PermissionDenied, "NOT_YOUR_SEAT", "seat_id"},
		"create: unknown seat":       {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.SeatId = "ghost" }), codes.NotFound, "NOT_FOUND", "seat_id"},
		"create: observer's seat":    {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.SeatId = observerSeat }), codes.InvalidArgument, "INVALID_FIELD", "seat_id"},
		"create: observer":           {create(observer, func(*hanteiv1.CreateCharacterRequest) {}), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"create: taken id":           {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.CharacterId = "nurse" }), codes.AlreadyExists, "ALREADY_EXISTS", "character_id"},
		"create: another's id":       {create(g.student, func(r *hanteiv1.CreateCharacterRequest) { r.CharacterId = "nurse" }), codes.AlreadyExists, "ALREADY_EXISTS", "character_id"},
		"create: bad id":             {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.CharacterId = "Nurse!" }), codes.InvalidArgument, "INVALID_FIELD", "character_id"},
		"create: huge id":            {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.CharacterId = huge }), codes.InvalidArgument, "INVALID_FIELD", "character_id"},
		"create: huge name":          {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Name = huge }), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"create: control characters": {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Name = "a\nb" }), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"create: turned text":        {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Name = "a\u202eb" }), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"create: not UTF-8":          {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Name = "a\xff" }), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"create: blank name":         {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Name = "  " }), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"create: too many":           {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Count = 21 }), codes.InvalidArgument, "INVALID_FIELD", "count"},
		"create: fewer than none":    {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Count = -1 }), codes.InvalidArgument, "INVALID_FIELD", "count"},
		"create: no source":          {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) { r.Source = nil }), codes.InvalidArgument, "INVALID_FIELD", "source"},
		"create: unknown sample": {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) {
			r.Source = &hanteiv1.CreateCharacterRequest_Sample{Sample: "nurze"}
		}), codes.NotFound, "NOT_FOUND", "sample"},
		"create: sheet without a kind": {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) {
			r.Source = &hanteiv1.CreateCharacterRequest_Sheet{Sheet: &tablev1.SheetInput{}}
		}), codes.InvalidArgument, "INVALID_FIELD", "sheet.kind"},
		"create: two of a sheet": {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) {
			r.Count = 2
			r.Source = &hanteiv1.CreateCharacterRequest_Sheet{Sheet: &tablev1.SheetInput{Kind: tablev1.CharacterKind_CHARACTER_KIND_PC}}
		}), codes.InvalidArgument, "INVALID_FIELD", "count"},
		"create: sheet without a name": {create(g.gm, func(r *hanteiv1.CreateCharacterRequest) {
			r.Source = &hanteiv1.CreateCharacterRequest_Sheet{Sheet: &tablev1.SheetInput{Kind: tablev1.CharacterKind_CHARACTER_KIND_PC}}
		}), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"table: a seat":              {table(g.gm, "x", "coc"), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"table: nobody":              {table(context.Background(), "x", "coc"), codes.Unauthenticated, "TOKEN_MISSING", ""},
		"table: no name":             {table(g.admin, "", "coc"), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"table: huge name":           {table(g.admin, huge, "coc"), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"table: control characters":  {table(g.admin, "a\x00b", "coc"), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"table: unknown ruleset":     {table(g.admin, "x", "cox"), codes.NotFound, "NOT_FOUND", "ruleset"},
		"table: unknown option":      {table(g.admin, "x", "coc", &tablev1.Option{Key: "krit"}), codes.InvalidArgument, "INVALID_FIELD", "options.key"},
		"table: wrong value":         {table(g.admin, "x", "coc", &tablev1.Option{Key: "crit", Value: "many"}), codes.InvalidArgument, "INVALID_FIELD", "options.value"},
		"table: doubled option":      {table(g.admin, "x", "coc", &tablev1.Option{Key: "crit", Value: "1"}, &tablev1.Option{Key: "crit", Value: "2"}), codes.InvalidArgument, "INVALID_FIELD", "options.key"},
		"tables: page size":          {tables(101, ""), codes.InvalidArgument, "INVALID_FIELD", "page_size"},
		"tables: page token":         {tables(1, "x"), codes.InvalidArgument, "INVALID_FIELD", "page_token"},
		"tables: a cursor":           {tables(1, g.view(g.gm).Cursor), codes.InvalidArgument, "INVALID_FIELD", "page_token"},
		"invite: player":             {invite(g.nurse, func(*hanteiv1.InviteSeatRequest) {}), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
		"invite: huge name":          {invite(g.gm, func(r *hanteiv1.InviteSeatRequest) { r.Name = huge }), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"invite: control characters": {invite(g.gm, func(r *hanteiv1.InviteSeatRequest) { r.Name = "\u009b2J" }), codes.InvalidArgument, "INVALID_FIELD", "name"},
		"invite: no role":            {invite(g.gm, func(r *hanteiv1.InviteSeatRequest) { r.Role = 0 }), codes.InvalidArgument, "INVALID_FIELD", "role"},
		"invite: unknown role":       {invite(g.gm, func(r *hanteiv1.InviteSeatRequest) { r.Role = 9 }), codes.InvalidArgument, "INVALID_FIELD", "role"},
		"invite: bad character":      {invite(g.gm, func(r *hanteiv1.InviteSeatRequest) { r.Characters = []string{"A b"} }), codes.InvalidArgument, "INVALID_FIELD", "characters"},
		"invite: character twice":    {invite(g.gm, func(r *hanteiv1.InviteSeatRequest) { r.Characters = []string{"a", "a"} }), codes.InvalidArgument, "INVALID_FIELD", "characters"},
		"invite: observer with characters": {invite(g.gm, func(r *hanteiv1.InviteSeatRequest) {
			r.Role, r.Characters = tablev1.SeatRole_SEAT_ROLE_OBSERVER, []string{"a"}
		}), codes.InvalidArgument, "INVALID_FIELD", "characters"},
		"offers: unknown actor":    {offers(g.nurse, "ghost"), codes.NotFound, "NOT_FOUND", "actor"},
		"events: page size":        {events(501, ""), codes.InvalidArgument, "INVALID_FIELD", "page_size"},
		"events: no cursor":        {events(1, "x"), codes.InvalidArgument, "BAD_CURSOR", "cursor"},
		"events: huge cursor":      {events(1, huge), codes.InvalidArgument, "BAD_CURSOR", "cursor"},
		"events: other table's":    {events(1, other.view(other.gm).Cursor), codes.InvalidArgument, "BAD_CURSOR", "cursor"},
		"watch: no cursor":         {watching("x"), codes.InvalidArgument, "BAD_CURSOR", "cursor"},
		"watch: other table's":     {watching(other.view(other.gm).Cursor), codes.InvalidArgument, "BAD_CURSOR", "cursor"},
		"watch: tampered":          {watching(tampered(g.view(g.nurse).Cursor)), codes.InvalidArgument, "BAD_CURSOR", "cursor"},
		"character: unknown":       {getCharacter(s, g.nurse, g.id, "nurze"), codes.NotFound, "NOT_FOUND", "character_id"},
		"ruleset: unknown":         {getRuleset(s, "cox"), codes.NotFound, "NOT_FOUND", "ruleset"},
		"watch: the admin's table": {s.Play.Watch(&hanteiv1.WatchRequest{}, &watch{ctx: g.admin}), codes.PermissionDenied, "NOT_YOUR_SEAT", ""},
	} {
		t.Run(name, func(t *testing.T) {
			info := refused(t, c.err, c.code, c.reason)
			if info.GetMetadata()["field"] != c.field {
				t.Errorf("field %q, want %q", info.GetMetadata()["field"], c.field)
			}
			if n := proto.Size(status.Convert(c.err).Proto()); n > 4096 {
				t.Errorf("an error of %d bytes", n)
			}
		})
	}
	if g.head() != head {
		t.Error("a refused command is in the log")
	}
}

func tampered(cursor string) string {
	b := []byte(cursor)
	b[20] ^= 1
	return string(b)
}

func getCharacter(s *server, ctx context.Context, table, id string) error {
	_, err := s.Character.GetCharacter(ctx, &hanteiv1.GetCharacterRequest{TableId: table, CharacterId: id})
	return err
}

func getRuleset(s *server, name string) error {
	_, err := s.Ruleset.GetRuleset(context.Background(), &hanteiv1.GetRulesetRequest{Ruleset: name})
	return err
}

// TestErrorDetails: a refusal says where, why, by which rule, and in words.
func TestErrorDetails(t *testing.T) {
	g := start(t).table().fight()
	japanese := as(t, auth.Principal{Seat: g.nurseSeat, Table: g.id}, "fr, ja-JP;q=0.9, en;q=0.5")
	_, err := g.Play.Act(japanese, g.request("nurse", check("spoot")))
	info := refused(t, err, codes.FailedPrecondition, "UNKNOWN_SKILL")
	if info.Domain != "hantei/coc" || info.Metadata["nearest"] != "spot" || info.Metadata["rule"] == "" {
		t.Errorf("info %v", info)
	}
	local := ""
	for _, d := range status.Convert(err).Details() {
		if m, ok := d.(*errdetails.LocalizedMessage); ok {
			local = m.Locale + ": " + m.Message
		}
	}
	if !strings.HasPrefix(local, "ja: ") || local == "ja: UNKNOWN_SKILL" {
		t.Errorf("localized %q", local)
	}
	// The core's wrong field has a violation too.
	_, err = g.Play.Act(g.gm, g.request("nurse", startCombat("nurse")))
	found := false
	for _, d := range status.Convert(err).Details() {
		if b, ok := d.(*errdetails.BadRequest); ok {
			found = b.FieldViolations[0].Field == "actor" && b.FieldViolations[0].Description != ""
		}
	}
	if info := details(err); !found || info.Domain != "hantei" {
		t.Errorf("no violation: %v", err)
	}
}

// TestExplained: what was expected and what came, and which name is wrong, is in
// the words for people too.
func TestExplained(t *testing.T) {
	g := start(t).table()
	g.sample("nurse", "thug")
	option := func(key, value string) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := g.Table.CreateTable(ctx, &hanteiv1.CreateTableRequest{Name: "x", Ruleset: "coc", Options: []*tablev1.Option{{Key: key, Value: value}}})
			return err
		}
	}
	act := func(r *hanteiv1.ActRequest) func(context.Context) error {
		return func(ctx context.Context) error { _, err := g.Play.Act(ctx, r); return err }
	}
	given := func(dice ...string) *hanteiv1.ActRequest {
		r := g.request("thug", check("spot"))
		r.GivenDice = dice
		return r
	}
	own := g.request("nurse", check("spot"))
	own.GivenDice = []string{"1D100=3"}
	admin, gm := auth.Principal{Admin: true}, auth.Principal{Seat: g.gmSeat, Table: g.id}
	for name, c := range map[string]struct {
		do     func(context.Context) error
		by     auth.Principal
		en, ja string
		value  string
	}{
		"an option's value": {
			option("crit", "many"), admin, "options.value: Critical up to must be a whole number from 0 to 100, not “many”.",
			"options.value の指定が正しくありません（クリティカルの上限は0～100の整数にしてください。「many」にはできません）。", "",
		},
		"an option's name": {
			option("krit", "1"), admin, "options.key: there is no option “krit”. Did you mean Critical up to (crit)?",
			"options.key の指定が正しくありません（「krit」というオプションはありません）。「クリティカルの上限（crit）」ではありませんか？", "krit",
		},
		"an empty action": {
			act(g.request("nurse", &cocv1.Action{})), gm, "action: one of coc, core is needed.",
			"action の指定が正しくありません（coc、core のどれか1つを指定してください）。", "",
		},
		"another die": {
			act(given("1D6=3")), gm, "The given dice cannot be used: a check takes 1D100, not 1D6=3.",
			"指定された出目は使えません（判定に振るのは1D100です。1D6=3は使えません）。", "",
		},
		"no die": {
			act(given("1D100")), gm, "The given dice cannot be used: “1D100”: it breaks off at character 6; dice are written like “1D100=44” or “3D6=11(4,4,3)”.",
			"指定された出目は使えません（「1D100」：6文字目で途切れています。「1D100=44」「3D6=11(4,4,3)」のように書いてください）。", "",
		},
		"a die too many": {
			act(given("1D100=3", "1D6=3")), gm, "The given dice cannot be used: 1D6=3 is left over; nothing asked for it.",
			"指定された出目は使えません（1D6=3が余っています）。", "",
		},
		"a player's die": {
			act(own), auth.Principal{Seat: g.nurseSeat, Table: g.id}, "The given dice cannot be used: at this table players do not throw by hand.",
			"指定された出目は使えません（この卓では、プレイヤーは手でダイスを振りません）。", "",
		},
		"nobody of this name": {
			act(g.request("turse", check("spot"))), gm, "There is no “turse” (actor). Did you mean Nurse (nurse)?",
			"「turse」は見つかりません（actor）。「Nurse（nurse）」ではありませんか？", "turse",
		},
		"a loss that is none": {
			act(g.request("", &cocv1.Action{Action: &cocv1.Action_SanCheck{SanCheck: &cocv1.SanCheck{Targets: []string{"nurse"}, Loss: "2/1D"}}})), gm,
			"action.coc.san_check.loss: must be a loss such as “1/1D6”, not “2/1D”.",
			"action.coc.san_check.loss の指定が正しくありません（減少は「1/1D6」のように書いてください。「2/1D」は読めません）。", "",
		},
		"another player's character": {
			act(g.request("thug", check("spot"))), auth.Principal{Seat: g.nurseSeat, Table: g.id},
			"Your seat may not do that: another seat controls this character. Field: actor.",
			"あなたの席ではこの操作はできません：ほかの席が操作するキャラクターです（actor）。", "",
		},
		"one who cannot be chosen": {
			act(g.request("", startCombat("nurse", "thug", "thug"))), gm, "“thug” cannot be chosen.", "「thug」は選べません。", "thug",
		},
	} {
		t.Run(name, func(t *testing.T) {
			for lang, want := range map[string]string{"en": c.en, "ja": c.ja} {
				err := c.do(as(t, c.by, lang))
				got := ""
				for _, d := range status.Convert(err).Details() {
					if m, ok := d.(*errdetails.LocalizedMessage); ok {
						got = m.Message
					}
				}
				if got != want || status.Convert(err).Message() != c.en {
					t.Errorf("%q, want %q, in %v", got, want, err)
				}
				if v := details(err).GetMetadata()["value"]; v != c.value {
					t.Errorf("the name is %q, want %q", v, c.value)
				}
			}
		})
	}
}

// A character that the keeper has not approved is named.
func TestNotApprovedIsNamed(t *testing.T) {
	g := start(t).table()
	g.sample("nurse")
	_, err := g.Character.CreateCharacter(g.student, &hanteiv1.CreateCharacterRequest{TableId: g.id, CharacterId: "pupil", Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "student"}})
	g.ok(err)
	_, err = g.Play.Act(g.gm, g.request("", startCombat("nurse", "pupil")))
	if info := refused(t, err, codes.FailedPrecondition, "NOT_APPROVED"); info.Metadata["value"] != "pupil" {
		t.Errorf("%v", info)
	}
}

// TestLimits fills a table up.
func TestLimits(t *testing.T) {
	g := start(t).table()
	for range 5 {
		_, err := g.Character.CreateCharacter(g.gm, &hanteiv1.CreateCharacterRequest{TableId: g.id, Count: 20, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"}})
		g.ok(err)
	}
	_, err := g.Character.CreateCharacter(g.gm, &hanteiv1.CreateCharacterRequest{TableId: g.id, Source: &hanteiv1.CreateCharacterRequest_Sample{Sample: "thug"}})
	refused(t, err, codes.ResourceExhausted, "TOO_LARGE")
	for i := 3; i < 50; i++ {
		_, err := g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: id("seat", i), Role: tablev1.SeatRole_SEAT_ROLE_PLAYER})
		g.ok(err)
	}
	_, err = g.Seat.InviteSeat(g.gm, &hanteiv1.InviteSeatRequest{TableId: g.id, Name: "x", Role: tablev1.SeatRole_SEAT_ROLE_PLAYER})
	refused(t, err, codes.ResourceExhausted, "TOO_LARGE")
	// A name of 80 characters is 240 bytes of Japanese.
	_, err = g.Table.CreateTable(g.admin, &hanteiv1.CreateTableRequest{Name: strings.Repeat("判", 80), Ruleset: "coc"})
	g.ok(err)
}

// TestDetailForPrograms: the metadata has the detail that the message tells people, and
// what can be sent instead as it is.
func TestDetailForPrograms(t *testing.T) {
	g := start(t).table()
	g.sample("nurse")
	act := g.request("nurse", check("spot"))
	act.GivenDice = []string{"1D100=130"}
	_, err := g.Play.Act(g.gm, act)
	got := refused(t, err, codes.InvalidArgument, "BAD_DICE").GetMetadata()
	want := map[string]string{
		"field": "given_dice", "detail": "given_form", "detail_sent": "1D100=130",
		"detail_why": "dice_total", "detail_why_got": "130", "detail_why_min": "1", "detail_why_max": "100",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	_, err = g.Table.UpdateTable(g.gm, &hanteiv1.UpdateTableRequest{TableId: g.id, Options: []*tablev1.Option{{Key: "npc_hp", Value: "some"}}})
	got = refused(t, err, codes.InvalidArgument, "INVALID_FIELD").GetMetadata()
	want = map[string]string{
		"field": "options.value", "value": "some", "detail": "option_words",
		"detail_option": "npc_hp", "detail_names": "exact,band,none", "detail_sent": "some",
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
